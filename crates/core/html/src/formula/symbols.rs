//! TeX for characters in formulas: Greek letters, operators, relations, arrows, letters of other
//! alphabets.

/// The TeX of a character, if it has a command in plain TeX, LaTeX or amsmath.
pub(super) fn symbol(c: char) -> Option<&'static str> {
    let found = SYMBOLS.binary_search_by_key(&c, |&(c, _)| c);
    found.ok().map(|at| SYMBOLS[at].1)
}

/// A mathematical alphanumeric character (U+1D400 to U+1D7FF, and letterlike symbols) as its
/// command and its plain letter. The command of italic letters is empty.
pub(super) fn alphabet(c: char) -> Option<(&'static str, char)> {
    let letterlike = match c {
        'ℂ' => ("\\mathbb", 'C'),
        'ℍ' => ("\\mathbb", 'H'),
        'ℕ' => ("\\mathbb", 'N'),
        'ℙ' => ("\\mathbb", 'P'),
        'ℚ' => ("\\mathbb", 'Q'),
        'ℝ' => ("\\mathbb", 'R'),
        'ℤ' => ("\\mathbb", 'Z'),
        'ℊ' => ("\\mathcal", 'g'),
        'ℋ' => ("\\mathcal", 'H'),
        'ℐ' => ("\\mathcal", 'I'),
        'ℒ' => ("\\mathcal", 'L'),
        'ℛ' => ("\\mathcal", 'R'),
        'ℬ' => ("\\mathcal", 'B'),
        'ℰ' => ("\\mathcal", 'E'),
        'ℱ' => ("\\mathcal", 'F'),
        'ℳ' => ("\\mathcal", 'M'),
        'ℌ' => ("\\mathfrak", 'H'),
        'ℭ' => ("\\mathfrak", 'C'),
        'ℨ' => ("\\mathfrak", 'Z'),
        'ℎ' => ("", 'h'),
        _ => return styled(c),
    };
    Some(letterlike)
}

/// Blocks of 52 letters, 58 Greek letters or 10 digits, in Unicode's order.
fn styled(c: char) -> Option<(&'static str, char)> {
    const LETTERS: [&str; 13] = [
        "\\mathbf",
        "",
        "\\boldsymbol",
        "\\mathcal",
        "\\boldsymbol",
        "\\mathfrak",
        "\\mathbb",
        "\\boldsymbol",
        "\\mathsf",
        "\\mathsf",
        "\\mathsf",
        "\\mathsf",
        "\\mathtt",
    ];
    const GREEK: [&str; 5] = [
        "\\boldsymbol",
        "",
        "\\boldsymbol",
        "\\boldsymbol",
        "\\boldsymbol",
    ];
    const DIGITS: [&str; 5] = ["\\mathbf", "\\mathbb", "\\mathsf", "\\mathsf", "\\mathtt"];
    let code = u32::from(c);
    match code {
        0x1d400..0x1d6a4 => {
            let (block, at) = ((code - 0x1d400) / 52, (code - 0x1d400) % 52);
            let first = if at < 26 { 'A' } else { 'a' };
            let letter = char::from_u32(u32::from(first) + at % 26)?;
            Some((LETTERS[block as usize], letter))
        }
        0x1d6a8..0x1d7ca => {
            let (block, at) = ((code - 0x1d6a8) / 58, (code - 0x1d6a8) % 58);
            let letter = match at {
                0..17 => char::from_u32(0x391 + at)?,
                17 => 'ϴ',
                18..25 => char::from_u32(0x391 + at)?,
                25 => '∇',
                26..51 => char::from_u32(0x3b1 + at - 26)?,
                51 => '∂',
                52 => 'ϵ',
                53 => 'ϑ',
                54 => 'ϰ',
                55 => 'ϕ',
                56 => 'ϱ',
                _ => 'ϖ',
            };
            Some((GREEK[block as usize], letter))
        }
        0x1d7ce..0x1d800 => {
            let (block, at) = ((code - 0x1d7ce) / 10, (code - 0x1d7ce) % 10);
            let digit = char::from_digit(at, 10)?;
            Some((DIGITS[block as usize], digit))
        }
        _ => None,
    }
}

/// The accent command for a character above a base.
pub(super) fn accent(c: char) -> Option<&'static str> {
    Some(match c {
        '^' | 'ˆ' | '\u{302}' => "\\hat",
        '¯' | '‾' | 'ˉ' | '\u{304}' | '\u{305}' | '―' | '_' | '\u{332}' => "\\bar",
        '~' | '˜' | '\u{303}' | '∼' => "\\tilde",
        '→' | '\u{20d7}' | '⇀' => "\\vec",
        '˙' | '\u{307}' | '.' => "\\dot",
        '¨' | '\u{308}' => "\\ddot",
        '\u{20db}' => "\\dddot",
        'ˇ' | '\u{30c}' => "\\check",
        '˘' | '\u{306}' => "\\breve",
        '´' | '\u{301}' => "\\acute",
        '`' | '\u{300}' => "\\grave",
        '˚' | '\u{30a}' => "\\mathring",
        '⏞' | '︷' => "\\overbrace",
        _ => return None,
    })
}

/// The same accent for a base of several characters.
pub(super) fn wide(accent: &'static str) -> &'static str {
    match accent {
        "\\hat" => "\\widehat",
        "\\bar" => "\\overline",
        "\\tilde" => "\\widetilde",
        "\\vec" => "\\overrightarrow",
        other => other,
    }
}

/// Operators that have limits below and above.
pub(super) fn has_limits(text: &str) -> bool {
    const WORDS: [&str; 14] = [
        "lim", "max", "min", "sup", "inf", "limsup", "liminf", "lim sup", "lim inf", "det", "gcd",
        "Pr", "argmax", "argmin",
    ];
    let signs = "∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂⨀⨄⨆";
    let mut chars = text.chars();
    let one = chars.next().filter(|_| chars.next().is_none());
    one.map_or_else(|| WORDS.contains(&text), |c| signs.contains(c))
}

/// The command of a function's name.
pub(super) fn function(name: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 37] = [
        ("Pr", "\\Pr"),
        ("arccos", "\\arccos"),
        ("arcsin", "\\arcsin"),
        ("arctan", "\\arctan"),
        ("arg", "\\arg"),
        ("cos", "\\cos"),
        ("cosh", "\\cosh"),
        ("cot", "\\cot"),
        ("coth", "\\coth"),
        ("csc", "\\csc"),
        ("deg", "\\deg"),
        ("det", "\\det"),
        ("dim", "\\dim"),
        ("exp", "\\exp"),
        ("gcd", "\\gcd"),
        ("hom", "\\hom"),
        ("inf", "\\inf"),
        ("ker", "\\ker"),
        ("lg", "\\lg"),
        ("lim", "\\lim"),
        ("lim inf", "\\liminf"),
        ("lim sup", "\\limsup"),
        ("liminf", "\\liminf"),
        ("limsup", "\\limsup"),
        ("ln", "\\ln"),
        ("log", "\\log"),
        ("max", "\\max"),
        ("min", "\\min"),
        ("mod", "\\bmod"),
        ("sec", "\\sec"),
        ("sin", "\\sin"),
        ("sinh", "\\sinh"),
        ("sup", "\\sup"),
        ("tan", "\\tan"),
        ("tanh", "\\tanh"),
        ("argmax", "\\operatorname*{argmax}"),
        ("argmin", "\\operatorname*{argmin}"),
    ];
    NAMES
        .iter()
        .find(|(n, _)| *n == name)
        .map(|&(_, command)| command)
}

const SYMBOLS: [(char, &str); 276] = [
    ('#', "\\#"),
    ('$', "\\$"),
    ('%', "\\%"),
    ('&', "\\&"),
    ('\\', "\\backslash"),
    ('_', "\\_"),
    ('{', "\\{"),
    ('}', "\\}"),
    ('¬', "\\neg"),
    ('±', "\\pm"),
    ('·', "\\cdot"),
    ('Å', "\\mathring{A}"),
    ('×', "\\times"),
    ('÷', "\\div"),
    ('ı', "\\imath"),
    ('ȷ', "\\jmath"),
    ('Γ', "\\Gamma"),
    ('Δ', "\\Delta"),
    ('Θ', "\\Theta"),
    ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"),
    ('Π', "\\Pi"),
    ('Σ', "\\Sigma"),
    ('Υ', "\\Upsilon"),
    ('Φ', "\\Phi"),
    ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"),
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('ι', "\\iota"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ρ', "\\rho"),
    ('ς', "\\varsigma"),
    ('σ', "\\sigma"),
    ('τ', "\\tau"),
    ('υ', "\\upsilon"),
    ('φ', "\\varphi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('ϑ', "\\vartheta"),
    ('ϕ', "\\phi"),
    ('ϖ', "\\varpi"),
    ('ϰ', "\\varkappa"),
    ('ϱ', "\\varrho"),
    ('ϵ', "\\epsilon"),
    ('–', "-"),
    ('—', "-"),
    ('‖', "\\|"),
    ('†', "\\dagger"),
    ('‡', "\\ddagger"),
    ('•', "\\bullet"),
    ('…', "\\dots"),
    ('′', "'"),
    ('″', "''"),
    ('‴', "'''"),
    ('ℏ', "\\hbar"),
    ('ℑ', "\\Im"),
    ('ℓ', "\\ell"),
    ('℘', "\\wp"),
    ('ℜ', "\\Re"),
    ('ℵ', "\\aleph"),
    ('ℶ', "\\beth"),
    ('←', "\\leftarrow"),
    ('↑', "\\uparrow"),
    ('→', "\\to"),
    ('↓', "\\downarrow"),
    ('↔', "\\leftrightarrow"),
    ('↕', "\\updownarrow"),
    ('↖', "\\nwarrow"),
    ('↗', "\\nearrow"),
    ('↘', "\\searrow"),
    ('↙', "\\swarrow"),
    ('↛', "\\nrightarrow"),
    ('↠', "\\twoheadrightarrow"),
    ('↣', "\\rightarrowtail"),
    ('↦', "\\mapsto"),
    ('↩', "\\hookleftarrow"),
    ('↪', "\\hookrightarrow"),
    ('↼', "\\leftharpoonup"),
    ('⇀', "\\rightharpoonup"),
    ('⇁', "\\rightharpoondown"),
    ('⇄', "\\rightleftarrows"),
    ('⇌', "\\rightleftharpoons"),
    ('⇐', "\\Leftarrow"),
    ('⇑', "\\Uparrow"),
    ('⇒', "\\Rightarrow"),
    ('⇓', "\\Downarrow"),
    ('⇔', "\\Leftrightarrow"),
    ('⇝', "\\rightsquigarrow"),
    ('∀', "\\forall"),
    ('∁', "\\complement"),
    ('∂', "\\partial"),
    ('∃', "\\exists"),
    ('∄', "\\nexists"),
    ('∅', "\\emptyset"),
    ('∆', "\\Delta"),
    ('∇', "\\nabla"),
    ('∈', "\\in"),
    ('∉', "\\notin"),
    ('∋', "\\ni"),
    ('∎', "\\blacksquare"),
    ('∏', "\\prod"),
    ('∐', "\\coprod"),
    ('∑', "\\sum"),
    ('−', "-"),
    ('∓', "\\mp"),
    ('∔', "\\dotplus"),
    ('∖', "\\setminus"),
    ('∗', "*"),
    ('∘', "\\circ"),
    ('∙', "\\bullet"),
    ('√', "\\surd"),
    ('∝', "\\propto"),
    ('∞', "\\infty"),
    ('∠', "\\angle"),
    ('∡', "\\measuredangle"),
    ('∣', "\\mid"),
    ('∤', "\\nmid"),
    ('∥', "\\parallel"),
    ('∦', "\\nparallel"),
    ('∧', "\\wedge"),
    ('∨', "\\vee"),
    ('∩', "\\cap"),
    ('∪', "\\cup"),
    ('∫', "\\int"),
    ('∬', "\\iint"),
    ('∭', "\\iiint"),
    ('∮', "\\oint"),
    ('∴', "\\therefore"),
    ('∵', "\\because"),
    ('∶', ":"),
    ('∼', "\\sim"),
    ('≀', "\\wr"),
    ('≃', "\\simeq"),
    ('≅', "\\cong"),
    ('≆', "\\ncong"),
    ('≈', "\\approx"),
    ('≊', "\\approxeq"),
    ('≍', "\\asymp"),
    ('≐', "\\doteq"),
    ('≔', ":="),
    ('≜', "\\triangleq"),
    ('≠', "\\neq"),
    ('≡', "\\equiv"),
    ('≢', "\\not\\equiv"),
    ('≤', "\\leq"),
    ('≥', "\\geq"),
    ('≦', "\\leqq"),
    ('≧', "\\geqq"),
    ('≨', "\\lneqq"),
    ('≩', "\\gneqq"),
    ('≪', "\\ll"),
    ('≫', "\\gg"),
    ('≮', "\\nless"),
    ('≯', "\\ngtr"),
    ('≰', "\\nleq"),
    ('≱', "\\ngeq"),
    ('≲', "\\lesssim"),
    ('≳', "\\gtrsim"),
    ('≺', "\\prec"),
    ('≻', "\\succ"),
    ('≼', "\\preccurlyeq"),
    ('≽', "\\succcurlyeq"),
    ('⊂', "\\subset"),
    ('⊃', "\\supset"),
    ('⊄', "\\not\\subset"),
    ('⊅', "\\not\\supset"),
    ('⊆', "\\subseteq"),
    ('⊇', "\\supseteq"),
    ('⊈', "\\nsubseteq"),
    ('⊉', "\\nsupseteq"),
    ('⊊', "\\subsetneq"),
    ('⊋', "\\supsetneq"),
    ('⊎', "\\uplus"),
    ('⊏', "\\sqsubset"),
    ('⊐', "\\sqsupset"),
    ('⊑', "\\sqsubseteq"),
    ('⊒', "\\sqsupseteq"),
    ('⊓', "\\sqcap"),
    ('⊔', "\\sqcup"),
    ('⊕', "\\oplus"),
    ('⊖', "\\ominus"),
    ('⊗', "\\otimes"),
    ('⊘', "\\oslash"),
    ('⊙', "\\odot"),
    ('⊞', "\\boxplus"),
    ('⊠', "\\boxtimes"),
    ('⊢', "\\vdash"),
    ('⊣', "\\dashv"),
    ('⊤', "\\top"),
    ('⊥', "\\bot"),
    ('⊨', "\\models"),
    ('⊩', "\\Vdash"),
    ('⊬', "\\nvdash"),
    ('⊭', "\\nvDash"),
    ('⊲', "\\vartriangleleft"),
    ('⊳', "\\vartriangleright"),
    ('⊴', "\\trianglelefteq"),
    ('⊵', "\\trianglerighteq"),
    ('⋀', "\\bigwedge"),
    ('⋁', "\\bigvee"),
    ('⋂', "\\bigcap"),
    ('⋃', "\\bigcup"),
    ('⋄', "\\diamond"),
    ('⋅', "\\cdot"),
    ('⋆', "\\star"),
    ('⋈', "\\bowtie"),
    ('⋉', "\\ltimes"),
    ('⋊', "\\rtimes"),
    ('⋮', "\\vdots"),
    ('⋯', "\\cdots"),
    ('⋱', "\\ddots"),
    ('⌈', "\\lceil"),
    ('⌉', "\\rceil"),
    ('⌊', "\\lfloor"),
    ('⌋', "\\rfloor"),
    ('⌢', "\\frown"),
    ('⌣', "\\smile"),
    ('■', "\\blacksquare"),
    ('□', "\\square"),
    ('△', "\\triangle"),
    ('▵', "\\triangle"),
    ('▹', "\\triangleright"),
    ('▽', "\\triangledown"),
    ('◃', "\\triangleleft"),
    ('◊', "\\lozenge"),
    ('○', "\\bigcirc"),
    ('★', "\\bigstar"),
    ('♠', "\\spadesuit"),
    ('♡', "\\heartsuit"),
    ('♢', "\\diamondsuit"),
    ('♣', "\\clubsuit"),
    ('♭', "\\flat"),
    ('♮', "\\natural"),
    ('♯', "\\sharp"),
    ('✓', "\\checkmark"),
    ('⟂', "\\perp"),
    ('⟦', "\\llbracket"),
    ('⟧', "\\rrbracket"),
    ('⟨', "\\langle"),
    ('⟩', "\\rangle"),
    ('⟵', "\\longleftarrow"),
    ('⟶', "\\longrightarrow"),
    ('⟷', "\\longleftrightarrow"),
    ('⟸', "\\Longleftarrow"),
    ('⟹', "\\Longrightarrow"),
    ('⟺', "\\Longleftrightarrow"),
    ('⟼', "\\longmapsto"),
    ('⨀', "\\bigodot"),
    ('⨁', "\\bigoplus"),
    ('⨂', "\\bigotimes"),
    ('⨄', "\\biguplus"),
    ('⨆', "\\bigsqcup"),
    ('⨿', "\\amalg"),
    ('⩽', "\\leqslant"),
    ('⩾', "\\geqslant"),
    ('⪅', "\\lessapprox"),
    ('⪆', "\\gtrapprox"),
    ('⪯', "\\preceq"),
    ('⪰', "\\succeq"),
    ('⫅', "\\subseteqq"),
    ('⫆', "\\supseteqq"),
    ('〈', "\\langle"),
    ('〉', "\\rangle"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_sorted() {
        assert!(SYMBOLS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(symbol('α'), Some("\\alpha"));
        assert_eq!(symbol('a'), None);
    }

    #[test]
    fn letters_of_mathematical_alphabets_are_letters_with_a_command() {
        for (c, command, plain) in [
            ('𝐀', "\\mathbf", 'A'),
            ('𝑥', "", 'x'),
            ('𝒞', "\\mathcal", 'C'),
            ('𝔤', "\\mathfrak", 'g'),
            ('𝔸', "\\mathbb", 'A'),
            ('ℝ', "\\mathbb", 'R'),
            ('𝟙', "\\mathbb", '1'),
            ('𝛼', "", 'α'),
            ('𝛀', "\\boldsymbol", 'Ω'),
            ('𝜕', "", '∂'),
            ('𝜖', "", 'ϵ'),
        ] {
            assert_eq!(alphabet(c), Some((command, plain)), "{c}");
        }
        assert_eq!(alphabet('x'), None);
    }
}
