import type { Asset } from './asset.js';
import { boneIndex } from './bone-index.js';
import type { AnimationClip, MarkerOption } from './clip.js';
import { CanterError } from './error.js';

/** A foot stands on the ground. */
export interface Contact {
  /** The name of the bone. */
  readonly foot: string;
  /** When it comes down, in seconds. */
  readonly from: number;
  /** When it leaves; before `from` if the clip ends while it stands. */
  readonly to: number;
}

/** What a look at the feet of a clip has found. */
export interface Contacts {
  /** In the order in which feet come down. */
  readonly contacts: readonly Contact[];
  /** A marker wherever a foot comes down, of the foot's name: for `asset.setMarkers`. */
  readonly markers: readonly MarkerOption[];
  /** How fast the clip walks, in metres per second; undefined if no foot ever comes down. */
  readonly groundSpeed: number | undefined;
}

/** @internal */
export function detectContacts(asset: Asset, clip: AnimationClip, feet: readonly string[]): Contacts {
  const { _runtime: runtime, _id } = asset;
  const detect = runtime._exports.asset_contacts;
  if (!detect) {
    throw new CanterError('contacts are found by the larger module, which tools use; load with `{ meshes: true }`');
  }
  const places = Uint32Array.from(feet, (foot) => boneIndex(asset, foot));
  runtime._input(new Uint8Array(places.buffer));
  detect(_id, clip.index);
  const [address = 0, bytes = 0] = runtime._words;
  const speed = runtime._floats[2] as number;
  const words = new Uint32Array(runtime._buffer.slice(address, address + bytes));
  const floats = new Float32Array(words.buffer);
  const contacts: Contact[] = [];
  for (let at = 0; at < words.length; at += 3) {
    const foot = asset._bones[words[at] as number]?.name ?? '';
    contacts.push({ foot, from: floats[at + 1] as number, to: floats[at + 2] as number });
  }
  const markers = contacts.map(({ foot, from }) => ({ name: foot, time: from }));
  return { contacts, markers, groundSpeed: Number.isNaN(speed) ? undefined : speed };
}
