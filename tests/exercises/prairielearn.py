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
    data["submitted_answers"] = dict(case["answers"])
    server.parse(data)
    if not data["format_errors"]:
        server.grade(data)
    keys = ("format_errors", "partial_scores", "score")
    told.append({key: data[key] for key in keys})
print(json.dumps(told))
