"""The nodes of a tape: how the core is asked for one, what one is, and what happens if the core refuses."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from threading import RLock
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ._library import CONSTANTS, DATA, NONE, STRUCTS, integers, lib, text
from ._memory import memory
from ._values import Numbers, array_of, check_shape, fill, to_float32, to_int32
from .errors import (
    GlassformerError,
    Message,
    check_bool,
    check_finite,
    check_int32,
    check_name,
    check_word,
    code_of,
    failed,
    failure,
    is_number,
    missing,
    near,
    range_error,
    type_error,
)

#: Room for nodes at first, and how many one call makes at most: gf_attention's 21.
_CAPACITY = 64
_ROOM = 24
_MAX_RANK = CONSTANTS["GF_MAX_RANK"]
_MAX_INPUTS = CONSTANTS["GF_MAX_INPUTS"]
_KINDS = ("input", "parameter", "ids")
_NAMELESS = "(no name)"
#: Ops of two whose second operand may be a number.
OF_NUMBERS: list[str] = DATA["pairs"]
#: Codes that speak of the numbers given, not of the nodes.
_SIZED = ("GF_ESHAPE", "GF_ERANGE", "GF_EMEMORY")
_RANGED = (CONSTANTS["GF_INTEGER"], CONSTANTS["GF_REAL"], CONSTANTS["GF_AXES"])

if TYPE_CHECKING:
    from ._stored import StoredMatrix

_Method = TypeVar("_Method", bound=Callable[..., Any])
_description = STRUCTS["gf_description"]
_problem = STRUCTS["gf_problem"]


class Attribute:
    """What a node is built with besides its operands."""

    def __init__(self, row: Any) -> None:
        self.name = text(row.name)
        self.kind: int = row.kind
        self.low: float = row.low
        self.high: float = row.high
        self.words = [text(word) for word in row.words if word]

    def numbers(self, where: str, value: Any) -> list[float]:
        """As the core takes it, checked for its type; the core checks its range. No axis is all of them."""
        if value is None and self.name == "axis":
            return [CONSTANTS["GF_ALL"]]
        if self.kind == CONSTANTS["GF_FLAG"]:
            return [check_bool(where, value)]
        if self.kind == CONSTANTS["GF_INTEGER"]:
            return [check_int32(where, value)]
        if self.kind == CONSTANTS["GF_REAL"]:
            return [check_finite(where, value)]
        if self.kind == CONSTANTS["GF_WORD"]:
            return [check_word(where, value, self.words)]
        axes = check_shape(where, value)[:_MAX_RANK]
        return [*axes, *[0] * (_MAX_RANK - len(axes))]


class Op:
    """A row of the op table."""

    def __init__(self, place: int, row: Any) -> None:
        self.id = place
        self.name = text(row.name)
        self.formulas = (text(row.formula), text(row.other_formula))
        self.chooses = text(row.chooses)
        takes_none = CONSTANTS["GF_TAKES_NONE"]
        self.operands = [(text(one.name), bool(one.takes & takes_none)) for one in row.operands if one.name]
        self.attributes = [Attribute(one.contents) for one in row.attributes if one]


def _table() -> dict[str, Op]:
    rows: dict[str, Op] = {}
    while at := lib.gf_op_at(len(rows)):
        op = Op(len(rows), STRUCTS["gf_op"].from_address(at))
        rows[op.name] = op
    return rows


OPS = _table()


def _words(name: Callable[[int], bytes | None]) -> list[str]:
    words: list[str] = []
    while (word := name(len(words))) is not None:
        words.append(text(word))
    return words


_ROLES = _words(lib.gf_role_name)
_AXES = _words(lib.gf_axis_name)
_SEQUENCES = _words(lib.gf_sequence_name)
_PARAMETERS = _words(lib.gf_parameter_name)
_STACKS = _words(lib.gf_stack_name)
_PARTS = _words(lib.gf_part_name)
_REMOVALS = _words(lib.gf_removal_name)


class Tensor:
    """A node of a tape: a named step with its value, its gradient, and what it is."""

    def __init__(self, tape: Nodes, place: int) -> None:
        at = tape._at
        self.tape = tape
        #: Its place on the tape.
        self.id = place
        self.name = text(lib.gf_node_name(at, place))
        #: A row of the op table: 'leaf', 'softmax', ...
        self.op = text(lib.gf_node_op(at, place))
        row = OPS[self.op]
        #: What it was built with besides its operands: {'factor': 0.5}, ...
        self.attributes: dict[str, float] = {
            one.name: lib.gf_node_attribute(at, place, one.name.encode())
            for one in row.attributes
            if one.kind != CONSTANTS["GF_AXES"]
        }
        self.formula = row.formulas[bool(self.attributes.get(row.chooses))]
        #: 'input', 'parameter', 'ids', or 'op'
        self.kind = _KINDS[int(self.attributes["kind"])] if self.op == "leaf" else "op"
        rank = lib.gf_node_rank(at, place)
        shape = (ctypes.c_int32 * rank).from_address(lib.gf_node_shape(at, place))
        self.shape: tuple[int, ...] = tuple(shape)
        self.size: int = lib.gf_node_size(at, place)
        ids = [lib.gf_node_input(at, place, k) for k in range(_MAX_INPUTS)]
        while ids and ids[-1] < 0:
            ids.pop()
        #: Its operands; None where an optional one is left out.
        self.inputs = tuple(None if one < 0 else tape.nodes[one] for one in ids)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.op} {list(self.shape)}>"

    # ---- What it is ----

    @property
    def _about(self) -> Any:
        return _description.from_address(lib.gf_node_description(self.tape._at, self.id))

    @property
    def role(self) -> str | None:
        """'query', 'score', 'weight', 'residual', ...; a parameter has that of the step it makes."""
        return _ROLES[self._about.role] or None

    @property
    def parameter(self) -> str | None:
        """Which number of its step a parameter is: 'weight', 'bias', 'gain', 'table'."""
        return _PARAMETERS[self._about.parameter] or None

    @property
    def axes(self) -> tuple[str | None, ...]:
        """What each dimension stands for: 'batch', 'head', 'query', 'key', 'channel', ..."""
        return tuple(_AXES[axis] or None for axis in self._about.axes[: len(self.shape)])

    @property
    def sequences(self) -> tuple[str | None, ...]:
        """Of each dimension of tokens whose they are: 'source' or 'target'."""
        return tuple(_SEQUENCES[one] or None for one in self._about.sequences[: len(self.shape)])

    @property
    def stack(self) -> str | None:
        """'encoder' or 'decoder'."""
        return _STACKS[self._about.stack] or None

    @property
    def layer(self) -> int | None:
        """The layer of its stack, from 0."""
        layer = self._about.layer
        return None if layer < 0 else layer

    @property
    def part(self) -> str | None:
        """'self_attn', 'cross_attn', 'feed_forward', 'embedding', ..."""
        return _PARTS[self._about.part] or None

    @property
    def heads(self) -> int:
        """How many heads it holds, apart or side by side; 0 if it is of no heads."""
        return self._about.heads

    @property
    def removal(self) -> tuple[str, int | None] | None:
        """The removal that leaves it out, and the operand that it then copies; None: it is held at 0."""
        about = self._about
        name = _REMOVALS[about.removal]
        return (name, None if about.substitute < 0 else about.substitute) if name else None

    @property
    def bypassed(self) -> int | None:
        """The operand that is copied instead of computing."""
        k = lib.gf_node_bypassed(self.tape._at, self.id)
        return None if k < 0 else k

    @property
    def frozen(self) -> bool:
        """Whether forward leaves the values alone."""
        return bool(lib.gf_node_frozen(self.tape._at, self.id))

    # ---- Its numbers ----

    @property
    def data(self) -> Numbers:
        """The values, live and of the tensor's shape: written here, they are the core's. Not a copy.

        Of a parameter that is stored in few bits they are made when asked for: a copy that cannot be written.
        """
        values = self._values()
        self.check_computed()
        return values

    def check_computed(self) -> None:
        """Refuses a step that is not computed yet; leaves and caches have values from the plan on."""
        if self.kind != "op" or self.op == "cache":
            return
        if not lib.gf_node_computed(self.tape._at, self.id):
            raise failure("GF_ESTATE", "notComputed", where=self.name, node=self.name)

    @property
    def grad(self) -> NDArray[np.float32] | None:
        """The gradient that the last backward left, live; None where there is none."""
        grad = self._grad()
        if grad is None or self.tape._derived:
            return grad
        raise failure("GF_ESTATE", "notDerived", where=self.name, node=self.name)

    def set(self, values: Any) -> None:
        """Overwrites all values; values: nested lists or an array of the tensor's shape."""
        fill(f"{self.name}.set", self.data, values)

    def numpy(self) -> Numbers:
        """The values, a copy."""
        return self.data.copy()

    def tolist(self) -> Any:
        """The values as nested lists."""
        return self.data.tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.data, dtype) if copy is not False else np.asarray(self.data, dtype)

    def __dlpack__(self, **options: Any) -> Any:
        """The values, live, for numpy.from_dlpack(tensor), torch.from_dlpack(tensor) and others."""
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.data.__dlpack_device__()

    # ---- Steps by operators, named after their op and their place: add.7 ----

    def _step(self, op: str, *operands: Any, **attributes: float) -> Tensor:
        rest = operands[1:]
        if not all(isinstance(one, Tensor) or (op in OF_NUMBERS and is_number(one)) for one in rest):
            return NotImplemented
        names = [name for name, _ in OPS[op].operands]
        made = dict(zip(names, operands, strict=True))
        return self.tape.push(op, made, attributes, f"{op}.{len(self.tape.nodes)}")

    def __add__(self, other: Tensor | float) -> Tensor:
        return self._step("add", self, other)

    def __radd__(self, other: float) -> Tensor:
        return self._step("add", self, other)

    def __sub__(self, other: Tensor | float) -> Tensor:
        return self._step("sub", self, other)

    def __rsub__(self, other: float) -> Tensor:
        return self._step("add", -self, other) if is_number(other) else NotImplemented

    def __neg__(self) -> Tensor:
        return self._step("scale", self, factor=-1)

    def __mul__(self, other: Tensor | float) -> Tensor:
        if isinstance(other, Tensor):
            return self._step("mul", self, other)
        return self._step("scale", self, factor=other) if is_number(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Tensor | float) -> Tensor:
        if isinstance(other, Tensor):
            return self._step("div", self, other)
        return self._step("scale", self, factor=1 / other) if is_number(other) else NotImplemented

    def __pow__(self, exponent: float) -> Tensor:
        return self._step("pow", self, exponent=exponent) if is_number(exponent) else NotImplemented

    def __matmul__(self, other: Tensor) -> Tensor:
        return self._step("matmul", self, other, transposed=False)

    def _values(self) -> Numbers:
        tape = self.tape
        if self.name in tape._stored:
            return tape._stored[self.name].data
        kind = np.int32 if self.kind == "ids" or lib.gf_node_type(tape._at, self.id) else np.float32
        get = lib.gf_node_ids if kind is np.int32 else lib.gf_node_value
        view = tape._view(self, get(tape._at, self.id), kind)
        if view is None:
            raise failure("GF_ESTATE", "notKept", where=self.name, node=self.name)
        return view

    def _grad(self) -> NDArray[np.float32] | None:
        if self.kind == "ids":
            return None
        return self.tape._view(self, lib.gf_node_grad(self.tape._at, self.id), np.float32)


def alone(method: _Method) -> _Method:
    """Lets one thread at a time work on a tape; others wait. The core runs without Python's lock."""

    @wraps(method)
    def waiting(self: Nodes, *given: Any, **options: Any) -> Any:
        with self._lock:
            return method(self, *given, **options)

    return cast(_Method, waiting)


class Named:
    """Steps by name, in the order of computation: `for name in run`, and the tab key completes run["dec."""

    _nodes: list[Tensor]

    def __iter__(self) -> Iterator[str]:
        return (node.name for node in self._nodes)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(node.name == name for node in self._nodes)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


class Nodes(Named):
    """A list of named nodes, and the memory they live in."""

    def __init__(self) -> None:
        size = lib.gf_tape_bytes(_CAPACITY)
        #: Blocks of nodes, the last one in use. Another thread may still read in an earlier one.
        self._rooms = [memory(size)]
        self._at: int = lib.gf_tape_create(self._rooms[0].ctypes.data, size)
        self._lock = RLock()
        self._nodes = []
        self._plan: NDArray[np.uint8] | None = None
        #: Whether gradients were carried down, or set to zero.
        self._derived = False
        #: Memory of others that leaves are bound to.
        self._bound: list[NDArray[Any]] = []
        #: Parameters that are stored in few bits.
        self._stored: Mapping[str, StoredMatrix] = {}

    def __repr__(self) -> str:
        return f"<Tape: {len(self._nodes)} nodes>"

    @property
    def nodes(self) -> tuple[Tensor, ...]:
        """All nodes, in the order of construction."""
        return tuple(self._nodes)

    @alone
    def find(self, name: str) -> Tensor:
        """The node of that name."""
        place = lib.gf_find(self._at, check_name("find", name))
        if place >= 0:
            return self._nodes[place]
        hint = near(name, (node.name for node in self._nodes))
        raise missing("noNode", name=name, hint=hint, node=name)

    def __getitem__(self, name: str) -> Tensor:
        return self.find(name)

    def __reduce__(self) -> NoReturn:
        """A copy would have the address of this tape's memory."""
        raise type_error("notCopied")

    # ---- Leaves ----

    def input(self, name: str, shape: Iterable[int]) -> Tensor:
        """Data that you fill: float32 of a shape of 1 to 4 dimensions."""
        return self._leaf("input", name, shape)

    def parameter(self, name: str, shape: Iterable[int]) -> Tensor:
        """Something to be learned, that you fill."""
        return self._leaf("parameter", name, shape)

    def ids(self, name: str, shape: Iterable[int]) -> Tensor:
        """int32 that you fill: tokens, positions, lengths, or a boolean mask."""
        return self._leaf("ids", name, shape)

    @alone
    def bind(self, leaf: Tensor | str, values: NDArray[Any], grad: NDArray[np.float32] | None = None) -> None:
        """Lets a leaf live in your array: float32 (ids: int32), contiguous, of its shape. Nothing is copied.

        grad: an array of the same shape to which backward adds. Call before plan().
        """
        tensor = self._pick("bind", leaf)
        if self._plan is not None:
            raise failure("GF_ESTATE", "planned", where=f"{tensor.name}: bind", node=tensor.name)
        if tensor.op != "leaf":
            words = ", ".join(f'"{one}"' for one in _KINDS)
            raise range_error("word", where=f"bind: {tensor.name}", words=words, given=tensor.kind)
        kind = np.int32 if tensor.kind == "ids" else np.float32
        arrays = {"values": values} | ({} if grad is None else {"grad": grad})
        for where, array in arrays.items():
            plain = isinstance(array, np.ndarray) and not isinstance(array, np.ma.MaskedArray)
            if not plain or not array.flags.c_contiguous or not array.flags.aligned or array.dtype != kind:
                raise type_error("floats", where=f"bind: {where}", given=array)
            if array.shape != tensor.shape:
                said = {"expected": tensor.shape, "shape": array.shape}
                raise range_error("shapeAs", where=f"bind: {where}", **said)
        if grad is not None and not grad.flags.writeable:
            raise type_error("writable", where="bind: grad", given=grad)
        # Kept before the core has them.
        self._bound += map(np.asarray, arrays.values())
        grads = None if grad is None else grad.ctypes.data
        if error := lib.gf_bind(self._at, tensor.id, values.ctypes.data, grads):
            self._refuse(error)

    def _leaf(self, kind: str, name: str, shape: Iterable[int]) -> Tensor:
        sizes = check_shape(f"{kind}: shape", shape)
        first = integers(*sizes[:_MAX_RANK])
        make = getattr(lib, f"gf_{kind}")

        def build(at: int, label: bytes) -> int:
            return make(at, len(sizes), ctypes.addressof(first), label)

        return self._build(kind, name, build, given=lambda code: sizes)

    # ---- How a step is built ----

    def push(
        self,
        op: str,
        operands: Mapping[str, Tensor | float | None],
        attributes: Mapping[str, Any],
        name: str,
    ) -> Tensor:
        """Makes a node of an op, checked by the op's row in the table."""
        row = OPS[op]
        number = operands.get("b")
        if op in OF_NUMBERS and is_number(number):
            self._operand(f"{op}: a", operands.get("a"))
            return self._with_number(op, operands, attributes, name, check_finite(f"{op}: b", number))
        ids = [
            self._optional(f"{op}: {key}", operands.get(key))
            if optional
            else self._operand(f"{op}: {key}", operands.get(key))
            for key, optional in row.operands
        ]
        numbers = [one.numbers(f"{op}: {one.name}", attributes[one.name]) for one in row.attributes]
        flat = [number for some in numbers for number in some]
        ids_of_c = integers(*ids)
        flat_of_c = (ctypes.c_double * len(flat))(*flat)

        def build(at: int, label: bytes) -> int:
            return lib.gf_push(at, row.id, ctypes.addressof(ids_of_c), ctypes.addressof(flat_of_c), label)

        def given(code: str) -> Any:
            return None if code == "GF_ESHAPE" else _wrong(row.attributes, numbers) or None

        return self._build(op, name, build, given=given)

    def _with_number(
        self, op: str, operands: Mapping[str, Any], attributes: Mapping[str, Any], name: str, number: float
    ) -> Tensor:
        """A step that takes a number: a leaf of one cell."""
        before = len(self._nodes)
        leaf = self._leaf("input", f"{name}.b", [1])
        try:
            made = self.push(op, {**operands, "b": leaf}, attributes, name)
        except GlassformerError:
            lib.gf_tape_rewind(self._at, before)
            del self._nodes[before:]
            raise
        if self._plan is None:
            self.bind(leaf, np.array([number], np.float32))
        return made

    @alone
    def _build(
        self,
        what: str,
        name: str,
        build: Callable[[int, bytes], int],
        *,
        room: int = _ROOM,
        given: Callable[[str], Any] = lambda code: None,
    ) -> Tensor:
        """Calls a builder of the core and takes up the nodes that it made. A failed build is undone."""
        before = len(self._nodes)
        label = check_name(f"{what}: name", name)
        if self._plan is None:
            self._reserve(before + room)
        made = build(self._at, label)
        if made < 0:
            self._refuse(made, what=what, name=name, given=given(code_of(made)))
        for place in range(before, lib.gf_tape_count(self._at)):
            self._nodes.append(Tensor(self, place))
        return self._nodes[made]

    def _reserve(self, count: int) -> None:
        """Moves to a larger block, at least twice the size, if there is no room for so many nodes."""
        capacity = lib.gf_tape_capacity(self._at)
        if capacity >= count:
            return
        size = lib.gf_tape_bytes(max(count, 2 * capacity))
        # Kept before the core has it: a KeyboardInterrupt may come at any time.
        self._rooms.append(memory(size))
        self._at = lib.gf_tape_move(self._at, self._rooms[-1].ctypes.data, size)

    # ---- Memory ----

    def _keep(self, array: NDArray[Any]) -> None:
        self._bound.append(array)

    def _view(self, tensor: Tensor, address: int | None, kind: Any) -> Any:
        """What lies at an address, as a view that keeps its owner; None if a planned node has none."""
        if not address:
            if self._plan is not None:
                return None
            raise failure("GF_ESTATE", "noValueBeforePlan", where=tensor.name, node=tensor.name)
        for owner in [*([] if self._plan is None else [self._plan]), *self._bound]:
            start = address - owner.ctypes.data
            if 0 <= start < owner.nbytes:
                part = owner.reshape(-1).view(np.uint8)[start : start + 4 * tensor.size]
                return part.view(kind).reshape(tensor.shape)
        raise AssertionError(f"{tensor.name} lies in nobody's memory")

    # ---- What goes wrong ----

    def _refuse(self, error: int, *, what: str = "", name: str | None = None, given: Any = None) -> NoReturn:
        """Tells the core's error, and puts the tape back to where it was."""
        problem = _problem.from_address(lib.gf_tape_problem(self._at))
        said = _said(problem)
        told, where = problem.name.decode(), text(problem.where)
        lib.gf_tape_rewind(self._at, len(self._nodes))
        code = code_of(error)
        if name is None:
            node = told if any(one.name == told for one in self._nodes) else None
        elif name.startswith(told):
            node = name
        else:
            node = None if told == _NAMELESS else told
        method = what if what and (name if node is None else node) == name else where
        if given is not None and code in _SIZED:
            said.params["given"] = _listed(given)
        said.params["where"] = method if node is None else f"{node}: {method}"
        if node is not None:
            said.params["node"] = node
        raise failed(code, said)

    def _operand(self, where: str, node: Any) -> int:
        if not isinstance(node, Tensor):
            raise type_error("tensor", where=where, given=node)
        if node.tape is not self:
            raise range_error("otherTape", where=where, name=node.name)
        return node.id

    def _optional(self, where: str, node: Any) -> int:
        return NONE if node is None else self._operand(where, node)

    def _pick(self, where: str, node: Tensor | str) -> Tensor:
        return self.find(node) if isinstance(node, str) else self._nodes[self._operand(where, node)]


def leaf_of(tape: Nodes, where: str, name: str, values: Any, ids: bool | None = None) -> Tensor:
    """A leaf for an array, bound to it: integers become ids, unless it is said what they are."""
    array = array_of(where, values, booleans=ids is None)
    whole = array.dtype.kind in "biu" if ids is None else ids
    numbers: Numbers = to_int32(where, array) if whole else to_float32(array)
    leaf = (tape.ids if whole else tape.input)(name, numbers.shape)
    tape.bind(leaf, numbers)
    return leaf


def _listed(given: Any) -> str:
    if isinstance(given, tuple):
        return f"[{','.join(map(str, given))}]"
    return str(given)


def _wrong(attributes: list[Attribute], numbers: list[list[float]]) -> str:
    """The attributes that an op may be refused for: those out of range, or else all that have one."""
    ranged = [(one, some) for one, some in zip(attributes, numbers, strict=True) if one.kind in _RANGED]
    wrong = [(one, some) for one, some in ranged if not one.low <= some[0] <= one.high] or ranged
    return ", ".join(
        ",".join(f"{number:.17g}" if number % 1 else str(int(number)) for number in some)
        for _, some in wrong
        if all(math.isfinite(number) for number in some)
    )


def _said(problem: Any) -> Message:
    """The sentence of a gf_problem, with what fills it in."""
    known: list[str] = DATA["problems"]
    if not 0 < problem.sentence <= len(known):
        return Message("ofC", {"number": problem.sentence})
    detail = known[problem.sentence - 1]
    params: dict[str, Any] = {}
    numbers = iter(problem.numbers)
    for word in re.findall(r"\{(\w+)\}", DATA["texts"][detail]):
        if word == "shapes":
            params[word] = " x ".join(_shapes(problem))
        elif word == "about":
            params[word] = text(problem.about)
        elif word == "type":
            params[word] = text(lib.gf_type_name(next(numbers)))
        else:
            params[word] = next(numbers)
    return Message(detail, params)


def _shapes(problem: Any) -> list[str]:
    told = []
    for rank, kind, shape in zip(problem.ranks, problem.types, problem.shapes, strict=True):
        ids = "ids " if kind == CONSTANTS["GF_IDS"] else ""
        if rank:
            told.append(f"{ids}[{','.join(str(size) for size in shape[:rank])}]")
    return told
