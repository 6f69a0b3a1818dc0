//! The definitions as the paper words them, on nodes that own their children: slow,
//! recursive, and what the passes over the flat tree must equal.

use super::{is_link, is_removed};
use crate::document::Document;
use crate::html::Tag;
use std::f64::consts::E;

/// An element and what it holds, removed elements aside.
pub struct Node {
    pub id: usize,
    pub tag: Tag,
    pub children: Vec<Node>,
    own_chars: u32,
    in_link: bool,
}

impl Node {
    /// The subtree of an element of a document.
    pub fn of(doc: &Document, id: usize, in_link: bool) -> Self {
        let element = &doc.tree.elements[id];
        let in_link = in_link || is_link(element.tag);
        let children = (id + 1..element.end as usize)
            .filter(|&c| doc.tree.elements[c].parent as usize == id)
            .filter(|&c| !is_removed(doc.tree.elements[c].tag))
            .map(|c| Self::of(doc, c, in_link))
            .collect();
        let own = doc.runs.iter().filter(|run| run.element as usize == id);
        Self {
            id,
            tag: element.tag,
            children,
            own_chars: own.map(|run| run.chars).sum(),
            in_link,
        }
    }

    pub fn chars(&self) -> u32 {
        self.own_chars + self.children.iter().map(Self::chars).sum::<u32>()
    }

    pub fn linked_chars(&self) -> u32 {
        let own = if self.in_link { self.own_chars } else { 0 };
        own + self.children.iter().map(Self::linked_chars).sum::<u32>()
    }

    pub fn tags(&self) -> u32 {
        self.children.iter().map(|c| 1 + c.tags()).sum()
    }

    pub fn linked_tags(&self) -> u32 {
        let own = |c: &Self| u32::from(is_link(c.tag)) + c.linked_tags();
        self.children.iter().map(own).sum()
    }

    /// Eq. 1.
    pub fn text_density(&self) -> f64 {
        f64::from(self.chars()) / one(self.tags())
    }

    /// Eq. 2; `page` is the body.
    pub fn composite_text_density(&self, page: &Self) -> f64 {
        if self.chars() == 0 {
            return 0.0;
        }
        if page.linked_chars() == 0 {
            return f64::INFINITY;
        }
        let [chars, linked] = [self.chars(), self.linked_chars()].map(f64::from);
        let unlinked = one(self.chars() - self.linked_chars());
        let share = f64::from(page.linked_chars()) / one(page.chars());
        let base = libm::log(chars * linked / unlinked + share * chars + E);
        let ratios =
            chars * one(self.tags()) / (one(self.linked_chars()) * one(self.linked_tags()));
        chars * libm::log(ratios) / (one(self.tags()) * libm::log(base))
    }

    /// Eq. 5.
    pub fn density_sum(&self, density: &dyn Fn(&Self) -> f64) -> f64 {
        self.children.iter().fold(0.0, |sum, c| sum + density(c))
    }

    /// The smoothed densities of all below, by id.
    pub fn smooth(&self, density: &dyn Fn(&Self) -> f64, smoothed: &mut [f64]) {
        for (i, child) in self.children.iter().enumerate() {
            let left = i.checked_sub(1).map(|l| density(&self.children[l]));
            let right = self.children.get(i + 1).map(density);
            let parts = [left, Some(2.0 * density(child)), right];
            let weights = [left.map(|_| 1.0), Some(2.0), right.map(|_| 1.0)];
            let sum = |of: [Option<f64>; 3]| of.iter().flatten().fold(0.0, |s, x| s + x);
            smoothed[child.id] = sum(parts) / sum(weights);
            child.smooth(density, smoothed);
        }
    }

    /// This node and all below, in document order.
    pub fn each<'n>(&'n self, visit: &mut dyn FnMut(&'n Self)) {
        visit(self);
        self.children.iter().for_each(|c| c.each(visit));
    }
}

fn one(count: u32) -> f64 {
    f64::from(count.max(1))
}
