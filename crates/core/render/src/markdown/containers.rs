//! Quotes and items around a paragraph: how its lines begin, and how it is separated from the last
//! one.

use super::super::page::Page;

/// Greatest nesting of quotes and items. Deeper ones have no mark, so that lines begin with a
/// limited number of characters.
const MAX_NESTED: usize = 16;
/// The greatest indentation of an item: nine digits, a sign and a space.
const SPACES: &str = "           ";
const LARGEST_NUMBER: u32 = 999_999_999;

#[derive(Clone, Copy, Debug)]
enum Container {
    Quote,
    /// An item: the index of its list, and how far it indents once it has its mark.
    Item(Option<usize>, usize),
}

#[derive(Clone, Copy, Debug)]
struct List {
    ordered: bool,
    /// Number of the next item.
    number: u32,
    /// Numbers fall from item to item.
    reversed: bool,
    /// The items have the second of two kinds of mark, because the list right before has the first.
    second: bool,
    has_items: bool,
}

impl List {
    /// Decides about the kind of mark, if this is the first item.
    fn begin(&mut self, ended: Option<(bool, bool)>) {
        if !self.has_items {
            self.second = ended == Some((self.ordered, false));
            self.has_items = true;
        }
    }
}

/// The quotes, items and lists that are open.
#[derive(Debug, Default)]
pub(super) struct Containers {
    open: Vec<Container>,
    /// How many of them, from the outermost, have their mark printed.
    marked: usize,
    lists: Vec<List>,
    /// The list that ended since the last paragraph: whether it is ordered, and whether it has the
    /// second kind of mark.
    ended: Option<(bool, bool)>,
    /// Containers of the last paragraph: one bit each, set for items.
    last: Option<u32>,
    /// Number of containers of the last paragraph.
    last_depth: usize,
    /// The last paragraph was a table.
    last_is_table: bool,
}

impl Containers {
    pub fn clear(&mut self) {
        self.open.clear();
        self.lists.clear();
        (self.marked, self.last, self.ended) = (0, None, None);
    }

    /// Whether nothing was printed yet.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Whether no item and no quote is open.
    pub fn are_closed(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether what comes is in an item, and in no quote of that item.
    pub fn are_in_item(&self) -> bool {
        matches!(self.open.last(), Some(Container::Item(..)))
    }

    /// Opens a quote. `false` if it was not opened because too many containers are open.
    pub fn open_quote(&mut self) -> bool {
        self.open_container(Container::Quote)
    }

    /// As [`Containers::open_quote`], for an item of the innermost list; `value` is its number, if it says one.
    pub fn open_item(&mut self, value: Option<u32>) -> bool {
        if let (Some(list), Some(value)) = (self.lists.last_mut(), value)
            && list.ordered
            && list.number != value
        {
            list.number = value;
            // Readers count on from an item of the same kind of mark, whatever it says.
            list.second ^= list.has_items;
        }
        self.open_container(Container::Item(self.lists.len().checked_sub(1), 0))
    }

    fn open_container(&mut self, container: Container) -> bool {
        let opens = self.open.len() < MAX_NESTED;
        if opens {
            self.open.push(container);
        }
        opens
    }

    /// Closes the innermost container.
    pub fn close(&mut self) {
        self.open.pop();
        self.marked = self.marked.min(self.open.len());
    }

    /// Begins a list of bullets.
    pub fn open_bullets(&mut self) {
        self.lists.push(List {
            ordered: false,
            number: 0,
            reversed: false,
            second: false,
            has_items: false,
        });
    }

    /// Begins a list of numbers from `start` on, which fall if it is `reversed`.
    pub fn open_numbers(&mut self, start: u32, reversed: bool) {
        self.lists.push(List {
            ordered: true,
            number: start,
            reversed,
            second: false,
            has_items: false,
        });
    }

    /// Ends the innermost list.
    pub fn close_list(&mut self) {
        if let Some(list) = self.lists.pop()
            && list.has_items
        {
            self.ended = Some((list.ordered, list.second));
        }
    }

    /// Begins a paragraph, heading, table or fence: separates it from the last one and prints what
    /// its first line begins with. Returns whether it begins an item.
    pub fn begin(&mut self, is_table: bool, out: &mut Page<'_>) -> bool {
        if self.last.is_some() {
            out.push('\n');
            if !self.is_tight() {
                self.prefix(true, out);
                out.push('\n');
            }
        }
        self.prefix(false, out);
        for at in self.marked..self.open.len() {
            if self.is_nothing_but_bullets(at) {
                continue;
            }
            match &mut self.open[at] {
                Container::Quote => out.push_str("> "),
                Container::Item(list, indent) => {
                    let list = list.and_then(|list| self.lists.get_mut(list));
                    *indent = mark(list, self.ended.take(), out);
                }
            }
        }
        self.ended = None;
        let begins_item =
            self.marked < self.open.len() && matches!(self.open.last(), Some(Container::Item(..)));
        self.marked = self.open.len();
        let items = self.open.iter().enumerate();
        let items = items.filter(|(_, c)| matches!(c, Container::Item(..)));
        self.last = Some(items.map(|(at, _)| 1 << at).sum());
        self.last_depth = self.open.len();
        self.last_is_table = is_table;
        begins_item
    }

    /// Whether a bullet at `at` would have no text of its own but a list of bullets, as where its text is boilerplate.
    /// Then the bullets of that list stand in its place: `- a`, not `- - a`.
    fn is_nothing_but_bullets(&mut self, at: usize) -> bool {
        let list = |container: Option<&Container>| match container {
            Some(&Container::Item(list, _)) => list,
            _ => None,
        };
        let (Some(outer), Some(inner)) = (list(self.open.get(at)), list(self.open.get(at + 1)))
        else {
            return false;
        };
        let Some([outer, inner]) = self.lists.get_disjoint_mut([outer, inner]).ok() else {
            return false;
        };
        if outer.ordered || inner.ordered || inner.has_items {
            return false;
        }
        // On paper the two are one list, with one kind of mark.
        outer.begin(self.ended.take());
        (inner.second, inner.has_items) = (outer.second, true);
        true
    }

    /// Begins a further line; `empty` if it has no text.
    pub fn line(&self, empty: bool, out: &mut Page<'_>) {
        out.push('\n');
        self.prefix(empty, out);
    }

    fn prefix(&self, empty: bool, out: &mut Page<'_>) {
        let marked = &self.open[..self.marked];
        let quote = |c: &Container| matches!(c, Container::Quote);
        let shown = match marked.iter().rposition(quote) {
            Some(last) if empty => last + 1,
            None if empty => 0,
            _ => marked.len(),
        };
        for (at, container) in marked[..shown].iter().enumerate() {
            match *container {
                Container::Quote if empty && at + 1 == shown => out.push('>'),
                Container::Quote => out.push_str("> "),
                Container::Item(_, indent) => out.push_str(&SPACES[..indent.min(SPACES.len())]),
            }
        }
    }

    /// Whether the paragraph follows the last one without an empty line: it begins an item, and the
    /// last one is in an item of the same list or in the item around.
    fn is_tight(&self) -> bool {
        let Some(Container::Item(Some(list), _)) = self.open.get(self.marked) else {
            return false;
        };
        let items = self.last.unwrap_or(0);
        let is_item = |depth: usize| self.last_depth > depth && items & 1 << depth != 0;
        let Some(list) = self.lists.get(*list).filter(|_| !self.last_is_table) else {
            return false;
        };
        if list.has_items {
            is_item(self.marked)
        } else {
            // In CommonMark only an unordered item, or one with number 1, can end a paragraph.
            let ends = !list.ordered || list.number == 1;
            ends && self.marked > 0 && is_item(self.marked - 1)
        }
    }
}

/// Prints an item's mark. Returns how long it is.
fn mark(list: Option<&mut List>, ended: Option<(bool, bool)>, out: &mut Page<'_>) -> usize {
    let Some(list) = list else {
        out.push_str("- ");
        return 2;
    };
    list.begin(ended);
    if !list.ordered {
        out.push_str(if list.second { "* " } else { "- " });
        return 2;
    }
    let mark = format!("{}{} ", list.number, if list.second { ')' } else { '.' });
    if list.reversed {
        list.number = list.number.saturating_sub(1);
        list.second = !list.second;
    } else {
        list.number = (list.number + 1).min(LARGEST_NUMBER);
    }
    out.push_str(&mark);
    mark.len()
}

/// The number that an attribute gives; Markdown has none below 0, and none of more than nine digits.
pub(super) fn number(value: &str) -> Option<u32> {
    let number: i64 = value.trim().parse().ok()?;
    Some(number.clamp(0, LARGEST_NUMBER.into()) as u32)
}
