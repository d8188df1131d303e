// Starts the worker on a port of its own choice, and asks it once.
import { spawn } from 'node:child_process';

const program = 'node_modules/@cloudflare/workerd-linux-64/bin/workerd';
const { version } = await import(`./node_modules/@cloudflare/workerd-linux-64/package.json`, {
  with: { type: 'json' },
}).then((file) => file.default);
const args = ['serve', 'config.capnp', '--control-fd=3'];
const worker = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
try {
  const port = await new Promise((resolve, reject) => {
    worker.on('exit', (status) => reject(new Error(`workerd ended with ${status}`)));
    worker.stdio[3].on('data', (line) => resolve(JSON.parse(line).port));
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  console.log(`workerd ${version}, precompiled module\t${text}`);
} finally {
  worker.kill();
}
