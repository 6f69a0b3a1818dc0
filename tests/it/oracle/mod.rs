//! Segmentation the slow clear way: a whole tree by html5ever, walked once.

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::collections::{BTreeMap, BTreeSet};
use warcsieve_html::Segmentation;

/// Elements that do not separate blocks of segmentation `inline`.
const INLINE: &str = "a abbr acronym applet area audio b base basefont bdi bdo bgsound big blink canvas cite \
    code data del desc dfn em embed font foreignobject i iframe img ins kbd link map mark math meta mi mn mo ms \
    mtext nobr noembed noframes noscript object output param picture q rb rp rt rtc ruby s samp script slot small \
    source span strike strong style sub sup svg template time title track tt u var video wbr";
/// Every other element that is not unknown.
const SEPARATING: &str = "address article aside blockquote body br button caption center col colgroup datalist dd \
    details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header \
    hgroup hr html input keygen label legend li listing main marquee menu meter nav ol optgroup option p plaintext \
    pre progress search section select summary table tbody td textarea tfoot th thead tr ul xmp";
/// PARAGRAPH_TAGS of jusText.
const JUSTEXT: &str = "blockquote body caption center col colgroup dd div dl dt fieldset form h1 h2 h3 h4 h5 h6 \
    legend li optgroup option p pre table td textarea tfoot th thead tr ul";
const HIDDEN: &str = "iframe noembed noframes script style svg template title";

fn is_in(list: &str, name: &str) -> bool {
    list.split(' ').any(|n| n == name)
}

/// What a page's document should hold.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Expected {
    pub title: String,
    pub blocks: Vec<String>,
}

enum Step {
    Enter(Handle),
    Leave(String),
}

/// html5ever's tree of a page, scripting off.
pub fn parse(html: &str) -> RcDom {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    parse_document(RcDom::default(), options).one(html)
}

pub fn expected(dom: &RcDom, segmentation: Segmentation) -> Expected {
    let separates = |name: &str| match segmentation {
        Segmentation::Inline => is_in(SEPARATING, name),
        Segmentation::Paper => name != "a",
        Segmentation::Leaves | Segmentation::Web2text => true,
        Segmentation::Justext => is_in(JUSTEXT, name),
    };
    assert!(INLINE.split(' ').all(|n| !is_in(SEPARATING, n)));
    let mut walk = Walk::default();
    let mut title = None;
    let mut br = false;
    let mut steps = vec![Step::Enter(dom.document.clone())];
    while let Some(step) = steps.pop() {
        let node = match step {
            Step::Leave(name) => {
                if separates(&name) {
                    walk.flush();
                }
                continue;
            }
            Step::Enter(node) => node,
        };
        match &node.data {
            NodeData::Text { contents } => {
                br &= contents.borrow().chars().all(char::is_whitespace);
                walk.text.push_str(&contents.borrow());
            }
            NodeData::Element {
                name,
                template_contents,
                attrs,
                ..
            } => {
                let local = name.local.to_string().to_ascii_lowercase();
                let html = name.ns == ns!(html);
                if separates(&local) {
                    walk.flush();
                }
                if segmentation == Segmentation::Justext {
                    if local == "br" {
                        if br {
                            walk.flush();
                        }
                        walk.text.push(' ');
                        br = true;
                    } else if !separates(&local) {
                        br = false;
                    }
                }
                if html && local == "title" && title.is_none() {
                    title = Some(text_of(&node));
                }
                steps.push(Step::Leave(local.clone()));
                let shadow = |name: &str| name == "shadowrootmode";
                let contents = template_contents.borrow();
                let children = match contents.as_ref() {
                    Some(contents) if attrs.borrow().iter().any(|a| shadow(&a.name.local)) => {
                        contents.children.borrow()
                    }
                    _ if is_in(HIDDEN, &local) || holds_formula(&node) => continue,
                    _ => node.children.borrow(),
                };
                steps.extend(children.iter().rev().map(|c| Step::Enter(c.clone())));
            }
            _ => {
                let children = node.children.borrow();
                steps.extend(children.iter().rev().map(|c| Step::Enter(c.clone())));
            }
        }
    }
    walk.flush();
    Expected {
        title: title.unwrap_or_default(),
        blocks: walk.blocks,
    }
}

/// Classes of elements that hold a formula.
const FORMULAS: &str = "katex katex-display mwe-math-element MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display \
    MathJax_CHTML MJXc-display mjx-chtml MathJax_Preview";

/// Whether an element of this name and class holds a formula, whose text is another than that of its nodes.
pub fn is_formula(name: &str, class: &str) -> bool {
    let of_class = || {
        class
            .split_ascii_whitespace()
            .any(|class| FORMULAS.split_ascii_whitespace().any(|f| f == class))
    };
    matches!(name, "math" | "mjx-container") || matches!(name, "span" | "div") && of_class()
}

fn holds_formula(node: &Handle) -> bool {
    let (name, math) = name(node);
    (math || name != "math") && is_formula(&name, &attribute(node, "class").unwrap_or_default())
}

/// Its name in lower case, empty if it is no element, and whether it is one of MathML.
fn name(node: &Handle) -> (String, bool) {
    match &node.data {
        NodeData::Element { name, .. } => (
            name.local.to_ascii_lowercase().to_string(),
            name.ns == ns!(mathml),
        ),
        _ => (String::new(), false),
    }
}

fn attribute(node: &Handle, name: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    let found = attrs.iter().find(|a| &*a.name.local == name);
    found.map(|a| a.value.to_string())
}

/// What the elements of a page say of themselves: name and attributes, each once.
///
/// Left out are `head`, which a tree may have unwritten, and names that the tag table has not.
pub fn start_tags(dom: &RcDom) -> BTreeSet<StartTag> {
    let mut tags = BTreeSet::new();
    let mut nodes = vec![dom.document.clone()];
    while let Some(node) = nodes.pop() {
        nodes.extend(node.children.borrow().iter().cloned());
        if let NodeData::Element {
            name,
            template_contents,
            attrs,
            ..
        } = &node.data
        {
            nodes.extend(template_contents.borrow().clone());
            let attrs = attrs.borrow();
            let attrs = attrs.iter().map(|a| {
                let name = match &a.name.prefix {
                    Some(prefix) if !prefix.is_empty() => format!("{prefix}:{}", a.name.local),
                    _ => a.name.local.to_string(),
                };
                (name.to_ascii_lowercase(), a.value.to_string())
            });
            tags.insert((name.local.to_ascii_lowercase().to_string(), attrs.collect()));
        }
    }
    tags
}

/// A name and attributes, sorted.
pub type StartTag = (String, BTreeMap<String, String>);

#[derive(Default)]
struct Walk {
    text: String,
    blocks: Vec<String>,
}

impl Walk {
    fn flush(&mut self) {
        let text = collapse(&self.text);
        if !text.is_empty() {
            self.blocks.push(text);
        }
        self.text.clear();
    }
}

fn text_of(node: &Handle) -> String {
    let mut text = String::new();
    for child in node.children.borrow().iter() {
        if let NodeData::Text { contents } = &child.data {
            text.push_str(&contents.borrow());
        }
    }
    collapse(&text)
}

/// White space is collapsed, and other controls, which nobody sees, are dropped.
fn collapse(text: &str) -> String {
    let seen = |c: &char| c.is_whitespace() || !c.is_control();
    let text: String = text.chars().filter(seen).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
