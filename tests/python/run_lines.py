"""Runs programs of lines, as tests/fuzz/run-lines.js does.

stdin: a JSON list of programs, each a list of lines; stdout: of each a list of texts, and of lists: a
name, then arrays in base64, whose hashes JavaScript makes.
"""

import base64
import json
import re
import sys

import numpy as np

import glassformer as gf
from glassformer._library import CONSTANTS
from glassformer._nodes import OPS


def snakes(options):
    def snake(name):
        return re.sub("([a-z])([A-Z]+)", lambda m: f"{m[1]}_{m[2].lower()}", name)

    return {snake(key): value for key, value in options.items()}


def packed(array):
    if array is None:
        return None
    kind = "i" if array.dtype == np.int32 else "f"
    return kind + base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def bits_of(nodes):
    return [[node.name, packed(node.data), packed(node.grad)] for node in nodes]


def numbers_of(words):
    return np.array([int(word, 16) for word in words], np.uint32)


def push(tape, op, name, *words):
    row = OPS[op]
    nodes = [None if word == "-" else tape.find(word) for word in words[: len(row.operands)]]
    operands = {key: node for (key, _), node in zip(row.operands, nodes, strict=False)}
    numbers = [float(word) for word in words[len(row.operands) :]]
    attributes = {}
    for one in row.attributes:
        if one.kind == CONSTANTS["GF_AXES"]:
            attributes[one.name] = [int(number) for number in numbers[: len(nodes[0].shape)]]
            continue
        number = numbers.pop(0)
        if one.kind == CONSTANTS["GF_FLAG"]:
            number = number != 0
        elif one.kind == CONSTANTS["GF_INTEGER"]:
            number = int(number)
        elif one.kind == CONSTANTS["GF_WORD"]:
            number = one.words[int(number)]
        attributes[one.name] = number
    tape.push(op, operands, attributes, name)


def run_tape(lines):
    tape = gf.Tape()
    seed = None
    for line in lines:
        verb, *words = line.split(" ")
        if verb in ("input", "parameter", "ids"):
            getattr(tape, verb)(words[0], [int(word) for word in words[1:]])
        elif verb == "push":
            push(tape, *words)
        elif verb == "plan":
            tape.plan()
            tape.zero_grad()
        elif verb == "set":
            tape.find(words[0]).data.reshape(-1).view(np.uint32)[...] = numbers_of(words[1:])
        elif verb == "bypass":
            tape.bypass(words[0], int(words[1]))
        elif verb == "freeze":
            tape.freeze(words[0])
        elif verb == "forward":
            tape.forward(*(None if word == "-" else word for word in words))
        elif verb == "grad":
            seed = numbers_of(words[1:]).view(np.float32)
        elif verb == "backward":
            tape.backward(words[1], seed.reshape(tape.find(words[1]).shape))
        elif verb != "zero_grad":
            raise ValueError(line)
    return bits_of(tape.nodes)


def run_model(lines):
    said = {"model": {}, "train": {}, "generate": {}}
    batches = []
    for line in lines:
        verb, rest = line.split(" ", 1)
        if verb == "batch":
            batches.append(json.loads(rest))
        else:
            key, value = rest.split(" ", 1)
            said[verb][key] = json.loads(value)
    model = gf.Model(**snakes(said["model"]))
    out = []
    for batch in batches:
        run = model(**batch)
        run.backward()
        out += bits_of(run.tape.nodes)
    for step in gf.train(model, batches, **snakes(said["train"])):
        numbers = np.array([step.loss, step.gradient_norm, step.learning_rate])
        out.append(f"step {numbers.tobytes().hex()}")
    for name, parameter in model.parameters.items():
        out.append([name, *(packed(parameter.block(block)) for block in ("values", "m", "v"))])
    if said["model"].get("kind") != "bert":
        first = batches[0]
        tokens = model.generate(first.get("source", first["target"])[0], **snakes(said["generate"]))
        out.append(f"tokens {','.join(map(str, tokens))}")
    return out


def run(lines):
    models = lines and lines[0].split(" ")[0] in ("model", "batch", "train", "generate")
    try:
        return run_model(lines) if models else run_tape(lines)
    except gf.GlassformerError as error:
        return [f"refused: {error}"]


json.dump([run(lines) for lines in json.load(sys.stdin)], sys.stdout)
