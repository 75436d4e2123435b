/** What a browser's memory is good for: files are read whole, and decoded they take a few times as much. */
export const MOST_BYTES = 256 * 2 ** 20;

/** Files that belong together, read into memory. */
export interface Delivery {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** What a .gltf names, by name. */
  files: Record<string, Uint8Array<ArrayBuffer>>;
  /** Says that a later one was given, or that this one is not wanted any more. */
  signal: AbortSignal;
}

/** What shows how far it got. */
export interface Progress {
  begin(name: string, cancel: () => void): void;
  report(loaded: number, total: number): void;
  end(): void;
  fail(message: string): void;
}

/** Reads files that were dropped or chosen. The last ones count: as soon as there are others, the ones before are given up. */
export class Drops {
  readonly #progress: Progress;
  readonly #open: (delivery: Delivery) => Promise<void>;
  #running: AbortController | undefined;

  constructor(progress: Progress, open: (delivery: Delivery) => Promise<void>) {
    this.#progress = progress;
    this.#open = open;
  }

  /** Ends when they are shown, given up or refused. */
  async take(files: readonly File[]): Promise<void> {
    const main = files.find(({ name }) => /\.(glb|gltf|vrm)$/i.test(name)) ?? files[0];
    if (!main) return;
    const total = files.reduce((sum, { size }) => sum + size, 0);
    if (total > MOST_BYTES) {
      this.#progress.fail(`${main.name}: ${megabytes(total)} are too much for this page; it takes up to ${megabytes(MOST_BYTES)}`);
      return;
    }
    this.#running?.abort();
    const running = new AbortController();
    const { signal } = running;
    this.#running = running;
    this.#progress.begin(main.name, () => {
      running.abort();
      this.#progress.end();
    });
    try {
      let loaded = 0;
      const report = (bytes: number) => this.#progress.report((loaded += bytes), total);
      const contents: [string, Uint8Array<ArrayBuffer>][] = [];
      for (const file of files) contents.push([file.name, await readFile(file, report, signal)]);
      const bytes = contents[files.indexOf(main)]![1];
      await this.#open({ name: main.name, bytes, files: Object.fromEntries(contents), signal });
      if (!signal.aborted) this.#progress.end();
    } catch (error) {
      if (signal.aborted) return;
      this.#progress.end();
      this.#progress.fail(`${main.name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }
}

async function readFile(file: File, report: (bytes: number) => void, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(file.size);
  const reader = file.stream().getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (signal.aborted) {
      void reader.cancel();
      signal.throwIfAborted();
    }
    if (done) return bytes;
    bytes.set(value, at);
    at += value.length;
    report(value.length);
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`;
}

/** Hands files to `take` that are dropped anywhere on the page, or chosen in a dialog that a button opens. */
export function listen(button: HTMLElement, input: HTMLInputElement, take: (files: File[]) => void): void {
  button.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    take([...(input.files ?? [])]);
    // The same file may be chosen again.
    input.value = '';
  });
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dragging');
  });
  addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && document.body.classList.remove('dragging'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dragging');
    take([...(event.dataTransfer?.files ?? [])]);
  });
}
