"""What applications do with a model and its tokenizer: chats, vectors, classes, masks.

    from glassformer import text

    vectors = text.embed(model, ["a cat", "a dog"])          [n,d_model]; text.nearest(query, vectors, 5)
    text.classify(model, ["great!"])[0].label                by the classes of the file
    text.fill_mask(model, "Paris is the [MASK] of France.")  the likeliest tokens of each mask
    for part in text.chat(model, [{"role": "user", "content": "Hello!"}]):
        print(part, end="")

The functions and their numbers are those of JavaScript's glassformer/text and glassformer/chat. The
tokenizer is the model's; instead of a text each function takes its ids, too. model.generate_text writes.
"""

from __future__ import annotations

import ctypes
import json
import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._choose import CHOICE, CHOICE_OTHERS
from ._decode import OTHERS as GENERATE_OTHERS
from ._decode import ChosenToken, Generated, Kept, chosen, compiled
from ._help import takes
from ._library import DATA, lib
from ._memory import floats
from ._tokenizer import Tokenizer, texts_of
from ._values import array_of, largest
from ._vectors import Regression
from .config import GENERATION, adam_struct
from .errors import (
    UINT32,
    check_bool,
    check_int32,
    check_integer,
    check_list,
    check_mapping,
    check_model,
    check_options,
    check_real,
    check_text,
    check_word,
    failure,
    range_error,
    refusal,
    type_error,
)
from .functional import linear, softmax

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._nodes import Tensor
    from ._options import TextOptions, TokenOptions
    from .model import Model
    from .tape import Tape

#: Options that have no rule of their own.
TOKEN_OTHERS = (*GENERATE_OTHERS, *CHOICE_OTHERS)
OTHERS = (*TOKEN_OTHERS, "stop", "schema")
_Part = TypeVar("_Part")
#: What a message may have besides.
_MORE = ("name", "tool_calls", "tool_call_id", "reasoning_content")
_ROLES = ["system", "user", "assistant", "tool"]
_INT32 = 2**31 - 1
_RULES: dict[str, Any] = DATA["rules"]["texts"]
_ADAM: dict[str, Any] = {"betas": (0.9, 0.999), "epsilon": 1e-8}
#: A transformer's encoder alone; and nothing behind the last layer but a file's own classes.
_BODY = {"head": "none", "pooler": False, "prediction": False, "decoder_layers": 0}

Text = str | Sequence[int]
Message = Mapping[str, Any]
Pooling = Literal["mean", "first", "last"]


# ---- Texts and ids ----


def _tokenizer(where: str, model: Model) -> Tokenizer:
    if model.tokenizer is None:
        raise failure("GF_ESTATE", "noTokenizer", where=where)
    return model.tokenizer


def _ids(where: str, model: Model, given: Any, *, special: bool = True) -> list[int]:
    """The ids of a text, or those that are given."""
    if isinstance(given, str):
        ids = _tokenizer(where, model).encode(given, special=special)
    else:
        ids = check_list(where, given, "textOrIds")
    if not ids:
        raise range_error("textEmpty", where=where, given=given)
    return ids


def _rows(where: str, model: Model, texts: Any, truncate: bool, most: int | None = None) -> list[list[int]]:
    """The ids of texts, none longer than the model takes; most: tokens, where they are fewer."""
    check_model(where, model)
    check_bool(f"{where}: truncate", truncate)
    most = most or model.config["max_length"]
    rows: list[list[int]] = []
    for i, text in enumerate(check_list(f"{where}: texts", texts)):
        ids = _ids(f"{where}: texts[{i}]", model, text)
        if len(ids) > most:
            if not truncate:
                raise range_error("textTooLong", where=f"{where}: texts[{i}]", most=most, n=len(ids))
            ids = [*ids[: most - 1], ids[-1]]
        rows.append(ids)
    return rows


# ---- Written ----


class GenerationStream(Iterator[_Part]):
    """Text or tokens as they come; result has what was written so far, and says at the end why it ended."""

    def __init__(self, parts: Iterator[_Part], result: Generated) -> None:
        self._parts = parts
        self.result = result

    def __next__(self) -> _Part:
        return next(self._parts)

    def whole(self) -> Generated:
        """Writes all that is still to come, and gives the result."""
        for _ in self:
            pass
        return self.result

    def close(self) -> None:
        """Ends it here."""
        if isinstance(self._parts, Generator):
            self._parts.close()


def _before(parts: Iterator[str], stops: list[str], result: Generated) -> Iterator[str]:
    """A text as it comes, up to the first of some texts; what may be the beginning of one is held back."""
    held = ""
    for part in parts:
        text = held + part
        if ends := [place for stop in stops if (place := text.find(stop)) >= 0]:
            result.ended = "stop-text"
            if min(ends):
                yield text[: min(ends)]
            return
        longest = min(len(text), max(map(len, stops)) - 1)
        tails = (text[len(text) - n :] for n in range(longest, 0, -1))
        held = next((tail for tail in tails if any(stop.startswith(tail) for stop in stops)), "")
        if certain := text[: len(text) - len(held)]:
            yield certain
    if held:
        yield held


def _noted(parts: Iterator[str], result: Generated) -> Iterator[str]:
    for part in parts:
        result.text += part
        yield part


def _stops(where: str, stop: Any) -> list[str]:
    one = isinstance(stop, str)
    stops = [] if stop is None else [stop] if one else check_list(where, stop, "texts")
    for i, text in enumerate(stops):
        place = where if one else f"{where}[{i}]"
        if not check_text(place, text):
            raise range_error("stopEmpty", where=place, given=text)
    return stops


def write(
    where: str,
    model: Model,
    prompt: Any,
    options: Mapping[str, Any],
    special: bool,
    kept: Kept | None = None,
) -> GenerationStream[str]:
    """The text that follows a prompt, as it comes."""
    tokenizer = _tokenizer(where, model)
    ids = _ids(f"{where}: prompt", model, prompt, special=special)
    rest = {"stop_tokens": tokenizer.stops, **options}
    stops = _stops(f"{where}: stop", rest.pop("stop", None))
    schema = rest.pop("schema", None)
    if schema is not None and stops:
        raise type_error("schemaAlone", where=f"{where}: schema", option="stop")
    result = Generated()
    tokens = (one.token for one in chosen(where, model, ids, rest, result, kept, schema))
    parts = texts_of(tokenizer, [] if model.config["kind"] == "transformer" else ids, tokens)
    return GenerationStream(_noted(_before(parts, stops, result) if stops else parts, result), result)


_writes = takes({**GENERATION, **CHOICE}, {"generate": {}}, *OTHERS)


@takes({**GENERATION, **CHOICE}, {"generate": {}}, *TOKEN_OTHERS)
def generate_tokens(
    model: Model, prompt: Sequence[int], **options: Unpack[TokenOptions]
) -> GenerationStream[ChosenToken]:
    """Writes token by token, each with its log-probability.

    prompt: ids, of a transformer the source; options as of generate_text, but for stop.
    """
    where = "generate_tokens"
    check_model(where, model)
    result = Generated()
    return GenerationStream(chosen(where, model, prompt, options, result), result)


@_writes
def generate_text(model: Model, prompt: Text, **options: Unpack[TextOptions]) -> GenerationStream[str]:
    """Writes text as it comes, in whole characters.

    prompt: a text or its ids. Options as of model.generate, and more; where no stop_tokens are given, those
    of the tokenizer end the text. stop: a text, or texts, that end it, and are not part of it; when_full: at
    the model's max_length the text ends, or its older half is forgotten ('slide'); min_p: leaves out tokens
    less likely than this times the likeliest; repetition_penalty: divides the logits above 0 of tokens
    that are there, and multiplies those below; frequency_penalty, presence_penalty: taken from a logit
    for each time that its token was written, and once; banned: tokens that are never written; forced:
    those that the text begins with; process(logits, tokens): changes logits [V] in place; best: of how
    many likeliest tokens result tells the log-probabilities; hooks: functions by the names of steps,
    which get their live values of the text and a HookStep, and may change them in place; schema: a JSON
    schema, a dict: the text is JSON that fits it, whatever the model would write.
    """
    check_model("generate_text", model)
    return write("generate_text", model, prompt, options, special=True)


@_writes
def generate_texts(model: Model, prompts: Sequence[Text], **options: Unpack[TextOptions]) -> list[Generated]:
    """Writes the texts of several prompts: each is what generate_text writes alone."""
    where = "generate_texts"
    check_model(where, model)
    every = [
        _ids(f"{where}: prompts[{i}]", model, prompt)
        for i, prompt in enumerate(check_list(f"{where}: prompts", prompts))
    ]
    rest = {**options, "schema": compiled(where, model, options.get("schema"))}
    streams = [write(where, model, ids, rest, special=True) for ids in every]
    return [stream.whole() for stream in streams]


# ---- Padding ----


class Padded(NamedTuple):
    """ids, all as long as the longest; mask: 1 for a token, 0 for padding."""

    ids: list[list[int]]
    mask: list[list[int]]


def _id_lists(where: str, rows: Any) -> list[list[int]]:
    return [
        [
            check_int32(f"{where}[{i}][{j}]", id)
            for j, id in enumerate(check_list(f"{where}[{i}]", row, "ids"))
        ]
        for i, row in enumerate(check_list(where, rows))
    ]


def pad(ids: Sequence[Sequence[int]], *, value: int = 0, side: Literal["left", "right"] = "right") -> Padded:
    """Sequences of one length, as other libraries take them: filled with a value on one side."""
    rows = _id_lists("pad: ids", ids)
    check_int32("pad: value", value)
    check_word("pad: side", side, ["right", "left"])
    longest = max(map(len, rows), default=0)

    def filled(row: list[int], filler: int) -> list[int]:
        rest = [filler] * (longest - len(row))
        return [*rest, *row] if side == "left" else [*row, *rest]

    return Padded([filled(row, value) for row in rows], [filled([1] * len(row), 0) for row in rows])


def unpad(ids: Sequence[Sequence[int]], mask: Sequence[Sequence[int]]) -> list[list[int]]:
    """The tokens of padded sequences, as model(...) takes them: a model here pads by itself.

    mask: 1 for a token, 0 for padding before or behind all tokens
    """
    rows, masks = _id_lists("unpad: ids", ids), _id_lists("unpad: mask", mask)
    if len(masks) != len(rows):
        raise range_error("sequences", where="unpad: mask", n=len(rows), given=len(masks))
    made: list[list[int]] = []
    for i, (row, flags) in enumerate(zip(rows, masks, strict=True)):
        where = f"unpad: mask[{i}]"
        if len(flags) != len(row):
            raise range_error("tokensOf", where=where, n=len(row), given=len(flags))
        ones = [j for j, flag in enumerate(flags) if flag == 1]
        if not ones or sum(map(abs, flags)) != len(ones) or ones[-1] - ones[0] != len(ones) - 1:
            raise range_error("maskOfTokens", where=where, mask=",".join(map(str, flags[:20])))
        made.append(row[ones[0] : ones[-1] + 1])
    return made


# ---- Chats ----


@cache
def _environment() -> Any:
    """Jinja as transformers sets it up for chats."""
    try:
        from jinja2 import nodes
        from jinja2.ext import Extension, loopcontrols
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError:
        raise ImportError("chat: a template needs Jinja: pip install jinja2") from None

    class Generation(Extension):
        """What the assistant writes, which transformers marks for training: here a block as any other."""

        tags = {"generation"}  # noqa: RUF012 as Jinja has it

        def parse(self, parser: Any) -> Any:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.CallBlock(self.call_method("_said"), [], [], body).set_lineno(line)

        def _said(self, caller: Any) -> Any:
            return caller()

    def refuse(message: str) -> None:
        raise ValueError(message)

    def to_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
        return json.dumps(value, ensure_ascii=ensure_ascii, **options)

    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    made.filters["tojson"] = to_json
    made.globals["raise_exception"] = refuse
    made.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return made


def _content(where: str, content: Any) -> str:
    """The text of a message. Parts become its lines."""
    if not isinstance(content, (list, tuple)):
        return check_text(where, content)
    lines: list[str] = []
    for i, part in enumerate(content):
        check_options(f"{where}[{i}]", part, ["type", "text"])
        check_word(f"{where}[{i}]: type", part.get("type"), ["text"])
        lines.append(check_text(f"{where}[{i}]: text", part.get("text")))
    return "\n".join(lines)


def _checked_messages(where: str, messages: Any) -> list[dict[str, Any]]:
    """Copies, whose content is one text."""
    made: list[dict[str, Any]] = []
    for i, message in enumerate(check_list(where, messages)):
        place = f"{where}[{i}]"
        check_options(place, message, ["role", "content", *_MORE])
        check_word(f"{place}: role", message.get("role"), _ROLES)
        made.append({**message, "content": _content(f"{place}: content", message.get("content"))})
    return made


def chat_prompt(
    model: Model,
    messages: Sequence[Message],
    *,
    answer: bool = True,
    tools: Sequence[Mapping[str, Any]] | None = None,
    variables: Mapping[str, Any] | None = None,
) -> str:
    """The text that a chat is to its model: the template of its file, filled in with the messages.

    messages: {"role": "system", "user", "assistant" or "tool", "content": a text, or parts {"type": "text",
    "text"}}, and what the template reads besides: "name", "tool_calls", "tool_call_id", "reasoning_content";
    answer: whether the assistant's turn is begun; tools: that the model may call, as its template wants them;
    variables: of the template, such as {"enable_thinking": False}. Encode it with special=False. Needs
    jinja2.
    """
    where = "chat_prompt"
    check_model(where, model)
    if model.chat_template is None:
        raise type_error("noTemplate", where=where)
    check_bool(f"{where}: answer", answer)
    texts = _checked_messages(f"{where}: messages", messages)
    for i, tool in enumerate([] if tools is None else check_list(f"{where}: tools", tools)):
        if not isinstance(tool, Mapping):
            raise type_error("object", where=f"{where}: tools[{i}]", given=tool)
    names = {} if variables is None else variables
    check_mapping(f"{where}: variables", names)
    tokenizer = model.tokenizer
    ends = {"bos_token": "", "eos_token": ""} if tokenizer is None else tokenizer.ends
    items = {"messages": texts, "tools": tools, "add_generation_prompt": answer, **ends}
    for name in names:
        if name in items:
            raise range_error("variableTaken", where=f"{where}: variables", name=name)
    environment = _environment()
    try:
        template = environment.from_string(model.chat_template)
        return str(template.render(**{"documents": None, **names, **items}))
    except Exception as error:  # A template is a program of a stranger: it fails in every way.
        raise refusal("chat_template", "template", reason=str(error)[:200]) from None


@_writes
def chat(model: Model, messages: Sequence[Message], **options: Unpack[TextOptions]) -> GenerationStream[str]:
    """The answer of a model to the messages of a chat, as it comes; options as of generate_text.

    To go on, add the answer and the next message to the messages.
    """
    return write("chat", model, chat_prompt(model, messages), options, special=False)


class Session:
    """A chat with a model, from session(): its messages, and the keys and values of what was said."""

    def __init__(
        self,
        model: Model,
        system: str | None,
        messages: Sequence[Message],
        max_length: int | None,
        template: Mapping[str, Any],
        options: Mapping[str, Any],
    ) -> None:
        where = "session"
        check_model(where, model)
        self._model = model
        self._template = dict(template)
        self._options = dict(options)
        self._kept = Kept()
        head = (
            [] if system is None else [{"role": "system", "content": check_text(f"{where}: system", system)}]
        )
        self._messages: list[Message] = [*head, *_checked_messages(f"{where}: messages", messages)]
        most = model.config["max_length"]
        length = most if max_length is None else check_integer(f"{where}: max_length", max_length, 1, most)
        #: The most tokens of the chat that the model reads at once.
        self.max_length: int = length
        #: How many of the oldest messages behind the system message the model no longer reads.
        self.trimmed = 0
        self._is_answering = False
        chat_prompt(model, self._messages, **self._template)
        # Refuses wrong options now; nothing is written.
        write(where, model, [0], options, special=False)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """All that was said, oldest first: a copy."""
        return [dict(message) for message in self._messages]

    @property
    def bytes(self) -> int:
        """How many bytes of keys and values are kept for the next turn."""
        return self._kept.bytes

    def ask(self, message: str | Message, **options: Unpack[TextOptions]) -> Iterator[str]:
        """The answer as it comes; it joins the messages when it ends or is left, as far as it was written.

        message: what the user says, or any message as of chat_prompt. GF_ESTATE while the session answers.
        """
        self._check_free(self._messages)
        given = {"role": "user", "content": message} if isinstance(message, str) else message
        (question,) = _checked_messages("ask: message", [given])
        taken = {**self._options, **options}
        wanted = taken.get("max_new_tokens")
        if wanted is not None:
            check_integer("ask: max_new_tokens", wanted, 0, UINT32)
        ids, trimmed = self._fitted([*self._messages, question], wanted)
        room = self.max_length - len(ids) + 1
        taken["max_new_tokens"] = room if wanted is None else min(wanted, room)
        parts = write("ask", self._model, ids, taken, special=False, kept=self._kept)
        return self._answer(parts, self._messages, question, trimmed)

    def _check_free(self, messages: Sequence[Message]) -> None:
        """Refuses to answer to other messages than those that are there now, or twice at once."""
        if self._is_answering or messages is not self._messages:
            raise failure("GF_ESTATE", "asking", where="ask")

    def _answer(
        self, parts: GenerationStream[str], messages: Sequence[Message], question: Message, trimmed: int
    ) -> Iterator[str]:
        self._check_free(messages)
        self._is_answering = is_whole = True
        try:
            yield from parts
        except Exception:
            is_whole = False
            raise
        finally:
            parts.close()
            self._is_answering = False
            if is_whole and (parts.result.text or parts.result.ended):
                answer = {"role": "assistant", "content": parts.result.text}
                self._messages = [*messages, question, answer]
                self.trimmed = trimmed

    def _fitted(self, messages: Sequence[Message], max_new_tokens: int | None) -> tuple[list[int], int]:
        """The ids of a chat, with room for the answer: where there is none, whole turns are left out."""
        most = self.max_length
        asked = max(1, int(_RULES["ANSWER_PART"] * most)) if max_new_tokens is None else max_new_tokens
        room = min(asked, int(_RULES["TRIMMED_PART"] * most))
        users = [i for i, message in enumerate(messages) if message.get("role") != "system"]
        head = users[0] if users else len(messages)

        def ids_without(count: int) -> list[int]:
            text = chat_prompt(self._model, [*messages[:head], *messages[head + count :]], **self._template)
            return _ids("ask", self._model, text, special=False)

        trimmed = self.trimmed
        ids = ids_without(trimmed)
        if len(ids) + room <= most:
            return ids, trimmed
        for start in range(head + trimmed + 1, len(messages)):
            if messages[start].get("role") != "user":
                continue
            trimmed = start - head
            ids = ids_without(trimmed)
            if len(ids) <= min(_RULES["TRIMMED_PART"] * most, most - room):
                break
        if len(ids) > most:
            raise range_error("turnTooLong", where="ask", n=len(ids), most=most)
        return ids, trimmed

    def dispose(self) -> None:
        """Gives the kept keys and values back; a later question reads the chat again."""
        self._kept.drop()


@_writes
def session(
    model: Model,
    *,
    system: str | None = None,
    messages: Sequence[Message] = (),
    max_length: int | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
    variables: Mapping[str, Any] | None = None,
    **options: Unpack[TextOptions],
) -> Session:
    """Begins a chat: for part in talk.ask("Hello!"): print(part, end="").

    Each turn reads only what is new; a chat that becomes too long loses its oldest turns, never the system
    message. system: an instruction that the model reads first; messages: of an earlier chat; max_length: the
    most tokens read at once, 1 to the model's own; tools, variables: as of chat_prompt; options of each
    answer as of generate_text, and ask may give others.
    """
    return Session(model, system, messages, max_length, {"tools": tools, "variables": variables}, options)


# ---- Vectors ----


def _batches(rows: Sequence[Sequence[int]], config: Mapping[str, Any]) -> list[list[int]]:
    """Places of texts of like lengths, so many that no product takes long; nothing is padded far."""
    most = _RULES["BATCH_WORK"] // (config["d_model"] * config["d_ff"])
    groups: list[list[int]] = []
    for place in sorted(range(len(rows)), key=lambda i: len(rows[i])):
        if groups and (len(groups[-1]) + 1) * len(rows[place]) <= most:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def _read(
    where: str,
    model: Model,
    rows: Sequence[Sequence[int]],
    node_of: Callable[[Tape], Tensor],
    *,
    changes: Mapping[str, Any] | None = None,
    more: Callable[[Tape], None] | None = None,
) -> list[NDArray[np.float32]]:
    """What a node holds of each text: a row for each of its tokens, or a single one."""
    side = "source" if model.config["kind"] == "transformer" else "target"
    values: dict[int, NDArray[np.float32]] = {}
    for group in _batches(rows, model.config):
        reading = model._reading(where, {side: [rows[place] for place in group]}, changes)
        batch = {**reading.batch(), "fused": True}
        tape = model._tape(batch, changes=changes, more=more, keep=lambda tape: [node_of(tape)])
        reading.write(tape)
        tape.forward()
        data = node_of(tape).data
        for i, place in enumerate(group):
            values[place] = np.array(data[i, : len(rows[place])], np.float32)
    return [values[place] for place in range(len(rows))]


def _last_layer(tape: Tape) -> Tensor:
    """What leaves the last layer: without the classes that some models find in it."""
    last = tape.nodes[-1]
    before = last.inputs[0] if last.role == "logit" else None
    return before or last


def _pooled(tokens: NDArray[np.float32], pooling: str) -> NDArray[np.float64]:
    wide = tokens.astype(np.float64)
    if pooling == "mean":
        return np.add.reduce(wide, axis=0) / len(wide)
    return wide[0 if pooling == "first" else -1]


def embed(
    model: Model,
    texts: Sequence[Text],
    *,
    pooling: Pooling | None = None,
    normalize: bool = True,
    truncate: bool = False,
) -> NDArray[np.float32]:
    """A vector of each text, [n,d_model]: what leaves the last layer, pooled over the tokens.

    model: of any kind; of a transformer the encoder; texts: or their ids; pooling: the mean of the tokens'
    vectors, the first or the last of them, by default what 1_Pooling/config.json of the model's folder says,
    or the mean; normalize: whether vectors have the length 1; truncate: whether a
    text of more than max_length tokens loses those before its last one; by default it is refused. No logits
    are computed.
    """
    where = "embed"
    check_model(where, model)
    settings = model.embedding or {"pooling": "mean", "max_length": None}
    if pooling is not None:
        check_word(f"{where}: pooling", pooling, get_args(Pooling))
    elif settings["pooling"] not in get_args(Pooling):
        raise failure("GF_ESTATE", "poolingUnread", where=f"{where}: pooling", value=settings["pooling"])
    chosen = pooling or settings["pooling"]
    check_bool(f"{where}: normalize", normalize)
    rows = _rows(where, model, texts, truncate, settings["max_length"])
    vectors = np.empty((len(rows), model.config["d_model"]), np.float32)
    for i, tokens in enumerate(_read(where, model, rows, _last_layer, changes=_BODY)):
        vectors[i] = _pooled(tokens, chosen)
        wrong = np.flatnonzero(~np.isfinite(vectors[i]))
        if wrong.size:
            channel = int(wrong[0])
            value = float(vectors[i, channel])
            raise range_error("vectorNotFinite", where=f"{where}: texts[{i}]", channel=channel, value=value)
        length = np.linalg.norm(vectors[i].astype(np.float64))
        if normalize and length:
            vectors[i] = vectors[i].astype(np.float64) / length
    return vectors


@dataclass(frozen=True)
class Neighbour:
    """A vector near another one; score: the cosine of the angle, 1 in the same direction."""

    index: int
    score: float


def _scaled(where: str, vectors: ArrayLike) -> NDArray[np.float64]:
    """Finite numbers, each vector divided by its largest: so none has a square out of range."""
    wide = array_of(where, vectors).astype(np.float64)
    for index in np.argwhere(~np.isfinite(wide))[:1]:
        place = "".join(f"[{i}]" for i in index)
        raise range_error("finite", where=where + place, given=wide[tuple(index)])
    if not wide.ndim:
        return wide
    largest_of = np.abs(wide).max(axis=-1, keepdims=True, initial=0)
    return wide / np.where(largest_of > 0, largest_of, 1)


def nearest(vector: ArrayLike, vectors: ArrayLike, count: int) -> list[Neighbour]:
    """The vectors that point most nearly where one points, nearest first; at most so many.

    vector: [C]; vectors: [n,C], or an empty list. Their numbers are finite.
    """
    where = "nearest"
    check_integer(f"{where}: count", count, 0, _INT32)
    one, all_of = _scaled(f"{where}: vector", vector), _scaled(f"{where}: vectors", vectors)
    if one.ndim != 1 or not all_of.ndim or (len(all_of) and all_of.shape[1:] != one.shape):
        raise range_error("shapeAs", where=f"{where}: vectors", expected=("n", one.size), shape=all_of.shape)
    if not len(all_of):
        return []
    lengths = np.linalg.norm(one) * np.linalg.norm(all_of, axis=1)
    scores = np.divide(all_of @ one, lengths, out=np.zeros(len(all_of)), where=lengths > 0)
    order = np.argsort(-scores, kind="stable")[:count]
    return [Neighbour(int(place), float(scores[place])) for place in order]


# ---- Classes ----


@dataclass(frozen=True)
class Classified:
    """The likeliest label, how probable it is, and how probable all are; of a token its id, too."""

    label: str
    probability: float
    probabilities: dict[str, float]
    token: int | None = None


def _classified(where: str, labels: list[str], row: NDArray[np.float32], token: int | None) -> Classified:
    best = largest(where, row)
    shares = dict(zip(labels, map(float, row), strict=True))
    return Classified(labels[best], float(row[best]), shares, token)


def _classes(
    where: str, model: Model, texts: Any, truncate: bool, multi_label: bool
) -> tuple[list[list[int]], list[NDArray[np.float32]]]:
    """The ids of texts, and the probabilities of the classes that the model's own head finds."""
    check_model(where, model)
    check_bool(f"{where}: multi_label", multi_label)
    config = model.config
    if not config.get("classes") or model.labels is None:
        raise type_error("noClasses", where=where)
    of_texts = config.get("classes_unbiased") if config["kind"] == "gpt" else config["pooler"]
    call = "classify" if of_texts else "classify_tokens"
    if call != where:
        raise type_error("otherClasses", where=where, call=call)
    if config["classes"] == 1 and not multi_label:
        raise type_error("oneNumber", where=where)
    place, n = f"{where}: labels", config["classes"]
    labels = [check_text(f"{place}[{i}]", one) for i, one in enumerate(check_list(place, model.labels))]
    if len(labels) != n or len(set(labels)) != n:
        raise range_error("labelsOf", where=place, n=n, given=labels)
    rows = _rows(where, model, texts, truncate)

    def push(tape: Tape) -> None:
        (tape.sigmoid if multi_label else tape.softmax)(tape["classes"], name="probabilities")

    return rows, _read(where, model, rows, lambda tape: tape["probabilities"], more=push)


@dataclass(frozen=True)
class Classifier:
    """A linear layer on vectors of texts, from train_classifier.

    labels: the classes, in the order of the columns of weight [C,labels] and bias; pooling, normalize: how
    the vectors were made, as of embed
    """

    labels: list[str]
    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    pooling: Pooling
    normalize: bool

    def _fits(self) -> bool:
        return np.shape(self.weight)[1:] == np.shape(self.bias) == (len(self.labels),)


def _labelled(where: str, examples: Any) -> list[tuple[Any, str]]:
    pairs: list[tuple[Any, str]] = []
    for i, example in enumerate(check_list(where, examples, "examples")):
        check_options(f"{where}[{i}]", example, ["text", "label"])
        pairs.append((example.get("text"), check_text(f"{where}[{i}]: label", example.get("label"))))
    return pairs


def _right(logits: NDArray[np.float32], labels: Sequence[int]) -> int:
    """How many rows have their greatest number at their label, and nowhere else."""
    of_labels = logits[np.arange(len(labels)), list(labels)]
    return int(((logits >= of_labels[:, None]).sum(axis=1) == 1).sum())


def train_classifier(
    model: Model,
    examples: Sequence[Mapping[str, Any]],
    *,
    validation: Sequence[Mapping[str, Any]] = (),
    steps: int = 200,
    rate: float = 0.01,
    weight_decay: float = 0.01,
    pooling: Pooling = "mean",
    normalize: bool = True,
    truncate: bool = False,
    on_step: Callable[[int, float, float | None, float | None], None] | None = None,
) -> Classifier:
    """Trains a classifier on the vectors of a model, which stays as it is: each text is read once.

    examples: dicts with text, or its ids, and label; validation: such that are not trained on: the classifier
    of the step with their least loss is given; steps: each over all examples, 1 or more; rate: 0 to 100;
    weight_decay: of the weights (AdamW), 0 to 1; on_step(step, loss, validation_loss, accuracy): after each;
    pooling, normalize, truncate as of embed.
    """
    where = "train_classifier"
    check_model(where, model)
    check_integer(f"{where}: steps", steps, 1, _INT32)
    check_real(f"{where}: rate", rate, 0, 100)
    check_real(f"{where}: weight_decay", weight_decay, 0, 1)
    if on_step is not None and not callable(on_step):
        raise type_error("listener", where=f"{where}: on_step", given=on_step)
    pairs = _labelled(f"{where}: examples", examples)
    labels = sorted({label for _, label in pairs})
    if len(labels) < 2:
        raise range_error("twoLabels", where=where, n=len(labels))
    held = _labelled(f"{where}: validation", validation)
    for _, label in held:
        if label not in labels:
            raise range_error("labelUnknown", where=f"{where}: validation", value=label)
    texts = [text for text, _ in [*pairs, *held]]
    ids = [labels.index(label) for _, label in [*pairs, *held]]
    vectors = embed(model, texts, pooling=pooling, normalize=normalize, truncate=truncate)
    n = len(pairs)
    tape = Regression(vectors[:n], ids[:n], len(labels))
    check = Regression(vectors[n:], ids[n:], len(labels)) if held else None
    #: Values, and Adam's two moments.
    states = [[floats(one.size) for _ in range(3)] for one in tape.layer]
    best, least = [state[0].copy() for state in states], math.inf
    for step in range(1, steps + 1):
        tape.forward()
        tape.backward("loss")
        loss = float(tape["loss"].data[0])
        if not math.isfinite(loss):
            raise failure("GF_EDIVERGED", "lossNotFinite", where=where, value=loss, step=step)
        for i, (one, (values, m, v)) in enumerate(zip(tape.layer, states, strict=True)):
            gradient = np.ascontiguousarray(one.grad, np.float32)
            blocks = [block.ctypes.data for block in (values, gradient, m, v)]
            # The bias does not decay.
            decay = 0.0 if i else weight_decay
            adam = adam_struct(rate, step, **_ADAM, weight_decay=decay, decoupled=True)
            lib.gf_adam_step(*blocks, None, one.size, ctypes.addressof(adam))
            one.data[...] = values.reshape(one.shape)
        checked, right = math.inf, None
        if check:
            for mine, theirs in zip(check.layer, tape.layer, strict=True):
                mine.data[...] = theirs.data
            check.forward()
            checked = float(check["loss"].data[0])
            right = _right(np.asarray(check["logits"].data, np.float32), ids[n:]) / len(held)
        if not check or step == 1 or checked < least:
            best, least = [np.array(one.data, np.float32) for one in tape.layer], checked
        if on_step:
            on_step(step, loss, checked if check else None, right)
    weight, bias = (np.asarray(one, np.float32) for one in best)
    return Classifier(labels, weight, bias, pooling, normalize)


def classify(
    model: Model,
    texts: Sequence[Text],
    classifier: Classifier | None = None,
    *,
    truncate: bool = False,
    multi_label: bool = False,
) -> list[Classified]:
    """The class of each text: by a classifier of train_classifier, or by the head of the model's file.

    multi_label: of the file's classes, whose labels model.labels has: they do not exclude each other, so each
    has a probability of its own, the sigmoid of its score; by default they add up to 1.
    """
    where = "classify"
    if classifier is None:
        _, rows = _classes(where, model, texts, truncate, multi_label)
        # A decoder has a row for each token, and the last one has read the whole text.
        likely, labels = [row[-1] for row in rows], model.labels or []
    else:
        check_model(where, model)
        if not isinstance(classifier, Classifier) or not classifier._fits():
            raise type_error("classifier", where=f"{where}: classifier", given=classifier)
        width, d_model = len(classifier.weight), model.config["d_model"]
        if width != d_model:
            raise range_error("otherWidth", where=f"{where}: classifier", width=width, d_model=d_model)
        pooling, normalize, labels = classifier.pooling, classifier.normalize, classifier.labels
        vectors = embed(model, texts, pooling=pooling, normalize=normalize, truncate=truncate)
        likely = []
        if len(vectors):
            logits = linear(vectors, classifier.weight, classifier.bias)
            likely = list(np.asarray(softmax(logits), np.float32))
    return [_classified(f"{where}: texts[{i}]", labels, row, None) for i, row in enumerate(likely)]


def classify_tokens(
    model: Model, texts: Sequence[Text], *, truncate: bool = False, multi_label: bool = False
) -> list[list[Classified]]:
    """The class of each token of each text, by a head for classes of tokens."""
    where = "classify_tokens"
    rows, found = _classes(where, model, texts, truncate, multi_label)
    labels = model.labels or []
    return [
        [_classified(f"{where}: texts[{i}]", labels, row, id) for row, id in zip(likely, ids, strict=True)]
        for i, (ids, likely) in enumerate(zip(rows, found, strict=True))
    ]


# ---- Masks ----


@dataclass(frozen=True)
class Filling:
    """A token that may stand behind a mask."""

    token: int
    text: str
    probability: float


def fill_mask(
    model: Model, text: Text, *, best: int | None = None, mask: int | None = None
) -> list[list[Filling]]:
    """The likeliest tokens behind each mask of a text, best first; the other masks stay as they are.

    text: with [MASK] or <mask> in it, as the tokenizer has it; best: how many, 5 by default; mask: the id of
    the mask, where its name is another one
    """
    where = "fill_mask"
    check_model(where, model)
    config, tokenizer = model.config, _tokenizer(where, model)
    if config["kind"] != "bert" or not any(node.role == "logit" for node in model._layout.nodes):
        raise type_error("noPrediction", where=where)
    vocab = config["vocab"]
    best = min(_RULES["DEFAULT_BEST"], vocab) if best is None else best
    count = check_integer(f"{where}: best", best, 1, vocab)
    if mask is not None:
        check_integer(f"{where}: mask", mask, 0, vocab - 1)
    ids = _ids(f"{where}: text", model, text)
    names = tokenizer.tokens(ids)
    places = [i for i, id in enumerate(ids) if (names[i] in _RULES["MASKS"] if mask is None else id == mask)]
    if not places:
        raise range_error("noMask", where=f"{where}: text", given=text)

    def push(tape: Tape) -> None:
        tape.softmax(tape["logits"], name="probabilities")

    changes = {"pooler": False}
    (likely,) = _read(where, model, [ids], lambda tape: tape["probabilities"], changes=changes, more=push)
    fillings: list[list[Filling]] = []
    for place in places:
        row = likely[place]
        largest(f"{where}: position {place}", row)
        order = np.argsort(-row, kind="stable")[:count]
        fillings.append([Filling(int(id), tokenizer.decode([int(id)]), float(row[id])) for id in order])
    return fillings
