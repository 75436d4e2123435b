import { CanterError } from './error.js';

/** What a group has in step: markers of the same names, or the part of the clip that has passed. */
export type SyncKind = 'markers' | 'cycle';

/**
 * Actions of one group stay in step: a walk and a run whose left feet come down together. A name or a number,
 * by markers; or with what is in step. Only actions that repeat without end are kept in step.
 *
 * ```ts
 * mixer.play('Walk', { sync: 'locomotion' });
 * mixer.crossFadeTo('Run', 0.3, { sync: 'locomotion' });
 * mixer.play('Breathe', { sync: { group: 'breath', by: 'cycle' } });
 * ```
 */
export type SyncOption = string | number | { readonly group: string | number; readonly by?: SyncKind };

/** @internal A group as the module takes it: the code of its kind, 0 for no group, and its number. */
export type SyncCodes = readonly [code: number, group: number];

/** The codes of crates/canter-wasm. */
const KINDS: Readonly<Record<SyncKind, number>> = { markers: 1, cycle: 2 };

/** Groups with names have numbers from here on. */
const NAMED = 2 ** 31;
const named = new Map<string, number>();

/** @internal */
export function syncCodes(sync: SyncOption | undefined): SyncCodes {
  if (sync === undefined) return [0, 0];
  const { group, by = 'markers' } = typeof sync === 'object' && sync !== null ? sync : { group: sync };
  const code = Object.hasOwn(KINDS, by) ? KINDS[by] : undefined;
  if (code === undefined) throw new CanterError(`there is no sync by '${String(by)}'; give 'markers' or 'cycle'`);
  if (typeof group === 'number') {
    if (Number.isInteger(group) && group >= 0 && group < NAMED) return [code, group];
    throw new CanterError(`the sync group is ${group}; give a name, or a whole number from 0 below 2^31`);
  }
  if (typeof group !== 'string') throw new CanterError(`the sync group is ${String(group)}; give a name or a number`);
  let number = named.get(group);
  if (number === undefined) named.set(group, (number = NAMED + named.size));
  return [code, number];
}
