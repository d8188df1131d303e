"""Files of the Python package are whole or as before: limits, signals, links."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from glassformer._writing import write_files

LIMITED = """
import resource, signal, sys
from pathlib import Path
from glassformer._writing import write_files
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
write_files({Path(sys.argv[1]): bytes(5000)})
"""

ENDED = """
import os, signal, sys
from pathlib import Path
from glassformer import _writing
_writing.os.fsync = lambda fd: os.kill(os.getpid(), signal.SIGTERM)
_writing.write_files({Path(sys.argv[1]): b"new"})
"""


class Writing(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        self.old = self.folder / "model"
        self.old.write_bytes(b"old")

    def test_what_ends_the_writing_leaves_the_old_file(self) -> None:
        for program, status, words in (
            (LIMITED, 1, f"File too large: '{self.old}'"),
            (ENDED, 128 + signal.SIGTERM, ""),
        ):
            ran = subprocess.run(
                [sys.executable, "-c", program, str(self.old)], capture_output=True, text=True, check=False
            )
            self.assertEqual(ran.returncode, status, ran.stderr)
            self.assertIn(words, ran.stderr)
            self.assertEqual(self.old.read_bytes(), b"old")
            self.assertEqual(list(self.folder.iterdir()), [self.old])

    def test_links_and_permissions_stay(self) -> None:
        self.old.chmod(0o640)
        link = self.folder / "link"
        link.symlink_to(self.old)
        write_files({link: b"new"})
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.old.read_bytes(), b"new")
        self.assertEqual(self.old.stat().st_mode & 0o777, 0o640)

    def test_files_that_belong_together_are_all_written_or_none(self) -> None:
        inner = self.folder / "a" / "b"
        with self.assertRaises(IsADirectoryError):
            write_files({inner / "one": b"1", self.folder: b"2"}, folder=inner)
        self.assertEqual(os.listdir(self.folder), ["model"])


if __name__ == "__main__":
    unittest.main()
