// The page on which a graph moves the hero, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inBrowser } from './visit.js';

inBrowser('the page of the graph', 'webgl2', (host) => {
  test('keys and buttons drive the graph, which says what it does', async () => {
    const visit = await (await host.open('graph.html', 'graph', true)).ready();
    const { page } = visit;
    await visit.step(3, 1 / 60);
    assert.match((await visit.text('layers'))!, /body: Move/);
    await page.keyboard.down('w');
    await visit.step(12, 0.1);
    assert.match((await visit.text('layers'))!, /Walk \d+ %/);
    assert.match((await visit.text('facts'))!, /steps$/);
    await visit.picture('walk');
    await visit.click('#clips button', 'Jump');
    await visit.step(3, 0.1);
    assert.match((await visit.text('layers'))!, /body: Jump/);
    assert.match((await visit.text('history'))!, /^Move to Jump/);
    await visit.picture('jump');
    await page.keyboard.up('w');
    await visit.step(30, 0.1);
    assert.match((await visit.text('layers'))!, /body: Move/);
    for (const solver of ['feet', 'look', 'swing']) await visit.click(`#${solver}`);
    await visit.step(2, 0.1);
    await visit.close();
  });

  test('it fits a phone', async () => {
    const visit = await (await host.open('graph.html', 'graph-phone')).ready();
    await visit.page.setViewportSize({ width: 390, height: 700 });
    await visit.frames(1);
    await visit.click('#more');
    await visit.frames(1);
    await visit.picture('why');
    const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, String(wide));
    await visit.close();
  });
});
