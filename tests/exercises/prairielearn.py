"""Runs a question's server.py as PrairieLearn does: generate, parse, grade, for each case on standard input."""

import importlib.util
import json
import sys

folder, cases = sys.argv[1], json.load(sys.stdin)
spec = importlib.util.spec_from_file_location("server", f"{folder}/server.py")
server = importlib.util.module_from_spec(spec)
spec.loader.exec_module(server)


def data_of(seed):
    return {
        "params": {},
        "correct_answers": {},
        "submitted_answers": {},
        "format_errors": {},
        "partial_scores": {},
        "feedback": {},
        "score": 0,
        "variant_seed": seed,
        "options": {"question_path": folder},
    }


seeds = {}
for seed in range(1000):
    data = data_of(seed)
    server.generate(data)
    seeds.setdefault(data["params"]["variant"], seed)

told = []
for case in cases:
    data = data_of(seeds[case["variant"]])
    server.generate(data)
    generated = json.dumps(data, sort_keys=True)
    again = data_of(seeds[case["variant"]])
    server.generate(again)
    assert json.dumps(again, sort_keys=True) == generated
    # A question that is synced again may have its variants in another order.
    data["params"]["variant"] = 0
    data["submitted_answers"] = dict(case["answers"])
    server.parse(data)
    if not data["format_errors"]:
        server.grade(data)
    keys = ("format_errors", "partial_scores", "score")
    told.append({key: data[key] for key in keys})
data = data_of(0)
server.generate(data)
data["params"]["given"] += "<p>of another version</p>"
for call in (server.parse, server.grade):
    try:
        call(data)
    except ValueError:
        continue
    raise AssertionError("marked against a problem that the learner does not see")
print(json.dumps(told))
