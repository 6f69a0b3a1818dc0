//! Methods that need the positions of elements on a screen.

use warcsieve_extract::{LayoutEngine, Pipeline};
use warcsieve_papers::METHODS;

fn error_of(text: &str) -> String {
    let parsed = Pipeline::parse(&METHODS, "p.toml", text);
    parsed.map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn a_method_that_needs_a_layout_asks_for_the_key() {
    let step = "[[step]]\nmethod = \"cehtd\"\n";
    for text in [step.to_owned(), format!("layout = \"none\"\n{step}")] {
        let e = error_of(&text);
        assert!(e.starts_with("p.toml:1:"), "{e}");
        assert!(
            e.contains("`cehtd`") && e.contains("layout = \"blitz\""),
            "{e}"
        );
    }
    let e = error_of(&format!("layout = \"gecko\"\n{step}"));
    assert!(e.starts_with("p.toml:1:") && e.contains("blitz"), "{e}");
    let pipeline = Pipeline::parse(&METHODS, "p.toml", &format!("layout = \"blitz\"\n{step}"));
    assert_eq!(pipeline.unwrap().settings.layout, LayoutEngine::Blitz);
    let none = Pipeline::parse(&METHODS, "p.toml", "[[step]]\nmethod = \"cectd\"\n").unwrap();
    assert_eq!(none.settings.layout, LayoutEngine::None);
}
