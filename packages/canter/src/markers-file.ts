import type { AnimationClip, Marker, MarkerOption } from './clip.js';
import { CanterError } from './error.js';

/** Markers behind the end of their clip by less than this are a tool's rounding. */
const TOLERANCE_SECS = 1e-3;

/** @internal What a file of markers says of each clip. */
export interface MarkedClip {
  name: string;
  markers: MarkerOption[];
}

/** @internal Reads `{ "clips": [{ "name": "Walk", "markers": [{ "name": "foot_L", "time": 0.25 }] }] }`. */
export function parseMarkers(json: string | object): MarkedClip[] {
  let file: unknown = json;
  if (typeof json === 'string') {
    try {
      file = JSON.parse(json);
    } catch (cause) {
      throw new CanterError(`markers: this is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
  const list = (value: unknown, place: string): unknown[] => {
    if (Array.isArray(value)) return value;
    throw new CanterError(`markers: ${place} is no list`);
  };
  const { clips } = (file ?? {}) as { clips?: unknown };
  return list(clips, 'clips').map((entry, index) => {
    const { name, markers } = (entry ?? {}) as { name?: unknown; markers?: unknown };
    if (typeof name !== 'string') throw new CanterError(`markers: clips[${index}].name is no text`);
    return { name, markers: list(markers, `clips[${index}].markers`) as MarkerOption[] };
  });
}

/** @internal The bytes that crates/canter-wasm reads. */
export function markerBytes(clip: AnimationClip, markers: readonly MarkerOption[]): Uint8Array {
  const bytes: number[] = [];
  for (const [index, marker] of markers.entries()) {
    const { name, time, duration = 0 } = marker ?? {};
    if (typeof name !== 'string' || typeof time !== 'number' || typeof duration !== 'number') {
      throw new CanterError(`clip "${clip.name}": marker ${index} is none; give { name, time, duration? }`);
    }
    const isRounded = time > clip.duration && time <= clip.duration + TOLERANCE_SECS;
    const encoded = new TextEncoder().encode(name);
    const head = new DataView(new ArrayBuffer(12));
    head.setUint32(0, encoded.length, true);
    head.setFloat32(4, isRounded ? clip.duration : time, true);
    head.setFloat32(8, duration, true);
    bytes.push(...new Uint8Array(head.buffer), ...encoded);
  }
  return Uint8Array.from(bytes);
}

/** @internal A file as the native library writes it, too. */
export function writeMarkers(clips: readonly AnimationClip[]): string {
  const marker = ({ name, time, duration }: Marker) => {
    const window = duration > 0 ? `, "duration": ${shortest(duration)}` : '';
    return `        { "name": ${JSON.stringify(name)}, "time": ${shortest(time)}${window} }`;
  };
  const marked = clips.filter(({ markers, isAdditive }) => markers.length > 0 && !isAdditive);
  const entries = marked.map(({ name, markers }) => {
    return `    {\n      "name": ${JSON.stringify(name)},\n      "markers": [\n${markers.map(marker).join(',\n')}\n      ]\n    }`;
  });
  return `{\n  "clips": [${entries.length > 0 ? `\n${entries.join(',\n')}\n  ` : ''}]\n}\n`;
}

/** The fewest digits that are the same number in 32 bits. */
function shortest(number: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(number.toPrecision(digits));
    if (Math.fround(rounded) === number) return rounded;
  }
  return number;
}
