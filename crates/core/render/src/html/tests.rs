//! Hand-written examples. A block that contains "no" is boilerplate.

use super::*;
use warcsieve_fixture::segmented;

fn cleaned_as(segmentation: Segmentation, html: &str) -> String {
    let doc = segmented(html, segmentation);
    let labels: Vec<_> = doc
        .blocks
        .iter()
        .map(|block| Label::plain(!doc.block_text(block).contains("no"), 0))
        .collect();
    let mut out = String::new();
    Writer::new(segmentation).write(&doc, &labels, &mut Page::new(&mut out, usize::MAX));
    if out.is_empty() {
        return out;
    }
    let inner = out.strip_prefix("<html><body>").unwrap_or(&out);
    inner
        .strip_suffix("</body></html>")
        .unwrap_or(inner)
        .to_owned()
}

fn cleaned(html: &str) -> String {
    cleaned_as(Segmentation::Inline, html)
}

#[test]
fn content_keeps_the_elements_around_it() {
    let html = "<title>T</title><nav><a href=/>no</a></nav><main class=x><h1>Head</h1>\
                <p lang=en>One <b>two</b>.<script>no()</script></p><ul><li>no<li>three &lt; 4</ul></main>";
    assert_eq!(
        cleaned(html),
        "<main><h1>Head</h1>\n<p lang=\"en\">One <b>two</b>.</p>\n\
         <ul><li>three &lt; 4</li></ul></main>"
    );
    assert_eq!(cleaned("<p>no"), "");
    assert_eq!(cleaned(""), "");
}

#[test]
fn html_and_body_keep_their_attributes() {
    let doc = segmented(
        "<html lang=de dir=ltr><body onload=x>a",
        Segmentation::Inline,
    );
    let mut out = "before".to_owned();
    Writer::new(Segmentation::Inline).write(
        &doc,
        &[Label::plain(true, 0)],
        &mut Page::new(&mut out, usize::MAX),
    );
    assert_eq!(
        out,
        "before<html lang=\"de\" dir=\"ltr\"><body>a</body></html>"
    );
}

#[test]
fn a_cell_keeps_its_table() {
    assert_eq!(
        cleaned("<table><td>no<tr><th colspan=2>a<td>b</table>"),
        "<table><tbody><tr><th colspan=\"2\">a</th>\n<td>b</td></tr></tbody></table>"
    );
}

#[test]
fn cells_without_content_keep_the_columns_in_their_places() {
    assert_eq!(
        cleaned("<table><tr><th><th>a<th>no<tr><td>b<td><td colspan=2><td>c<tr><td><td>no</table>"),
        "<table><tbody><tr><th></th><th>a</th>\n<th></th></tr><tr><td>b</td>\n<td></td>\
         <td colspan=\"2\"></td><td>c</td></tr></tbody></table>"
    );
    assert_eq!(
        cleaned("<table><tr><td>a<td></table><table><tr><td></table>b"),
        "<table><tbody><tr><td>a</td>\n<td></td></tr></tbody></table>b"
    );
}

#[test]
fn a_table_with_text_outside_of_its_cells_is_replaced() {
    assert_eq!(
        cleaned("<table>a<tr><td>b</table>"),
        "<div>a\n<div><div><div>b</div></div></div></div>"
    );
    let inner = "<table><tbody><tr><td>b</td></tr></tbody></table>";
    assert_eq!(
        cleaned("<table>no<tr><td>b</table>"),
        inner,
        "boilerplate does not matter"
    );
    assert_eq!(
        cleaned("<table><tr>a<td><table><td>b</table></table>"),
        format!("<div><div><div>a\n<div>{inner}</div></div></div></div>")
    );
}

#[test]
fn of_nested_links_the_innermost_are_kept() {
    assert_eq!(
        cleaned("<a name=top><p>a <a href=b>b</a> <a href=javascript:c>c</a>"),
        "<span><p>a <a href=\"b\">b</a> <a>c</a></p></span>"
    );
}

#[test]
fn images_and_breaks_between_content_are_kept() {
    assert_eq!(
        cleaned("<img src=no>no<br>a<br><br>b<hr><p>c <img src=x.png alt=X onerror=y> d<p><img>no"),
        "a<br><br>\nb<hr>\n<p>c <img src=\"x.png\" alt=\"X\">d</p>"
    );
    assert_eq!(
        cleaned("<p>a<figure><img src=f></figure><p><img src=f width=1>b"),
        "<p>a</p>\n<figure><img src=\"f\"></figure><p>b</p>"
    );
    assert_eq!(
        cleaned(
            "<table><tr><td>a</td></tr><br><tr><td>b<svg><img src=i></svg><template><img src=i></template>c</table>"
        ),
        "<table><tbody><tr><td>a</td></tr>\n<tr><td>b<img src=\"i\">c</td></tr></tbody></table>",
        "not where a parser would move them, nor in what is hidden; an img ends a drawing"
    );
}

#[test]
fn blocks_without_a_separating_tag_between_them_are_separated() {
    assert_eq!(cleaned("a<div>no</div>b<i>c</i>"), "a\n<br>b<i>c</i>");
    assert_eq!(cleaned("a<div>no</div><i>b</i>"), "a\n<i><br>b</i>");
    assert_eq!(
        cleaned_as(Segmentation::Leaves, "<p>a <b>b</b><i></i>c"),
        "<p>a\n<b>b</b>\nc</p>"
    );
    assert_eq!(
        cleaned_as(Segmentation::Leaves, "<p>a<i></i>b"),
        "<p>a\n<wbr>b</p>"
    );
    assert_eq!(
        cleaned_as(
            Segmentation::Justext,
            "a<p>no</p>b<br>c<section>d</section>"
        ),
        "a\n<br><br>b <br>c<section>d</section>"
    );
}

#[test]
fn elements_outside_of_the_vocabulary_are_replaced_and_their_content_kept() {
    assert_eq!(
        cleaned("<form action=x><label>a</label><select><option>b</select><x-y>c</x-y></form>"),
        "<div><label>a</label>\n<div><div>b</div></div>\n<span>c</span></div>"
    );
    assert_eq!(
        cleaned("<center><font>a</font></center><xmp><b></xmp><noscript><p>c</noscript>"),
        "<div><span>a</span></div>\n<pre>&lt;b&gt;</pre>\n<span><p>c</p></span>"
    );
}

#[test]
fn an_element_that_would_close_a_paragraph_becomes_a_span() {
    assert_eq!(
        cleaned("<p>a<button>b<div>c</div></button>"),
        "<p>a\n<span><br>b\n<span><br>c</span></span></p>"
    );
}

#[test]
fn a_rule_that_would_close_a_paragraph_is_dropped() {
    assert_eq!(
        cleaned("<p>a<button><div><hr></div>b</button>"),
        "<p>a\n<span><br>b</span></p>"
    );
    assert_eq!(
        cleaned("<p>a<select><option><hr><img src=i>b</select>"),
        "<p>a\n<span><img src=\"i\"><br>b</span></p>"
    );
}

#[test]
fn empty_cells_of_a_table_that_would_close_a_paragraph_are_dropped() {
    assert_eq!(
        cleaned("<p>a<button><table><tr><td>b<td></table>c</button>"),
        "<p>a\n<span><span><span><span><span><br>b</span></span></span></span>\n<br>c</span></p>"
    );
}

#[test]
fn each_block_of_a_plain_text_is_a_paragraph() {
    let mut doc = Document::default();
    let mut segmenter = warcsieve_html::Segmenter::new(Default::default());
    segmenter
        .segment_text("a\nb\n\nno\n\n<c>\n", &mut doc)
        .unwrap();
    let labels = [true, false, true].map(|content| Label::plain(content, 0));
    let mut out = String::new();
    Writer::new(Segmentation::Inline).write(&doc, &labels, &mut Page::new(&mut out, usize::MAX));
    assert_eq!(
        out,
        "<html><body><p>a b</p>\n<p>&lt;c&gt;</p></body></html>"
    );
}

#[test]
fn white_space_in_pre_is_as_in_the_page() {
    for (html, expected) in [
        (
            "<pre class=language-c>  int <b>a</b>;\n\n\treturn  a;\n</pre>",
            "<pre class=\"language-c\">  int <b>a</b>;\n\n\treturn  a;</pre>",
        ),
        (
            "<pre>a<br>  b<br><br>c</pre>",
            "<pre>a<br>  b<br><br>c</pre>",
        ),
        (
            "<pre><div>a</div><div>  b</div></pre>",
            "<pre><div>a</div><div>  b</div></pre>",
        ),
    ] {
        assert_eq!(cleaned(html), expected, "{html}");
    }
}

#[test]
fn links_have_no_attributes_where_that_is_asked_for() {
    let doc = segmented(
        "<p>a <a href=/b lang=en>b</a> <q cite=c>d</q>",
        Segmentation::Inline,
    );
    let labels: Vec<_> = doc.blocks.iter().map(|_| Label::plain(true, 0)).collect();
    let mut out = String::new();
    let mut writer = Writer::new(Segmentation::Inline);
    writer.drop_links(true);
    writer.write(&doc, &labels, &mut Page::new(&mut out, usize::MAX));
    assert!(out.contains("a <a>b</a> <q cite=\"c\">d</q>"), "{out}");
}
