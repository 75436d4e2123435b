// The page as those use it who have a phone, a keyboard, ears instead of eyes, or files to drop.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { HERO_CLIPS, SWORD } from './common.js';
import { morphingBox } from './models.js';
import { brightness, difference, inBrowser } from './visit.js';

/** The panels that can be seen, and whatever two of them have in common or is outside of the screen. */
function clashes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const names = ['header', '#apis', '#actions', '#clips', '#panel', '#task', '#error'];
    const found: string[] = [];
    const boxes = names.flatMap((name) => {
      const element = document.querySelector(name)!;
      const box = element.getBoundingClientRect();
      return box.width * box.height > 0 && getComputedStyle(element).display !== 'none' ? [{ name, box }] : [];
    });
    for (const [index, { name, box }] of boxes.entries()) {
      if (box.left < 0 || box.top < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) found.push(`${name} is cut off`);
      for (const other of boxes.slice(index + 1)) {
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const tall = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (wide > 0.5 && tall > 0.5) found.push(`${name} and ${other.name} overlap`);
      }
    }
    return found;
  });
}

/** The controls that a finger cannot reach, scrolled to if need be. */
function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('#page :is(button, a, select, summary, input:not([type=file]))')];
    return all.filter((control) => {
      const target = control.matches('.choice input') ? control.parentElement! : control;
      if (control.closest('[hidden]') || (control.closest('details:not([open])') && !control.matches('summary'))) return false;
      if (control.matches(':disabled') || getComputedStyle(control).display === 'none') return false;
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { left, top, width, height } = target.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return !hit || !(target.contains(hit) || hit.contains(target) && hit.matches('label'));
    }).map((control) => control.id || control.textContent || control.tagName);
  });
}

inBrowser('the page', 'webgl2', (host) => {
  test('fits phones: nothing overlaps, and every control can be reached', async () => {
    const visit = await (await host.open('?gpu=webgl2', 'phone')).ready();
    const { page } = visit;
    await visit.click('#pause');
    await visit.click('summary');
    for (const [width, height, ...schemes] of [[390, 844, 'dark', 'light'], [844, 390, 'light', 'dark'], [320, 568, 'dark'], [1280, 800, 'light']] as const) {
      await page.setViewportSize({ width, height });
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme });
        const isFolded = await page.isVisible('#more');
        const name = `${width}x${height}-${scheme}`;
        await visit.drawn();
        await visit.picture(name);
        assert.deepEqual(await clashes(page), [], name);
        if (isFolded) {
          await visit.click('#more');
          await visit.drawn();
          await visit.picture(`${name}-settings`);
          assert.deepEqual(await clashes(page), [], `${name}, with settings`);
        }
        assert.deepEqual(await unreachable(page), [], name);
        if (isFolded) await visit.click('#more');
      }
    }
    await visit.close();
  });

  test('can be used by keys alone, and says in words what sliders are at', async () => {
    const visit = await (await host.open('?gpu=webgl2', 'keys')).ready();
    const { page } = visit;
    const paused = () => page.getAttribute('#pause', 'aria-label');
    await page.keyboard.press('Space');
    assert.equal(await paused(), 'Play');
    const still = await visit.pixels('still');
    for (const [key, back] of [['ArrowLeft', 'ArrowRight'], ['+', '-'], ['ArrowUp', 'Home']] as const) {
      for (let times = 0; times < 2; times++) await page.keyboard.press(key);
      await visit.drawn();
      const moved = await visit.pixels('moved');
      assert.ok(difference(still, moved) > 300, `${key} does nothing`);
      for (let times = 0; times < 2; times++) await page.keyboard.press(back);
      await visit.drawn();
      assert.ok(difference(still, await visit.pixels('back')) < 100, `${back} does not lead back`);
    }
    await page.keyboard.press('3');
    assert.equal(await page.textContent('#clips [aria-pressed=true]'), HERO_CLIPS[2]);
    await page.focus('#clips button');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    assert.equal(await page.textContent('#clips [aria-pressed=true]'), HERO_CLIPS[1]);

    // The settings unfold, everything in them has the focus in turn, and Escape folds them.
    await page.focus('#more');
    await page.keyboard.press('Enter');
    assert.ok(await page.isVisible('#panel'));
    const reached = new Set<string>([await page.evaluate(() => document.activeElement!.id)]);
    await page.evaluate(() => document.querySelector<HTMLElement>('#clips button:last-child')!.focus());
    for (let times = 0; times < 14; times++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => document.activeElement!.id || (document.activeElement as HTMLInputElement).name || 'other'));
    }
    for (const id of ['crowd', 'speed', 'fade', 'kind', 'wander', 'slow', 'open', 'more']) assert.ok(reached.has(id), `no focus on ${id}`);
    for (const [id, key, words] of [
      ['crowd', 'ArrowRight', 'one figure'], ['crowd', 'PageUp', /^\d+ figures?$|^one figure$/], ['speed', 'Home', '0.00 times'],
      ['fade', 'End', '1.50 seconds'], ['layer-weight', 'End', '100 percent'],
    ] as const) {
      if (id === 'layer-weight') await visit.click('summary');
      await page.focus(`#${id}`);
      await page.keyboard.press(key);
      const text = (await page.getAttribute(`#${id}`, 'aria-valuetext'))!;
      assert.ok(typeof words === 'string' ? text === words : words.test(text), `${id}: ${text}`);
    }
    await page.keyboard.press('Escape');
    assert.ok(await page.isHidden('#panel'));
    assert.equal(await page.evaluate(() => document.activeElement!.id), 'more');
    await visit.close();
  });

  test('stands still for those who ask for less motion, until they want it to move', async () => {
    const calm = await host.open('?gpu=webgl2', 'calm');
    await calm.page.emulateMedia({ reducedMotion: 'reduce' });
    await calm.page.reload();
    await calm.ready();
    assert.equal(await calm.page.getAttribute('#pause', 'aria-label'), 'Play');
    await calm.drawn();
    const frames = () => calm.page.evaluate(() => Number(document.body.dataset['frames']));
    const before = await frames();
    const first = await calm.pixels('first');
    await calm.page.waitForTimeout(500);
    assert.equal(await frames(), before, 'it draws though nothing changes');
    // A clip that is chosen is shown at once.
    await calm.click('#clips button', 'Attack');
    await calm.drawn();
    assert.ok(difference(first, await calm.pixels('attack')) > 300);
    await calm.page.keyboard.press('Space');
    await calm.frames(3);
    await calm.close();
  });

  test('is light where the screen is', async () => {
    const visit = await (await host.open('?gpu=webgl2', 'theme')).ready();
    await visit.click('#pause');
    const dark = brightness(await visit.pixels('dark'));
    await visit.page.emulateMedia({ colorScheme: 'light' });
    await visit.drawn();
    const light = brightness(await visit.pixels('light'));
    assert.ok(light > dark + 60, `${light} and ${dark}`);
    await visit.close();
  });

  test('shows how far a drop is, gives it up when asked or when another one comes, and refuses what is too large', async () => {
    const visit = await host.open('?gpu=webgl2', 'drops');
    const { page } = visit;
    // Files that are called slow come half, and the rest when somebody says so.
    await page.addInitScript(() => {
      const stream = Blob.prototype.stream;
      Blob.prototype.stream = function (this: File) {
        if (!/slow|large/.test(this.name)) return stream.call(this);
        const state = globalThis as unknown as { release?: () => void; reads: number };
        state.reads = (state.reads ?? 0) + 1;
        const [file, half] = [this, Math.floor(this.size / 2)];
        return new ReadableStream({
          async start(controller) {
            controller.enqueue(new Uint8Array(await file.slice(0, half).arrayBuffer()));
            await new Promise<void>((resolve) => (state.release = resolve));
            try {
              controller.enqueue(new Uint8Array(await file.slice(half).arrayBuffer()));
              controller.close();
            } catch {
              // Nobody reads it any more.
            }
          },
        });
      };
    });
    await page.reload();
    await visit.ready();
    const release = async () => {
      await page.evaluate(() => (globalThis as unknown as { release: () => void }).release());
      await page.waitForTimeout(300);
    };
    const halfway = () =>
      page.waitForFunction(() => {
        const { value } = document.getElementById('task-bar') as HTMLProgressElement;
        return value > 0.4 && value < 0.6;
      });
    await visit.drop('slow.glb', morphingBox(1));
    await halfway();
    assert.equal(await visit.text('task-name'), 'Loading slow.glb');
    await visit.picture('halfway');
    assert.deepEqual(await clashes(page), []);
    await visit.drop('newer.glb', morphingBox(1));
    await visit.shows('newer.glb');
    await release();
    assert.equal(await visit.text('title'), 'newer.glb', 'an older file came after a newer one');
    assert.ok(await page.isHidden('#task'));

    for (const cancel of [() => visit.click('#task-cancel'), () => page.keyboard.press('Escape')]) {
      await visit.drop('slow.glb', morphingBox(1));
      await halfway();
      await cancel();
      assert.ok(await page.isHidden('#task'));
      await release();
      assert.equal(await visit.text('title'), 'newer.glb', 'a file came that was given up');
    }

    const reads = await page.evaluate(() => {
      const state = globalThis as unknown as { reads: number };
      const part = new Blob([new Uint8Array(16 * 2 ** 20)]);
      const transfer = new DataTransfer();
      transfer.items.add(new File(Array<Blob>(17).fill(part), 'large.glb'));
      const before = state.reads;
      document.querySelector('canvas')!.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
      return state.reads - before;
    });
    assert.equal(reads, 0);
    assert.equal(await visit.text('error-text'), 'large.glb: 272 MB are too much for this page; it takes up to 256 MB');
    await visit.picture('too-large');
    assert.deepEqual(await clashes(page), []);
    await page.keyboard.press('Escape');
    assert.ok(await page.isHidden('#error'));

    // What was refused is closed by its button, too, and stands in nobody's way.
    await visit.drop('nothing.glb', new Uint8Array(3));
    await page.waitForSelector('#error:not([hidden])');
    await page.focus('#error-close');
    await page.keyboard.press('Enter');
    assert.ok(await page.isHidden('#error'));
    await visit.drop('sword.glb', readFileSync(SWORD));
    await visit.shows('sword.glb');
    await visit.close();
  });
});
