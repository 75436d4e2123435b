import { walk } from './walk.js';

walk().then((matrices) => (globalThis.matrices = matrices));
