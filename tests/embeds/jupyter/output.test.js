// The contract of VS Code and Colab: an output is a frame without network, in which anywidget's own extension, as pip
// installs it, renders what gf.show gives it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { unlessInstalled } from '../../support/skips.js';
import { calm } from '../../web/host.js';
import { example, root } from '../example.js';

const python = path.join(root, 'build/jupyter/bin/python');
const skip = unlessInstalled(python);

/** What Python sends of a figure: all its traits but its script, and the numbers of another run. */
const SHOWN = `
import json
import glassformer as gf
trace = gf.trace("three-tokens")
trace.edit("scores", [0, 1], 7.25)
state = gf.show(trace, at="scores/0,1").get_state()
names = [name for name in state if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")]
print(json.dumps({
    "traits": {**{name: state[name] for name in names}, "_css": "", "_anywidget_id": state["_anywidget_id"]},
    "other": gf.tape_of(gf.trace("three-tokens")),
}))
`;

test('a figure in an output of VS Code or Colab', { skip }, async (context) => {
  execFileSync('make', ['build/python/stamp', 'MAKEFLAGS='], { cwd: root, stdio: 'pipe' });
  const env = { ...process.env, PYTHONPATH: path.join(root, 'build/python') };
  const { traits, other } = JSON.parse(
    execFileSync(python, ['-c', SHOWN], { env, encoding: 'utf8' }),
  );
  mkdirSync(path.join(root, 'build/embeds'), { recursive: true });
  writeFileSync(path.join(root, 'build/embeds/output.json'), JSON.stringify(traits));
  const { page, complaints, site } = await example(context, 'jupyter/output.html');
  const output = page.frameLocator('iframe');
  const inside = () => page.frames().at(-1);

  /* Two views of one model, with the kernel's number. */
  const [first, second] = ['#first', '#second'].map((id) => output.locator(`${id} gf-kernel`));
  for (const figure of [first, second]) {
    await figure.locator('.cell.pinned[data-node="scores"][data-index="0,1"]').waitFor();
    assert.equal(await figure.locator('.cell.pinned').getAttribute('data-value'), '7.25');
    await calm(figure);
  }
  const asked = site.asked.size;

  /* The reader acts: the kernel hears of it, of nothing else, and the other view follows. */
  await first.locator('gf-timeline').getByRole('button').first().click();
  await inside().waitForFunction(() => globalThis.sent.length > 0);
  const sent = await inside().evaluate(() => globalThis.sent);
  assert.deepEqual([...new Set(sent.flatMap(Object.keys))], ['state']);
  await inside().waitForFunction(() => {
    const [one, two] = document.querySelectorAll('gf-kernel');
    return one.state === two.state && one.state === globalThis.model.get('state');
  });

  /* Shown again, as in a notebook that is opened again, it is where the reader left it. */
  await inside().evaluate(() => globalThis.show('third'));
  const third = output.locator('#third gf-kernel');
  await third.locator('gf-timeline').waitFor();
  await calm(third);
  const states = await inside().evaluate(() =>
    Array.from(document.querySelectorAll('gf-kernel'), ({ state }) => state),
  );
  assert.deepEqual(
    new Set(states),
    new Set([await inside().evaluate(() => globalThis.model.get('state'))]),
  );
  await inside().evaluate(() => globalThis.views.pop().remove());

  /* The kernel acts: other numbers, another place. Messages and buffers that are not for it are nothing to a figure. */
  await inside().evaluate((tape) => {
    globalThis.model.trigger('msg:custom', { any: 'thing' }, [new DataView(new ArrayBuffer(8))]);
    globalThis.model.receive({ tape, at: 'scores/2,0', state: '' });
  }, other);
  for (const figure of [first, second]) {
    await figure.locator('.cell.pinned[data-node="scores"][data-index="2,0"]').waitFor();
    const other = figure.locator('[data-node="scores"][data-index="0,1"]').first();
    assert.equal(await other.getAttribute('data-value'), '0.70000005');
  }

  /* A view that goes takes its listeners along; the other one stays. */
  const listeners = () =>
    inside().evaluate(
      () => globalThis.model.heard.filter(({ name }) => !/_(css|esm)$|destroy/.test(name)).length,
    );
  const both = await listeners();
  await inside().evaluate(() => globalThis.views[0].remove());
  assert.equal(await first.count(), 0);
  assert.equal(await listeners(), both / 2);
  await inside().evaluate(() => globalThis.model.receive({ at: 'scores/2,2' }));
  await second.locator('.cell.pinned[data-node="scores"][data-index="2,2"]').waitFor();
  await inside().evaluate(() => globalThis.views[1].remove());
  assert.deepEqual([await second.count(), await listeners()], [0, 0]);

  assert.equal(site.asked.size, asked);
  assert.deepEqual(complaints, []);
});
