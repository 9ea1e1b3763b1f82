"""The family of errors that users read: what failed, with which thing, what to do."""

from __future__ import annotations

from nodes.phrase import Phrase, joined, listed


class AppError(Exception):
    """`message` says what failed and with which thing, `fix` what the user can do; both are sentences."""

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix

    def __str__(self) -> str:
        return joined(self.message, self.fix)


class BadRequest(AppError):
    """The request, an attached file or an argument cannot be used."""


class BadWorkflow(AppError):
    """A workflow file is damaged, or names what does not exist."""


class OutsideFiles(BadWorkflow):
    """A workflow names files outside its own folder, the `paths`; whoever opens it has to agree first."""

    def __init__(self, file: str, paths: tuple[str, ...]) -> None:
        shown = listed(paths[:5])
        if len(paths) > 5:
            shown = Phrase("{names} and {n} more", names=shown, n=len(paths) - 5)
        super().__init__(
            Phrase("{file} names files outside its folder: {names}.", file=file, names=shown),
            "If you trust it, say so with --outside-files; else copy what it needs into its folder.",
        )
        self.file = file
        self.paths = paths
        self.shown = shown


class BadReply(AppError):
    """A language model answered something that does not validate."""


class StorageError(AppError):
    """A result could not be written or read: disk full, no permission, damaged file."""


class DamagedContent(StorageError):
    """What lies in the store under the name of a new result is something else. `file` is that name."""

    def __init__(self, file: str) -> None:
        super().__init__(
            Phrase("The content of {file} in the store is damaged; it was removed.", file=file[:12]), "Run again."
        )
        self.file = file


class DownloadFailed(AppError):
    """A model could not be fetched; what has arrived is kept, and trying again goes on from there."""
