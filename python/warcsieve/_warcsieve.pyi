import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import GenericAlias
from typing import BinaryIO, Generic, Literal, TypeAlias, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from .errors import PageError
from .types import Counts, Fault, Html, Links, Metadata, Output, Place, Summary, Tables

__version__: str
__all__ = [
    "Block",
    "Blocks",
    "Column",
    "Crawl",
    "Extractor",
    "Page",
    "Results",
    "Schema",
    "Table",
    "__version__",
    "clean",
    "decode",
    "list_inputs",
    "main",
    "read_warc",
    "restore_extractor",
    "table_schema",
]

_T_co = TypeVar("_T_co", covariant=True)
_D_co = TypeVar("_D_co", bound=np.generic, covariant=True)

_Pages: TypeAlias = Iterable[Html | tuple[Html, str | None]]
_Texts: TypeAlias = Literal["text", "label", "reason", "tag_path"]
_Numbers: TypeAlias = Literal[
    "block",
    "source_start",
    "source_end",
    "source_char_start",
    "source_char_end",
    "words",
    "linked_words",
    "tokens",
    "linked_tokens",
    "chars",
    "linked_chars",
    "lines",
    "wrapped_tokens",
    "tags_before",
    "tags_inside",
]
_Offsets: TypeAlias = Literal["text_start", "text_end", "text_char_start", "text_char_end"]
_Shares: TypeAlias = Literal["score", "link_density", "text_density"]

def main(arguments: Sequence[str]) -> int:
    """Runs the command line as the program does, and returns its exit code. It runs once per process."""

def decode(html: Html, url: str | None = None, charset: str | None = None) -> str:
    """Decodes a page as browsers do. If a page is given as bytes, the offsets of its blocks refer to this text."""

def restore_extractor(name: str, text: str | None, output: str, set: list[str]) -> Extractor:
    """Restores an `Extractor` that was pickled."""

def list_inputs(inputs: Sequence[Place], base: Place | None = None) -> list[tuple[str, str]]:
    """Lists the inputs that paths and addresses name, in the order of their names: of each its name in outputs, and
    its own path or address.
    """

def table_schema(
    table: str = "documents", pipeline: str = "default", columns: Sequence[str] | None = None
) -> Schema:
    """The schema of the table `documents` or `blocks` under a pipeline. No crawl is read.

    columns: the names of those that are wanted, in their order; default: all.
    """

def read_warc(
    source: Place | BinaryIO, pipeline: str = "default", *, output: Output | None = None, name: str | None = None
) -> Crawl:
    """Reads crawls: a file, folder, pattern, list or address, as the program takes them, or a file open for reading
    bytes.
    """

def clean(
    inputs: Sequence[Place],
    out: Place,
    *,
    pipeline: str,
    threads: int | None,
    progress: Callable[[int, int, int], object] | None,
    output: Output | None,
    base: Place | None,
    shard: tuple[int, int],
    seal: bool,
    redo: bool,
    allow_empty: bool,
) -> Summary:
    """Cleans crawls into a folder, as the command `clean` does, and returns what it did."""

@final
class Extractor:
    """Extracts the content of pages with one pipeline, which is read once. Any number of threads may use it.

    pipeline: the name of one that ships, the path of a pipeline file, or the text of one.
    output: the form of the content: `text`, `markdown` or `html`.
    links, images, tables: keys of the pipeline about the form; by default those of the pipeline.

    Raises `UsageError` for a pipeline that does not exist or whose filters change texts, `PipelineError` for one
    that has an error. It can be pickled, and used by processes that are forked.
    """
    def __new__(
        cls,
        pipeline: str = "default",
        *,
        output: Output = "text",
        links: Links | None = None,
        images: bool | None = None,
        tables: Tables | None = None,
    ) -> Self: ...
    def extract(self, html: Html, url: str | None = None, *, charset: str | None = None) -> str | None:
        """The content of a page; None if it has none, or a filter of the pipeline removes the page.

        html: `str`, or bytes in any encoding.
        url: its address, from which relative addresses in its metadata are completed, and its links if the pipeline has
            `links = "absolute"`.
        charset: of bytes, the encoding that the HTTP header names; one that does not exist is ignored, as browsers do.

        Raises `PageError` for a page that cannot be processed.
        """
    def page(self, html: Html, url: str | None = None, *, charset: str | None = None) -> Page:
        """The page with its metadata and blocks, also if it has no content or is removed. Arguments are those of
        `extract`.
        """
    def extract_many(self, pages: _Pages, *, threads: int | None = None) -> Results[str | None]:
        """The contents of many pages, in their order, made by several threads: for each page what `extract`
        returns.

        pages: an iterable of pages, or of tuples of a page and its address.
        threads: default: as many as there are cores; with 1, no other thread works.
        """
    def pages(self, pages: _Pages, *, threads: int | None = None) -> Results[Page]:
        """As `extract_many`, but for each page what `page` returns."""
    @property
    def pipeline(self) -> str:
        """The pipeline's name, or the path of its file."""
    @property
    def output(self) -> Output:
        """The form of the content: `text`, `markdown` or `html`."""
    def __reduce__(self) -> tuple[Callable[[str, str | None, str, list[str]], Extractor], tuple[str, str | None, str, list[str]]]: ...

@final
class Results(Generic[_T_co]):
    """An iterator over the results of many pages, in their order.

    A page that cannot be processed raises its `PageError` in its turn; the iterator then goes on with the next
    page.
    """
    def __iter__(self) -> Self: ...
    def __next__(self) -> _T_co: ...
    def __class_getitem__(cls, key: object, /) -> GenericAlias: ...
    def with_errors(self) -> Results[_T_co | PageError]:
        """The same results with a `PageError` in the place of each page that cannot be processed. They are taken
        from this iterator, which is at its end then.
        """

@final
class Page:
    """A page: its content, what it says about itself, and its blocks with their labels.

    A page that a filter of the pipeline removes has all of this, too; `removed_by` names the rule. Memory: about
    the size of the page, and 170 bytes per block and element.
    """
    @property
    def content(self) -> str:
        """The content in the form that was asked for: plain text, Markdown or HTML. Empty if the page has none."""
    @property
    def text(self) -> str:
        """The content as plain text; empty if the page has none."""
    @property
    def markdown(self) -> str:
        """The content as Markdown; rendered at each access."""
    @property
    def html(self) -> str:
        """The content as HTML without anything executable; rendered at each access."""
    @property
    def blocks(self) -> Blocks:
        """All blocks, content and boilerplate, in the order of the page."""
    @property
    def title(self) -> str | None:
        """The text of `<title>`."""
    @property
    def id(self) -> str | None:
        """The id of the page in its crawl. None for a page that was given as HTML."""
    @property
    def record_id(self) -> str | None:
        """`WARC-Record-ID` as written."""
    @property
    def url(self) -> str | None:
        """The page's address: the one given, that of its record, or else what the page says."""
    @property
    def date(self) -> datetime.datetime | None:
        """When the crawler fetched the page, in UTC. None if the record does not say it."""
    @property
    def status(self) -> int | None:
        """The HTTP status."""
    @property
    def digest(self) -> str | None:
        """`WARC-Payload-Digest` as written."""
    @property
    def mime(self) -> str:
        """The media type, in lower case."""
    @property
    def charset(self) -> str:
        """The WHATWG name of the page's encoding; UTF-8 for `str`."""
    @property
    def charset_source(self) -> str | None:
        """How the encoding was found: `bom`, `http`, `meta`, `utf8` or `guess`. None for `str`."""
    @property
    def truncated(self) -> str | None:
        """Why reading the page stopped early; None if it did not."""
    @property
    def warc_language(self) -> str | None:
        """`WARC-Identified-Content-Language` as written; None if the crawl does not say it."""
    @property
    def warnings(self) -> list[str]:
        """Flaws that did not prevent reading the page."""
    @property
    def html_bytes(self) -> int:
        """The page's size in bytes of UTF-8."""
    @property
    def input(self) -> str | None:
        """The name of the input. None for a page that was given as HTML."""
    @property
    def offset(self) -> int | None:
        """The byte offset in the input of the member that holds the record. None for a page that was given as HTML."""
    @property
    def language(self) -> tuple[str, float] | None:
        """The language of the text (ISO 639-1, else 639-3) and the probability that it is right. None if it is not
        known.
        """
    @property
    def confidence(self) -> float | None:
        """How right the labels of the blocks are expected to be, from 0 to 1. None if the pipeline's method does
        not say.
        """
    @property
    def removed_by(self) -> str | None:
        """The rule of the pipeline's filters that removes the page, as the pipeline file says it. None if the page
        stays.
        """
    @property
    def labelled_by(self) -> str | None:
        """The pipeline that labelled the page, if the pipeline names others in `union` or `[[fallback]]`. Otherwise
        None.
        """
    @property
    def why_empty(self) -> str | None:
        """Why no block of the page is content, in words. None if one is."""
    @property
    def headline(self) -> str | None:
        """The title of the page, without the name of the site."""
    @property
    def author(self) -> str | None:
        """Who wrote it; several names are joined by `; `."""
    @property
    def published(self) -> datetime.date | datetime.datetime | None:
        """When it was published: a `date` if the page says only the day, else a `datetime`, which has a time zone
        if the page says one.
        """
    @property
    def modified(self) -> datetime.date | datetime.datetime | None:
        """When it was last changed: a `date` or `datetime`, as `published`."""
    @property
    def sitename(self) -> str | None:
        """The name of the site."""
    @property
    def description(self) -> str | None:
        """What the page is about, in a sentence or two."""
    @property
    def canonical(self) -> str | None:
        """The address that the page says is its own."""
    @property
    def image(self) -> str | None:
        """The address of a picture for the page."""
    @property
    def html_lang(self) -> str | None:
        """The attribute `lang` of the element `html`."""
    @property
    def page_type(self) -> str | None:
        """The kind of page that the page says it is: a type of OpenGraph, else of schema.org."""
    @property
    def tags(self) -> list[str]:
        """Tags or keywords of the page, at most 64."""
    @property
    def metadata(self) -> Metadata:
        """What the page says about itself, as a dict of text: the columns of the table `documents`. Dates are ISO
        8601. `metadata_source` says for each field which source it comes from.
        """

@final
class Block:
    """A block of a page."""
    @property
    def index(self) -> int:
        """Its number in the page, from 0: the column `block`."""
    @property
    def text(self) -> str:
        """Its text, white space collapsed."""
    @property
    def content(self) -> bool:
        """Whether it is content."""
    @property
    def label(self) -> Literal["content", "boilerplate"]:
        """`content` or `boilerplate`."""
    @property
    def class_(self) -> str | None:
        """The class that the method gives it; None if the method has no classes."""
    @property
    def score(self) -> float:
        """How sure the method is that it is content, from 0 (boilerplate) to 1 (content)."""
    @property
    def reason(self) -> str:
        """Why it is content or not."""
    @property
    def tag_path(self) -> str:
        """The tags from the root to the element that holds it."""
    @property
    def source_start(self) -> int:
        """Where it begins in the page, in bytes of UTF-8."""
    @property
    def source_end(self) -> int:
        """Where it ends in the page, in bytes of UTF-8."""
    @property
    def source_char_start(self) -> int:
        """Where it begins in the page, in characters of the `str`."""
    @property
    def source_char_end(self) -> int:
        """Where it ends in the page, in characters of the `str`."""
    @property
    def text_start(self) -> int | None:
        """Where it begins in the page's plain text, in bytes of UTF-8; None for boilerplate."""
    @property
    def text_end(self) -> int | None:
        """Where it ends in the page's plain text, in bytes of UTF-8; None for boilerplate."""
    @property
    def text_char_start(self) -> int | None:
        """Where it begins in `page.text`, in characters; None for boilerplate."""
    @property
    def text_char_end(self) -> int | None:
        """Where it ends in `page.text`, in characters; None for boilerplate."""
    @property
    def words(self) -> int:
        """Tokens with a letter or digit."""
    @property
    def linked_words(self) -> int:
        """Words inside links."""
    @property
    def tokens(self) -> int:
        """Runs of characters between white space."""
    @property
    def linked_tokens(self) -> int:
        """Tokens inside links."""
    @property
    def chars(self) -> int:
        """Characters of the text, spaces included."""
    @property
    def linked_chars(self) -> int:
        """Characters inside links."""
    @property
    def lines(self) -> int:
        """Lines of the text wrapped at 80 columns."""
    @property
    def wrapped_tokens(self) -> int:
        """Tokens on all lines but the last; all where there is one line."""
    @property
    def tags_before(self) -> int:
        """Tags between the text of the block before and its own."""
    @property
    def tags_inside(self) -> int:
        """Tags inside of it."""
    @property
    def link_density(self) -> float:
        """Linked tokens of all tokens, from 0 to 1."""
    @property
    def text_density(self) -> float:
        """Tokens per line (Kohlschütter et al. 2010, section 3.4)."""

@final
class Blocks:
    """The blocks of a page: a sequence of blocks, and a table of columns by name, which Arrow takes without a copy."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int, /) -> Block:
        """A block by its number, a list of blocks by a slice, or a column by its name."""
    @overload
    def __getitem__(self, key: slice, /) -> list[Block]: ...
    @overload
    def __getitem__(self, key: _Texts, /) -> Column[str, np.object_]: ...
    @overload
    def __getitem__(self, key: Literal["class"], /) -> Column[str | None, np.object_]: ...
    @overload
    def __getitem__(self, key: Literal["content"], /) -> Column[bool, np.bool_]: ...
    @overload
    def __getitem__(self, key: _Numbers, /) -> Column[int, np.int32]: ...
    @overload
    def __getitem__(self, key: _Offsets, /) -> Column[int | None, np.int32]: ...
    @overload
    def __getitem__(self, key: _Shares, /) -> Column[float, np.float32]: ...
    @overload
    def __getitem__(self, key: str, /) -> Column[str | bool | int | float | None, np.generic]: ...
    def __iter__(self) -> Iterator[Block]: ...
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    def to_numpy(self) -> dict[str, NDArray[np.int32] | NDArray[np.float32] | NDArray[np.bool_]]:
        """All columns of numbers as NumPy arrays that share their memory, by name; -1 for what is absent. Needs
        numpy.
        """
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Column(Generic[_T_co, _D_co]):
    """A column: one value per block. `numpy.asarray(column)` and `pyarrow.array(column)` share its memory."""
    @property
    def name(self) -> str:
        """Its name."""
    def __len__(self) -> int: ...
    def to_list(self) -> list[_T_co]:
        """The values as objects; None for what is absent."""
    def __class_getitem__(cls, key: object, /) -> GenericAlias: ...
    def to_numpy(self) -> NDArray[_D_co]:
        """The values as a NumPy array, which shares the memory of numbers; -1 for what is absent. Needs numpy."""
    @property
    def __array_interface__(self) -> dict[str, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Schema:
    """Names and types of columns; `pyarrow.schema(x)`, `polars` and others read it."""
    @property
    def names(self) -> list[str]:
        """The names of the columns."""
    def __arrow_c_schema__(self) -> object: ...

@final
class Crawl:
    """The pages of a crawl: an iterator of pages, and its tables as Arrow streams.

    Pages that filters remove, and pages that cannot be processed, are counted with the rule or the reason and left out.
    Memory: that of a reader and a page.
    """
    def __iter__(self) -> Self: ...
    def __next__(self) -> Page: ...
    def documents(self, columns: Sequence[str] | None = None) -> Table:
        """The table `documents`: one row per page.

        columns: the names of those that are wanted, in their order; default: all. KeyError for one that does not
        exist.

        Reading it reads the crawl from its beginning.
        """
    def blocks(self, columns: Sequence[str] | None = None) -> Table:
        """The table `blocks`: one row per block. Otherwise as `documents`."""
    @property
    def counts(self) -> Counts:
        """What was read until now by iterating: numbers of records, pages, documents, removed and skipped pages,
        faults, bytes.
        """
    @property
    def faults(self) -> list[Fault]:
        """Damage and pages that could not be processed, the first 1,000, of what was read until now by iterating."""
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Table:
    """A table of a crawl: an Arrow stream for pyarrow, polars, DuckDB and others, which take it without a copy.

    Its batches are made while they are read. Each stream reads the crawl from its beginning.
    """
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    @property
    def counts(self) -> Counts:
        """What the last stream has read until now: numbers of records, pages, documents, removed and skipped pages,
        faults, bytes.
        """
    @property
    def faults(self) -> list[Fault]:
        """Damage and pages that could not be processed, the first 1,000, of what the last stream has read until
        now.
        """
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
