// A process of its own, from its start to the first token: how long it takes, and what memory the process had at most.
// Without a file it is an empty one.

const [, , file] = process.argv;
let seconds = 0;
if (file) {
  const begin = performance.now();
  const { writer } = await import('./ours.js');
  const write = await writer(file, { stored: true }, () => performance.now());
  const { first } = await write('The cat sat on the', 1);
  seconds = (performance.now() - begin) / 1000;
  if (!(first > 0)) throw new Error('nothing was written');
}
console.log(JSON.stringify({ seconds, bytes: process.resourceUsage().maxRSS * 1024 }));
