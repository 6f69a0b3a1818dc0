use crate::Segmentation;
use crate::tests::segmented;

fn texts(html: &str) -> String {
    let doc = segmented(html, Segmentation::Inline);
    let texts: Vec<_> = doc.blocks.iter().map(|b| doc.block_text(b)).collect();
    texts.join("|")
}

const MATHML: &str = "<math><semantics><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow>\
    <annotation encoding='application/x-tex'>x &lt; y</annotation></semantics></math>";

#[test]
fn the_annotation_is_the_formula() {
    assert_eq!(texts(&format!("a {MATHML} b")), "a $x < y$ b");
    let wikipedia = format!(
        "<span class=mwe-math-element><span class=mwe-math-mathml-inline style='display: none'>\
         {MATHML}</span><img class=mwe-math-fallback-image-inline alt='{{\\displaystyle x&lt;y}}'></span>,"
    );
    assert_eq!(texts(&wikipedia), "$x < y$,");
    let xml = "<math><mi>x</mi><annotation-xml encoding='text/html'><p>y<title>z</title></p>\
        </annotation-xml></math>a<title>T</title>";
    assert_eq!(texts(xml), "$x$a");
    assert_eq!(segmented(xml, Segmentation::Inline).title, "T");
    assert_eq!(texts("<annotation>a</annotation>"), "a", "not MathML");
}

#[test]
fn mathml_without_tex_is_written_as_tex() {
    assert_eq!(
        texts("<p>a <math><mi>x</mi><mo>=</mo><mn>1</mn></math>."),
        "a $x=1$."
    );
    assert_eq!(texts("<math display=block><mi>x</mi></math>"), "$$x$$");
    assert_eq!(
        texts("<math alttext='\\frac{a}{b}'><mi>x</mi></math>"),
        "$\\frac{a}{b}$"
    );
    assert_eq!(
        texts("a<math><mi>x</mi><foo>y</foo></math>b"),
        "axyb",
        "not MathML"
    );
    assert_eq!(texts("<p>a<math></math>b"), "ab");
    assert_eq!(
        texts("a<math/>b <a href=x><math><mi>y</mi></math></a>"),
        "ab $y$"
    );
}

#[test]
fn a_formula_of_katex_comes_once() {
    let picture = "<span class=katex-html aria-hidden=true><span class=mord>x</span>=1</span>";
    let katex =
        format!("<span class=katex><span class=katex-mathml>{MATHML}</span>{picture}</span>");
    assert_eq!(
        texts(&format!("a {katex} b {katex}.")),
        "a $x < y$ b $x < y$."
    );
    let display = format!("a<span class=katex-display>{katex}</span>b");
    assert_eq!(texts(&display), "a$$x < y$$b");
    let only = format!("a<span class=katex>{picture}</span>");
    assert_eq!(texts(&only), "ax=1", "without MathML");
    let icon = format!("{katex}<span aria-hidden=true>c</span>");
    assert_eq!(texts(&icon), "$x < y$c", "not in the formula");
}

#[test]
fn a_formula_of_mathjax_comes_once() {
    let mathml = "<math><mi>x</mi></math>";
    let assistive = format!("<span class=MJX_Assistive_MathML>{mathml}</span>");
    let drawn = format!("<span class=MathJax><nobr aria-hidden=true>x=1</nobr>{assistive}</span>");
    let preview = "<span class=MathJax_Preview>[x]</span>";
    let script = "<script type='math/tex'>x_1 % one\n</script>";
    assert_eq!(
        texts(&format!("a {preview}{drawn}\n{script} b")),
        "a $x_1$ b"
    );
    assert_eq!(texts(&format!("a {drawn} b")), "a $x$ b");
    assert_eq!(texts(&format!("<p>a {drawn}<p>b")), "a $x$|b");
    assert_eq!(texts(&format!("a {preview} b")), "a [x] b");
    assert_eq!(
        texts(&format!("a {script} b")),
        "a $x_1$ b",
        "before it is drawn"
    );
    let display = format!(
        "<div class=MathJax_Display>{drawn}</div><script type='math/tex; mode=display'>y</script>"
    );
    assert_eq!(texts(&display), "$$y$$");
    let svg = format!("<span class=MathJax_SVG><svg><text>x</text></svg>{assistive}</span>");
    assert_eq!(texts(&svg), "$x$", "text of SVG is hidden");
    let newer = format!(
        "<mjx-container display=true><mjx-math aria-hidden=true><mjx-c></mjx-c></mjx-math>\
         <mjx-assistive-mml>{mathml}</mjx-assistive-mml></mjx-container>"
    );
    assert_eq!(texts(&newer), "$$x$$");
    let newest =
        "<mjx-container><mjx-math data-latex='x^2'><mjx-c>x</mjx-c></mjx-math></mjx-container>";
    assert_eq!(texts(newest), "$x^2$");
}

#[test]
fn a_picture_of_a_formula_is_its_alternative_text() {
    assert_eq!(texts("a <img class=latex alt='x &lt; 1'> b"), "a $x < 1$ b");
    assert_eq!(texts("a <img alt=cat class=math-cat> latex"), "a latex");
}

#[test]
fn a_region_that_is_not_closed_loses_nothing() {
    assert_eq!(texts("<div><span class=katex>a<p>b<p>c</div>d"), "a|b|c|d");
    assert_eq!(texts("a<span class=MathJax>b"), "ab");
    assert_eq!(texts("<p>a<math><mi>x<p>b"), "ax|b");
    assert_eq!(texts("<ol><p><math><tr>a</tr></ol>b"), "a|b");
    assert_eq!(texts("<script type=math/tex>x"), "$x$");
    assert_eq!(texts("<template><math><mi>x</mi></math></template>a"), "a");
}

#[test]
fn what_is_a_formula_is_known_afterwards() {
    let html = format!("<p>a {MATHML} <b>b</b> <img class=tex alt=y> <span class=katex>z</span>");
    let doc = segmented(&html, Segmentation::Inline);
    let ends = doc
        .runs
        .iter()
        .skip(1)
        .map(|run| run.start as usize)
        .chain([doc.text.len()]);
    let texts = doc
        .runs
        .iter()
        .zip(ends)
        .map(|(run, end)| (run.element, doc.text[run.start as usize..end].trim()));
    let formulas: Vec<_> = texts
        .filter(|(element, text)| doc.is_formula(*element, text))
        .map(|f| f.1)
        .collect();
    assert_eq!(formulas, ["$x < y$", "$y$"]);
    assert_eq!(doc.formulas(), 2);
    assert_eq!(doc.block_text(&doc.blocks[0]), "a $x < y$ b $y$ z");
}
