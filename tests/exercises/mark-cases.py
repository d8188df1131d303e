"""Marks the sheets on standard input by a question's server.py: the state and points of each cell, and those of steps."""

import importlib.util
import json
import sys

folder = sys.argv[1]
spec = importlib.util.spec_from_file_location("server", f"{folder}/server.py")
server = importlib.util.module_from_spec(spec)
spec.loader.exec_module(server)
with open(f"{folder}/variants.json", encoding="utf-8") as file:
    whole = json.load(file)

told = []
for sheet in json.load(sys.stdin):
    variant = whole["variants"][sheet["variant"]]
    cells = variant["cells"]
    texts = {cell["id"]: sheet["cells"][cell["cell"]] for cell in cells}
    answers = server.answers_in(variant, texts, whole["comma"])
    variants = whole["variants"] if sheet["together"] else []
    marks, other = server.mark(variant, answers, variants)
    told.append(
        {
            "cells": {
                cell["cell"]: [
                    *marks[cell["id"]][:2],
                    *(["apart"] if marks[cell["id"]].is_apart else []),
                ]
                for cell in cells
            },
            "steps": server.points_of(variant, marks),
            "variant": other,
        }
    )
print(json.dumps(told))
