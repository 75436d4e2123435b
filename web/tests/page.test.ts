// What the demo page draws, and the three.js page, in a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { AnimationMixer, loadGltf } from 'canter';

import { HERO, HERO_CLIPS, ROOT, sharedFile, SWORD } from './common.js';
import { morphingBox } from './models.js';
import { difference, inBrowser } from './visit.js';

/** Until the first frame of the page is submitted, where nothing is throttled. */
const MOST_START_MS = 600;

for (const api of ['webgl2', 'webgpu'] as const) {
  inBrowser(`the page on ${api}`, api, (host) => {
    const open = async () => (await host.open(`?gpu=${api}`, api)).ready();

    test('shows the hero, who moves, crossfades and is joined by a crowd', async () => {
      const visit = await open();
      const { page } = visit;
      assert.equal(await page.getAttribute('body', 'data-api'), api === 'webgpu' ? 'WebGPU' : 'WebGL2');
      assert.deepEqual(await page.locator('#clips button').allTextContents(), HERO_CLIPS);
      const first = await visit.pixels('walk');
      const colors = new Set<number>();
      for (let at = 0; at < first.length; at += 4) colors.add((first[at]! << 16) | (first[at + 1]! << 8) | first[at + 2]!);
      assert.ok(colors.size > 500, `${colors.size} colours: nothing is drawn`);
      await visit.frames(4);
      const second = await visit.pixels('later');
      assert.ok(difference(first, second) > 300, 'the figure does not move');

      await visit.click('#clips button', 'Attack');
      assert.equal(await page.getAttribute('#clips button:has-text("Attack")', 'aria-pressed'), 'true');
      await visit.frames(8);
      assert.ok(difference(second, await visit.pixels('attack')) > 300);

      await page.locator('#crowd').fill('300', { force: true });
      assert.equal(await visit.text('crowd-value'), '16');
      await visit.frames(2);
      await visit.picture('crowd');
      if (api === 'webgl2') {
        await visit.click('#pause');
        const few = await visit.pixels('few');
        await page.locator('#crowd').fill('800', { force: true });
        assert.equal(await visit.text('crowd-value'), '1,585');
        await visit.drawn();
        assert.ok(difference(few, await visit.pixels('many')) > 3000);
      }
      await visit.close();
    });

    test('lets the hero walk about, and prints lie where his feet stand', async () => {
      const visit = await open();
      const { page } = visit;
      const state = () => page.evaluate(() => {
        const { way, prints, slide } = document.body.dataset;
        return { way: Number(way), prints: Number(prints), slide: Number(slide) };
      });
      for (const box of ['wander', 'slow']) {
        await visit.click(`#${box}`);
        const before = await state();
        await page.waitForFunction((way) => Number(document.body.dataset['way']) > way + 3, before.way, { timeout: 90_000 });
        const after = await state();
        assert.ok(after.prints >= 3, `${after.prints} prints`);
        // Less than a hand, in the midst of fades and with few frames a second; feet that stray make it metres.
        assert.ok(after.slide < 0.15, `a foot strays from its print by ${after.slide} m`);
        await visit.picture(box);
      }
      // A clip that is chosen ends it.
      await visit.click('#clips button');
      assert.equal(await page.isChecked('#wander'), false);
      await visit.close();
    });

    if (api === 'webgl2') {
      test('lets him walk and run in step at 60 and at 5 frames a second, to the same place', async () => {
        const seen = [];
        for (const rate of [60, 5]) {
          const visit = await (await host.open(`?gpu=${api}&wander`, `${api}-${rate}-hz`, true)).ready();
          await visit.page.setViewportSize({ width: 320, height: 200 });
          // The walk, the fade to the run, and the run.
          await visit.step(6 * rate, 1 / rate);
          const { way, prints, slide } = await visit.page.evaluate(() => ({ ...document.body.dataset }));
          seen.push([Number(way), Number(prints)] as const);
          // Feet of a blend stand where those of both clips do on the mean.
          assert.ok(Number(slide) < 0.015, `at ${rate} Hz a foot strays from its print by ${slide} m`);
          await visit.picture('in-step');
          await visit.close();
        }
        const [[fast, fastPrints], [slow, slowPrints]] = seen as [[number, number], [number, number]];
        assert.ok(fast > 8 && Math.abs(fast - slow) < 0.1, `${fast} and ${slow} m`);
        assert.ok(fastPrints >= 10 && Math.abs(fastPrints - slowPrints) <= 1, `${fastPrints} and ${slowPrints} prints`);
      });
    }

    test('draws morph targets, of figures of any size, and says what is wrong with a broken file', async () => {
      const visit = await open();
      const before = await visit.pixels('before-drop');
      await visit.drop('broken.glb', readFileSync(join(ROOT, 'Cargo.toml')));
      await visit.page.waitForSelector('#error:not([hidden])');
      assert.match((await visit.text('error-text'))!, /^broken\.glb: this is no glTF file/);
      await visit.picture('broken');
      await visit.click('#pause');
      const pictures = [];
      for (const size of [0.002, 2, 2000]) {
        await visit.drop(`${size}.glb`, morphingBox(size));
        await visit.shows(`${size}.glb`);
        await visit.drawn();
        pictures.push(await visit.pixels(`morph-${size}`));
      }
      const [tiny, usual, huge] = pictures;
      assert.ok(difference(before, usual!) > 3000, 'nothing is drawn');
      assert.ok(difference(tiny!, usual!) < 200, 'a tiny figure does not fill the picture as others do');
      assert.ok(difference(huge!, usual!) < 200, 'a huge figure does not fill the picture as others do');
      // Nothing moves but its weights.
      await visit.click('#pause');
      for (let tries = 0; ; tries++) {
        assert.ok(tries < 20, 'morph targets do not move');
        await visit.frames(1);
        if (difference(huge!, await visit.pixels('morph-later')) > 1000) break;
      }
      await visit.close();
    });
  });
}

inBrowser('the page', 'webgl2', (host) => {
  test('asks for everything at once, and falls back to WebGL2 by itself', async () => {
    const visit = await (await host.open('', 'fallback')).ready();
    assert.equal(await visit.page.getAttribute('body', 'data-api'), 'WebGL2');
    const { begins, scriptEnds, firstFrame } = await visit.page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const of = (name: string) => entries.find((entry) => entry.name.endsWith(name))!;
      const names = ['hero.glb', 'sword.glb', 'canter-meshes.simd.wasm.gz'];
      return {
        begins: names.map((name) => of(name).startTime),
        scriptEnds: of('main.js').responseEnd,
        firstFrame: performance.getEntriesByName('first-frame')[0]?.startTime,
      };
    });
    for (const start of begins) assert.ok(start < scriptEnds, 'a file waits for the script');
    await visit.close();
    // Other tests run beside this one: one visit of several has the machine to itself.
    const tried = [firstFrame!];
    while (Math.min(...tried) >= MOST_START_MS && tried.length < 8) {
      const again = await (await host.open('', 'again')).ready();
      tried.push(await again.page.evaluate(() => performance.getEntriesByName('first-frame')[0]!.startTime));
      await again.close();
    }
    console.log(`the first frame was submitted after ${tried.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    assert.ok(Math.min(...tried) < MOST_START_MS);
  });

  test('says when there are no graphics', async () => {
    const visit = await host.open('?gpu=webgpu', 'none');
    await visit.page.waitForSelector('#no-gpu:not([hidden])');
    await visit.picture('message');
    await visit.close();
  });

  test('draws the models that others made, at the size of the picture', async () => {
    const visit = await (await host.open('?gpu=webgl2', 'models')).ready();
    await visit.click('#pause');
    let before = await visit.pixels('hero');
    for (const [folder, name] of [['Fox', 'Fox.glb'], ['RobotExpressive', 'RobotExpressive.glb']] as const) {
      const file = sharedFile(`assets/${folder}/${name}`);
      if (file === undefined) continue;
      await visit.drop(name, readFileSync(file));
      await visit.shows(name);
      await visit.drawn();
      const now = await visit.pixels(folder);
      assert.ok(difference(before, now) > 3000, `${name} is not to be seen`);
      before = now;
    }
    await visit.close();
  });

  test('the package runs in a worker', async () => {
    const visit = await (await host.open('?gpu=webgl2', 'worker')).ready();
    const matrices = await visit.page.evaluate(async () => {
      const source = `
        import { AnimationMixer, loadGltf } from '${new URL('canter/index.js', location.href).href}';
        const hero = await loadGltf('${new URL('hero.glb', location.href).href}');
        const mixer = new AnimationMixer(hero);
        mixer.play('Walk');
        for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
        postMessage([...hero.skeleton.boneMatrices]);
      `;
      const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
      return new Promise<number[]>((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data as number[]);
        worker.onerror = (event) => reject(new Error(event.message));
      });
    });
    const hero = await loadGltf(HERO);
    const mixer = new AnimationMixer(hero);
    mixer.play('Walk');
    for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
    assert.deepEqual(matrices, [...hero.skeleton.boneMatrices]);
    await visit.close();
  });

  test('plays a clip over what he does or adds it, on the bones that are chosen, and takes clips as fast as they are chosen', async () => {
    const visit = await (await host.open('?gpu=webgl2', 'layers')).ready();
    const { page } = visit;
    const choose = (id: string, value: string) =>
      page.evaluate(([id, value]) => {
        const select = document.getElementById(id!) as HTMLSelectElement;
        select.value = value!;
        select.dispatchEvent(new Event('change'));
      }, [id, value]);
    assert.equal(await page.locator('#layer-mask').inputValue(), 'spine');
    await visit.click('#pause');
    await visit.click('#clips button', 'Idle');
    await visit.drawn();
    const idle = await visit.pixels('idle');
    // He stands: what changes is the layer. Clips are taken at once while nothing moves.
    const shown: Uint8ClampedArray[] = [];
    for (const [mask, mode] of [['spine', 'Over'], ['', 'Over'], ['spine', 'Add']] as const) {
      await visit.click('#layer-modes label', mode);
      await choose('layer-mask', mask);
      await choose('layer-clip', String(HERO_CLIPS.indexOf('CrouchWalk')));
      await visit.drawn();
      shown.push(await visit.pixels(`${mode}-${mask || 'all'}`));
    }
    const [upper, whole] = shown;
    assert.ok(difference(idle, upper!) > 300, 'the layer changes nothing');
    assert.ok(difference(upper!, whole!) > 300, 'the mask changes nothing');
    await choose('layer-clip', '');
    await visit.drawn();
    assert.ok(difference(idle, await visit.pixels('none')) < 100, 'the layer does not go away');
    await visit.click('#pause');
    for (const kind of ['Inertial', 'Dead']) {
      await visit.click('#kinds label', kind);
      assert.equal(await page.locator('#kinds input:checked').inputValue(), kind.toLowerCase());
      for (const clip of ['Run', 'Attack', 'Jump']) {
        await visit.click('#clips button', clip);
        await visit.frames(1);
      }
      await visit.picture(kind.toLowerCase());
    }
    // Those who join do what he does, and layers are taken from all.
    await choose('layer-clip', String(HERO_CLIPS.indexOf('Attack')));
    await page.locator('#crowd').fill('300', { force: true });
    await choose('layer-clip', '');
    await visit.frames(1);
    await visit.drop('sword.glb', readFileSync(SWORD));
    await visit.shows('sword.glb');
    assert.ok(await page.locator('#layer').isHidden());
    await visit.close();
  });

  test('the page of three.js shows both sides alike, as many as are asked for', async () => {
    const visit = await (await host.open('three.html?count=2', 'three')).ready();
    await visit.frames(1);
    await visit.picture('walk');
    await visit.click('#clips button', 'Run');
    await visit.frames(2);
    await visit.picture('run');
    await visit.page.locator('#crowd').fill('3', { force: true });
    assert.match((await visit.text('facts'))!, /^3 on each side/);
    await visit.frames(1);
    await visit.picture('three');
    await visit.close();
  });
});
