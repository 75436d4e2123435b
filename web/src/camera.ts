import type { Extent } from './measure.js';
import { lookAt, multiply, perspective, type Mat4, type Vec3 } from './math.js';

/** Half of what is seen from top to bottom, as a tangent. */
const HALF_VIEW = 0.376;
const START = { yaw: 0.55, pitch: 0.16 };

/** The part of the picture that no panel covers, in pixels of the page. */
export interface Free {
  left: number;
  top: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
}

/** A camera that goes round what is shown: drag to turn, wheel or two fingers to come nearer; or by keys. */
export class OrbitCamera {
  #target: Vec3 = [0, 1, 0];
  /** Half the figure's height, and its reach to the sides. */
  #half = { height: 1, width: 0.5 };
  #free: Free = { left: 0, top: 0, right: 1, bottom: 1, width: 1, height: 1 };
  /** How many times farther away than where the figure fills the free part. */
  #zoom = 1;
  #yaw = START.yaw;
  #pitch = START.pitch;
  /** What `home` goes back to. */
  #home = { zoom: 1, pitch: START.pitch };

  constructor(element: HTMLElement) {
    const fingers = new Map<number, [number, number]>();
    element.addEventListener('pointerdown', (event) => {
      element.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) element.addEventListener(end, (event) => fingers.delete(event.pointerId));
    element.addEventListener('pointermove', (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const apart = () => {
        const [a, b] = [...fingers.values()];
        return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
      };
      const gap = apart();
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 1) this.turn((before[0] - event.clientX) * 0.006, (event.clientY - before[1]) * 0.005);
      else if (gap > 0) this.zoom(gap / Math.max(apart(), 1));
    });
    element.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.001));
    }, { passive: false });
  }

  /** By angles to the side and up. */
  turn(yaw: number, pitch: number): void {
    this.#yaw += yaw;
    this.#pitch = Math.min(1.4, Math.max(0.02, this.#pitch + pitch));
  }

  zoom(factor: number): void {
    this.#zoom = Math.min(60, Math.max(0.25, this.#zoom * factor));
  }

  /** Back to where the figure, or the crowd, was first seen from. */
  home(): void {
    this.#zoom = this.#home.zoom;
    this.#pitch = this.#home.pitch;
    this.#yaw = START.yaw;
  }

  #stand(zoom: number, pitch: number): void {
    this.#home = { zoom, pitch };
    this.#zoom = zoom;
    this.#pitch = pitch;
  }

  /** Puts a figure into the middle, filling what is free. */
  frame({ low, high }: Extent): void {
    this.#target = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
    this.#half = { height: (high[1] - low[1]) / 2, width: Math.hypot(high[0] - low[0], high[2] - low[2]) / 2 };
    this.#stand(1, START.pitch);
  }

  /** Steps back and up until a good part of a crowd of that many is in view. */
  takeIn(count: number): void {
    const rows = Math.sqrt(count - 1);
    this.#stand(1 + 0.5 * rows ** 0.75, Math.min(START.pitch + 0.05 * rows, 0.42));
  }

  /** Steps back and up until the ground around a figure is in view. */
  lookDown(): void {
    this.#stand(1.5, 0.36);
  }

  /** What of the picture is free for the figure. */
  set free(free: Free) {
    this.#free = free;
  }

  /** From the eye to the middle of the figure. */
  get distance(): number {
    const { left, top, right, bottom, height } = this.#free;
    const [tall, wide] = [(HALF_VIEW * (bottom - top)) / height, (HALF_VIEW * (right - left)) / height];
    const margin = 1.12;
    const fits = Math.max(this.#half.height / tall, this.#half.width / wide) * margin + this.#half.width;
    return Math.max(fits, 1e-6) * this.#zoom;
  }

  get eye(): Vec3 {
    const distance = this.distance;
    const flat = Math.cos(this.#pitch) * distance;
    const [x, y, z] = this.#target;
    return [x + Math.sin(this.#yaw) * flat, y + Math.sin(this.#pitch) * distance, z + Math.cos(this.#yaw) * flat];
  }

  clipFromWorld(isZeroToOne: boolean): Mat4 {
    const { left, top, right, bottom, width, height } = this.#free;
    const near = this.distance * 0.02;
    const projection = perspective(2 * Math.atan(HALF_VIEW), width / height, near, near * 5000, isZeroToOne);
    // The middle of what is free is the middle of what is seen.
    projection[8] = 1 - (left + right) / width;
    projection[9] = (top + bottom) / height - 1;
    return multiply(projection, lookAt(this.eye, this.#target));
  }

  /** Where ground and sky meet in the picture, from -1 to 1. */
  get horizon(): number {
    const { top, bottom, height } = this.#free;
    return Math.tan(this.#pitch) / HALF_VIEW + 1 - (top + bottom) / height;
  }

  /** How many pixels something of a size has at a distance of one. */
  get pixelsAtOne(): number {
    return this.#free.height / (2 * HALF_VIEW);
  }
}
