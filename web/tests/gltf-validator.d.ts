// The package has no types of its own: what the tests use of it.
declare module 'gltf-validator' {
  interface Report {
    issues: { messages: { code: string; severity: number }[] };
  }
  interface Options {
    maxIssues?: number;
    externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
  }
  const validator: { validateBytes(bytes: Uint8Array, options?: Options): Promise<Report> };
  export default validator;
}
