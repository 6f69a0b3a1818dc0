"""markitdown (plug-ins of version 1): the Markdown of HTML is that of its content alone. markitdown finds this plug-in by
itself: `markitdown --use-plugins page.html`, or `MarkItDown(enable_plugins=True)`."""

from __future__ import annotations

from typing import Any, BinaryIO

from markitdown import DocumentConverter, DocumentConverterResult, MarkItDown, StreamInfo

import warcsieve

__plugin_interface_version__ = 1

# Before the converter of all HTML (10), and after those of single sites and of formats (0).
PRIORITY = 5.0


def register_converters(markitdown: MarkItDown, *, pipeline: str = "default", **_: Any) -> None:
    """Called by markitdown, with the arguments of `MarkItDown`."""
    markitdown.register_converter(WarcsieveConverter(pipeline), priority=PRIORITY)


class WarcsieveConverter(DocumentConverter):
    """Converts HTML in any encoding. A page without content, or one that a filter removes, gives no text; one that cannot
    be processed is left to the converters after this one."""

    def __init__(self, pipeline: str = "default") -> None:
        self.extractor = warcsieve.Extractor(pipeline, output="markdown")

    def accepts(self, file_stream: BinaryIO, stream_info: StreamInfo, **_: Any) -> bool:
        """Whether this is HTML, by its media type or the end of its name."""
        kind = (stream_info.mimetype or "").lower()
        ending = (stream_info.extension or "").lower()
        return ending in (".html", ".htm", ".xhtml") or kind.startswith(("text/html", "application/xhtml"))

    def convert(self, file_stream: BinaryIO, stream_info: StreamInfo, **_: Any) -> DocumentConverterResult:
        """The content of the page, and its title."""
        page = self.extractor.page(file_stream.read(), stream_info.url)
        content = "" if page.removed_by is not None else page.content
        return DocumentConverterResult(content or "", title=page.title or None)
