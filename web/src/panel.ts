import type { AnimationClip, Asset, Fade, FadeKind } from 'canter';

function find<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Everything on the page but the picture. */
export class Panel {
  /** What is done with a dropped file. */
  onDrop: (file: File, files: Record<string, File>) => Promise<void> = async () => {};
  #frames = 0;
  #updateMs = 0;
  #since = performance.now();
  readonly #query = new URLSearchParams(location.search);
  /** `?fps=5` */
  readonly #leastFrameSecs = 1 / Math.max(Number(this.#query.get('fps') ?? Infinity), 1) || 0;

  constructor() {
    for (const id of ['fade', 'speed']) {
      const show = () => (find(`${id}-value`).textContent = id === 'fade' ? `${this.fadeSecs.toFixed(2)} s` : `${this.speed.toFixed(2)}×`);
      find(id).addEventListener('input', show);
      show();
    }
    find('open').addEventListener('click', () => find('file').click());
    find<HTMLInputElement>('file').addEventListener('change', ({ target }) => this.#take((target as HTMLInputElement).files));
    addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dragging');
    });
    addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && document.body.classList.remove('dragging'));
    addEventListener('drop', (event) => {
      event.preventDefault();
      document.body.classList.remove('dragging');
      void this.#take(event.dataTransfer?.files ?? null);
    });
    find('error').addEventListener('click', () => (find('error').hidden = true));
  }

  async #take(list: FileList | null): Promise<void> {
    const files = [...(list ?? [])];
    const main = files.find(({ name }) => /\.(glb|gltf|vrm)$/i.test(name)) ?? files[0];
    if (!main) return;
    find('error').hidden = true;
    try {
      await this.onDrop(main, Object.fromEntries(files.map((file) => [file.name, file])));
      find('title').textContent = main.name;
    } catch (error) {
      this.showError(`${main.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  get fadeSecs(): number {
    return Number(find<HTMLInputElement>('fade').value);
  }

  /** How clips that are chosen take over. */
  get fade(): Fade {
    const { value } = document.querySelector<HTMLInputElement>('#kinds input:checked')!;
    return { duration: this.fadeSecs, kind: value as FadeKind };
  }

  get speed(): number {
    return Number(find<HTMLInputElement>('speed').value);
  }

  /** A frame takes at least so long: fewer a second show that nothing depends on how many there are. */
  get leastFrameSecs(): number {
    return find<HTMLInputElement>('slow').checked ? 0.2 : this.#leastFrameSecs;
  }

  /** A box for walking about, if the figure can. */
  showWander(canWander: boolean, set: (isOn: boolean) => void): void {
    const box = find<HTMLInputElement>('wander');
    box.parentElement!.hidden = !canWander;
    box.checked = false;
    box.onchange = () => {
      set(box.checked);
      if (!box.checked) return;
      for (const button of document.querySelectorAll('#clips button')) button.setAttribute('aria-pressed', 'false');
    };
    if (canWander && this.#query.has('wander')) box.click();
  }

  endWander(): void {
    const box = find<HTMLInputElement>('wander');
    if (box.checked) box.click();
  }

  /** How far the figure went, in metres; for whoever looks at the page from outside. */
  showWay(metres: number, prints: number, slide: number): void {
    Object.assign(document.body.dataset, { way: metres.toFixed(3), prints: String(prints), slide: slide.toFixed(4) });
  }

  readonly progress = (loaded: number, total: number): void => {
    find('bar').style.width = `${(100 * loaded) / Math.max(total, 1)}%`;
  };

  showClips(clips: readonly AnimationClip[], first: AnimationClip | undefined, play: (clip: AnimationClip) => void): void {
    const buttons = clips.map((clip) => {
      const button = document.createElement('button');
      button.textContent = clip.name || `Clip ${clip.index}`;
      button.title = `${clip.duration.toFixed(2)} s`;
      button.setAttribute('aria-pressed', String(clip === first));
      button.addEventListener('click', () => {
        for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
        play(clip);
      });
      return button;
    });
    find('clips').replaceChildren(...buttons);
  }

  /** Boxes to tick, for what plays above the clip that was chosen. */
  showLayers(layers: readonly { name: string; hint: string; set: (isOn: boolean) => void }[]): void {
    const labels = layers.map(({ name, hint, set }) => {
      const [label, box] = [document.createElement('label'), document.createElement('input')];
      box.type = 'checkbox';
      box.addEventListener('change', () => set(box.checked));
      label.title = hint;
      label.append(box, name);
      return label;
    });
    find('layers').replaceChildren(...labels);
  }

  showCrowd(most: number, resize: (count: number) => void): void {
    const slider = find<HTMLInputElement>('crowd');
    slider.max = String(most);
    slider.value = '1';
    slider.disabled = most === 1;
    slider.oninput = () => {
      // Fine at the small end: one to a thousand on one slider.
      const count = Math.round(most ** (Number(slider.value) / most));
      find('crowd-value').textContent = String(count);
      resize(count);
    };
    find('crowd-value').textContent = '1';
  }

  showFigure(asset: Asset): void {
    const triangles = asset.meshes.flatMap(({ primitives }) => primitives).reduce((sum, part) => sum + part.indices.length / 3, 0);
    const clips = asset.clips.filter(({ isAdditive }) => !isAdditive).length;
    find('facts').textContent = `${asset.skeleton.bones.length} bones · ${triangles.toLocaleString('en')} triangles · ${clips} clips`;
    find('loading').hidden = true;
  }

  showApi(api: string): void {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('#apis a')) {
      link.setAttribute('aria-current', String(link.textContent === api));
    }
  }

  readonly showError = (message: string): void => {
    find('loading').hidden = true;
    find('error').hidden = false;
    find('error-text').textContent = message;
  };

  showNoGpu(reasons: string[]): void {
    find('loading').hidden = true;
    find('no-gpu').hidden = false;
    find('no-gpu-reasons').textContent = reasons.join(' ');
  }

  /** Counts a frame; twice a second it says how many there were. */
  count(updateMs: number, characters: number): void {
    this.#frames++;
    this.#updateMs += updateMs;
    document.body.dataset['frames'] = String(Number(document.body.dataset['frames'] ?? 0) + 1);
    const now = performance.now();
    if (now - this.#since < 500) return;
    const rate = (1000 * this.#frames) / (now - this.#since);
    find('rate').textContent = rate.toFixed(0);
    find('cost').textContent = `${((1000 * this.#updateMs) / this.#frames / characters).toFixed(1)} µs`;
    [this.#frames, this.#updateMs, this.#since] = [0, 0, now];
  }
}
