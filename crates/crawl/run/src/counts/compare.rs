//! Compares stated numbers of records with counted ones.

use super::corpus::{Counted, Misplaced};
use super::statements::{Form, Group, Statement};
use serde::Serialize;

/// Which records a comparison counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counting {
    /// Record types in lower case. Empty means all types.
    types: Vec<String>,
}

/// Record types that an index may list, the most likely set first.
const OF_INDEXES: &[&[&str]] = &[
    &["response"],
    &["response", "revisit"],
    &["response", "revisit", "resource"],
    &["response", "revisit", "resource", "metadata"],
];

/// A statement that does not agree with its input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The input's name.
    pub input: String,
    /// Records stated.
    pub stated: u64,
    /// File and line of the statement.
    pub place: String,
    /// Records counted; `None` if the input could not be read.
    pub counted: Option<u64>,
    /// Number of stated offsets at which no record begins.
    pub misplaced: u64,
    /// The first such offset.
    pub first_misplaced: Option<u64>,
    /// Faults in the input. Records may have been lost to damage.
    pub faults: u64,
}

/// The statements of one form compared with the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The form.
    pub form: Form,
    /// Which records were counted.
    pub counting: Counting,
    /// Whether the last line of each offset file is the end of the last record.
    pub end_line: bool,
    /// Number of statements about an input.
    pub compared: u64,
    /// Sum of the records they state.
    pub stated: u64,
    /// Sum of the records counted in the same inputs.
    pub counted: u64,
    /// The statements that do not agree, in the order of the statements.
    pub differences: Vec<Difference>,
    /// Names and places of statements about files that are not among the inputs.
    pub not_there: Vec<(String, String)>,
    /// Inputs without a statement.
    pub not_stated: Vec<String>,
    /// What was unusual, one line each.
    pub notes: Vec<String>,
}

impl Counting {
    /// Counts records of these types, in lower case. An empty list means all types.
    pub fn of(types: &[&str]) -> Self {
        Self {
            types: types.iter().map(|t| (*t).to_owned()).collect(),
        }
    }

    /// The counting in words, such as `response and revisit records`.
    pub fn what(&self) -> String {
        match &*self.types {
            [] => "records of all types".to_owned(),
            [one] => format!("{one} records"),
            [first @ .., last] => format!("{} and {last} records", first.join(", ")),
        }
    }

    fn counted(&self, input: &Counted) -> u64 {
        let counts = input.by_type.iter();
        counts
            .filter(|(name, _)| self.types.is_empty() || self.types.contains(name))
            .fold(0, |sum, (_, n)| sum.saturating_add(*n))
    }
}

impl Comparison {
    /// Whether all statements agree. With `partial`, statements about files that are not among the
    /// inputs are ignored.
    pub fn agrees(&self, partial: bool) -> bool {
        self.differences.is_empty()
            && self.not_stated.is_empty()
            && (partial || self.not_there.is_empty())
    }
}

/// Compares statements with inputs. `names` are the input names that the statements were matched
/// with. `counted` has what each input holds, or `None` if it could not be read.
/// [`Counted::misplaced`] is empty or has one item per statement about the input, in the order of
/// groups and statements.
///
/// `chosen` says which records the statements count, if that is known. Otherwise record counts and
/// offset files count responses, as those of ClueWeb do. So do indexes, unless more inputs agree
/// when revisits, resources or metadata count as well. Then these types count, and a note says so.
/// At least two inputs, and more than half of all, must agree.
///
/// An index that does not name a file states that the file has no record that counts.
pub fn compare(
    groups: &[Group],
    names: &[&str],
    counted: &[Option<Counted>],
    chosen: Option<&Counting>,
) -> Vec<Comparison> {
    let mut seen = vec![0; names.len()];
    groups
        .iter()
        .map(|group| one(group, names, counted, chosen, &mut seen))
        .collect()
}

fn one(
    group: &Group,
    names: &[&str],
    counted: &[Option<Counted>],
    chosen: Option<&Counting>,
    seen: &mut [usize],
) -> Comparison {
    let mut notes = group.notes.clone();
    let counting = match chosen {
        Some(chosen) => chosen.clone(),
        None => likeliest(group, counted, &mut notes),
    };
    let end_line = has_end_line(group, counted);
    let mut comparison = Comparison {
        form: group.form,
        counting,
        end_line,
        compared: 0,
        stated: 0,
        counted: 0,
        differences: Vec::new(),
        not_there: Vec::new(),
        not_stated: Vec::new(),
        notes,
    };
    let mut is_stated = vec![false; names.len()];
    for matched in &group.statements {
        let statement = &matched.statement;
        let Some(at) = matched.input else {
            let named = (statement.name.clone(), statement.place.clone());
            comparison.not_there.push(named);
            continue;
        };
        is_stated[at] = true;
        let input = counted[at].as_ref();
        let misplaced = input.and_then(|i| i.misplaced.get(seen[at]).copied());
        seen[at] += 1;
        let Misplaced { places, first } = misplaced.unwrap_or_default();
        let stated = statement.records.saturating_sub(u64::from(end_line));
        let found = input.map(|input| comparison.counting.counted(input));
        comparison.compared += 1;
        comparison.stated = comparison.stated.saturating_add(stated);
        comparison.counted = comparison.counted.saturating_add(found.unwrap_or(0));
        if found != Some(stated) || places > 0 {
            comparison.differences.push(Difference {
                input: names[at].to_owned(),
                stated,
                place: statement.place.clone(),
                counted: found,
                misplaced: places,
                first_misplaced: (places > 0).then_some(first),
                faults: input.map_or(0, |input| input.faults),
            });
        }
    }
    for (at, name) in names.iter().enumerate() {
        let empty = |input: &Counted| comparison.counting.counted(input) == 0;
        let as_said = group.form == Form::Index && counted[at].as_ref().is_some_and(empty);
        if !is_stated[at] && !as_said {
            comparison.not_stated.push((*name).to_owned());
        }
    }
    comparison
}

/// The statements about inputs that could be read, each with its input.
fn pairs<'a>(
    group: &'a Group,
    counted: &'a [Option<Counted>],
) -> impl Iterator<Item = (&'a Statement, &'a Counted)> {
    group.statements.iter().filter_map(|m| {
        let input = counted.get(m.input?)?.as_ref()?;
        Some((&m.statement, input))
    })
}

/// Whether offset files have a last line for the end of the last record. True if at least half of
/// the comparable files end there.
///
/// A single file is not enough evidence: if its last record is lost, the file may end exactly where
/// that record began.
fn has_end_line(group: &Group, counted: &[Option<Counted>]) -> bool {
    if group.form != Form::Offsets {
        return false;
    }
    let all = pairs(group, counted).count();
    let ending = pairs(group, counted).filter(|(s, input)| s.last == Some(input.bytes));
    ending.count() * 2 >= all
}

/// Responses, or for an index the types with which most inputs agree.
fn likeliest(group: &Group, counted: &[Option<Counted>], notes: &mut Vec<String>) -> Counting {
    let mut all = OF_INDEXES.iter().map(|types| Counting::of(types));
    let first = all.next().expect("the table has a first row");
    if group.form != Form::Index {
        return first;
    }
    let agreeing = |counting: &Counting| {
        let agree = pairs(group, counted).filter(|(s, i)| s.records == counting.counted(i));
        agree.count()
    };
    let compared = pairs(group, counted).count();
    let (mut best, mut most) = (first.clone(), agreeing(&first));
    let mut too_few = None;
    for next in all {
        let n = agreeing(&next);
        if n <= most {
            continue;
        }
        match n >= 2 && n * 2 > compared {
            true => (best, most) = (next, n),
            false if too_few.as_ref().is_none_or(|(_, few)| n > *few) => too_few = Some((next, n)),
            false => {}
        }
    }
    if let (true, Some((next, n))) = (best == first, too_few) {
        notes.push(format!(
            "{n} of {} would agree if {} were counted: --count {}",
            warcsieve_common::counted(compared, "input", "inputs"),
            next.what(),
            next.types.join(",")
        ));
    }
    if best != first {
        notes.push(format!(
            "{most} of {} agree if {} are counted, and fewer if only {} are; use --count to choose \
             the types",
            warcsieve_common::counted(compared, "input", "inputs"),
            best.what(),
            first.what()
        ));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::statements::{Matched, Places};
    use super::*;

    fn counted(types: &[(&str, u64)]) -> Option<Counted> {
        Some(Counted {
            by_type: types.iter().map(|(t, n)| ((*t).to_owned(), *n)).collect(),
            bytes: 100,
            ..Counted::default()
        })
    }

    fn group(form: Form, stated: &[(Option<usize>, u64)]) -> Group {
        let statements = stated.iter().map(|&(input, records)| Matched {
            input,
            statement: Statement {
                name: "x".to_owned(),
                records,
                place: "p".to_owned(),
                places: Places::NotStated,
                last: None,
            },
        });
        Group {
            form,
            statements: statements.collect(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn an_index_counts_the_types_that_most_inputs_agree_with() {
        let inputs: Vec<_> = [10, 20, 30]
            .map(|n| counted(&[("warcinfo", 1), ("response", n), ("revisit", 2)]))
            .into();
        for (stated, what, differing) in [
            ([10, 20, 30], "response records", 0),
            ([12, 22, 30], "response and revisit records", 1),
            ([12, 20, 31], "response records", 2),
            ([13, 23, 33], "response records", 3),
            ([1, 2, 3], "response records", 3),
        ] {
            let stated = [
                (Some(0), stated[0]),
                (Some(1), stated[1]),
                (Some(2), stated[2]),
            ];
            let groups = [group(Form::Index, &stated)];
            let one = compare(&groups, &["a", "b", "c"], &inputs, None).remove(0);
            assert_eq!(one.counting.what(), what);
            assert_eq!(one.differences.len(), differing, "{what}");
            assert_eq!(one.notes.len(), usize::from(what != "response records"));
        }
    }

    #[test]
    fn a_single_index_with_more_types_differs_and_the_option_is_named() {
        let inputs = [counted(&[
            ("warcinfo", 1),
            ("response", 10),
            ("revisit", 2),
        ])];
        let groups = [group(Form::Index, &[(Some(0), 12)])];
        let one = compare(&groups, &["a"], &inputs, None).remove(0);
        assert_eq!(one.differences.len(), 1);
        let note = &one.notes[0];
        assert!(note.ends_with("--count response,revisit"), "{note}");
    }

    #[test]
    fn a_crawl_of_which_every_file_lacks_one_record_differs() {
        let names = ["a", "b", "c"];
        for n in 1..=3 {
            let inputs: Vec<_> = (0..n)
                .map(|i| counted(&[("warcinfo", 1), ("response", 9 + i)]))
                .collect();
            for form in [Form::RecordCounts, Form::Offsets, Form::Index] {
                let stated: Vec<_> = (0..n).map(|i| (Some(i as usize), 10 + i)).collect();
                let groups = [group(form, &stated)];
                let names = &names[..n as usize];
                let one = compare(&groups, names, &inputs, None).remove(0);
                assert_eq!(one.differences.len() as u64, n, "{form:?}");
                let all = Counting::of(&[]);
                let one = compare(&groups, names, &inputs, Some(&all)).remove(0);
                assert!(one.agrees(false), "{form:?}: chosen by the user");
            }
        }
    }

    #[test]
    fn offset_files_may_have_a_line_for_the_end() {
        let inputs = [counted(&[("warcinfo", 1), ("response", 5)])];
        for (lines, last, end_line, agrees) in [
            (6, 100, true, true),
            (5, 90, false, true),
            (5, 100, true, false),
            (6, 90, false, false),
        ] {
            let mut group = group(Form::Offsets, &[(Some(0), lines)]);
            group.statements[0].statement.last = Some(last);
            let one = compare(&[group], &["a"], &inputs, None).remove(0);
            assert_eq!((one.end_line, one.agrees(false)), (end_line, agrees));
        }
    }

    #[test]
    fn a_file_without_records_need_not_be_in_an_index() {
        let inputs = [counted(&[("warcinfo", 1)]), counted(&[("response", 1)])];
        for (form, not_stated) in [(Form::Index, 1), (Form::RecordCounts, 2)] {
            let one = compare(&[group(form, &[])], &["a", "b"], &inputs, None).remove(0);
            assert_eq!(one.not_stated.len(), not_stated);
        }
    }

    #[test]
    fn missing_statements_and_missing_inputs_are_listed() {
        let inputs = [
            counted(&[("response", 5)]),
            None,
            counted(&[("response", 1)]),
        ];
        let stated = [(Some(0), 5), (None, 7), (Some(1), 3)];
        let groups = [group(Form::Index, &stated)];
        let one = compare(&groups, &["a", "b", "c"], &inputs, None).remove(0);
        assert_eq!(one.not_stated, ["c"]);
        assert_eq!(one.not_there.len(), 1);
        assert_eq!(one.differences.len(), 1);
        assert_eq!(
            (one.differences[0].counted, one.differences[0].stated),
            (None, 3)
        );
        assert_eq!((one.compared, one.stated, one.counted), (2, 8, 5));
    }

    #[test]
    fn misplaced_records_belong_to_their_statement() {
        let mut input = counted(&[("response", 5)]).unwrap();
        let wrong = Misplaced {
            places: 2,
            first: 77,
        };
        input.misplaced = vec![Misplaced::default(), wrong];
        let groups = [
            group(Form::RecordCounts, &[(Some(0), 5)]),
            group(Form::Index, &[(Some(0), 5)]),
        ];
        let all = compare(&groups, &["a"], &[Some(input)], None);
        assert!(all[0].agrees(false));
        assert_eq!(all[1].differences[0].first_misplaced, Some(77));
    }
}
