"""What Python makes of configs and shapes of tensors, for tests/bindings/family-data.test.js.

Reads {families, cases} as JSON, and writes the names of the rules and of each case the plan or the sentence.
"""

import json
import math
import sys

import numpy as np

from glassformer import _families, _files
from glassformer._checkpoints import Checkpoint
from glassformer._gguf import of_gguf
from glassformer._stored import Stored
from glassformer.errors import GlassformerError
from glassformer.model import _shapes_of


def plan_of(case):
    tensors = {
        name: Stored("F32", tuple(shape), np.zeros(4 * math.prod(shape), np.uint8))
        for name, shape in case["tensors"]
    }
    try:
        config, part = case.get("config"), "config.json"
        if "metadata" in case:
            config, tensors = of_gguf(case["metadata"], tensors)
            part = "gguf"
        checkpoint = Checkpoint(config, tensors, _shapes_of, part)
    except GlassformerError as error:
        return f"{error.code} {error}"
    taken = [[entry.ours, found[0][0], len(found)] for entry, found in checkpoint._taken]
    numbers = {key: value for key, value in checkpoint.config.items() if key not in ("seed", "remove")}
    return {"config": numbers, "taken": taken}


given = json.load(sys.stdin, parse_int=_files._number, parse_float=_files._number)
_families.FAMILIES.update(given["families"])
json.dump({"rules": list(_families.RULES), "plans": [plan_of(case) for case in given["cases"]]}, sys.stdout)
