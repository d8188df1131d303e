"""Writes fixtures/chat_templates.json: templates, and what Jinja makes of them, set up as transformers does it.

python3 tests/reference/chat_templates.py [COUNT], with jinja2 3.1; COUNT random expressions in place of the few that
are kept.
"""

from __future__ import annotations

import copy
import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser: Any) -> Any:
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller: Any) -> str:
        return caller()


def tojson(x: Any, ensure_ascii=False, indent=None, separators=None, sort_keys=False) -> str:
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(reason: str) -> None:
    raise jinja2.exceptions.TemplateError(reason)


ENVIRONMENT = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
)
ENVIRONMENT.filters["tojson"] = tojson
ENVIRONMENT.globals["raise_exception"] = raise_exception
MESSAGES = [
    {"role": "user", "content": "a😀b"},
    {"role": "assistant", "content": '<think>so</think>\n\n    Hi there, it\'s "me"\t'},
    {"role": "user", "content": " Et là ? "},
]
ITEMS = {"messages": MESSAGES, "tools": None, "documents": None, "add_generation_prompt": True}
ITEMS |= {"bos_token": "", "eos_token": ""}

ATOMS = """1 0 -7 3 2.5 2.0 -0.0 1e20 1e-7 0.1 123456789012345678901 true false none 'a' '' 'Hello\\x20wORLD' "it's" 'a😀b'
'éa' '12' '\\x20x\\n' 'ß' [] [1,2,3] [3,'a',none] [1,[2]] ['b','A','c'] {} {'a':1} {'b':2.0,'a':'x'} () (1,) (1,2)
missing messages messages[0] messages[1].content range(3) 'x,y,z' 1.5e300 'ǆa' [[1,2],[3]]""".split()
OPERATORS = "+ - * / // % ** ~ == != < <= > >= in and or".split() + ["not in"]
FILTERS = """abs capitalize count default(7) default(7,true) dictsort first float int items join join(',') last length list
lower map('upper')|list max min reject|list reverse|list round round(1) select|list sort string sum title tojson
tojson(indent=2) trim trim('a') unique|list upper wordcount list|tojson(separators=(',',':')) batch(2)|list
replace('a','bb') indent indent(2,true) map(attribute='role')|list selectattr('role','equalto','user')|list|length
selectattr('content')|list|length rejectattr('role')|list tojson(ensure_ascii=true) tojson(sort_keys=true) safe
truncate(5,true) sort(reverse=true) d('z') groupby('role')|length map('length')|list map('int')|list format(1)""".split()
TESTS = """boolean defined undefined even odd false true none number integer float string mapping iterable sequence
lower upper divisibleby(3) eq(1) in([1,'a']) sameas(none)""".split()
METHODS = """strip() strip('\\n') lstrip('ax') rstrip() rstrip('b') split() split(',') split(',',1) rsplit(',',1) split('a')
splitlines() upper() lower() title() capitalize() startswith('a') startswith(('x','H')) endswith('b') replace('a','b')
replace('','-') replace('l','L',1) find('b') rfind('l') count('l') count('') isalpha() isdigit() isalnum() isspace()
isupper() islower() removeprefix('a') removesuffix('b') center(8,'*') ljust(4) rjust(5,'0') partition('l') join(['a','b'])
swapcase() rpartition('l') format(1) index('a') items() keys() values() get('a') get('q') get('q',3) append(1) foo bar()""".split()
SLICES = "[0] [-1] [5] [1:] [:-1] [::-1] [0:2] [::2] [-2:] [true] ['a'] ['role'] [none] [3:1] .a .role .0 .length".split()

TEMPLATES = [
    "{{ 'y' if [1] == [1] else 'n' }}{{ 1 < 2 < 3 }}{{ 3 > 2 > 2 }}{{ 1 == 1.0 == true }}",
    "{{ -7 % 3 }} {{ -7 // 2 }} {{ 7 // -2.0 }} {{ 7 % -3 }} {{ -7.5 % 2 }} {{ 2 ** -1 }} {{ 2 ** 3 ** 2 }} {{ -2 ** 2 }}",
    "{{ 'a' 'b' ~ 1 ~ none ~ 2.0 ~ [1, 'x'] }}",
    "{% for m in messages %}{{ loop.index }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }};{% endfor %}",
    "{% for m in messages if m.role == 'user' %}{{ loop.index0 }}{{ loop.previtem.role }}{{ m.role }}{% else %}none{% endfor %}",
    "{% for a in [] %}x{% else %}empty{% endfor %}{% for k, v in {'a': 1, 'b': [2]}.items() %}{{ k }}={{ v }} {% endfor %}",
    "{% for x in range(10) %}{% if x == 2 %}{% continue %}{% endif %}{% if x > 4 %}{% break %}{% endif %}{{ x }}{% endfor %}",
    "{% set x = 1 %}{% for i in range(3) %}{{ x }}{% set x = i %}{{ x }}{% endfor %}{{ x }}",
    "{% set ns = namespace(a=1, b=none) %}{% for i in range(3) %}{% set ns.a = ns.a + i %}{% endfor %}{{ ns.a }}{{ ns.b }}{{ ns.c }}",
    "{% set a, b = 1, 'z' %}{{ b }}{{ a }}{% set x %}  cap{{ a }}\n{% endset %}[{{ x }}]{% set y | upper %}low{% endset %}{{ y }}",
    "{% macro f(a, b=2, c=none) %}{{ a }}-{{ b }}-{{ c }};{% endmacro %}{{ f(1) }}{{ f(1, c=3) }}{{ f(b=1) }}{{ f('x', 'y', 'z') }}",
    "{% macro f(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, 2, 3, k=4) }}{{ f() }}",
    "{% macro f(n) %}{% if n %}{{ n }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(4) }}",
    "{% macro box(t) %}<{{ t }}>{{ caller() }}{% endmacro %}{% call box('a') %}in{% endcall %}",
    "{% macro l() %}{{ caller(1) }}{% endmacro %}{% call(x) l() %}got {{ x }}{% endcall %}",
    "a\n  {% if true %}\n  b\n  {% endif %}\nc\n",
    "a\n  {%- if true -%}\n  b\n  {%- endif -%}\nc\n\n",
    "a\n  {%+ if true +%}\n  b\n  {%+ endif %}\nc",
    "  {{ 1 }}  \n  {{- 2 -}}  \n 3 {# note #}\n4\n  {# note -#}\n 5",
    "{% raw %}{{ x }} {% if %}{% endraw %}\nz {%- raw -%}  a  {%- endraw -%} b",
    "{% if tools is not none %}T{% endif %}{% if tools %}t{% endif %}{% if x is defined %}d{% else %}u{% endif %}",
    "{% generation %}{{ messages[0].content }}{% set q = 1 %}{% endgeneration %}{{ q }}",
    "{% with a = 1, b = 2 %}{{ a + b }}{% set a = 5 %}{% endwith %}{{ a }}",
    "{% filter upper %}a{{ 'b' }}{% endfilter %}",
    "{{ messages | selectattr('role', 'equalto', 'user') | map(attribute='content') | join(', ') }}",
    "{{ messages | tojson }}\n{{ messages[1] | tojson(indent=4) }}",
    "{{ {'a': 2.0, 'é': '<&>\\n\"', 'n': none, 't': [true, 1e16, 1e-5]} | tojson }}{{ '/\\x7f\\u2028' | tojson }}",
    "{{ messages[1].content.split('</think>')[-1].lstrip('\\n') }}|",
    "{{ messages[1]['content'].split('<think>')[0] }}{{ messages[-1].content.strip() }}{{ messages[::-1][0].role }}",
    "{{ raise_exception('no') }}",
    "{{ messages.append(1) }}",
    "{{ messages[0].update({'a': 1}) }}",
    "{{ ''.__class__ }}",
    "{{ x.y }}",
    "{{ 'a' + 1 }}",
    "{{ 'a' if false }}{{ none }}{{ x }}{{ [x, none] }}",
    "{{ 1 if 2 if 0 else 3 else 4 }}",
    "{{ {'a': {'b': [1, 2]}}['a'].b[1] }}{{ {'a': {'b': 1}}.a['b'] }}{{ {1: 2, 1.0: 3, true: 4} }}",
    "{{ not 1 == 2 }}{{ not true and false }}{{ 1 in [1] and 2 not in [1] }}{{ not 1 in [1] }}",
    "{{ 1.0 }} {{ 1e16 }} {{ 1e15 }} {{ 123456.789e3 }} {{ 1e-4 }} {{ 1e-5 }} {{ 0.1 + 0.2 }} {{ 5 / 2 }} {{ 4 / 2 }}",
    "{{ '%s is %d and %.2f%%' % ('a', 3.7, 2) }}{{ '%s' | format(1.0) }}{{ '%5d|%-5s|%05.1f' % (3, 'b', 2.25) }}",
    "{{ '{} {1}'.format(1, 2) }}",
    "{{ '{} {} {x}'.format(1, 2.0, x='z') }}",
    "{{ 'a\\tb\\x41\\u00e9\\n\\q\\'' }}{{ \"\\\"\" }}{{ 'line\\\nnext' }}",
    "{% for c in 'a😀b' %}{{ c }}.{% endfor %}{{ 'a😀b'[1] }}{{ 'a😀b'[::-1] }}{{ 'a😀b' | length }}",
    "{% for i in range(3) recursive %}{{ i }}{% if loop.depth < 2 %}({{ loop(range(2)) }}){% endif %}{% endfor %}",
    "{% for x in [1, 1, 2] %}{{ loop.changed(x) }}{{ loop.cycle('a', 'b') }}{% endfor %}",
    "{{ range(5) }}{{ range(1, 9, 3) | list }}{{ range(3)[1] }}{{ 2 in range(3) }}{{ range(5, 0, -2) | list }}",
    "{{ range(2147483647) }}",
    "{{ range(100001) | list | length }}",
    "{{ dict(a=1, b=2) }}{{ dict([('x', 1)]) }}{{ {'a': 1}.items() | list }}{{ {'a': 1}.keys() }}",
    "{{ 'a' is string }}{{ 1 is number }}{{ true is integer }}{{ {} is mapping }}{{ 'a' is sequence }}{{ x is sequence }}",
    "{{ messages | map('tojson') | list | length }}{{ [3, 1, 2] | sort | join }}{{ ['b', 'A'] | sort }}",
    "{{ [1, 2, 3, 4] | select('even') | list }}{{ [0, 1] | reject | list }}{{ [1, 2] | select('gt', 1) | list }}",
    "{{ ['a', 'b'] | map('replace', 'a', 'c') | join('-') }}{{ [{'a': {'b': 1}}] | map(attribute='a.b') | list }}",
    "{{ [1, 2] | map('string') | first }}{{ [] | first }}{{ [none] | first }}{{ [] | max }}{{ [1, 3, 2] | max }}",
    "{% if messages[0]['role'] == 'system' %}s{% elif messages | length > 2 %}many{% else %}few{% endif %}",
    "{%- for message in messages -%}\n    {{- '<|' + message.role + '|>\\n' }}\n    {{- message.content | trim }}\n{%- endfor %}\n",
    "{{ messages | length is divisibleby 3 }}{{ loop is defined }}{{ 3 is even }}{{ 'x' is in 'xyz' }}",
    "{{ (1, 2)[0] }}{{ (1,) }}{{ () }}{{ (1) }}{{ 1, 2 }}",
    "{{ 1 if true }}{{ 'a' * 3 }}{{ 2 * [1] }}{{ [1] + [2] }}{{ (1,) + (2,) }}{{ true + 1 }}",
    "{% set x = messages | map(attribute='role') %}{{ x | list }}{{ x | list }}",
    "{{ messages | map(attribute='q') | list }}{{ [{}] | map(attribute='q', default='-') | list }}",
    "{{ 10000000000000000000000 + 1 }}{{ 1e308 * 10 }}{{ 2 ** 100 }}{{ 7 / 0.5 }}{{ 1_000 }}{{ 0x1f }}",
    "{{ 1 / 0 }}",
    "{{ 1 % 0.0 }}",
    "{{ 'a' < 1 }}",
    "{{ [] < [1] }}{{ (1, 2) < (1, 3) }}{{ 'Z' < 'a' }}",
    "{{ -'a' }}",
    "{{ {} | tojson }}{{ [] | tojson(indent=2) }}{{ (1, 2) | tojson }}{{ x | tojson }}",
    "{% for %}",
    "{{ }}",
    "{% if %}{% endif %}",
    "{{ 1 + }}",
    "{{ x() }}",
    "{% foo %}",
    "{{ x | foo }}",
    "{{ x is foo }}",
    "{% for a, b in [[1, 2, 3]] %}{% endfor %}",
    "{% set x.y = 1 %}",
    "{{ [1, 2 }}",
    "{% endif %}",
    "{% if 1 %}",
    "{{ 'a",
    "{{ 'a\\r\\nb' }}\r\nx\r\n",
    "{# a #}{#- b -#} c {#+ d +#}\n e",
    "{{ '}}' }}{{ '{%' }}{% if '%}' %}x{% endif %}",
    "{{ 'x'|safe ~ '<' }}",
    "{{ ('a'|safe) }}",
    "{{ '  a b\\n' | trim | length }}{{ 'a\\nb\\n\\nc' | indent(2) }}",
    "{{ messages[0].content.encode('utf-8') }}",
    "{{ messages[5] }}{{ messages[0].missing }}",
    "{{ {'x': none}.get('x', 'd') }}{{ {}.get('x', 'd') }}{{ {}.get('x') }}",
    "{{ {}.get('x', default=2) }}",
    "{{ 'a\\nb'.splitlines(1) }}{{ 'a\\nb'.splitlines(keepends=true) }}{{ 'a\\nb'.splitlines(0) }}",
    "{{ 'a'.upper(1) }}",
    "{{ 'xax'.strip('a', 'x') }}",
    "{{ 'xax'.strip(chars='x') }}",
    "{{ [1].count(1, 2) }}",
    "{{ 'aXa'.count('a', 1) }}",
    "{{ 'a'.removeprefix(0) }}",
    "{{ 'a b'.split(maxsplit=1, sep=none) }}",
    "{{ '٣' | int(5) }}",
    "{{ '٣.5' | float }}",
    "{% filter length %}ab{% endfilter %}",
    "{% filter safe %}ab{% endfilter %}{{ ('a' | safe) is sequence }}{{ x is callable }}",
    "{{ true is test }}",
    "{{ [1] is filter }}",
    "{{ messages[5].role }}",
]


def nested(rng: random.Random, depth: int) -> str:
    """A random expression."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(ATOMS)
    inner = lambda: nested(rng, depth - 1)  # noqa: E731
    kind = rng.randrange(9)
    if kind < 3:
        return f"({inner()} {rng.choice(OPERATORS)} {inner()})"
    if kind < 5:
        return f"({inner()}|{rng.choice(FILTERS)})"
    if kind == 5:
        return f"({inner()}).{rng.choice(METHODS)}"
    if kind == 6:
        return f"({inner()}){rng.choice(SLICES)}"
    if kind == 7:
        return f"({inner()} is {rng.choice(['', 'not '])}{rng.choice(TESTS)})"
    return f"({inner()} if {inner()} else {inner()})"


def rendered(source: str) -> str | None:
    try:
        made = ENVIRONMENT.from_string(source).render(**copy.deepcopy(ITEMS))
    except Exception:
        return None
    # Addresses and orders that no one can know.
    return None if " at 0x" in made or "<function" in made or "<built-in" in made else made


def main() -> None:
    rng = random.Random(5)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    sources = list(TEMPLATES)
    for atoms, ends in ((ATOMS, [f"|{name}" for name in FILTERS]), (ATOMS, [f".{name}" for name in METHODS])):
        for end in ends:
            sources += [
                f"{{{{ ({atom}){end} }}}}"
                for atom in rng.sample(atoms, 4 if len(sys.argv) < 2 else len(atoms))
            ]
    for operator in OPERATORS:
        pairs = [(a, b) for a in ATOMS for b in ATOMS]
        kept = rng.sample(pairs, 8) if len(sys.argv) < 2 else pairs
        sources += [f"{{{{ {a} {operator} {b} }}}}" for a, b in kept]
    for end in [*SLICES, *(f" is {test}" for test in TESTS)]:
        sources += [
            f"{{{{ ({atom}){end} }}}}" for atom in rng.sample(ATOMS, 3 if len(sys.argv) < 2 else len(ATOMS))
        ]
    sources += [f"{{{{ {nested(rng, 3)} }}}}" for _ in range(count)]
    # What Jinja would compute for ever.
    huge = re.compile(r"\*\*? (1234|1e)")
    rows = [[source, rendered(source)] for source in dict.fromkeys(sources) if not huge.search(source)]
    # Of the many that are refused some are enough.
    rows = [row for row in rows if row[1] is not None or row[0] in TEMPLATES or rng.random() < 0.2]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    text = f'{{"messages": {json.dumps(MESSAGES, ensure_ascii=False)},\n"templates": [\n{lines}\n]}}\n'
    path = (
        Path(__file__).parent / "fixtures/chat_templates.json"
        if len(sys.argv) < 2
        else Path("/tmp/chat_templates.json")
    )
    path.write_text(text)


if __name__ == "__main__":
    main()
