// For Node and Deno: walks with the file that is named, and prints the matrices.
import 'canter/inline';

import { walk } from './walk.js';

console.log(JSON.stringify(await walk(process.argv[2])));
