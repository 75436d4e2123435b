/** An instant of a clip that has a name, or a window: a time from there on. */
export interface Marker {
  /** What it is called; several markers may have one name. */
  readonly name: string;
  /** When, in seconds from the start of the clip. */
  readonly time: number;
  /** How long a window lasts, in seconds; 0 for an instant. */
  readonly duration: number;
}

/** A marker as it is given: an instant unless it has a duration. */
export type MarkerOption = Pick<Marker, 'name' | 'time'> & { readonly duration?: number };

/** An animation of a file. */
export interface AnimationClip {
  readonly name: string;
  /** Its length in seconds. */
  readonly duration: number;
  /** Its place in the asset's list of clips. */
  readonly index: number;
  /** Whether it is differences, to be added to others; see `asset.additive`. */
  readonly isAdditive: boolean;
  /** Its markers in the order of time, from the `extras` of the file or from `asset.setMarkers`. */
  readonly markers: readonly Marker[];
  /** How fast it walks, in metres per second: by its root motion, or as the file says; undefined if neither does. */
  readonly groundSpeed: number | undefined;
  /** Whether its way over the ground was taken out of its pose; see `rootMotion` of `loadGltf`. */
  readonly hasRootMotion: boolean;
}
