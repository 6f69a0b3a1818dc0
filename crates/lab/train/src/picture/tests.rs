//! Networks on generated pictures, and large networks with random weights.

use super::*;
use crate::Dataset;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use safetensors::tensor::{Dtype, TensorView};
use std::collections::HashMap;
use warcsieve_papers::goce::CLASSES;
use warcsieve_papers::picture::CHANNELS;

/// A picture of noise, the same for the same seed.
pub(super) fn noise(seed: u64) -> Vec<u8> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    (0..SIZE[0] * SIZE[1] * CHANNELS)
        .map(|_| random.random())
        .collect()
}

/// Pages; every third one is a list view, whose picture has stripes.
fn pages(count: usize) -> GenrePages {
    let mut found = GenrePages {
        dataset: Dataset {
            names: vec!["constant".to_owned()],
            columns: vec![Vec::new()],
            classes: CLASSES.map(str::to_owned).to_vec(),
            ..Dataset::default()
        },
        pages: Vec::new(),
        pictures: Vec::new(),
        faults: Vec::new(),
    };
    for i in 0..count {
        let is_list = i % 3 == 0;
        let mut picture = noise(i as u64);
        let rows = picture.chunks_exact_mut(SIZE[0] * CHANNELS);
        for (y, row) in rows.enumerate() {
            let dark = is_list && y % 16 < 8;
            row.iter_mut()
                .for_each(|v| *v = *v / 4 + if dark { 0 } else { 150 });
        }
        found
            .dataset
            .append(&[0.0], &[u8::from(is_list)], &[1], i as u32);
        found.pictures.push(Some(picture));
    }
    found
}

const SHORT: Params = Params {
    epochs: 6,
    batch: 8,
    rate: 5e-3,
    dropout: 0.1,
    seed: 7,
};

#[test]
fn stripes_are_recognised_with_any_number_of_threads() {
    let mut pages = pages(36);
    pages.pictures[5] = None;
    let trained = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| pages.train_on_pictures(2, &SHORT, |_, _| {}).unwrap())
    };
    let (network, validation) = trained(1);
    let validation = validation.unwrap();
    assert_eq!(validation.predicted, pages.dataset.labels);
    let measured = validation.measure(&pages.dataset).unwrap();
    assert_eq!(measured.accuracy, 1.0);
    let bytes = network.to_bytes().unwrap();
    let (again, revalidation) = trained(3);
    assert!(again.to_bytes().unwrap() == bytes);
    assert_eq!(revalidation, Some(validation));
}

#[test]
fn without_pictures_of_both_genres_nothing_is_trained() {
    let mut pages = pages(9);
    for (picture, label) in pages.pictures.iter_mut().zip(&pages.dataset.labels) {
        *picture = picture.take().filter(|_| *label == 0);
    }
    let error = pages.train_on_pictures(2, &SHORT, |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("screenshots = true"), "{error}");
}

/// A file of random weights.
fn weights(shapes: &[(String, Vec<usize>)]) -> Vec<u8> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let data: Vec<Vec<u8>> = shapes
        .iter()
        .map(|(name, shape)| {
            let count: usize = shape.iter().product();
            let low = if name.ends_with("var") { 0.5 } else { -0.3 };
            let numbers = (0..count).map(|_| random.random_range(low..0.7f32));
            numbers.flat_map(f32::to_le_bytes).collect()
        })
        .collect();
    let views = shapes.iter().zip(&data).map(|((name, shape), data)| {
        let view = TensorView::new(Dtype::F32, shape.clone(), data).unwrap();
        (name.clone(), view)
    });
    safetensors::serialize(views.collect::<HashMap<_, _>>(), None).unwrap()
}

fn convolution(shapes: &mut Vec<(String, Vec<usize>)>, name: &str, bn: &str, shape: [usize; 4]) {
    shapes.push((format!("{name}.weight"), shape.to_vec()));
    for part in ["weight", "bias", "running_mean", "running_var"] {
        shapes.push((format!("{bn}.{part}"), vec![shape[0]]));
    }
}

/// A ResNet of one bottleneck and three plain blocks, with few channels.
fn resnet() -> Vec<(String, Vec<usize>)> {
    let mut shapes = Vec::new();
    convolution(&mut shapes, "conv1", "bn1", [4, 3, 7, 7]);
    let block = "layer1.0";
    for (i, shape) in [[2, 4, 1, 1], [2, 2, 3, 3], [8, 2, 1, 1]]
        .into_iter()
        .enumerate()
    {
        let i = i + 1;
        convolution(
            &mut shapes,
            &format!("{block}.conv{i}"),
            &format!("{block}.bn{i}"),
            shape,
        );
    }
    let side = format!("{block}.downsample");
    convolution(
        &mut shapes,
        &format!("{side}.0"),
        &format!("{side}.1"),
        [8, 4, 1, 1],
    );
    for (layer, inputs) in [(2, 8), (3, 6), (4, 6)] {
        let block = format!("layer{layer}.0");
        for (i, inputs) in [inputs, 6].into_iter().enumerate() {
            let i = i + 1;
            let shape = [6, inputs, 3, 3];
            convolution(
                &mut shapes,
                &format!("{block}.conv{i}"),
                &format!("{block}.bn{i}"),
                shape,
            );
        }
        let side = format!("{block}.downsample");
        convolution(
            &mut shapes,
            &format!("{side}.0"),
            &format!("{side}.1"),
            [6, inputs, 1, 1],
        );
    }
    shapes
}

fn vgg() -> Vec<(String, Vec<usize>)> {
    [(0, 4, 3), (3, 5, 4), (5, 6, 5)]
        .iter()
        .flat_map(|(n, outputs, inputs)| {
            [
                (
                    format!("features.{n}.weight"),
                    vec![*outputs, *inputs, 3, 3],
                ),
                (format!("features.{n}.bias"), vec![*outputs]),
            ]
        })
        .collect()
}

fn large(pages: usize) -> Vec<Option<Vec<u8>>> {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let picture = |_| {
        Some(
            (0..SIDE * SIDE * CHANNELS)
                .map(|_| random.random())
                .collect(),
        )
    };
    (0..pages).map(picture).collect()
}

#[test]
fn a_large_network_gives_its_activations_once() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("activations.safetensors");
    for (shapes, width) in [(resnet(), 6), (vgg(), 6)] {
        let frozen = Frozen::from_bytes(&weights(&shapes)).unwrap();
        let given = || {
            let mut pages = pages(4);
            pages.pictures = large(4);
            pages.pictures[3] = None;
            pages
        };
        let found = given().with_activations(&frozen, &cache).unwrap();
        assert_eq!(found.dataset.names.len(), width);
        found.dataset.check().unwrap();
        let of_page = |page: usize| found.dataset.columns.iter().map(move |c| c[page]);
        assert!(of_page(0).zip(of_page(1)).any(|(a, b)| a != b));
        assert!(of_page(3).all(|n| n == 0.0));
        // If the cache is of the same pictures, it is read. A changed number shows this.
        let mut bytes = std::fs::read(&cache).unwrap();
        let at = bytes.len() - 8 * width;
        bytes[at..at + 4].copy_from_slice(&1234.5f32.to_le_bytes());
        std::fs::write(&cache, &bytes).unwrap();
        let again = given().with_activations(&frozen, &cache).unwrap();
        assert_eq!(again.dataset.columns[0][2], 1234.5);
        let mut others = given();
        others.pictures.swap(0, 1);
        let others = others.with_activations(&frozen, &cache).unwrap();
        assert_eq!(others.dataset.columns[0][0], found.dataset.columns[0][1]);
    }
}

#[test]
fn a_vgg_by_hand() {
    // The first output of the single convolution is the middle of channel 0, the second is twice
    // that.
    let mut weight = vec![0f32; 2 * 3 * 9];
    (weight[4], weight[27 + 4]) = (1.0, 2.0);
    let bytes =
        |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
    let (weight, bias) = (bytes(&weight), bytes(&[0.0, 0.5]));
    let views = HashMap::from([
        (
            "features.0.weight",
            TensorView::new(Dtype::F32, vec![2, 3, 3, 3], &weight).unwrap(),
        ),
        (
            "features.0.bias",
            TensorView::new(Dtype::F32, vec![2], &bias).unwrap(),
        ),
    ]);
    let frozen = Frozen::from_bytes(&safetensors::serialize(views, None).unwrap()).unwrap();
    // White: (1 − .485) / .229.
    let white = frozen
        .activations(&vec![255; SIDE * SIDE * CHANNELS])
        .unwrap();
    let one = (1.0 - 0.485) / 0.229;
    assert!((white[0] - one).abs() < 1e-4 && (white[1] - (2.0 * one + 0.5)).abs() < 1e-4);
    // Of every four points the greatest counts. Dark points are below 0.
    let mut checked = vec![0; SIDE * SIDE * CHANNELS];
    for y in (0..SIDE).step_by(2) {
        for x in (0..SIDE).step_by(2) {
            checked[(y * SIDE + x) * CHANNELS] = 255;
        }
    }
    let checked = frozen.activations(&checked).unwrap();
    assert!((checked[0] - one).abs() < 1e-4, "{checked:?}");
}

#[test]
fn other_files_are_rejected_with_a_reason() {
    let refused = |bytes: &[u8]| Frozen::from_bytes(bytes).err().unwrap();
    assert!(refused(b"").contains("not a valid safetensors file"));
    let other = weights(&[("layer.weight".to_owned(), vec![2, 2])]);
    assert!(refused(&other).contains("`conv1.weight`"));
    let mut shapes = resnet();
    shapes.retain(|(name, _)| name != "layer3.0.bn1.bias");
    let frozen = Frozen::from_bytes(&weights(&shapes)).unwrap();
    let error = frozen
        .activations(large(1)[0].as_ref().unwrap())
        .unwrap_err();
    assert!(error.to_string().contains("`layer3.0.bn1.bias`"), "{error}");
}
