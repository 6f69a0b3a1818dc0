use crate::Segmentation;
use crate::tests::segmented;

fn tex(mathml: &str) -> String {
    let doc = segmented(&format!("<p><math>{mathml}</math>"), Segmentation::Inline);
    doc.blocks
        .first()
        .map_or("", |b| doc.block_text(b))
        .trim_matches('$')
        .to_owned()
}

#[test]
fn constructs_of_mathml_core_have_their_commands() {
    let (a, b, c) = ("<mi>a</mi>", "<mi>b</mi>", "<mn>10</mn>");
    let row = |inside: &str| format!("<mrow>{inside}</mrow>");
    let sum = row("<mi>a</mi><mo>+</mo><mi>b</mi>");
    for (mathml, expected) in [
        (format!("<mfrac>{a}{c}</mfrac>"), r"\frac{a}{10}"),
        (format!("<msqrt>{a}{b}</msqrt>"), r"\sqrt{ab}"),
        (format!("<mroot>{a}<mn>3</mn></mroot>"), r"\sqrt[3]{a}"),
        (format!("<msup>{a}<mn>2</mn></msup>"), "a^2"),
        (format!("<msup>{a}{c}</msup>"), "a^{10}"),
        (format!("<msub>{sum}{b}</msub>"), "{a+b}_b"),
        (
            format!("<msup><mrow><mo>(</mo>{sum}<mo>)</mo></mrow><mn>2</mn></msup>"),
            "(a+b)^2",
        ),
        (
            format!("<msubsup>{a}{b}<mi>α</mi></msubsup>"),
            r"a_b^\alpha",
        ),
        (format!("<msup><mi>f</mi><mo>′</mo></msup>{a}"), "f'a"),
        (
            format!("<msup><msub>{a}{b}</msub><mn>2</mn></msup>"),
            "{a_b}^2",
        ),
        (
            format!(
                "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>{a}"
            ),
            r"\sum_{i=1}^na",
        ),
        (
            format!("<munder><mo>lim</mo><mrow>{a}<mo>→</mo><mi>∞</mi></mrow></munder>{b}"),
            r"\lim_{a\to\infty}b",
        ),
        (format!("<munder>{a}{b}</munder>"), r"\underset{b}{a}"),
        (format!("<mover>{a}<mo>^</mo></mover>"), r"\hat{a}"),
        (format!("<mover>{sum}<mo>^</mo></mover>"), r"\widehat{a+b}"),
        (format!("<mover>{a}<mo>→</mo></mover>"), r"\vec{a}"),
        (
            "<mover><mo>=</mo><mtext>def</mtext></mover>".to_owned(),
            r"\overset{\text{def}}{=}",
        ),
        (format!("<mover><mo>→</mo>{a}</mover>"), r"\xrightarrow{a}"),
        (
            format!("<munder><munder>{sum}<mo>⏟</mo></munder>{c}</munder>"),
            r"\underbrace{a+b}_{10}",
        ),
        (
            format!("<mmultiscripts><mi>X</mi>{a}<none/><mprescripts/>{b}{c}</mmultiscripts>"),
            r"{}_b^{10}X_a",
        ),
        (
            format!(
                "<mo>(</mo><mtable><mtr><mtd>{a}</mtd><mtd>{b}</mtd></mtr><mtr><mtd>{c}</mtd></mtr></mtable><mo>)</mo>"
            ),
            r"\begin{pmatrix} a & b \\ 10 \end{pmatrix}",
        ),
        (
            format!("<mo>{{</mo><mtable><mtr><mtd>{a}</mtd></mtr></mtable>"),
            r"\begin{cases} a \end{cases}",
        ),
        (
            format!("<mo>(</mo><mfrac linethickness=0>{a}{b}</mfrac><mo>)</mo>{c}"),
            r"\binom{a}{b}10",
        ),
        (
            format!("<mfenced open='[' separators=';'>{a}{b}</mfenced>"),
            "[a;b)",
        ),
        (
            format!("<mrow data-mjx-texclass=INNER><mo>(</mo>{sum}<mo></mo></mrow>"),
            r"\left(a+b\right.",
        ),
        (
            format!("<menclose notation=box>{a}</menclose>"),
            r"\boxed{a}",
        ),
        (format!("<mphantom>{a}</mphantom>"), r"\phantom{a}"),
        (format!("{a}<mspace width='1em'/>{b}"), r"a\quad b"),
    ] {
        assert_eq!(tex(&mathml), expected, "{mathml}");
    }
}

#[test]
fn letters_signs_and_words_have_their_commands() {
    for (mathml, expected) in [
        ("<mi>sin</mi><mo>&ApplyFunction;</mo><mi>x</mi>", r"\sin x"),
        ("<mi>α</mi><mi>x</mi>", r"\alpha x"),
        ("<mi>α</mi><mo>+</mo><mn>1</mn>", r"\alpha+1"),
        ("<mi mathvariant=double-struck>R</mi>", r"\mathbb{R}"),
        (
            "<mi>ℝ</mi><mi>𝑥</mi><mi>𝐀</mi><mi>𝛼</mi>",
            r"\mathbb{R}x\mathbf{A}\alpha",
        ),
        ("<mi mathvariant=normal>d</mi><mi>x</mi>", r"\mathrm{d}x"),
        ("<mi>foo</mi>", r"\mathrm{foo}"),
        ("<mtext>if&nbsp;50%</mtext>", r"\text{if 50\%}"),
        ("<mn>5</mn><mo>%</mo><mo>{</mo>", r"5\%\{"),
        ("<mi>漢</mi>", "漢"),
        ("<mi>a</mi><mo>≤</mo><mi>b</mi>", r"a\leq b"),
    ] {
        assert_eq!(tex(mathml), expected, "{mathml}");
    }
}

#[test]
fn deep_and_long_formulas_take_linear_time() {
    let deep = format!(
        "{}x{}",
        "<msup><mrow>".repeat(3000),
        "</mrow><mn>2</mn></msup>".repeat(3000)
    );
    assert!(tex(&deep).contains('x'));
    let long = "<mi>x</mi>".repeat(20_000);
    assert_eq!(tex(&long).len(), 20_000, "as plain text");
}
