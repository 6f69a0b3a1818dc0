//! One page through Blitz.

use super::boxes;
use super::nodes::Nodes;
use crate::limits::{DEEPEST, MOST_ELEMENTS};
use crate::message::Answer;
use crate::screen::{VIEWPORT_HEIGHT, VIEWPORT_WIDTH};
use blitz_dom::{DocumentConfig, FontContext};
use blitz_html::HtmlDocument;
use blitz_traits::net::Url;
use blitz_traits::shell::{ColorScheme, Viewport};
use warcsieve_html::layout::LayoutStatus;

/// Where a page is that has no address: styles cannot be read without one.
const NOWHERE: &str = "http://page.invalid/";

/// Lays out a marked page. Without a net provider Blitz fetches nothing.
pub fn lay_out(url: &str, html: &str, font: FontContext) -> Answer {
    let is_base = Url::parse(url).is_ok_and(|url| !url.cannot_be_a_base());
    let config = DocumentConfig {
        viewport: Some(Viewport::new(
            VIEWPORT_WIDTH,
            VIEWPORT_HEIGHT,
            1.0,
            ColorScheme::Light,
        )),
        base_url: Some(if is_base { url } else { NOWHERE }.to_owned()),
        font_ctx: Some(font),
        ..DocumentConfig::default()
    };
    let mut document = HtmlDocument::from_html(html, config);
    let nodes = Nodes::of(&document);
    if nodes.elements > MOST_ELEMENTS {
        return Answer::without(LayoutStatus::TooManyElements);
    }
    if nodes.deepest > DEEPEST + 2 {
        return Answer::without(LayoutStatus::TooDeep);
    }
    document.resolve(0.0);
    boxes::of(&document, &nodes)
}
