import type { AnimationClip, Asset, Fade, FadeKind, LayerMode } from 'canter';

import type { LayerChoice } from './layers.js';
import { Meter, micros } from './meter.js';
import { find, Shell, showValue } from './shell.js';

/** The crowd's slider has so many steps: fine at the small end, ten thousand at the other. */
const CROWD_STEPS = 1000;

/** Everything on the page but the picture. */
export class Panel extends Shell {
  readonly #meter = new Meter(performance.now());
  readonly #query = new URLSearchParams(location.search);
  /** `?fps=5` */
  readonly #leastFrameSecs = 1 / Math.max(Number(this.#query.get('fps') ?? Infinity), 1) || 0;

  constructor() {
    super();
    showValue('fade', (value) => `${value.toFixed(2)} s`, (value) => `${value.toFixed(2)} seconds`);
    showValue('speed', (value) => `${value.toFixed(2)}×`, (value) => `${value.toFixed(2)} times`);
  }

  get fadeSecs(): number {
    return Number(find<HTMLInputElement>('fade').value);
  }

  /** How clips that are chosen take over; at once while nothing moves. */
  get fade(): Fade {
    if (this.isPaused) return { duration: 0 };
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
      if (this.isPaused) this.pause(false);
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

  /** What can play above the clip that was chosen: which clip, on which bones, how. */
  showLayer(clips: readonly AnimationClip[], bones: readonly string[], top: string, choose: (choice: LayerChoice) => void): void {
    const [clip, mask] = [find<HTMLSelectElement>('layer-clip'), find<HTMLSelectElement>('layer-mask')];
    const option = (text: string, value: string) => new Option(text, value);
    clip.replaceChildren(option('None', ''), ...clips.map(({ name, index }) => option(name || `Clip ${index}`, String(index))));
    // Those of all bones when somebody looks: a visitor waits for hundreds.
    mask.replaceChildren(option('Whole figure', ''), ...(top === '' ? [] : [option(`From ${top} on`, top)]));
    mask.value = top;
    const layer = find<HTMLDetailsElement>('layer');
    layer.open = false;
    layer.ontoggle = () => {
      if (!layer.open || mask.length > 2) return;
      const { value } = mask;
      mask.replaceChildren(option('Whole figure', ''), ...bones.map((name) => option(`From ${name} on`, name)));
      mask.value = value;
    };
    find('layer').hidden = clips.length === 0;
    const set = () => {
      const mode = document.querySelector<HTMLInputElement>('#layer-modes input:checked')!.value as LayerMode;
      const weight = Number(find<HTMLInputElement>('layer-weight').value);
      choose({ clip: clip.value === '' ? undefined : clips.find(({ index }) => String(index) === clip.value), top: mask.value, mode, weight });
      this.onChange();
    };
    clip.onchange = set;
    mask.onchange = set;
    find('layer-modes').onchange = set;
    showValue('layer-weight', (value) => value.toFixed(2), (value) => `${Math.round(100 * value)} percent`, set);
  }

  showCrowd(most: number, resize: (count: number) => void): void {
    const slider = find<HTMLInputElement>('crowd');
    slider.max = String(CROWD_STEPS);
    slider.value = '0';
    slider.disabled = most === 1;
    slider.title = most === 1 ? 'Only figures with a skin can be many' : '';
    const count = (value: number) => Math.round(most ** (value / CROWD_STEPS));
    const named = (value: number) => count(value).toLocaleString('en');
    showValue('crowd', named, (value) => (count(value) === 1 ? 'one figure' : `${named(value)} figures`), (value) => {
      resize(count(value));
      this.#meter.restart(performance.now());
      this.onChange();
    });
  }

  showFigure(name: string, asset: Asset, triangles: number): void {
    const clips = asset.clips.filter(({ isAdditive }) => !isAdditive).length;
    const counts: [number, string][] = [[asset.skeleton.bones.length, 'bone'], [triangles, 'triangle'], [clips, 'clip']];
    find('title').textContent = name;
    find('facts').textContent = counts.map(([count, what]) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`).join(' · ');
    this.#meter.restart(performance.now());
  }

  showApi(api: string): void {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('#apis a')) {
      if (link.textContent === api) link.setAttribute('aria-current', 'true');
    }
  }

  showNoGpu(reasons: string[]): void {
    this.end();
    find('no-gpu').hidden = false;
    find('no-gpu-reasons').textContent = reasons.join(' ');
  }

  /** Counts a frame; twice a second it says how many there were, and how long the animation took. */
  count(updateMs: number, figures: number): void {
    this.countFrame();
    if (this.isPaused) {
      this.#meter.restart(performance.now());
      return;
    }
    const reading = this.#meter.count(performance.now(), updateMs, figures);
    if (!reading) return;
    find('rate').textContent = reading.framesPerSec.toFixed(0);
    find('cost').textContent = micros(reading);
  }
}
