"""NVIDIA NeMo Curator (interfaces of 1.4): an algorithm for its Common Crawl stages, and an extractor of its own."""

from __future__ import annotations

from typing import Any

from nemo_curator.stages.text.download import DocumentExtractor
from nemo_curator.stages.text.download.html_extractors import HTMLExtractorAlgorithm

import warcsieve
from warcsieve import Output, PageError


class WarcsieveAlgorithm(HTMLExtractorAlgorithm):
    """For `CommonCrawlHTMLExtractor(algorithm=WarcsieveAlgorithm())`, in place of justext, resiliparse, trafilatura.

    pipeline: the name of a pipeline that ships, a pipeline file, or the text of one.
    output: text, markdown or html.
    """

    def __init__(self, pipeline: str = "default", output: Output = "text") -> None:
        self.extractor = warcsieve.Extractor(pipeline, output=output)

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:
        """The paragraphs of a page; joined by empty lines they are what `warcsieve.extract` returns.

        Stop words and language are not used. None for a page without content, or one that cannot be processed.
        """
        try:
            content = self.extractor.extract(html)
        except PageError:
            return None
        return content.split("\n\n") if content else None


class WarcsieveExtractor(DocumentExtractor):
    """Extracts records of NeMo Curator's `CommonCrawlWarcIterator`: bytes in any encoding, pages of any language.

    pipeline, output: as of `WarcsieveAlgorithm`. Records without content are left out, as are those that filters of the
    pipeline remove and those that cannot be processed; of the latter `faults` has the numbers by kind.
    """

    def __init__(self, pipeline: str = "default", output: Output = "text") -> None:
        self.extractor = warcsieve.Extractor(pipeline, output=output)
        self.faults: dict[str, int] = {}

    def extract(self, record: dict[str, Any]) -> dict[str, Any] | None:
        """The record with the page's text, title, author, date (ISO 8601) and language in place of its HTML."""
        html = record.get("content")
        if not html:
            return None
        try:
            page = self.extractor.page(html, record.get("url"))
        except PageError as error:
            self.faults[error.kind] = self.faults.get(error.kind, 0) + 1
            return None
        if page.removed_by is not None or not page.content:
            return None
        language, score = page.language or ("und", None)
        return {
            "url": record["url"],
            "warc_id": record["warc_id"],
            "source_id": record["source_id"],
            "language": language,
            "language_score": score,
            "title": page.title,
            "author": page.author,
            "published": page.metadata["published"],
            "text": page.content,
        }

    def input_columns(self) -> list[str]:
        """What a record needs to have."""
        return ["url", "warc_id", "source_id", "content"]

    def output_columns(self) -> list[str]:
        """What a record has afterwards."""
        return [
            "url",
            "warc_id",
            "source_id",
            "language",
            "language_score",
            "title",
            "author",
            "published",
            "text",
        ]
