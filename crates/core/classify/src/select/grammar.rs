//! Which CSS is read, and what is said of the rest.

use cssparser::{ParseError, ParseErrorKind, ParserInput, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::parser::{
    NonTSPseudoClass, ParseRelative, PseudoElement, SelectorImpl, SelectorList,
    SelectorParseErrorKind,
};
use std::fmt;

/// Selectors over names, attributes and places in the tree: no pseudo-elements, and no state that a browser has.
#[derive(Clone, Debug)]
pub struct Grammar;

/// A name or value in a selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word(pub String);

/// A pseudo-class or pseudo-element of a browser; there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nothing {}

/// Parentheses in parentheses, at most.
const MAX_DEPTH: usize = 8;

/// Reads a list of selectors, which commas separate.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str) -> Result<SelectorList<Grammar>, String> {
    let is_closed = check_brackets(text)?;
    let mut input = ParserInput::new(text);
    let mut parser = cssparser::Parser::new(&mut input);
    let list = SelectorList::parse(&Grammar, &mut parser, ParseRelative::No);
    let list = list.map_err(|error| words(&error))?;
    // CSS closes them at the end.
    match is_closed {
        true => Ok(list),
        false => Err("a bracket or quote is not closed".to_owned()),
    }
}

/// Refuses what is nested too deeply for the recursion of the parser. Returns whether everything is closed.
fn check_brackets(text: &str) -> Result<bool, String> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c.is_control() && !c.is_ascii_whitespace() {
            return Err("it has control characters".to_owned());
        }
        match c {
            '\\' => drop(chars.next()),
            '"' | '\'' if quote.is_none() => quote = Some(c),
            c if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(format!(
                "it has more than {MAX_DEPTH} brackets inside each other"
            ));
        }
    }
    Ok(depth == 0 && quote.is_none())
}

fn words(error: &ParseError<'_, SelectorParseErrorKind<'_>>) -> String {
    use SelectorParseErrorKind::{
        DanglingCombinator, EmptySelector, UnsupportedPseudoClassOrElement,
    };
    let column = error.location.column;
    match &error.kind {
        ParseErrorKind::Custom(UnsupportedPseudoClassOrElement(name)) => format!(
            "`:{name}` is not supported; `:not`, `:is`, `:where`, `:root` and those that count siblings are, such as \
             `:first-child` and `:nth-of-type(2)`"
        ),
        ParseErrorKind::Custom(EmptySelector) => {
            format!("no selector begins at its character {column}")
        }
        ParseErrorKind::Custom(DanglingCombinator) => "a name is missing at its end".to_owned(),
        _ => format!("it cannot be read at its character {column}"),
    }
}

impl<'i> selectors::Parser<'i> for Grammar {
    type Impl = Self;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn allow_forgiving_selectors(&self) -> bool {
        false
    }
}

impl SelectorImpl for Grammar {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = Word;
    type BorrowedLocalName = Word;
    type NonTSPseudoClass = Nothing;
    type PseudoElement = Nothing;
}

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl ToCss for Word {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        dest.write_str(&self.0)
    }
}

impl PrecomputedHash for Word {
    /// Hashes are for the matcher of the crate `selectors`, which is not used.
    fn precomputed_hash(&self) -> u32 {
        0
    }
}

impl ToCss for Nothing {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl NonTSPseudoClass for Nothing {
    type Impl = Grammar;

    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl PseudoElement for Nothing {
    type Impl = Grammar;
}
