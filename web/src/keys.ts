import type { OrbitCamera } from './camera.js';

/** What keys do besides what browsers do with them. */
export interface KeyActions {
  /** Undefined where it stands still. */
  camera: OrbitCamera | undefined;
  pause: () => void;
  /** Plays the clip at a place, counted from 0. */
  clip: (index: number) => void;
  open: () => void;
  /** Closes what is on top: an error, a file that is being loaded, the settings. */
  close: () => void;
}

const TURN = 0.12;
const NEARER = 1.12;

/** Keys work wherever the focus is, unless what has it needs them. */
export function listenToKeys({ camera, pause, clip, open, close }: KeyActions): void {
  const pressed: Record<string, () => void> = {
    ArrowLeft: () => camera?.turn(-TURN, 0),
    ArrowRight: () => camera?.turn(TURN, 0),
    ArrowUp: () => camera?.turn(0, TURN),
    ArrowDown: () => camera?.turn(0, -TURN),
    '+': () => camera?.zoom(1 / NEARER),
    '=': () => camera?.zoom(1 / NEARER),
    '-': () => camera?.zoom(NEARER),
    Home: () => camera?.home(),
    ' ': pause,
    o: open,
  };
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (key === 'Escape') {
      close();
      return;
    }
    const isDigit = /^[1-9]$/.test(key);
    if (takesKey(target as HTMLElement, key)) return;
    const action = isDigit ? () => clip(Number(key) - 1) : pressed[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Whether an element does something of its own with a key. */
function takesKey(element: HTMLElement, key: string): boolean {
  if (element.matches('select, input[type=range], input[type=radio]')) return true;
  if (element.matches('button, a, summary, input')) return key === ' ' || key === 'Enter';
  return false;
}

/** Left and right go from one to the next of a row of buttons. */
export function listenToRow(row: HTMLElement): void {
  row.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const buttons = [...row.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]!.focus();
  });
}
