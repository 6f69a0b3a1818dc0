//! Hand-written examples. A block that contains "no" is boilerplate.

use super::super::options::Links;
use super::super::options::TableForm;
use super::*;
use warcsieve_fixture::segmented;
use warcsieve_html::Segmentation;

fn markdown_as(segmentation: Segmentation, html: &str) -> String {
    with(RenderOptions::default(), segmentation, html)
}

fn with(options: RenderOptions, segmentation: Segmentation, html: &str) -> String {
    let doc = segmented(html, segmentation);
    let label = |b| Label::plain(!doc.block_text(b).contains("no"), 0);
    let labels: Vec<_> = doc.blocks.iter().map(label).collect();
    let mut out = String::new();
    let mut writer = Writer::new(segmentation);
    writer.set_options(options);
    writer.set_base(Base::of("http://a.example/b/", &doc));
    if options.links != Links::Absolute {
        writer.set_base(Base::default());
    }
    writer.write(&doc, &labels, &mut Page::new(&mut out, usize::MAX));
    out
}

fn markdown(html: &str) -> String {
    markdown_as(Segmentation::Inline, html)
}

#[test]
fn headings_and_paragraphs_are_separated_by_empty_lines() {
    assert_eq!(
        markdown("<h1>A<br>b</h1><div>c</div><p>no<p>d<br>e<br><br>f<h6><div>g #</div></h6>"),
        "# A b\n\nc\n\nd\\\ne\n\nf\n\n###### g \\#"
    );
    assert_eq!(markdown("<h2>a<p>b"), "## a\n\nb", "one that is not closed");
    assert_eq!(markdown("<p>no"), "");
    assert_eq!(markdown(""), "");
}

#[test]
fn each_block_of_a_plain_text_is_a_paragraph() {
    let mut doc = Document::default();
    let mut segmenter = warcsieve_html::Segmenter::new(Default::default());
    segmenter
        .segment_text("- a\nb\n\n1. c\n", &mut doc)
        .unwrap();
    let mut out = String::new();
    let labels = [Label::plain(true, 0); 2];
    let page = &mut Page::new(&mut out, usize::MAX);
    Writer::new(Segmentation::Inline).write(&doc, &labels, page);
    assert_eq!(out, "\\- a b\n\n1\\. c");
}

#[test]
fn lists_are_tight_and_nested() {
    assert_eq!(
        markdown("<ul><li>a<li>b<ol start=9><li>c<li><p>d<p>e<li>no<li>f</ol><li>g</ul>h"),
        "- a\n- b\n\n  9. c\n  10. d\n\n      e\n  11. f\n- g\n\nh"
    );
    assert_eq!(
        markdown("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>"),
        "- a\n\n* b\n\n- c"
    );
    assert_eq!(markdown("<ol><li>a</ol><ol><li>b</ol>"), "1. a\n\n1) b");
    assert_eq!(
        markdown("<ul><li><ul><li>a</ul><li><h2>b</h2>c"),
        "- a\n- ## b\n\n  c"
    );
    let deep = format!("{}a", "<ol><li>".repeat(20));
    assert_eq!(markdown(&deep), format!("{}a", "1. ".repeat(16)));
}

#[test]
fn a_bullet_without_text_leaves_its_place_to_the_bullets_inside() {
    let no = "<li>no<ul>";
    assert_eq!(
        markdown(&format!("<ul>{no}<li>a<li>b</ul><li>c<ul><li>d</ul></ul>")),
        "- a\n- b\n- c\n  - d"
    );
    assert_eq!(
        markdown(&format!(
            "<ul><li>a<ul><li>b</ul>{no}<li>c</ul></ul><ul>{no}<li>d</ul></ul>"
        )),
        "- a\n  - b\n- c\n\n* d"
    );
    assert_eq!(
        markdown("<ol><li>no<ul><li>a</ul><li>b</ol>"),
        "1. - a\n2. b"
    );
    assert_eq!(
        markdown(&format!("{}a<li>b", "<ul><li>".repeat(9))),
        "- a\n- b"
    );
}

#[test]
fn quotes_are_separated() {
    assert_eq!(
        markdown("<blockquote><p>a<p>b<ul><li>c</ul></blockquote><blockquote>d</blockquote>"),
        "> a\n>\n> b\n>\n> - c\n\n> d"
    );
}

#[test]
fn links_keep_their_addresses() {
    assert_eq!(
        markdown("<p>!<a href='/a b'>x <b>y</b></a>, <a href=javascript:z>z</a><a name=q>q</a>"),
        "\\![x **y**](/a%20b), zq"
    );
    assert_eq!(
        markdown("<p><a href='java&#x81;script:z'>x</a> <a href=htp:z>y</a> <a href=tel:1>z</a>"),
        "x y [z](tel:1)"
    );
    assert_eq!(
        markdown("<a href=u><h2>a</h2><p>b</a>"),
        "## [a](u)\n\nb",
        "once"
    );
}

#[test]
fn emphasis_is_marked_only_where_it_is_read_as_emphasis() {
    assert_eq!(
        markdown(
            "<p><b>a</b> b<i>c</i>d <b>e <i>f</i></b>. <b>g</b><i>h</i> <b>&quot;h&quot;</b>i"
        ),
        "**a** b*c*d **e *f***. g*h* \"h\"i"
    );
    assert_eq!(
        markdown("<b>a</b><b>b</b> <b>c<br>- d</b>"),
        "**ab c\\\n\\- d**"
    );
    assert_eq!(
        markdown("<b><i>A</i>b<i>c</i></b> <b>d <i>e</i> f</b>"),
        "**Abc d *e* f**"
    );
    assert_eq!(
        markdown("<p>a <code>b*<b>c</b></code> <kbd>`</kbd>"),
        "a `b*c` `` ` ``"
    );
    assert_eq!(
        markdown("<p>$<code>$&lt;img></code><p>$5"),
        "\\$`$<img>`\n\n$5",
        "no formula begins before the code"
    );
}

#[test]
fn lines_of_pre_are_fenced() {
    assert_eq!(
        markdown(
            "<ul><li>a<div class='x language-c++'><pre>\n  b *\n\n\t```</pre></div></ul>\
             <blockquote><pre><code class=lang-x><span>c</span><br> d<br><br></code>e</pre></blockquote>"
        ),
        "- a\n\n  ````c++\n    b *\n\n  \t```\n  ````\n\n> ```x\n> c\n>  d\n>\n> e\n> ```"
    );
    assert_eq!(
        markdown(
            "<pre class='lang-`'><ol><li>a</li><li> b</li></ol><div>no</div><div>c</div></pre>"
        ),
        "```\na\n b\nc\n```"
    );
}

#[test]
fn tables_of_data_become_tables() {
    assert_eq!(
        markdown(
            "a<table><caption>b</caption><tr><th>c<th>d<br>|<th>no<tr><td><td><code>e</code><td>f</table>g"
        ),
        "a\n\nb\n\n| c | d<br>\\| |  |\n| --- | --- | --- |\n|  | `e` | f |\n\ng"
    );
    assert_eq!(
        markdown("<ul><li><table><tr><td>a<td>b<tr><td>c</table><li>d"),
        "- |  |  |\n  | --- | --- |\n  | a | b |\n  | c |\n\n- d"
    );
    assert_eq!(markdown("<table><tr><td>a<td><h3>b</h3>"), "a\n\n### b");
    assert_eq!(
        markdown(
            "<table><tr><td>x<td><code>&lt;img src=y>|z</code><tr><td>&lt;a@b.c>\
             <td><code>a\\|</code><tr><td><a href='u|v'>|</a>"
        ),
        "|  |  |\n| --- | --- |\n| x | `<img src=y>\\|z` |\n| &lt;a@b.c> | a\\\\\\| |\n\
         | [\\|](u%7Cv) |"
    );
    assert_eq!(
        markdown("<table><tr><td>a<math><mrow><td>b<td>c</math><td>d"),
        "|  |  |\n| --- | --- |\n| a bc | d |",
        "cells of formulas are none"
    );
}

#[test]
fn bare_addresses_are_links_as_they_are() {
    for (html, expected) in [
        (
            "see http://a.example/_b_/c~d*e[1], f",
            "see <http://a.example/_b_/c~d*e[1]>, f",
        ),
        (
            "(http://a.example/Mercury_(planet)), http://a.example/_b_)",
            "(<http://a.example/Mercury_(planet)>), <http://a.example/_b>\\_)",
        ),
        ("https://a.example/b<br>c", "<https://a.example/b>\\\nc"),
        ("https://a.example/b c", "https://a.example/b c"),
        (
            "https://a.example/?b&amp;copy;c_",
            "https://a.example/?b&amp;copy;c\\_",
        ),
        (
            "<a href=/x>http://a.example/_b</a>",
            "[http://a.example/\\_b](/x)",
        ),
        ("xhttp://a.example/_b", "xhttp://a.example/\\_b"),
        (
            "http://a.example/b<b>http://a.example/_#</b>",
            "<http://a.example/bhttp://a.example/_#>",
        ),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn check_boxes_are_those_of_tasks() {
    for (html, expected) in [
        (
            "<ul><li><input type=checkbox disabled checked> a",
            "- [x] a",
        ),
        (
            "<ul><li class=task-list-item><input type=checkbox class=task-list-item-checkbox> a",
            "- [ ] a",
        ),
        ("<ul><li><input type=checkbox> a", "- a"),
        (
            "<ul><li><input type=checkbox disabled><h3>a</h3>",
            "- ### a",
        ),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn cells_keep_their_lines() {
    assert_eq!(
        markdown(
            "<table><tr><th>a<th>b<tr><td>c<td><ul><li>d<li><b>e</b></ul><tr><td>f<td><p>g<p>h</table>"
        ),
        "| a | b |\n| --- | --- |\n| c | d<br>**e** |\n| f | g<br>h |"
    );
    assert_eq!(
        markdown(
            "<table><tr><th>a<td>b<tr><th>c<td><table><tr><td>d<td>e<tr><td>f</table></table>"
        ),
        "|  |  |\n| --- | --- |\n| a | b |\n| c | d e<br>f |"
    );
}

#[test]
fn removed_text_shows_its_signs_only_where_they_are_read() {
    for (html, expected) in [
        ("a <del>b</del><b>c</b>", "a ~~b~~**c**"),
        ("<code>a</code><del>b</del><code>c</code>", "`a`~~b~~`c`"),
        (
            "(<s>a</s>)<del>b!</del>c<del>d</del><del><i>e</i></del>",
            "(~~a~~)b!cd*e*",
        ),
        ("<b>a<del>b</del></b> c", "**ab** c"),
        ("a <b><del>b</del></b> c", "a **~~b~~** c"),
        ("a <del><code>b</code></del> c", "a ~~`b`~~ c"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn items_have_the_numbers_of_the_page() {
    for (html, expected) in [
        ("<ol><li>a<li value=7>b<li>c", "1. a\n7) b\n8) c"),
        (
            "<ol reversed><li>a<li>b<ol><li>c</ol><li>d",
            "3. a\n2) b\n   1. c\n1. d",
        ),
        ("<ol reversed start=9><li>a<li>b", "9. a\n8) b"),
        ("<ol start=-2><li>a<li>b", "0. a\n1. b"),
        ("<ol start=x><li>a", "1. a"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn blocks_on_one_line_are_separated_by_a_space() {
    for segmentation in [Segmentation::Paper, Segmentation::Leaves] {
        assert_eq!(markdown_as(segmentation, "<p>a <b>b</b>c"), "a **b** c");
    }
    assert_eq!(
        markdown_as(Segmentation::Justext, "a<br>b<br><br>c"),
        "a\\\nb\n\nc"
    );
}

#[test]
fn indices_deletions_terms_boxes_and_notes_have_their_signs() {
    for (html, expected) in [
        (
            "H<sub>2</sub>O, x<sup><i>n</i></sup>",
            "H<sub>2</sub>O, x<sup>n</sup>",
        ),
        ("a <del>b c</del> f <s>d</s>e", "a ~~b c~~ f ~~d~~e"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "**a**\n\nb\n\n**c**\n\nd"),
        (
            "<ul><li><input type=checkbox checked disabled>a<li><input type=checkbox disabled> b<li><input type=text>c</ul>",
            "- [x] a\n- [ ] b\n- c",
        ),
        ("<p><input type=checkbox>a", "a"),
        (
            "<div class='admonition note'><p>Note<p>a</div>b",
            "> Note\n>\n> a\n\nb",
        ),
        ("<div class=admonitions><p>a</div>", "a"),
        ("<code>a<sub>b</sub></code>", "`ab`"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn cells_over_several_columns_and_rows_leave_empty_ones() {
    let html = "a<table><tr><th rowspan=2>b<th colspan=2>c<tr><th>d<th>e<tr><td>f<td colspan=2>g";
    assert_eq!(
        markdown(html),
        "a\n\n| b | c |  |\n| --- | --- | --- |\n|  | d | e |\n| f | g |"
    );
}

#[test]
fn tables_are_html_where_that_is_asked_for() {
    let options = RenderOptions {
        tables: TableForm::Html,
        ..RenderOptions::default()
    };
    let tagged = |html: &str| with(options, Segmentation::Inline, html);
    let html = "<p>a<table><caption>k</caption><tr><th rowspan=2>b &amp; <i>c</i><th colspan=2>d<tr><td><td>\
                e<br>f <code>g&lt;</code><tr><td>no<td>no<td>no<tr><td><a href=/x?y=1&amp;z>h</a><td>i<td></table><p>j";
    assert_eq!(
        tagged(html),
        "a\n\nk\n\n<table>\n<tr><th rowspan=\"2\">b &amp; <em>c</em></th><th colspan=\"2\">d</th></tr>\n\
         <tr><td></td><td>e<br>f <code>g&lt;</code></td></tr>\n\
         <tr><td><a href=\"/x?y=1&amp;z\">h</a></td><td>i</td><td></td></tr>\n</table>\n\nj"
    );
    assert_eq!(
        tagged("<ul><li>a<table><tr><td>b<td>c</table></ul>"),
        "- a\n\n  <table>\n  <tr><td>b</td><td>c</td></tr>\n  </table>"
    );
    assert_eq!(
        tagged("<table><tr><td>a<td><p>b<p>c</table>"),
        "a\n\nb\n\nc",
        "a layout"
    );
}

#[test]
fn images_between_content_are_shown_where_that_is_asked_for() {
    let options = RenderOptions {
        images: true,
        links: Links::Absolute,
        ..RenderOptions::default()
    };
    let shown = |html: &str| with(options, Segmentation::Inline, html);
    for (html, expected) in [
        (
            "<p>a<img src=i.png alt='x *y*\n z'><p>b",
            "a![x \\*y\\* z](http://a.example/b/i.png)\n\nb",
        ),
        (
            "<p>a</p><img src=/i.png><p>b",
            "a\n\n![](http://a.example/i.png)\n\nb",
        ),
        (
            "<p>a <a href=k><img src='i j.png' alt=x> b</a> c",
            "a [![x](http://a.example/b/i%20j.png) b](http://a.example/b/k) c",
        ),
        (
            "<p>a<img src=data:x data-src=late.png>b",
            "a![](http://a.example/b/late.png)b",
        ),
        ("<p>a<img src=javascript:x alt=y><p>b", "a\n\nb"),
        ("<p>a<img src=i.gif width=1 height=1><p>b", "a\n\nb"),
        ("<p>a<p>no<img src=i.png><p>b", "a\n\nb"),
        ("<pre>a <img src=i.png> b</pre>", "```\na  b\n```"),
        ("<img src=i.png><p>a<img src=i.png>", "a"),
    ] {
        assert_eq!(shown(html), expected, "{html}");
    }
    assert_eq!(markdown("<p>a<img src=i.png alt=x><p>b"), "a\n\nb");
}

#[test]
fn a_rule_is_between_the_posts_of_a_thread_where_that_is_asked_for() {
    let options = RenderOptions {
        posts: true,
        ..RenderOptions::default()
    };
    let html = "<h1>a</h1><div class=post><p>b<p>c</div><div class=post><pre>d</pre></div><p>e";
    let shown = with(options, Segmentation::Inline, html);
    assert_eq!(shown, "# a\n\n___\n\nb\n\nc\n\n___\n\n```\nd\n```\n\ne");
    let items = "<ul><li class=comment>b<li class=comment>c</ul>";
    assert_eq!(with(options, Segmentation::Inline, items), "- b\n- c");
    let inside = "<p>a<ul><li><div class=post>b</div><li><div class=post>c</div></ul>";
    assert_eq!(with(options, Segmentation::Inline, inside), "a\n\n- b\n- c");
    let post = "<div class=comment><p>Ann</p><div class=post><p>b</div></div>";
    let shown = with(options, Segmentation::Inline, &post.repeat(2));
    assert_eq!(shown, "Ann\n\nb\n\n___\n\nAnn\n\nb", "a post in parts");
    let reply = "<div class=comment><p>b</p><div class=comment><p>c</p></div></div>";
    let shown = with(options, Segmentation::Inline, reply);
    assert_eq!(shown, "b\n\n___\n\nc", "a reply");
    assert!(!markdown(html).contains("___"));
}

fn tidy(html: &str) -> String {
    let options = RenderOptions {
        tidy: true,
        posts: true,
        ..RenderOptions::default()
    };
    with(options, Segmentation::Inline, html)
}

#[test]
fn links_of_headings_to_themselves_are_left_out_where_that_is_asked_for() {
    for (html, expected) in [
        ("<h1>a<a href=#a>¶</a></h1>", "# a"),
        ("<h2><a href=#a>#</a> a</h2>", "## a"),
        ("<h2>a <a href=/p#a>[#]</a></h2>", "## a"),
        ("<h2>a <a href=#a>Â¶</a></h2>", "## a"),
        (
            "<h2>a <a href=src.html>[source]</a><a href=#a>¶</a></h2>",
            "## a",
        ),
        ("<dl><dt>a <a href=#a>¶</a><dd>b</dl>", "**a**\n\nb"),
        ("<h2><a href=#a>¶</a></h2>", "## ¶"),
        ("<h2><a href=#a>a <i>b</i></a></h2>", "## a *b*"),
        (
            "<h2>a <sup><a href=#n>*</a></sup></h2>",
            "## a [<sup>\\*</sup>](#n)",
        ),
        ("<h2>a <a href=#b>b</a></h2>", "## a [b](#b)"),
        ("<p>a <a href=#a>¶</a></p>", "a [¶](#a)"),
        ("<h2>a <button class=copy-link>🔗</button></h2>", "## a"),
        ("<h2>a <button>▼</button></h2>", "## a"),
        (
            "<h2>a <button aria-label='Copy link'><span>Copy</span> link</button></h2>",
            "## a",
        ),
        ("<h2><button class=btn-link>a</button> b</h2>", "## a b"),
        ("<h2><button title=link>a</button></h2>", "## a"),
        ("<p>a <button>🔗</button></p>", "a\n\n🔗"),
    ] {
        assert_eq!(tidy(html), expected, "{html}");
    }
    assert_eq!(markdown("<h1>a<a href=#a>¶</a></h1>"), "# a[¶](#a)");
}

#[test]
fn a_link_around_a_heading_is_printed_there() {
    for (html, expected) in [
        (
            "<a href=x><p>1</p><h2>b</h2><p>c</p></a>",
            "1\n\n## [b](x)\n\nc",
        ),
        ("<a href=x><p>1</p><p>c</p><h2>no</h2></a>", "[1](x)\n\nc"),
        ("<a href=x><p>1</p></a><h2>b</h2>", "[1](x)\n\n## b"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
    // No heading is printed in a `pre` or a cell.
    for html in [
        "<a href=x><p>1</p><pre><h2>b</h2></pre></a>",
        "<a href=x><p>1</p><h2><pre>b</pre></h2></a>",
        "<a href=x><p>1</p><table><tr><th>c<th>d<tr><td><h3>b</h3><td>e</table></a>",
    ] {
        assert!(
            markdown(html).starts_with("[1](x)\n\n"),
            "{html}: {}",
            markdown(html)
        );
    }
    let items = "<ul><li><a href=x><p>1</p><h3>b</h3></a></ul>";
    assert_eq!(tidy(items), "- 1\n\n  [**b**](x)");
}

#[test]
fn links_are_not_marked_where_that_is_asked_for() {
    let options = RenderOptions {
        links: Links::None,
        images: true,
        tidy: true,
        ..RenderOptions::default()
    };
    let html = "<h2>a<a href=#a>¶</a></h2><p><a href=k>b</a> <a href=/i><img src=i.png alt=c></a> d\
                <table><tr><th>e<th>f<tr><td><a href=x>g</a><td>h</table>";
    assert_eq!(
        with(options, Segmentation::Inline, html),
        "## a\n\nb ![c](i.png) d\n\n| e | f |\n| --- | --- |\n| g | h |"
    );
}

#[test]
fn a_byte_order_mark_does_not_hide_a_sign_at_the_start() {
    for (text, expected) in [("# a", "\\# a"), ("- a", "\\- a"), ("1. a", "1\\. a")] {
        let html = format!("<p>&#xfeff;{text}");
        assert_eq!(markdown(&html), format!("\u{feff}{expected}"));
    }
}

#[test]
fn headings_of_items_are_strong_where_that_is_asked_for() {
    for (html, expected) in [
        (
            "<ul><li><h2>a <code>b</code> c</h2>d</ul>",
            "- **a** `b` **c**\n\n  d",
        ),
        (
            "<ul><li>a<h3>b <b>c</b></h3>d</ul>",
            "- a\n\n  **b c**\n\n  d",
        ),
        ("<ul><li><h2><a href=/x>a</a></h2></ul>", "- [**a**](/x)"),
        (
            "<ul><li><blockquote><h2>a</h2></blockquote></ul>",
            "- > ## a",
        ),
        ("<h2>a</h2><ul><li>b</ul><h2>c</h2>", "## a\n\n- b\n\n## c"),
    ] {
        assert_eq!(tidy(html), expected, "{html}");
    }
}

#[test]
fn rows_without_values_are_left_out_where_that_is_asked_for() {
    let table = "<table><tr><th>a<td>b<tr><th>c<td><tr><th>d<td>no<tr><th>e<td>f</table>g";
    let expected = "|  |  |\n| --- | --- |\n| a | b |\n| e | f |\n\ng";
    assert_eq!(tidy(table), expected);
    assert!(markdown(table).contains("| c |"));
    let first = "<table><tr><th>a<td><tr><th>b<td>c</table>";
    assert_eq!(tidy(first), "|  |  |\n| --- | --- |\n| b | c |");
    let options = RenderOptions {
        tidy: true,
        tables: TableForm::Html,
        ..RenderOptions::default()
    };
    let shown = with(options, Segmentation::Inline, table);
    assert!(
        !shown.contains("<th>c</th>") && shown.contains("<th>e</th>"),
        "{shown}"
    );
}

#[test]
fn images_after_the_last_text_are_left_out() {
    let options = RenderOptions {
        images: true,
        ..RenderOptions::default()
    };
    let html = "<p>a<p><img src=/b.png><p>c<p><img src=/d.png>";
    let shown = with(options, Segmentation::Inline, html);
    assert_eq!(shown, "a\n\n![](/b.png)\n\nc");
}

#[test]
fn what_is_no_text_is_left_out_where_that_is_asked_for() {
    let share = "<a href='https://twitter.com/intent/tweet?u=x'>Tweet</a> \
                 <a href='https://www.facebook.com/sharer.php?u=x'>Share</a>";
    for (html, expected) in [
        ("<p>a<h3>Advertisement</h3><p>b".to_owned(), "a\n\nb"),
        (
            "<p>a<h3>Advertisement works</h3>".to_owned(),
            "a\n\n### Advertisement works",
        ),
        (format!("<p>By Ann {share}<p>b"), "By Ann\n\nb"),
        (format!("<p>a<p>{share}<ul><li>{share}</ul>"), "a"),
        (
            format!("<p>{share} is a way"),
            "[Tweet](https://twitter.com/intent/tweet?u=x) \
            [Share](https://www.facebook.com/sharer.php?u=x) is a way",
        ),
    ] {
        assert_eq!(tidy(&html), expected, "{html}");
    }
}

#[test]
fn the_numbers_of_posts_are_left_out_where_that_is_asked_for() {
    for (number, expected) in [
        ("<a href=#p3>#3</a>", "a"),
        ("#12", "a"),
        ("#1 <a href=#p1>Friday</a>", "[Friday](#p1)\n\na"),
        (
            "<a href=#p3>#3</a> · <a href=#p3>Jan 3</a>",
            "[Jan 3](#p3)\n\na",
        ),
        ("#1 place", "\\#1 place\n\na"),
    ] {
        let post = format!("<div class=post><p>{number}<p>a</div>");
        let expected = format!("{expected}\n\n___\n\n{expected}");
        assert_eq!(tidy(&post.repeat(2)), expected, "{number}");
    }
    assert_eq!(tidy("<p>#3<p>a"), "\\#3\n\na", "no thread");
}

/// The Markdown of a page with a known headline; `None` if the page needs none.
fn headed(headline: &str, html: &str) -> Option<String> {
    let doc = segmented(html, Segmentation::Inline);
    let labels: Vec<_> = (0..doc.blocks.len())
        .map(|at| Label::plain(!doc.block_text(&doc.blocks[at]).contains("no"), 0))
        .collect();
    let mut out = String::new();
    let mut renderer =
        crate::Renderer::new(crate::TextFormat::Markdown, Segmentation::Inline, 1000).with(
            RenderOptions {
                title: true,
                ..RenderOptions::default()
            },
        );
    renderer.render(&doc, &labels, &mut out).unwrap();
    let lacks = renderer.lacks_headline();
    lacks.then(|| {
        renderer
            .add_headline(&doc, &labels, headline, &mut out)
            .unwrap();
        out
    })
}

#[test]
fn a_page_without_heading_of_level_1_begins_with_its_headline() {
    let of = |html: &str| headed("A *day* in spring", html);
    for (html, expected) in [
        ("<p>b<h2>c</h2>", "# A \\*day\\* in spring\n\nb\n\n## c"),
        ("<ul><li>b</ul>", "# A \\*day\\* in spring\n\n- b"),
        (
            "<p><b>A *day* in spring</b><p>b",
            "# A \\*day\\* in spring\n\nb",
        ),
        ("<p>*day* in spring<p>b", "# \\*day\\* in spring\n\nb"),
        (
            "<h2>A *day* in spring</h2><p>b",
            "## A \\*day\\* in spring\n\nb",
        ),
        ("<p>b<p>A *day* in spring", "b\n\nA \\*day\\* in spring"),
        ("<h2>b c d</h2><p>e", "## b c d\n\ne"),
        ("<h2>b</h2><p>e", "# A \\*day\\* in spring\n\n## b\n\ne"),
        (
            "<p>b<p>c<p>d<p>e<p>f<p>A *day* in spring",
            "# A \\*day\\* in spring\n\nb\n\nc\n\nd\n\ne\n\nf\n\nA \\*day\\* in spring",
        ),
        ("<ul><li>A *day* in spring</ul>", "- A \\*day\\* in spring"),
    ] {
        assert_eq!(of(html).as_deref(), Some(expected), "{html}");
    }
    assert_eq!(of("<h1>b</h1>"), None);
    assert_eq!(of("<p>b<h1>c</h1>"), None);
    assert_eq!(of("<p>no"), None, "a page without content");
    let long = "x ".repeat(800);
    assert_eq!(headed(&long, "<p>b").as_deref(), Some("b"));
}
