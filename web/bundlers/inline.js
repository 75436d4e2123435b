// The same with the WebAssembly module inside the scripts.
import 'canter/inline';
import './main.js';
