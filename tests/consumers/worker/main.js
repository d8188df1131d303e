import { show } from '../show.js';

const worker = new Worker('worker.js', { type: 'module' });
show(
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
  }),
);
