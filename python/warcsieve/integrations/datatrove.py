"""datatrove: an extractor beside its Trafilatura, and a reader of crawls beside its WarcReader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import Any

from datatrove.data import Document, DocumentsPipeline
from datatrove.io import DataFileLike, DataFolderLike
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.readers.base import BaseDiskReader
from datatrove.utils.typeshelper import StatHints

import warcsieve
from warcsieve import Counts, Output, PageError

from ._arrow import batches


class WarcsieveExtractor(BaseExtractor):
    """Extracts the content of documents whose text is HTML.

    Pages without content are dropped, and counted, as by datatrove's other extractors. Pages take time linear in their
    length, and no page ends the process, so none is needed for them; with `sandbox` they get one all the same, and
    `timeout` seconds each.

    Args:
        pipeline: the name of a pipeline that ships, a pipeline file, or the text of one
        output: text, markdown or html
        sandbox: extract in a child process, as datatrove's other extractors do
        timeout: with `sandbox`, seconds a document
    """

    name = "⛏ warcsieve"
    _requires_dependencies = ["warcsieve"]

    def __init__(self, pipeline: str = "default", output: Output = "text", sandbox: bool = False, timeout: float = 1) -> None:
        super().__init__(timeout)
        self.sandbox = sandbox
        self.extractor = warcsieve.Extractor(pipeline, output=output)

    def extract(self, text: str) -> str:
        """The content of a page; empty if it has none."""
        return self.extractor.extract(text) or ""

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Extracts each document in data; those without content or with faults are dropped and counted."""
        if self.sandbox:
            yield from super().run(data, rank, world_size)
            return
        for doc in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                try:
                    doc.text = self.extract(doc.text)
                except PageError as error:
                    self.stat_update("clean_error")
                    self.stat_update(f"clean_error_{error.kind}")
                    continue
                self.stat_update("extracted")
            if doc.text:
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(doc)
                yield doc
            else:
                self.stat_update(StatHints.dropped)


class WarcsieveReader(BaseDiskReader):
    """Reads the pages of WARC and ARC files, cleaned: the rows that `warcsieve clean` writes to `documents`.

    `id` and `text` are those of the table, its other columns are metadata. What is damaged or cannot be processed is
    skipped and counted: `records`, `pages`, `documents`, `empty_documents`, `faults`, `damaged_bytes`, and `skips_…` by
    reason.

    Args:
        data_folder: a folder with crawls, here or remote
        pipeline: the name of a pipeline that ships, a pipeline file, or the text of one
        output: text, markdown or html; default: that of the pipeline
        all others: those of datatrove's readers
    """

    name = "🪶 warcsieve"
    _requires_dependencies = ["warcsieve", "pyarrow"]

    def __init__(
        self,
        data_folder: DataFolderLike,
        paths_file: DataFileLike | None = None,
        pipeline: str = "default",
        output: Output | None = None,
        limit: int = -1,
        skip: int = 0,
        file_progress: bool = False,
        doc_progress: bool = False,
        adapter: Callable[..., dict[str, Any]] | None = None,
        text_key: str = "text",
        id_key: str = "id",
        default_metadata: dict[str, Any] | None = None,
        recursive: bool = True,
        glob_pattern: str | None = None,
        shuffle_files: bool = False,
        add_file_path: bool = True,
    ) -> None:
        super().__init__(
            data_folder,
            paths_file,
            limit,
            skip,
            file_progress,
            doc_progress,
            adapter,
            text_key,
            id_key,
            default_metadata,
            recursive,
            glob_pattern,
            shuffle_files,
            add_file_path,
        )
        self.pipeline = pipeline
        self.output = output
        # A wrong pipeline is found now, and not by the first task.
        warcsieve.table_schema("documents", pipeline)

    def read_file(self, filepath: str) -> Iterator[Document]:
        """The documents of one file."""
        if self.data_folder.is_local():
            yield from self._documents(self.data_folder.resolve_paths(filepath), filepath)
            return
        with self.data_folder.open(filepath, "rb") as file:
            yield from self._documents(file, filepath)

    def _documents(self, source: Any, filepath: str) -> Iterator[Document]:
        table = warcsieve.read_warc(source, self.pipeline, output=self.output, name=filepath).documents()
        try:
            number = 0
            for batch in batches(table):
                for row in batch.to_pylist():
                    with self.track_time():
                        document = self.get_document_from_dict(_plain(row), filepath, number)
                    number += 1
                    if document:
                        yield document
        finally:
            # Also if it is left early, by `limit`.
            self._count(table.counts)

    def _count(self, counts: Counts) -> None:
        numbers = {
            "records": counts["records"],
            "pages": counts["pages"],
            "documents": counts["documents"],
            "empty_documents": counts["empty_documents"],
            "faults": counts["faults"],
            "damaged_bytes": counts["damaged_bytes"],
        }
        for name, number in numbers.items():
            self.stat_update(f"warc_{name}", value=number, unit="input_file")
        for reason, number in counts["skips"].items():
            self.stat_update(f"warc_skips_{reason}", value=number, unit="input_file")


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row as JSON can have it: dates as text, and nothing for what is absent."""
    found = {}
    for name, value in row.items():
        if isinstance(value, datetime):
            value = value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
        if value is not None:
            found[name] = value
    return found
