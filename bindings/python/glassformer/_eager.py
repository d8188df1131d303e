"""Each function on arrays is a small tape of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._nodes import OF_NUMBERS, OPS, Tensor, leaf_of
from ._values import array_of
from .errors import GlassformerError, Message, check_int32, check_integer, failed, is_number, type_error
from .tape import Tape

Array = NDArray[Any]

#: Operands that are ids in every op that has them; targets and masks are what they are given as.
_IDS = ("ids", "positions", "lengths", "key", "at")
_EITHER = ("targets", "mask")


def _leaves(
    tape: Tape, where: str, given: Mapping[str, Any], optional: Collection[str]
) -> dict[str, Tensor | None]:
    """Bound to the arrays where their layout allows, which live as long as the tape."""
    leaves: dict[str, Tensor | None] = {}
    for name, values in given.items():
        ids = True if name in _IDS else None if name in _EITHER else False
        left_out = values is None and name in optional
        if name == "b" and where in OF_NUMBERS and is_number(values):
            values = [values]
        leaves[name] = None if left_out else leaf_of(tape, f"{where}: {name}", name, values, ids)
    return leaves


def call(
    op: str, operands: Mapping[str, Any], attributes: Mapping[str, Any], axis: int | None = None
) -> Array:
    """What an op makes of arrays. A number, or a row too many dimensions for the core, is not reshaped.

    axis: of x, for an op that goes along the last dimension; None is that one
    """
    if axis is not None:
        x = array_of(f"{op}: x", operands["x"])
        check_integer(f"{op}: axis", axis, -x.ndim, x.ndim - 1)
        made = call(op, {"x": np.moveaxis(x, axis, -1)}, attributes)
        return np.ascontiguousarray(np.moveaxis(made, -1, axis))
    tape = Tape()
    optional = [name for name, takes_none in OPS[op].operands if takes_none]
    try:
        y = tape.push(op, _leaves(tape, op, operands, optional), attributes, "y")
        tape.plan(reuse=True, keep=[y])
        tape.forward()
    except GlassformerError as error:
        raise _of(op, error) from None
    return y.numpy()


def _of(where: str, error: GlassformerError) -> GlassformerError:
    """The same error, told of the function: nobody knows the nodes of its tape."""
    if isinstance(error, (TypeError, ValueError)):
        return error
    params = {key: value for key, value in error.params.items() if key != "node"}
    return failed(error.code, Message(error.detail, {**params, "where": where}))


class Attention(NamedTuple):
    """What attention gives: output as q, weights and scores [B,H,Tq,Tk].

    Of a single sequence there is no B, of a single head in it no H.
    """

    output: Array
    weights: Array
    scores: Array


def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    heads: int = 1,
    kv_heads: int | None = None,
    causal: bool = False,
    offset: int = 0,
    mask: ArrayLike | None = None,
    lengths: ArrayLike | None = None,
    softcap: float | None = None,
    scale: float | None = None,
) -> Attention:
    """Scaled dot-product attention on queries, keys and values that are projected already.

    q: [Tq,H*D], [B,Tq,H*D] or [B,H,Tq,D], for H = heads
    k, v: of the same rank, with Tk tokens and kv_heads heads, which divide heads; by default as many
    causal: query i sees key j only if j <= i + offset
    mask: booleans or integers, of which 0 masks, or floats that are added to the scores; its dimensions,
        aligned at the right, are 1 or those of the scores
    lengths: [B], keys from there on are padding
    softcap: above 0; scores stay within -softcap and softcap
    scale: what scores are multiplied by, not 0; 1 / sqrt(D) by default

    Returns output, shaped as q with the channels of v, and weights and scores [B,H,Tq,Tk], all float32;
    scores before scaling and mask. Without a batch there is no B, of a single head then no H.
    Raises ArgumentTypeError, a TypeError, and GlassformerError where shapes do not fit.

    >>> weights = attention([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 2], [3, 4]], causal=True).weights
    >>> weights.round(4).tolist()[0]
    [1.0, 0.0]
    """
    tape = Tape()
    arrays = {"q": q, "k": k, "v": v, "mask": mask, "lengths": lengths}
    queries, keys = array_of("attention: q", q), array_of("attention: k", k)
    rank = queries.ndim
    split = rank == 4
    if split:
        heads = queries.shape[1]
        kv_heads = keys.shape[1] if keys.ndim == 4 else heads
    check_int32("attention: heads", heads)
    if lengths is not None and rank == 2:
        raise type_error("batchForLengths", where="attention: lengths")
    try:
        leaves = _leaves(tape, "attention", arrays, ("mask", "lengths"))
        output = tape.multi_head_attention(
            query=leaves["q"],
            key=leaves["k"],
            value=leaves["v"],
            mask=leaves["mask"],
            lengths=leaves["lengths"],
            heads=heads,
            kv_heads=heads if kv_heads is None else kv_heads,
            causal=causal,
            offset=offset,
            softcap=softcap,
            scale=scale,
        )
        if split:
            output = tape.heads(output, split=True, heads=heads, name="output.heads")
        tape.plan(reuse=True, keep=[output, "weights", "scores"])
        tape.forward()
    except GlassformerError as error:
        raise _of("attention", error) from None
    return Attention(output.numpy(), tape["weights"].numpy(), tape["scores"].numpy())


__all__ = ["OPS", "Array", "ArrayLike", "Attention", "attention", "call"]
