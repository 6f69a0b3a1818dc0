"""The exceptions of warcsieve: what went wrong, where, with which record."""

from __future__ import annotations


class Error(Exception):
    """Something went wrong.

    kind: one word that stays from release to release: `usage`, `pipeline`, `io`, `integrity`, `panicked` (a defect of
        warcsieve), or of pages `too_large`, `tokenizer`, `panicked`.
    place: where: a file, with line or byte offset where they are known, or an address; None if that is not known.
    record_id: the WARC record, where there is one.
    """

    kind: str
    place: str | None
    record_id: str | None

    def __init__(self, message: str, kind: str = "other", place: str | None = None, record_id: str | None = None) -> None:
        # All of them, so that copies made by pickle have them, too.
        super().__init__(message, kind, place, record_id)
        self.kind = kind
        self.place = place
        self.record_id = record_id

    def __str__(self) -> str:
        return str(self.args[0])


class PageError(Error):
    """A page could not be processed: it is larger than the pipeline allows, or its processing failed."""


class UsageError(Error, ValueError):
    """What was asked for cannot be done: a pipeline that does not exist, an input that matches nothing."""


class PipelineError(UsageError):
    """A pipeline file is wrong; `place` is `file:line`."""


class InputError(Error, OSError):
    """A file, object or folder cannot be read or written; trying again may help."""

    def __init__(self, message: str, kind: str = "io", place: str | None = None, record_id: str | None = None) -> None:
        super().__init__(message, kind, place, record_id)


class IntegrityError(Error):
    """What was written differs from what was counted: a defect of warcsieve, or of a disk."""
