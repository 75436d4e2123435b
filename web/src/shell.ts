import type { Progress } from './drops.js';
import { listenToRow } from './keys.js';

export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** A clip as far as its button knows it. */
interface ShownClip {
  name: string;
  duration: number;
}

/** What both pages have around their picture: pause, clips, settings that unfold, a task that is under way, and errors. */
export class Shell implements Progress {
  /** Something was changed that shows even while nothing moves. */
  onChange: () => void = () => {};
  #isPaused = false;
  #cancel: (() => void) | undefined;

  constructor() {
    find('pause').addEventListener('click', () => this.pause());
    find('more').addEventListener('click', () => this.#unfold(!this.#isUnfolded));
    find('error-close').addEventListener('click', () => this.#closeError());
    find('task-cancel').addEventListener('click', () => this.#cancel?.());
    listenToRow(find('clips'));
    const calm = matchMedia('(prefers-reduced-motion: reduce)');
    calm.addEventListener('change', () => calm.matches && this.pause(true));
    if (calm.matches) this.pause(true);
  }

  get #isUnfolded(): boolean {
    return find('more').getAttribute('aria-expanded') === 'true';
  }

  /** Shows or hides the settings, where they do not fit beside the picture. */
  #unfold(isOn: boolean): void {
    find('more').setAttribute('aria-expanded', String(isOn));
    document.body.classList.toggle('unfolded', isOn);
    this.onChange();
  }

  /** Closes what is on top: an error, a file that is being loaded, the settings. */
  close(): void {
    if (!find('error').hidden) this.#closeError();
    else if (this.#cancel) this.#cancel();
    else if (this.#isUnfolded) {
      this.#unfold(false);
      find('more').focus();
    }
  }

  #closeError(): void {
    const hadFocus = find('error').contains(document.activeElement);
    find('error').hidden = true;
    if (hadFocus) document.querySelector('canvas')!.focus();
  }

  /** Whether time stands still. Who asks for less motion starts so. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Stops time, or lets it go on. */
  pause(isPaused = !this.#isPaused): void {
    this.#isPaused = isPaused;
    const button = find('pause');
    button.setAttribute('aria-label', isPaused ? 'Play' : 'Pause');
    button.title = `${isPaused ? 'Play' : 'Pause'} (Space)`;
    button.dataset['is'] = isPaused ? 'paused' : 'playing';
    if (isPaused) find('rate').textContent = 'paused';
    this.onChange();
  }

  showClips<T extends ShownClip>(clips: readonly T[], first: T | undefined, play: (clip: T) => void): void {
    const buttons = clips.map((clip, index) => {
      const button = document.createElement('button');
      button.textContent = clip.name || `Clip ${index}`;
      button.title = `${clip.duration.toFixed(2)} s${index < 9 ? ` (key ${index + 1})` : ''}`;
      button.setAttribute('aria-pressed', String(clip === first));
      button.addEventListener('click', () => {
        for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
        play(clip);
        this.onChange();
      });
      return button;
    });
    find('clips').replaceChildren(...buttons);
  }

  /** Plays the clip at a place, if there is one. */
  readonly clip = (index: number): void => document.querySelectorAll<HTMLButtonElement>('#clips button')[index]?.click();

  begin(name: string, cancel?: () => void): void {
    find('error').hidden = true;
    find('task').hidden = false;
    find('task').classList.remove('first');
    find('task-name').textContent = `Loading ${name}`;
    find('task-cancel').hidden = !cancel;
    this.#cancel = cancel;
    this.report(0, 1);
  }

  readonly report = (loaded: number, total: number): void => {
    find<HTMLProgressElement>('task-bar').value = loaded / Math.max(total, 1);
  };

  end(): void {
    this.#cancel = undefined;
    find('task').hidden = true;
  }

  readonly fail = (message: string): void => {
    find('error').hidden = false;
    find('error-text').textContent = message;
  };

  /** Counts a frame, for whoever looks at the page from outside. */
  countFrame(): void {
    document.body.dataset['frames'] = String(Number(document.body.dataset['frames'] ?? 0) + 1);
  }
}

/** Shows the value of a slider beside it, and says it in words to those who do not see it. */
export function showValue(id: string, text: (value: number) => string, words: (value: number) => string, then?: (value: number) => void): void {
  const slider = find<HTMLInputElement>(id);
  const show = () => {
    const value = Number(slider.value);
    find(`${id}-value`).textContent = text(value);
    slider.setAttribute('aria-valuetext', words(value));
    return value;
  };
  slider.oninput = () => {
    const value = show();
    then?.(value);
  };
  show();
}
