// What the page says of its own speed, with clocks as coarse as browsers have them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { ROOT } from './common.js';

interface Reading {
  framesPerSec: number;
  microsPerFigure: number | undefined;
  errorMicros: number;
}
interface Meter {
  count(now: number, workMs: number, figures: number): Reading | undefined;
  restart(now: number): void;
}
const { Meter, micros } = (await import(pathToFileURL(join(ROOT, 'target/web/page/meter.js')).href)) as {
  Meter: new (now: number) => Meter;
  micros(reading: Reading): string;
};

/** Everything that a meter says in some seconds of 60 frames each; work begins anywhere between two steps of the clock. */
function readings(meter: Meter, secs: number, { stepMs, workMs, figures = 1, from = 0 }: Record<string, number>): Reading[] {
  const told: Reading[] = [];
  const clock = (ms: number) => Math.floor(ms / stepMs!) * stepMs!;
  for (let frame = 0; frame < 60 * secs; frame++) {
    // Frames never begin at the same place between two steps: the golden section spreads them evenly.
    const start = from + (frame * 1000) / 60 + ((frame * 0.618034) % 1) * stepMs!;
    const reading = meter.count(clock(start + workMs!), clock(start + workMs!) - clock(start), figures);
    if (reading) told.push(reading);
  }
  return told;
}

test('a mean over many frames is right where the clock has steps of 100 µs', () => {
  for (const workMs of [0.02, 0.05, 0.13, 2]) {
    const told = readings(new Meter(0), 12, { stepMs: 0.1, workMs }).slice(4);
    assert.ok(told.length > 10);
    for (const { microsPerFigure, errorMicros } of told) {
      assert.ok(Math.abs(microsPerFigure! - 1000 * workMs) < Math.max(errorMicros, 2), `${microsPerFigure} instead of ${1000 * workMs} µs`);
    }
    // No jumps from one half second to the next.
    const steps = told.slice(1).map(({ microsPerFigure }, index) => Math.abs(microsPerFigure! - told[index]!.microsPerFigure!));
    assert.ok(Math.max(...steps) < 4, `it jumps by ${Math.max(...steps)} µs`);
  }
});

test('many figures share what a frame takes', () => {
  const [last] = readings(new Meter(0), 10, { stepMs: 0.005, workMs: 3, figures: 1000 }).slice(-1);
  assert.equal(micros(last!), '3.0 µs');
  assert.ok(Math.abs(last!.framesPerSec - 60) < 3);
});

test('nothing is claimed that the clock cannot tell', () => {
  const [first] = readings(new Meter(0), 0.3, { stepMs: 0.1, workMs: 0.003 });
  assert.equal(first, undefined);
  assert.equal(micros({ framesPerSec: 60, microsPerFigure: undefined, errorMicros: 1 }), '–');
  assert.equal(micros({ framesPerSec: 60, microsPerFigure: 0.4, errorMicros: 2.3 }), '< 2 µs');
  assert.equal(micros({ framesPerSec: 60, microsPerFigure: 14.4, errorMicros: 2.3 }), '14 µs');
});

test('what was measured before a change is forgotten', () => {
  const meter = new Meter(0);
  readings(meter, 5, { stepMs: 0.005, workMs: 5 });
  meter.restart(5000);
  const [first] = readings(meter, 2, { stepMs: 0.005, workMs: 0.5, from: 5000 });
  assert.ok(Math.abs(first!.microsPerFigure! - 500) < 5, `${first!.microsPerFigure} µs`);
});
