import type { AnimationMixer } from 'canter';

/** Where the figure is on the ground. Its clips lead it: by their root motion, or by how fast they walk on the spot. */
export class Walker {
  x = 0;
  z = 0;
  yaw = 0;
  /** How many metres it went. */
  way = 0;
  /** How fast clips on the spot walked at the end of the last update. */
  #onTheSpot = 0;

  /** After an update of that many seconds. */
  follow(mixer: AnimationMixer, secs: number): void {
    const motion = mixer.rootMotion;
    let onTheSpot = 0;
    for (const clip of mixer.asset.clips) {
      if (clip.isAdditive || clip.hasRootMotion || clip.groundSpeed === undefined) continue;
      const action = mixer.clipAction(clip);
      onTheSpot += clip.groundSpeed * action.effectiveWeight * action.timeScale;
    }
    // In the mean of the update: weights change while clips fade.
    const ahead = 0.5 * (this.#onTheSpot + onTheSpot) * secs;
    this.#onTheSpot = onTheSpot;
    const [x, z] = this.#turned(motion[12]!, motion[14]! + ahead);
    this.x += x;
    this.z += z;
    this.way += Math.hypot(x, z);
    this.yaw += Math.atan2(motion[8]!, motion[0]!);
  }

  /** From the figure to the world. */
  place(x: number, z: number): [number, number] {
    const [right, ahead] = this.#turned(x, z);
    return [this.x + right, this.z + ahead];
  }

  #turned(x: number, z: number): [number, number] {
    const [sin, cos] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    return [cos * x + sin * z, cos * z - sin * x];
  }
}
