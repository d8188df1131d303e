// A worker of Node as a thread of a team.

/** @param {import('node:worker_threads').Worker} worker
 * @returns {import('../team.js').Thread} */
export const threadOf = (worker) => ({
  post: (post) => worker.postMessage(post),
  listen(ready, ended) {
    worker.on('message', ready);
    worker.on('error', ({ message }) => ended(message));
    worker.on('exit', (code) => ended(`exit ${code}`));
  },
  release: () => worker.unref(),
  terminate: () => void worker.terminate(),
});
