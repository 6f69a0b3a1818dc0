//! Prints the boxes of a page's elements: `boxes URL < page.html`. The program itself is its
//! engine.

use std::io::Read;
use warcsieve_html::document::Document;
use warcsieve_html::{Segmenter, SegmenterOptions};
use warcsieve_layout::{LayoutPage, Layouter, Program, blitz, offer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args().nth(1).unwrap_or_default();
    if argument == "layout-engine" {
        return Ok(blitz::serve()?);
    }
    offer(Program {
        path: std::env::current_exe()?,
        arguments: vec!["layout-engine".to_owned()],
    });
    let mut html = String::new();
    std::io::stdin().read_to_string(&mut html)?;
    let mut doc = Document::default();
    let mut segmenter = Segmenter::new(SegmenterOptions::default());
    let page = LayoutPage {
        id: "",
        url: &argument,
        html: &html,
    };
    Layouter::blitz().segment_html(&mut segmenter, page, &mut doc)?;
    let layout = doc.layout.as_deref().ok_or("no layout")?;
    println!(
        "{}: {}, {} px high, {} style sheets missing",
        layout.engine,
        layout.status.as_str(),
        layout.page_height,
        layout.css_missing
    );
    for (element, own) in (0..).zip(&layout.boxes) {
        let mut path = String::new();
        doc.tree.path(element, &mut path);
        match own {
            Some(b) => println!(
                "{path} {} {} {}×{} font {} {}",
                b.x,
                b.y,
                b.width,
                b.height,
                b.font_size,
                if b.visible { "" } else { "hidden" }
            ),
            None => println!("{path} –"),
        }
    }
    Ok(())
}
