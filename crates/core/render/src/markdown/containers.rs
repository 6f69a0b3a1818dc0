//! Quotes and list items around a paragraph: how its lines begin, and how it is separated from the
//! previous paragraph.

use super::super::page::Page;

/// Maximum nesting of quotes and items. Deeper ones get no mark, so that the beginning of a line
/// has a limited length.
const MAX_NESTED: usize = 16;
/// The maximum indentation of an item: nine digits, a sign and a space.
const SPACES: &str = "           ";
const LARGEST_NUMBER: u32 = 999_999_999;

#[derive(Clone, Copy, Debug)]
enum Container {
    Quote,
    /// An item: the index of its list, and the width of its mark once it is printed.
    Item(Option<usize>, usize),
}

#[derive(Clone, Copy, Debug)]
struct List {
    ordered: bool,
    /// Number of the next item.
    number: u32,
    /// Whether numbers decrease from item to item.
    reversed: bool,
    /// Whether items use the second of two marks. Two adjacent lists need different marks, or
    /// readers would join them.
    second: bool,
    has_items: bool,
}

impl List {
    /// Chooses the mark when the first item begins.
    fn begin(&mut self, ended: Option<(bool, bool)>) {
        if !self.has_items {
            self.second = ended == Some((self.ordered, false));
            self.has_items = true;
        }
    }
}

/// All open quotes, items and lists.
#[derive(Debug, Default)]
pub(super) struct Containers {
    open: Vec<Container>,
    /// Number of containers whose mark is printed, counted from the outermost.
    marked: usize,
    lists: Vec<List>,
    /// The list that ended since the last paragraph: whether it is ordered, and whether it uses the
    /// second mark.
    ended: Option<(bool, bool)>,
    /// Containers of the last paragraph: one bit each, set for items.
    last: Option<u32>,
    /// Number of containers of the last paragraph.
    last_depth: usize,
    /// Whether the last paragraph was a table.
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

    /// Opens a quote. Returns `false` if it was not opened, because too many containers are open.
    pub fn open_quote(&mut self) -> bool {
        self.open_container(Container::Quote)
    }

    /// Like [`Containers::open_quote`], for an item of the innermost list. `value` is the number
    /// that the page states.
    pub fn open_item(&mut self, value: Option<u32>) -> bool {
        if let (Some(list), Some(value)) = (self.lists.last_mut(), value)
            && list.ordered
            && list.number != value
        {
            list.number = value;
            // CommonMark numbers the items of a list without gaps. Another mark begins a new list,
            // which can begin with this number.
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

    /// Begins a bullet list.
    pub fn open_bullets(&mut self) {
        self.lists.push(List {
            ordered: false,
            number: 0,
            reversed: false,
            second: false,
            has_items: false,
        });
    }

    /// Begins a numbered list at `start`. Numbers decrease if it is `reversed`.
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

    /// Begins a paragraph, heading, table or fence. Separates it from the previous one, and prints
    /// the beginning of its first line. Returns whether it begins an item.
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

    /// Whether the bullet at `at` would contain only a bullet list, for example because its own
    /// text is boilerplate. Then the inner bullets replace it: `- a`, not `- - a`.
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
        // In the output both are one list, so they share a mark.
        outer.begin(self.ended.take());
        (inner.second, inner.has_items) = (outer.second, true);
        true
    }

    /// Begins another line. `empty` means that the line has no text.
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

    /// Whether the paragraph follows the previous one without an empty line. It must begin an item,
    /// and the previous one must be in an item of the same list, or in the item around the list.
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
            // In CommonMark only a bullet, or an item with number 1, can interrupt a paragraph.
            let ends = !list.ordered || list.number == 1;
            ends && self.marked > 0 && is_item(self.marked - 1)
        }
    }
}

/// Prints an item's mark. Returns its width.
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

/// A number in an attribute, bounded to those that Markdown has: 0 to 999,999,999.
pub(super) fn number(value: &str) -> Option<u32> {
    let number: i64 = value.trim().parse().ok()?;
    Some(number.clamp(0, LARGEST_NUMBER.into()) as u32)
}
