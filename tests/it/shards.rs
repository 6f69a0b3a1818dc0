//! Several processes on one output folder at once, as job arrays run them.
use crate::common::{assert_same, contents};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn clean(input: &Path, out: &Path, shard: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_warcsieve"))
        .args(["clean", "--quiet", "--threads", "1", "--shard", shard])
        .arg("--out")
        .arg(out)
        .arg(input)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Three shares at once, of which one is killed at some moment and started again.
#[test]
fn shards_of_which_one_is_killed_write_what_one_process_writes() {
    const TIMES: u32 = 4;
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    for (i, name) in ["a", "b", "c", "d", "e", "f"].iter().enumerate() {
        let file = File::create(input.join(format!("{name}.warc.gz"))).unwrap();
        let layout = match i % 2 {
            0 => crate::common::synthetic::Layout::Members,
            _ => crate::common::synthetic::Layout::Stream,
        };
        crate::common::synthetic::write(file, 200_000 * (1 + i as u64 % 4), layout).unwrap();
    }
    let whole = folder.path().join("whole");
    let start = Instant::now();
    assert!(clean(&input, &whole, "1/1").wait().unwrap().success());
    let took = start.elapsed();
    let whole = contents(&whole);
    assert_eq!(whole.len(), 6 * 3 + 3);

    let mut killed = 0;
    for n in 0..TIMES {
        let out = folder.path().join(format!("out{n}"));
        let mut shares = ["1/3", "2/3", "3/3"].map(|share| clean(&input, &out, share));
        thread::sleep(took * (2 * n + 1) / (2 * TIMES));
        shares[1].kill().unwrap();
        killed += u32::from(!shares[1].wait().unwrap().success());
        let mut again = clean(&input, &out, "2/3");
        assert!(shares[0].wait().unwrap().success());
        assert!(shares[2].wait().unwrap().success());
        assert!(again.wait().unwrap().success());
        assert_same(&whole, &contents(&out), &format!("kill {n}"));
    }
    assert!(killed > 0, "each was done before it was killed");
}

/// Two attempts at one input, as speculation makes them: what the slower one does takes nothing of
/// the faster one back.
#[test]
fn attempts_at_one_input_that_overlap_leave_it_done() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("a.warc.gz");
    let file = File::create(&input).unwrap();
    crate::common::synthetic::write(file, 300_000, crate::common::synthetic::Layout::Members)
        .unwrap();
    let whole = folder.path().join("whole");
    let start = Instant::now();
    assert!(clean(&input, &whole, "1/1").wait().unwrap().success());
    let took = start.elapsed();
    let whole = contents(&whole);
    const TIMES: u32 = 12;
    for n in 0..TIMES {
        let out = folder.path().join(format!("out{n}"));
        let mut first = clean(&input, &out, "1/1");
        thread::sleep(took * n / TIMES);
        let mut second = clean(&input, &out, "1/1");
        assert!(first.wait().unwrap().success());
        // As the attempt that lost is killed, shortly after.
        thread::sleep(Duration::from_millis(u64::from(n % 3)));
        second.kill().unwrap();
        second.wait().unwrap();
        let mut left = contents(&out);
        left.retain(|name, _| !name.ends_with(".tmp"));
        assert_same(&whole, &left, &format!("attempt {n}"));
    }
}
