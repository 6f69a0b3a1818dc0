//! Masks personal data in all texts except that of the content.

use std::borrow::Cow;
use warcsieve_filters::edits::Replaced;
use warcsieve_filters::filter::Filters;
use warcsieve_filters::personal::Finder;

/// Masks personal data in texts other than the content, if filters mask it there.
#[derive(Debug)]
pub(super) struct Masker(Option<Finder>);

impl Masker {
    pub fn new(filters: &Filters) -> Self {
        let kinds = filters.kinds(true);
        Self((!kinds.is_empty()).then(|| Finder::new(&kinds)))
    }

    /// The text of a block, masked. `of_content` is what is left of it in the text of the content, if
    /// it is there, and `replaced` what filters replaced in it there.
    ///
    /// Data that extends over two blocks, or over a cut, is found only in the text of the content. A
    /// block of which nothing is left there becomes the mask.
    pub fn mask_block<'t>(
        &mut self,
        text: &'t str,
        of_content: Option<&'t str>,
        replaced: Option<Replaced>,
    ) -> Cow<'t, str> {
        let own = self.mask(text);
        let found = self.0.as_ref().map_or(0, |finder| finder.found().len());
        match replaced {
            Some(r) if r.is_shared || r.times > found => {
                Cow::Borrowed(of_content.unwrap_or(r.with))
            }
            _ => own,
        }
    }

    /// A text, masked.
    pub fn mask<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let masked = self.0.as_mut().and_then(|finder| finder.masked(text));
        masked.map_or(Cow::Borrowed(text), Cow::Owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_extract::Pipeline;

    #[test]
    fn no_block_shows_a_part_of_masked_data() {
        let pipeline =
            "[[step]]\nmethod = 'keep-all'\n[[filter]]\npersonal = 'mask'\nkinds = ['phone']\n";
        let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "p.toml", pipeline).unwrap();
        let mut masker = Masker::new(&pipeline.filters);
        let with = "|||PHONE_NUMBER|||";
        let replaced = |times, is_shared| {
            Some(Replaced {
                times,
                is_shared,
                with,
            })
        };
        let call = "call |||PHONE_NUMBER|||";
        for (text, of_content, replaced, expected) in [
            ("call 555-123-4567", None, None, call),
            ("a\ncall", Some("call"), None, "a\ncall"),
            (
                "call 555-123-4567 [1]",
                Some(call),
                replaced(1, false),
                "call |||PHONE_NUMBER||| [1]",
            ),
            ("call 555-123[1]-4567", Some(call), replaced(1, false), call),
            ("call (555)", Some(call), replaced(1, true), call),
            ("123-4567 now", Some(" now"), replaced(1, true), " now"),
            ("123-4567 now", None, replaced(1, true), with),
            ("555-123-4567 a 555", None, replaced(1, true), with),
        ] {
            let masked = masker.mask_block(text, of_content, replaced);
            assert_eq!(masked, expected, "{text}");
        }
    }
}
