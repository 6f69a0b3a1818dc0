use super::*;
use crate::page::tests::{files, sources};

fn fault<T>(result: Result<T>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn rows_are_read_and_shown() {
    let data = Data::read("x.tsv", "name\tF1\na\t1\nb\t\n").unwrap();
    assert_eq!(data.rows().unwrap(), [["a", "1"], ["b", ""]]);
    let shown = "| name | F1 |\n| --- | ---: |\n| a | 1 |\n| b |  |";
    assert_eq!(data.table(), shown);
    assert_eq!(number("1,040.5").unwrap(), 1040.5);
}

#[test]
fn faults_name_the_file_and_the_line() {
    let ragged = Data::read("x.tsv", "name\tF1\na\t1\nb\n");
    assert_eq!(fault(ragged), "x.tsv: line 3 has 1 cells, the head 2");
    assert_eq!(fault(Data::read("x.tsv", "")), "x.tsv is empty");
    let data = Data::read("x.tsv", "name\tF1\na\t1\n").unwrap();
    assert_eq!(fault(data.rows::<3>()), "x.tsv has 2 columns, not 3");
    assert_eq!(fault(number("–")), "`–` is not a number");
}

#[test]
fn every_table_is_read_by_the_code() {
    let sources = sources();
    let tables = files("data");
    let tables = tables.iter().filter(|(name, _)| name.ends_with(".tsv"));
    for (name, text) in tables {
        let columns = text.lines().next().unwrap().split('\t').count();
        assert!(
            text.lines().all(|line| line.split('\t').count() == columns),
            "{name}"
        );
        let call = format!("data!(\"{name}\")");
        assert!(sources.values().any(|code| code.contains(&call)), "{name}");
    }
}
