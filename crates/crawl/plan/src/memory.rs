//! Memory of a process.

use warcsieve_engine::{Input, InputKind};
use warcsieve_extract::Pipeline;
use warcsieve_tables::written;

/// Encoded bytes of the open row group of a table.
const ROW_GROUP: u64 = 16 << 20;

/// Bytes of a zstd window, and of a dictionary.
const ZSTD: u64 = 80 << 20;

/// Bytes of rows of an input that wait for their turn.
const WAITING: u64 = 32 << 20;

/// Bytes of the rows of a batch, and of its records.
const BATCH: u64 = 2 * (8 << 20);

/// Bytes of an object that are read ahead.
const AHEAD: u64 = 8 << 20;

/// Bytes of an element and a block: in a document, in the method that keeps most, and in the rows.
const IN_DOCUMENT: u64 = 174;
const IN_METHOD: u64 = 332;
const ELEMENT_AND_BLOCK: u64 = IN_DOCUMENT + IN_METHOD + 4;

/// Bytes of an element for selectors that count siblings in every way, and for the paths of blocks.
const SELECTORS: u64 = 26;
const PATHS: u64 = 50;

/// Copies of a page's text that are in memory at once.
const TEXTS: u64 = 5;

/// Copies of each further form of a page's content: as it is rendered, and in a row.
const FORM: u64 = 2;

/// Copies of a page's text in a document, which there is for each segmentation.
const DOCUMENT: u64 = 2;

/// Bytes that filters keep for each byte of a page's text while they look at it: for its words, lines and n-grams, for
/// the text that line rules leave, and for that with masks, which is three times as long where it is full of personal
/// data. `cargo xtask soak PART=hostile` measures them.
const SIGNALS: u64 = 40;
const LINES: u64 = 4;
const PERSONAL: u64 = 20;

/// What the filters of a pipeline keep for each byte of a text.
fn of_filters(pipeline: &Pipeline) -> u64 {
    let filters = &pipeline.filters;
    let kept = [
        (
            SIGNALS,
            !pipeline.signals.is_empty()
                || filters.ask_signals()
                || pipeline.conditions_ask_signals(),
        ),
        (LINES, filters.line_rules().next().is_some()),
        (PERSONAL, !filters.kinds(false).is_empty()),
    ];
    kept.iter()
        .filter(|(_, is)| *is)
        .map(|(bytes, _)| bytes)
        .sum()
}

/// Bytes of an element for the selectors of a pipeline.
fn of_selectors(pipeline: &Pipeline) -> u64 {
    let settings = &pipeline.settings;
    match settings.keep.is_empty() && settings.drop.is_empty() {
        true => 0,
        false => SELECTORS,
    }
}

/// What the other pipelines that a pipeline names keep of a page: their text and forms, what filters and methods keep, and
/// a document for each further segmentation.
fn of_others(pipeline: &Pipeline) -> u64 {
    let settings = &pipeline.settings;
    let (page, elements) = (settings.max_page_bytes as u64, settings.max_elements as u64);
    let others: Vec<_> = pipeline.further_segmentations().collect();
    let forms = settings.rendered_forms().count() as u64;
    let in_method = IN_METHOD + of_selectors(pipeline);
    let each = (1 + forms + of_filters(pipeline)) * page + in_method * elements;
    let further = others.iter().enumerate().filter(|(at, segmentation)| {
        **segmentation != pipeline.segmentation && !others[..*at].contains(segmentation)
    });
    let documents = further.count() as u64 * (DOCUMENT * page + IN_DOCUMENT * elements);
    others.len() as u64 * each + documents
}

/// Kinds of inputs that need more memory than others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputKinds {
    /// Any is an object of a store.
    pub objects: bool,
    /// Any is compressed with zstd.
    pub zstd: bool,
}

impl InputKinds {
    pub fn of(inputs: &[Input]) -> Self {
        let is_object = |input: &Input| matches!(input.kind, InputKind::Object(_));
        Self {
            objects: inputs.iter().any(is_object),
            zstd: inputs.iter().any(|input| input.name.ends_with(".zst")),
        }
    }
}

/// Most bytes of memory of a process with `threads` threads, if pages at every limit are on all
/// threads at once (the table of bounds in ARCHITECTURE.md, with the method that keeps most).
pub(super) fn bound(pipeline: &Pipeline, threads: usize, kinds: InputKinds) -> u64 {
    let settings = &pipeline.settings;
    let threads = threads.max(1) as u64;
    let ahead = if kinds.objects { AHEAD } else { 0 };
    let zstd = if kinds.zstd { ZSTD } else { 0 };
    let row_groups = ROW_GROUP * written(pipeline).each().count() as u64;
    let limits = settings.limits();
    let further = settings
        .rendered_forms()
        .filter(|form| *form != settings.output);
    let paths = if settings.xpath { PATHS } else { 0 };
    let element = ELEMENT_AND_BLOCK + of_selectors(pipeline) + paths;
    let texts = TEXTS + FORM * further.count() as u64 + of_filters(pipeline);
    let thread = (limits.member + limits.rewind) as u64
        + zstd
        + BATCH
        + texts * settings.max_page_bytes as u64
        + element * settings.max_elements as u64
        + of_others(pipeline);
    threads * thread + threads.div_ceil(2) * (row_groups + WAITING + ahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Pipeline {
        let text = format!("{text}[[step]]\nmethod = 'keep-all'\n");
        Pipeline::parse(&warcsieve_classify::CORE, "p.toml", &text).unwrap()
    }

    #[test]
    fn more_threads_need_more() {
        let plain = parse("");
        let [one, eight] = [1, 8].map(|threads| bound(&plain, threads, InputKinds::default()));
        assert!(eight > 6 * one);
        let kinds = |objects, zstd| InputKinds { objects, zstd };
        let objects = bound(&plain, 8, kinds(true, false));
        assert_eq!(objects - eight, 4 * AHEAD, "four inputs in flight");
        let zstd = bound(&plain, 8, kinds(false, true));
        assert_eq!(zstd - eight, 8 * ZSTD);
        let [links, none] = ["link_table = true\n", "blocks = false\n"]
            .map(|text| bound(&parse(text), 1, InputKinds::default()));
        assert_eq!(links - none, 2 * ROW_GROUP);
        let [plain, more] = ["", "drop = ['nav']\nxpath = true\n"]
            .map(|text| bound(&parse(text), 1, InputKinds::default()));
        assert_eq!(more - plain, 76_000_000);
    }

    #[test]
    fn further_forms_need_more() {
        let page = parse("").settings.max_page_bytes as u64;
        let [one, three] = ["", "forms = ['text', 'markdown', 'html']\n"]
            .map(|text| bound(&parse(text), 1, InputKinds::default()));
        assert_eq!(three - one, 2 * FORM * page);
    }

    #[test]
    fn each_pipeline_that_is_named_needs_more() {
        let of = |text: &str| bound(&parse(text), 1, InputKinds::default());
        let fallback = "[[fallback]]\nwhen = 'confidence < 0.5'\npipeline = 'keep-all'\n";
        let twice = fallback.repeat(2);
        let [none, one, two] = ["", fallback, &twice].map(of);
        assert!(one > none);
        assert_eq!(two - one, one - none);
        let signal = fallback.replace("confidence < 0.5", "gopher.words@datatrove < 50");
        let page = parse("").settings.max_page_bytes as u64;
        assert_eq!(
            of(&signal) - one,
            2 * SIGNALS * page,
            "for each of the two pipelines"
        );
        let further = [fallback, &twice]
            .map(|others| of(&format!("segmentation = 'leaves'\n{others}")) - of(others));
        assert_eq!(further[0], further[1], "one document for both");
        assert!(further[0] > DOCUMENT * page);
    }

    #[test]
    fn filters_need_more_for_each_byte_of_a_page() {
        let page = parse("").settings.max_page_bytes as u64;
        let more = |filters: &str| {
            let [without, with] =
                ["", filters].map(|text| bound(&parse(text), 1, InputKinds::default()));
            // A filter has a table of the pages that it removes.
            let table = if filters.starts_with("[[filter]]") {
                ROW_GROUP
            } else {
                0
            };
            (with - without - table) / page
        };
        assert_eq!(more("signals = ['mc4@datatrove']\n"), SIGNALS);
        assert_eq!(more("[[filter]]\nkeep = 'n_blocks > 1'\n"), 0);
        assert_eq!(more("[[filter]]\npreset = 'gopher'\n"), SIGNALS);
        assert_eq!(more("[[filter]]\nlines = 'c4'\n"), LINES);
        assert_eq!(more("[[filter]]\npreset = 'c4'\n"), SIGNALS + LINES);
        assert_eq!(more("[[filter]]\npersonal = 'mask'\n"), PERSONAL);
        assert_eq!(more("[[filter]]\npersonal = 'tag'\n"), PERSONAL);
    }
}
