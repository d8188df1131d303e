"""Writes whole files: a new file beside the old one is written, flushed and checked, then takes its name.

Whatever goes wrong before that, the old file is as it was.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import signal
import stat
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

#: On Windows files are text unless this is said.
_FLAGS = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)


def _write(fd: int, data: bytes) -> None:
    """All bytes, however many the system takes at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


@contextlib.contextmanager
def _ending() -> Iterator[None]:
    """Lets SIGTERM end the process only after what is unfinished was removed."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _begun(target: Path, data: bytes, parts: list[Path]) -> None:
    """Writes a new file beside the target."""
    old = target.stat() if target.exists() else None
    if old and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    part = target.parent / f".glassformer-{secrets.token_hex(8)}.tmp"
    parts.append(part)
    # Nobody else reads a private file, not even before it has its permissions.
    fd = os.open(part, _FLAGS | os.O_EXCL, 0o600 if old else 0o666)
    try:
        _write(fd, data)
        if old and hasattr(os, "fchown"):
            # Only root gives files away.
            with contextlib.suppress(PermissionError):
                os.fchown(fd, old.st_uid, old.st_gid)
            os.fchmod(fd, stat.S_IMODE(old.st_mode))
        os.fsync(fd)
        size = os.fstat(fd).st_size
        if size != len(data):
            raise OSError(errno.EIO, f"it has {size} bytes in place of {len(data)}")
    finally:
        os.close(fd)


def _in_place(target: Path) -> bool:
    """Whether it is a device or a pipe, which nothing can replace."""
    return target.exists() and not (target.is_file() or target.is_dir())


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Names the file in what the system refuses."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def write_files(files: Mapping[Path, Any], folder: Path | None = None) -> None:
    """Writes files that belong together: all of them, or none. `folder` is made if it is missing."""
    parts: list[Path] = []
    made: list[Path] = []
    targets: list[tuple[Path, Path, Path]] = []
    with _ending():
        try:
            if folder is not None:
                made = [one for one in (folder, *folder.parents) if not one.exists()]
                folder.mkdir(parents=True, exist_ok=True)
            for path, data in files.items():
                with _named(path):
                    # Links stay links.
                    target = Path(os.path.realpath(path))
                    if target.is_dir():
                        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                    if _in_place(path):
                        with open(path, "wb", buffering=0) as file:
                            _write(file.fileno(), data)
                        continue
                    _begun(target, bytes(data), parts)
                    targets.append((path, parts[-1], target))
            for path, part, target in targets:
                with _named(path):
                    os.replace(part, target)
                parts.remove(part)
            made = []
        finally:
            for part in parts:
                part.unlink(missing_ok=True)
            for one in made:
                with contextlib.suppress(OSError):
                    one.rmdir()
