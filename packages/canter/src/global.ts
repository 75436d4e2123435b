/**
 * The class of that name that browsers and Node have; `never` where the types of neither are installed, so that a program for another
 * host compiles, too.
 */
export type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : never;

/** A compiled module of WebAssembly; `never` where there are no types for it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } } ? Instance : never;
