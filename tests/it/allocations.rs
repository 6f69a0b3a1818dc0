//! Once its buffers have grown, cleaning a page allocates nothing: not in the tokenizer, the
//! segmenter, the features, nor the classifier.

use allocation_counter::measure;
use std::fs;
use std::sync::Arc;
use warcsieve_extract::Labeller;
use warcsieve_extract::Pipeline;
use warcsieve_html::document::Document;

/// Pages of all kinds of markup: raw text, references, links, tables, lists, `pre`, drawings,
/// scripts of other alphabets.
fn pages() -> Vec<String> {
    let mut pages = vec![
        "<title>A &amp; B</title><script>if (a < b) '</p>'</script><style>p > a {}</style>\
         <p>Caf&eacute; &#8212; &notit; &unknown; <b>one<i>two</b>three</i><br>four<pre>a\n  b</pre>\
         <svg><title>x</title><a href=y>z</a></svg><textarea>t</textarea><noscript><p>n</noscript>\
         <table><tr><td>1<td>2<tr><td>3</table><!-- c --><p>日本語のテキスト ภาษาไทย عربي"
            .to_owned(),
        "plain words without any markup\r\nand a second line\0".to_owned(),
        format!("<div class='comments'>{}</div>", "<p>So <a href=#>it</a> goes on and on. ".repeat(400)),
        "<ul><li class=a id=b>one<li>two</ul>".repeat(300),
    ];
    for entry in fs::read_dir("testdata/pages").unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        pages.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    pages
}

#[test]
fn nothing_is_allocated_once_the_buffers_have_grown() {
    let pages = pages();
    for text in [
        "[[step]]\nmethod = \"forest\"\n",
        "[[step]]\nmethod = \"numwords\"\n",
        "[[step]]\nmethod = \"crf\"\n",
        "[[step]]\nmethod = \"web2text\"\n",
        "[[step]]\nmethod = \"web2text\"\ndecode = \"expected-f1\"\n",
    ] {
        let pipeline = Pipeline::parse(&warcsieve_papers::METHODS, "test", text).unwrap();
        let (mut segmenter, mut labeller) = (pipeline.segmenter(), Labeller::new(&pipeline));
        let mut doc = Document::default();
        let mut clean = |page: &String| {
            let segmenting = measure(|| segmenter.segment_html(page, &mut doc).unwrap());
            let labelling = measure(|| labeller.label(&doc));
            (segmenting.count_total, labelling.count_total)
        };
        for page in &pages {
            clean(page);
        }
        for page in &pages {
            let beginning: String = page.chars().take(200).collect();
            assert_eq!(clean(page), (0, 0), "{text} {beginning}");
        }
    }
    let held = measure(|| drop(Arc::new(pages.len())));
    assert_eq!(held.count_total, 1, "the counter counts");
}
