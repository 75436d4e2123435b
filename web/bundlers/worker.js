import { walk } from './walk.js';

walk().then(postMessage);
