// On the page and in a worker.
import './main.js';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => (globalThis.matricesOfWorker = data);
