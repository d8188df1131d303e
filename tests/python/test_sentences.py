"""Every sentence that the package says is there, and is filled in."""

import ast
import re
import unittest
from pathlib import Path

import glassformer as gf
from glassformer._library import DATA

PACKAGE = Path(gf.__file__).parent
#: What takes the name of a sentence, and which of its arguments that is.
SAYING = {
    **dict.fromkeys(("message", "type_error", "range_error", "missing", "_refuse", "_wrong", "refuse"), 0),
    **dict.fromkeys(("failure", "refusal"), 1),
}
#: Of a file that is refused, or whatever is said at all.
ALWAYS = {"where", "given", "hint", "node", "errno"}


def said(tree):
    """Each call that says something: its line, names of sentences, what fills them in if it is listed."""
    for call in ast.walk(tree):
        name = isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", None))
        if name not in SAYING or len(call.args) <= SAYING[name]:
            continue
        detail = call.args[SAYING[name]]
        details = [detail.body, detail.orelse] if isinstance(detail, ast.IfExp) else [detail]
        names = [one.value for one in details if isinstance(one, ast.Constant)]
        keywords = {keyword.arg for keyword in call.keywords}
        yield call.lineno, names, None if None in keywords or len(call.args) > 1 + SAYING[name] else keywords


class SentencesTest(unittest.TestCase):
    def test_every_sentence_is_there_and_everything_in_its_braces_is_given(self):
        count = 0
        for path in sorted(PACKAGE.glob("*.py")):
            # What JavaScript's types check: it is made of these tables.
            if path.name == "_families.py":
                continue
            for line, details, keywords in said(ast.parse(path.read_text(encoding="utf-8"))):
                for detail in details:
                    count += 1
                    where = f"{path.name}, line {line}: {detail}"
                    self.assertTrue(detail in DATA["texts"], where)
                    if keywords is not None:
                        wanted = set(re.findall(r"\{(\w+)\}", DATA["texts"][detail]))
                        self.assertLessEqual(wanted - ALWAYS, keywords, where)
        self.assertGreater(count, 120)


if __name__ == "__main__":
    unittest.main()
