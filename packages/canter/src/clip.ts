/** An animation of a file. */
export interface AnimationClip {
  readonly name: string;
  /** Its length in seconds. */
  readonly duration: number;
  /** Its place in the asset's list of clips. */
  readonly index: number;
  /** Whether it is differences, to be added to others; see `asset.additive`. */
  readonly isAdditive: boolean;
}
