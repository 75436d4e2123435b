import { find } from './shell.js';

const KEYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  w: [0, 1], s: [0, -1], a: [1, 0], d: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [1, 0], ArrowRight: [-1, 0],
};

/** Where the player wants to go: by a stick on the page, by keys, or by a gamepad. Left and forward are positive, up to 1 each. */
export class Stick {
  readonly #held = new Set<string>();
  #dragged: readonly [x: number, y: number] = [0, 0];

  constructor() {
    addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (KEYS[key] || key === 'Shift' || key === 'q' || key === 'e') this.#held.add(key);
      if (KEYS[key] && key.startsWith('Arrow')) event.preventDefault();
    });
    addEventListener('keyup', ({ key }) => this.#held.delete(key.length === 1 ? key.toLowerCase() : key));
    // Keys that come up while another window has them are not heard of.
    addEventListener('blur', () => this.#held.clear());
    const pad = find('stick');
    pad.addEventListener('pointerdown', (event) => {
      pad.setPointerCapture(event.pointerId);
      this.#drag(pad, event);
    });
    pad.addEventListener('pointermove', (event) => pad.hasPointerCapture(event.pointerId) && this.#drag(pad, event));
    for (const end of ['pointerup', 'pointercancel'] as const) pad.addEventListener(end, () => (this.#dragged = [0, 0]));
  }

  #drag(pad: HTMLElement, { clientX, clientY }: PointerEvent): void {
    const { left, top, width, height } = pad.getBoundingClientRect();
    const [x, y] = [(2 * (clientX - left)) / width - 1, (2 * (clientY - top)) / height - 1];
    const length = Math.max(1, Math.hypot(x, y));
    this.#dragged = [-x / length, -y / length];
  }


  /** As it is now, shown on the page: how far to the left and forward, and how it turns. Keys walk, with Shift they run. */
  read(): { left: number; forward: number; turn: number } {
    let [left, forward] = this.#dragged;
    let turn = (this.#held.has('q') ? 1 : 0) - (this.#held.has('e') ? 1 : 0);
    const share = this.#held.has('Shift') ? 1 : 0.36;
    for (const key of this.#held) {
      const [x, y] = KEYS[key] ?? [0, 0];
      left += share * x;
      forward += share * y;
    }
    for (const pad of navigator.getGamepads?.() ?? []) {
      const [x = 0, y = 0, other = 0] = pad?.axes ?? [];
      if (Math.hypot(x, y) > 0.15) [left, forward] = [left - x, forward - y];
      if (Math.abs(other) > 0.3) turn -= other;
    }
    const length = Math.max(1, Math.hypot(left, forward));
    [left, forward] = [left / length, forward / length];
    find('knob').style.transform = `translate(${-34 * left}px, ${-34 * forward}px)`;
    return { left, forward, turn: Math.min(Math.max(turn, -1), 1) };
  }
}
