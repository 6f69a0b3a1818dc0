"""Dolma toolkit (interfaces of 1.2): a linearizer for `dolma warc`, and a tagger of blocks. Importing it registers both
as `warcsieve`."""

from __future__ import annotations

from dolma.core.data_types import DocResult, Document, Span
from dolma.core.registry import TaggerRegistry
from dolma.core.taggers import BaseTagger
from dolma.warc.linearizers import BaseLinearizer, LinearizerRegistry

import warcsieve
from warcsieve import Output, PageError


@LinearizerRegistry.add("warcsieve")
class WarcsieveLinearizer(BaseLinearizer):
    """Turns HTML into its content; a page that cannot be processed into nothing, and `faults` counts it by kind."""

    def __init__(self, pipeline: str = "default", output: Output = "text") -> None:
        self.extractor = warcsieve.Extractor(pipeline, output=output)
        self.faults: dict[str, int] = {}

    def linearize(self, content: str | bytes) -> str:
        """The content of a page given as text or bytes in any encoding."""
        try:
            return self.extractor.extract(content) or ""
        except PageError as error:
            self.faults[error.kind] = self.faults.get(error.kind, 0) + 1
            return ""


@TaggerRegistry.add("warcsieve")
class WarcsieveTagger(BaseTagger):
    """Tags the blocks of documents whose text is HTML: a span each of type `content` or `boilerplate`, with the
    probability that it is content. Offsets are characters of the HTML."""

    def __init__(self, pipeline: str = "default") -> None:
        self.extractor = warcsieve.Extractor(pipeline)

    @property
    def defaults(self) -> list[str]:
        """The types of spans."""
        return ["content", "boilerplate"]

    def predict(self, doc: Document) -> DocResult:
        """The spans of a document; none if it cannot be processed, or if a filter removes it."""
        try:
            page = self.extractor.page(doc.text)
        except PageError:
            return DocResult(doc=doc, spans=[])
        spans = [
            Span(start=block.source_char_start, end=block.source_char_end, type=block.label, score=block.score)
            for block in ([] if page.removed_by is not None else page.blocks)
        ]
        return DocResult(doc=doc, spans=spans)
