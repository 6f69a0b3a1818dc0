//! Selectors, divided into compounds.

use super::bits::Bits;
use super::grammar::{self, Grammar, Word};
use selectors::attr::{AttrSelectorOperator, CaseSensitivity, ParsedAttrSelectorOperation};
use selectors::attr::{ParsedCaseSensitivity, SELECTOR_WHITESPACE};
use selectors::parser::{AnPlusB, Combinator, Component, NthType, Selector, SelectorList};
use std::fmt;
use std::mem::take;
use warcsieve_html::{Counting, Tag};

/// The selectors of a pipeline, read and checked.
pub struct Selectors {
    pub(super) compounds: Vec<Compound>,
    /// The last compounds of the selectors that keep, and of those that drop.
    pub(super) keeps: Bits,
    pub(super) drops: Bits,
    /// The texts as they are written in the pipeline, on one line.
    pub(super) texts: Vec<String>,
}

/// A part of a selector between two combinators.
pub(super) struct Compound {
    /// The compound to its left, and the element that this one must match.
    pub left: Option<(Relation, usize)>,
    pub tests: Vec<Test>,
    /// The number of the selector's text.
    pub text: usize,
}

/// Where the element of the compound to the left is.
#[derive(Clone, Copy)]
pub(super) enum Relation {
    Parent,
    Ancestor,
    Previous,
    Earlier,
}

/// What must be true of an element.
pub(super) enum Test {
    Tag(Tag),
    Id(String),
    Class(String),
    Attribute(String, Option<Value>),
    Root,
    /// Its number among its siblings is one of these.
    Place(Counting, AnPlusB),
    /// One of these compounds, which have smaller numbers, matches it.
    Any(Bits),
    /// None of these does.
    None(Bits),
}

/// The value of an attribute.
pub(super) struct Value {
    operator: AttrSelectorOperator,
    case: CaseSensitivity,
    value: String,
}

impl Value {
    pub fn is_met_by(&self, value: &str) -> bool {
        self.operator.eval_str(value, &self.value, self.case)
    }
}

impl Selectors {
    /// Maximum number of texts under each key.
    pub const MAX_TEXTS: usize = 64;
    /// Maximum length of a text in bytes.
    pub const MAX_BYTES: usize = 1024;
    /// Maximum number of compounds in all.
    pub const MAX_COMPOUNDS: usize = Bits::MAX;

    /// Reads the selectors of the keys `keep` and `drop`; `None` if there are none.
    ///
    /// # Errors
    /// The key, and what is wrong with which of its selectors.
    pub fn read(keep: &[String], drop: &[String]) -> Result<Option<Self>, (&'static str, String)> {
        if keep.is_empty() && drop.is_empty() {
            return Ok(None);
        }
        let mut all = Self {
            compounds: Vec::new(),
            keeps: Bits::default(),
            drops: Bits::default(),
            texts: Vec::new(),
        };
        all.keeps = all.add_all("keep", keep).map_err(|why| ("keep", why))?;
        all.drops = all.add_all("drop", drop).map_err(|why| ("drop", why))?;
        Ok(Some(all))
    }

    /// Whether one of them is about an id, a class or another attribute.
    pub fn need_attributes(&self) -> bool {
        let of_attributes =
            |test: &Test| matches!(test, Test::Id(_) | Test::Class(_) | Test::Attribute(..));
        self.tests().any(of_attributes)
    }

    pub(super) fn tests(&self) -> impl Iterator<Item = &Test> {
        self.compounds.iter().flat_map(|compound| &compound.tests)
    }

    /// Adds the texts of a key. Returns the last compounds of its selectors.
    fn add_all(&mut self, key: &str, texts: &[String]) -> Result<Bits, String> {
        let (given, most) = (texts.len(), Self::MAX_TEXTS);
        if given > most {
            return Err(format!(
                "{key} has {given} selectors; at most {most} are read"
            ));
        }
        let mut last = Bits::default();
        for text in texts {
            let refuse = |why: String| {
                let start = warcsieve_common::prefix(text, 80);
                let cut = if start.len() < text.len() { "…" } else { "" };
                format!(
                    "{key}: the selector \"{}{cut}\": {why}",
                    start.escape_debug()
                )
            };
            let most = Self::MAX_BYTES;
            if text.len() > most {
                return Err(refuse(format!("it has more than {most} bytes")));
            }
            let read = grammar::read(text).and_then(|list| {
                self.texts.push(one_line(text));
                self.list(&list)
            });
            last = last.or(read.map_err(refuse)?);
        }
        Ok(last)
    }

    fn list(&mut self, list: &SelectorList<Grammar>) -> Result<Bits, String> {
        let mut last = Bits::default();
        for selector in list.slice() {
            last.insert(self.selector(selector)?);
        }
        Ok(last)
    }

    /// Adds the compounds of a selector from left to right, each after those of the selectors in its parentheses. Returns
    /// the number of the last.
    fn selector(&mut self, selector: &Selector<Grammar>) -> Result<usize, String> {
        let mut left = None;
        let mut tests = Vec::new();
        for component in selector.iter_raw_parse_order_from(0) {
            if let Component::Combinator(combinator) = component {
                let number = self.compound(left, take(&mut tests))?;
                left = Some((relation(*combinator)?, number));
            } else {
                self.test(component, &mut tests)?;
            }
        }
        self.compound(left, tests)
    }

    fn compound(
        &mut self,
        left: Option<(Relation, usize)>,
        mut tests: Vec<Test>,
    ) -> Result<usize, String> {
        let number = self.compounds.len();
        if number == Self::MAX_COMPOUNDS {
            let most = Self::MAX_COMPOUNDS;
            return Err(format!(
                "`keep` and `drop` have more than {most} parts in all, as `nav > a` has two"
            ));
        }
        // The parser returns the parts of a compound from right to left; those on the left are the cheapest.
        tests.reverse();
        self.compounds.push(Compound {
            left,
            tests,
            text: self.texts.len() - 1,
        });
        Ok(number)
    }

    fn test(
        &mut self,
        component: &Component<Grammar>,
        tests: &mut Vec<Test>,
    ) -> Result<(), String> {
        let test = match component {
            Component::ExplicitUniversalType => return Ok(()),
            Component::LocalName(name) => match Tag::from_name(&name.lower_name.0) {
                Tag::Other => return Err(unknown_name(&name.name.0)),
                tag => Test::Tag(tag),
            },
            Component::ID(Word(id)) => Test::Id(id.clone()),
            Component::Class(Word(class)) => Test::Class(class.clone()),
            Component::AttributeInNoNamespaceExists {
                local_name_lower, ..
            } => Test::Attribute(local_name_lower.0.clone(), None),
            Component::AttributeInNoNamespace {
                local_name,
                operator,
                value,
                case_sensitivity,
            } => attribute(local_name, *operator, *case_sensitivity, value),
            Component::AttributeOther(other) if other.namespace.is_none() => {
                let name = &other.local_name_lower;
                match &other.operation {
                    ParsedAttrSelectorOperation::Exists => Test::Attribute(name.0.clone(), None),
                    ParsedAttrSelectorOperation::WithValue {
                        operator,
                        case_sensitivity,
                        value,
                    } => attribute(name, *operator, *case_sensitivity, value),
                }
            }
            Component::Root => Test::Root,
            Component::Nth(nth) => {
                let of_type = nth.ty.is_of_type();
                let place = |from_end| Test::Place(Counting { of_type, from_end }, nth.an_plus_b);
                if matches!(nth.ty, NthType::OnlyChild | NthType::OnlyOfType) {
                    tests.push(place(true));
                }
                place(nth.ty.is_from_end())
            }
            Component::Is(list) | Component::Where(list) => Test::Any(self.list(list)?),
            Component::Negation(list) => Test::None(self.list(list)?),
            Component::Empty => return Err("`:empty` is not supported".to_owned()),
            Component::Scope => return Err("`:scope` is not supported".to_owned()),
            _ => return Err("it has a part that is not supported, such as a namespace".to_owned()),
        };
        tests.push(test);
        Ok(())
    }
}

fn unknown_name(name: &str) -> String {
    format!(
        "no element of HTML is called `{name}`, and the names of other elements are not kept; write a class, an id or \
         another attribute"
    )
}

fn attribute(
    Word(name): &Word,
    operator: AttrSelectorOperator,
    case: ParsedCaseSensitivity,
    Word(value): &Word,
) -> Test {
    use ParsedCaseSensitivity::{CaseSensitive, ExplicitCaseSensitive};
    let case = match case {
        CaseSensitive | ExplicitCaseSensitive => CaseSensitivity::CaseSensitive,
        _ => CaseSensitivity::AsciiCaseInsensitive,
    };
    let value = value.clone();
    let value = Value {
        operator,
        case,
        value,
    };
    Test::Attribute(name.clone(), Some(value))
}

fn relation(combinator: Combinator) -> Result<Relation, String> {
    match combinator {
        Combinator::Child => Ok(Relation::Parent),
        Combinator::Descendant => Ok(Relation::Ancestor),
        Combinator::NextSibling => Ok(Relation::Previous),
        Combinator::LaterSibling => Ok(Relation::Earlier),
        _ => Err("it has a pseudo-element".to_owned()),
    }
}

/// A selector without line ends, for reasons.
fn one_line(text: &str) -> String {
    let parts = text.split(SELECTOR_WHITESPACE);
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

impl fmt::Debug for Selectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Selectors").field(&self.texts).finish()
    }
}
