/** A compressed module, which `web/bundle.mjs` makes base64 of. */
declare module '*.wasm.gz' {
  const base64: string;
  export default base64;
}
