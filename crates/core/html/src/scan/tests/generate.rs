//! Generates pages with dense markup. They are the same on every machine.

/// Pieces of markup in which tokenizers differ more often than in words.
const PIECES: &[&str] = &[
    "<",
    "</",
    "<!",
    "<!-",
    "<!--",
    "<!-->",
    "<!--->",
    "-",
    "--",
    "->",
    "-->",
    "--!>",
    "--!",
    "!",
    "<?",
    "<!doctype html",
    "<!DOCTYPE \"'>",
    ">",
    "/>",
    "/",
    "=",
    "\"",
    "'",
    "\"'",
    " a=\">\"",
    " a='>'",
    " a=>",
    " a = b/",
    " =",
    "\0",
    "\r",
    "\r\n",
    "\n",
    "\t",
    "\x0c",
    " ",
    "a",
    "b c",
    "é",
    "北",
    "\u{feff}",
    "&",
    "&amp",
    "&amp;",
    "&#0;",
    "]",
    "]]",
    "]]>",
    "]]]>",
    "<![CDATA[",
    "<![CDATA[x]]>",
    "<![cdata[",
    "<!--<script>",
    "</script>",
    "</script",
    "<script",
    "<ſcript>",
    "</>",
    "</ x>",
    "<a@>",
    "<title-x>",
    "<scriptx>",
    "</titlex>",
    "-->x",
    "<svg/>",
    "<math/>",
    "<font color=x>",
    "<font x>",
    "<annotation-xml encoding=text/html>",
    "<annotation-xml encoding='application/XHTML+xml'>",
    "<annotation-xml>",
];

/// Names of elements that change how a page continues, and of a few others.
const NAMES: &[&str] = &[
    "script",
    "style",
    "title",
    "textarea",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "svg",
    "math",
    "foreignObject",
    "desc",
    "mi",
    "mtext",
    "annotation-xml",
    "template",
    "select",
    "option",
    "table",
    "td",
    "p",
    "br",
    "b",
    "a",
    "div",
    "g",
    "font",
    "head",
    "body",
    "li",
    "mglyph",
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Writes the page with this number into `page`.
pub fn page(number: u64, page: &mut String) {
    page.clear();
    let mut random = Random(number.wrapping_mul(0xd134_2543_de82_ef95));
    // In a page with few names, end tags often match start tags.
    let names: Vec<_> = (0..1 + random.below(4))
        .map(|_| random.pick(NAMES))
        .collect();
    for _ in 0..1 + random.below(24) {
        let choice = random.below(10);
        if choice < 4 {
            page.push_str(random.pick(PIECES));
            continue;
        }
        let start = page.len() + 1;
        let name = if choice < 8 {
            random.pick(&names)
        } else {
            random.pick(NAMES)
        };
        page.push_str(random.pick(&["<", "<", "</"]));
        page.push_str(name);
        if random.below(8) == 0 {
            page[start..].make_ascii_uppercase();
        }
        page.push_str(random.pick(&[
            ">", ">", ">", ">", ">", " x=y>", "/>", " x='", "/", " ", "\r>", "", "\0>",
        ]));
    }
}
