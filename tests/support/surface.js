// The public surface, one line for each name that users can write: entries, functions, types and fields in JavaScript,
// declarations in C, commands and their options, names in Python, attributes of the elements. `node tests/support/surface.js`
// writes tests/surface.txt, the list of the last release, with which tests/surface.test.js compares.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { header, structs } from '../../bindings/build/layout.js';
import { entries } from '../../docs/api/read.js';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
export const FILE = path.join(root, 'tests/surface.txt');

/** What a line says beside the name. @param {string} signature @param {string} name */
const without = (signature, name) =>
  signature.replace(
    new RegExp(`^(?:(?:function|type|class|const) )?${name}(?=\\W)(?: = |: )?`),
    '',
  );

const isStable = ({ about, experimental }) => !experimental && !/^experimental:/i.test(about);

function* javascript() {
  const { exports } = JSON.parse(read('package.json'));
  for (const entry of Object.keys(exports)) yield `entry ${entry}`;
  for (const { name: entry, functions, constants, groups, experimental } of entries) {
    if (experimental) continue;
    for (const { name, signature } of [...functions, ...constants].filter(isStable))
      yield `js ${entry} ${name}: ${without(signature, name)}`;
    for (const { name, signature, members } of groups) {
      /* The fields of an object follow one by one. */
      yield `js ${entry} ${name}: ${members.length > 0 ? 'an object' : without(signature, name)}`;
      for (const member of members.filter(isStable))
        yield `js ${entry} ${name}.${member.name}: ${without(member.signature, member.name)}`;
    }
  }
}

function* c() {
  for (const [, name, body] of header.matchAll(/enum(?: (gf_\w+))? \{([^}]*)\}/g)) {
    for (const constant of body.split(',').map(oneLine).filter(Boolean)) {
      const [key, value = name] = constant.split(' = ');
      yield `c ${key}: ${value}`;
    }
  }
  for (const [name, fields] of Object.entries(structs)) {
    for (const [field, type, ...sizes] of fields)
      yield `c ${name}.${field}: ${type}${sizes.map((size) => `[${size}]`).join('')}`;
  }
  const comments = read('src/glassformer.h').matchAll(
    /\/\*(?:(?!\*\/).)*\*\/\s*[^(;]*?(gf_\w+)\(/gs,
  );
  const experimental = [...comments].filter(([text]) => text.includes('@experimental'));
  const unstable = new Set(experimental.map(([, name]) => name));
  const outside = header.replace(/\{[^{}]*\}/g, '{}');
  for (const [declaration, name] of outside.matchAll(/^\w[^;{}]*?\b(gf_\w+)\([^;]*;/gm))
    if (!unstable.has(name)) yield `c ${name}: ${oneLine(declaration)}`;
}

async function* commands() {
  const help = execFileSync('node', ['bindings/cli/bin.js', 'help'], {
    cwd: root,
    encoding: 'utf8',
  });
  const names = new Set([...help.matchAll(/^ {2}glassformer ([a-z]+)/gm)].map(([, name]) => name));
  names.delete('help');
  for (const name of names) {
    const module = await import(`../../bindings/cli/${name}.js`);
    const { flags, help: text } = module[name] ?? module[`${name}Command`];
    if (text.includes('\nExperimental: ')) continue;
    yield `command ${name}:`;
    for (const [flag, { type }] of Object.entries(flags))
      yield `command ${name} --${flag}: ${type}`;
  }
}

function* elements() {
  for (const file of ['figure-element.js', 'figures.js']) {
    const [, properties] = /static properties = \{(.*?)\n {2}\};/s.exec(
      read(`web/figures/embed/${file}`),
    );
    for (const [, name, rest] of properties.matchAll(/^ {4}(\w+): (.*)$/gm))
      yield `attribute ${/attribute: '(\w+)'/.exec(rest)?.[1] ?? name}: ${file === 'figures.js' ? 'gf-lesson' : 'all'}`;
  }
  for (const [line, name] of read('bindings/element.d.ts').matchAll(
    /^ {2}(\w+)(?:\(.*\))?: .*;$/gm,
  ))
    yield `element ${name}: ${line.trim()}`;
}

const PYTHON = `
import inspect, glassformer as gf
def bare(f):
    try: s = inspect.signature(f)
    except (TypeError, ValueError): return ""
    empty = inspect.Signature.empty
    ps = [p.replace(annotation=empty) for p in s.parameters.values()]
    return str(s.replace(parameters=ps, return_annotation=empty))
def show(where, name, thing):
    print(f"python {where}.{name}: {'class' if inspect.isclass(thing) else bare(thing)}")
    if inspect.isclass(thing):
        for key, value in sorted(vars(thing).items()):
            if not key.startswith("_"):
                print(f"python {where}.{name}.{key}: {bare(value) if callable(value) else ''}")
show_all = lambda where, m, names: [show(where, n, getattr(m, n)) for n in names]
show_all("glassformer", gf, gf.__all__)
for where in ("functional", "inside", "lora", "text"):
    m = getattr(gf, where)
    if "Experimental:" in m.__doc__: continue
    names = getattr(m, "__all__", None) or [n for n, v in vars(m).items() if not n.startswith("_") and getattr(v, "__module__", "") == m.__name__]
    show_all(f"glassformer.{where}", m, sorted(names))
`;

const python = () =>
  execFileSync(path.join(root, 'build/venv/bin/python3'), ['-c', PYTHON], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: path.join(root, 'build/python') },
  })
    .trim()
    .split('\n');

/** Every line of the surface as it is. */
export async function surface() {
  const lines = [...javascript(), ...c(), ...elements(), ...python()];
  for await (const line of commands()) lines.push(line);
  return [...new Set(lines.map((line) => line.trimEnd()))].sort();
}

/**
 * What was removed or changed, and whose name no code in the notes has.
 * @param {string[]} before @param {string[]} now @param {string} notes
 */
export function unmentioned(before, now, notes) {
  const kept = new Set(now);
  const code = notes.match(/`[^`]+`/g) ?? [];
  const words = new Set(code.flatMap((span) => span.match(/[\w-]+/g) ?? []));
  /* The last word before the colon: `c gf_model.heads: int`, `entry ./chat`. */
  const nameOf = (line) => /([\w-]+)(?::.*)?$/.exec(line.replace(/: .*/, ''))[1];
  return before.filter((line) => !kept.has(line) && !words.has(nameOf(line)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = JSON.parse(read('package.json'));
  writeFileSync(FILE, `version ${version}\n${(await surface()).join('\n')}\n`);
}
