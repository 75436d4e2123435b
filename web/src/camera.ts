import { lookAt, multiply, perspective, type Mat4, type Vec3 } from './math.js';

/** A camera that goes round what is shown: drag to turn, wheel or two fingers to come nearer. */
export class OrbitCamera {
  #target: Vec3 = [0, 1, 0];
  #distance = 4;
  #nearest = 1;
  #yaw = 0.55;
  #pitch = 0.16;

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
      if (fingers.size > 1) {
        if (gap > 0) this.#zoom(gap / Math.max(apart(), 1));
        return;
      }
      this.#yaw -= (event.clientX - before[0]) * 0.006;
      this.#pitch = Math.min(1.4, Math.max(0.02, this.#pitch + (event.clientY - before[1]) * 0.005));
    });
    element.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.#zoom(Math.exp(event.deltaY * 0.001));
    }, { passive: false });
  }

  #zoom(factor: number): void {
    this.#distance = Math.min(80 * this.#nearest, Math.max(this.#nearest, this.#distance * factor));
  }

  frame(center: Vec3, size: number): void {
    this.#target = center;
    this.#distance = size * 1.75;
    this.#nearest = size * 0.5;
  }

  /** Steps back and up until a crowd of that many is in view. */
  takeIn(count: number): void {
    const rows = Math.sqrt(count - 1);
    this.#distance = 2 * this.#nearest * 1.75 * (1 + 0.42 * rows);
    this.#pitch = Math.min(0.16 + 0.06 * rows, 0.5);
  }

  /** Steps back and up until the ground around a figure is in view. */
  lookDown(): void {
    this.#distance = 2 * this.#nearest * 2.6;
    this.#pitch = 0.36;
  }

  get eye(): Vec3 {
    const flat = Math.cos(this.#pitch) * this.#distance;
    const [x, y, z] = this.#target;
    return [x + Math.sin(this.#yaw) * flat, y + Math.sin(this.#pitch) * this.#distance, z + Math.cos(this.#yaw) * flat];
  }

  clipFromWorld(aspect: number, isZeroToOne: boolean): Mat4 {
    // On a tall screen the figure must fit sideways.
    const fov = 2 * Math.atan(Math.tan(0.36) * Math.max(1, 0.8 / aspect));
    const near = this.#distance * 0.02;
    return multiply(perspective(fov, aspect, near, near * 5000, isZeroToOne), lookAt(this.eye, this.#target));
  }
}
