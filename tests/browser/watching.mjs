// SPDX-License-Identifier: Apache-2.0
// Watching: the board of a real expansion, live; stopped, resumed and read point by
// point; and what needs the token.
import assert from 'node:assert/strict';

import { checkAccess, checkWidth, open } from './browser.mjs';

const PARTS = 120;
const PLAN = '_ingest-auto/watched.md';

/** A plan that takes seconds, so that it can be watched and stopped. */
function longPlan(room) {
  let text = '# Expansion plan: many pages\n\n**Topic**: CMake and CUDA\n**Target folder**: watched/\n\n---\n';
  for (let i = 1; i <= PARTS; ++i) {
    const number = String(i).padStart(3, '0');
    text += `\n## PART ${i}: Page ${number}\n\n- [ ] PART ${i}: Create watched/${number}-page-${number}.md (~90 lines)\n\n`
      + '**Step 1: Write**\n- [ ] Section 1: Architectures (~90 lines)\n'
      + '      - CMAKE_CUDA_ARCHITECTURES initializes CUDA_ARCHITECTURES\n'
      + '      - CUDA_SEPARABLE_COMPILATION\n      - CUDA_RESOLVE_DEVICE_SYMBOLS\n'
      + '      - CMAKE_CUDA_HOST_COMPILER and CUDAHOSTCXX\n      - the colour of unicorns\n';
  }
  room.write(PLAN, text);
}

const board = page => page.locator('#board');
const run = page => page.locator('#board .run', { hasText: PLAN }).first();
const waitForState = (page, state) => page.waitForFunction(([plan, wanted]) =>
  [...document.querySelectorAll('#board .run')].some(each => {
    // The title and the state, and the path of the plan.
    const heading = each.querySelector('h2').innerText + each.querySelector('p').innerText;
    return heading.includes(plan) && heading.includes(wanted);
  }), [PLAN, state], { timeout: 120_000 });

/** Answers the dialog that asks for the token. */
async function giveToken(page, token) {
  await page.locator('dialog #token').fill(token);
  await page.locator('dialog').getByRole('button', { name: 'Use' }).click();
}

export const tests = {
  async 'a finished run shows planned against delivered, point by point'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/runs`);
    const text = await board(page).innerText();
    assert.match(text, /cuda\/01-cuda-language\.md/);
    assert.match(text, /failed/);
    assert.match(text, /\d+ of 10/);
    assert.match(text, /No tokens used/);
    assert.match(text, /\d+ citations\s+\d+ of \d+ lines/);
    await page.locator('#board .run', { hasText: '_ingest-auto/cuda-in-cmake.md' }).first().locator('h2 a').click();
    await page.waitForURL('**/run/*');
    const points = page.locator('.part', { hasText: 'cuda/01-cuda-language.md' }).locator('.points');
    assert.equal(await points.locator('td:first-child').count(), 10, 'ten planned points');
    const covered = points.locator('tr', { hasText: 'CMAKE_CUDA_HOST_COMPILER' });
    assert.match(await covered.innerText(), /covered ✓/);
    const missing = points.locator('tr', { hasText: 'CUDAARCHS environment' });
    assert.match(await missing.innerText(), /not found \?\s*nearest: (?!nearest)/);
    assert.match(await page.locator('#board .run').innerText(), /\d+ of \d+ lines/, 'planned and delivered lines');
    await checkAccess(page);
    // A covered point leads to its section.
    await covered.getByRole('link').click();
    await page.waitForURL('**/page/cuda/01-cuda-language.md#*');
    assert.match(await page.locator(':target').innerText(), /CMAKE_CUDA_HOST_COMPILER/);
    await close();
  },

  async 'texts of a run are shown as they are meant, not as Markdown'({ room, browser }) {
    room.write('_ingest-auto/marked.md', '# Expansion plan: marked\n\n**Topic**: CMake\n\n---\n\n## PART 1: A page\n\n- [ ] PART 1: Create marked/01-page.md (~90 lines)\n\n**Step 1: Write**\n- [ ] Section 1: The property `CUDA_ARCHITECTURES` (~90 lines)\n      - **Separable** compilation: `CUDA_SEPARABLE_COMPILATION`\n      - the *colour* of `UNICORN_COLOUR`\n');
    // What is not delivered yet is shown as it was planned.
    const { lease } = JSON.parse(room.run(['--json', 'part', 'claim', '_ingest-auto/marked.md', '--agent', 'ada']));
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/runs`);
    await page.locator('#board .run', { hasText: '_ingest-auto/marked.md' }).first().locator('h2 a').click();
    await page.waitForURL('**/run/*');
    const points = page.locator('.points');
    assert.doesNotMatch(await points.innerText(), /[`*]/);
    assert.equal(await points.locator('strong', { hasText: 'Separable' }).count(), 1);
    assert.equal(await points.locator('td:first-child code').count(), 2);
    assert.equal(await points.locator('th code', { hasText: 'CUDA_ARCHITECTURES' }).count(), 1);
    room.run(['part', 'release', lease]);
    await close();
  },

  async 'a part that no run takes is on the board, with the reason'({ room, browser }) {
    room.write('_ingest-auto/refused.md', '# Expansion plan: refused\n\n**Topic**: CMake\n\n---\n\n' + ['refused/01-<img-src=x>.md', 'refused/02-page.md'].map((target, i) =>
      `## PART ${i + 1}: A page\n\n- [ ] PART ${i + 1}: Create ${target} (~90 lines)\n\n**Step 1: Write**\n- [ ] Section 1: Architectures (~90 lines)\n      - CUDA_SEPARABLE_COMPILATION\n\n`).join(''));
    room.run(['expand', '_ingest-auto/refused.md'], { mayFail: true });
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/runs`);
    const shown = page.locator('#board .run', { hasText: '_ingest-auto/refused.md' });
    assert.match(await shown.innerText(), /Parts: 1 done, 1 refused[^]*PART 1\s+refused\s+PART 1: names no file to create/);
    assert.equal(await page.locator('#board img').count(), 0);
    await shown.locator('h2 a').click();
    await page.waitForURL('**/run/*');
    assert.match(await page.locator('#board').innerText(), /1 done, 1 refused/);
    await close();
  },

  async 'a real expansion is watched live, stopped and resumed'({ room, browser }) {
    longPlan(room);
    const { page, close, expectError } = await open(browser, room.address);
    await page.goto(`${room.address}/runs`);
    // Started from a terminal; the page sees it by itself.
    const { ended, hurry } = room.startSlowly(['expand', PLAN]);
    await waitForState(page, 'running');
    await page.waitForFunction(() => /gathering|writing|check/.test(document.getElementById('board').innerText));
    assert.match(await run(page).innerText(), /held by process \d+ on \S+/);
    // A focused button stays the same element while the board changes around it.
    const stop = run(page).getByRole('button', { name: /^Stop/ });
    await stop.focus();
    await page.evaluate(() => {
      window.focused = document.activeElement;
      window.changes = 0;
      new MutationObserver(() => { ++window.changes; })
        .observe(document.getElementById('board'), { childList: true, subtree: true, characterData: true });
    });
    await page.waitForFunction(() => window.changes >= 2, null, { timeout: 30_000 });
    assert.equal(await page.evaluate(() => document.activeElement === window.focused && focused.isConnected), true, 'the focus was lost');
    // Not without the token: a wrong one is refused, and it is asked for again.
    expectError(/401/);
    await page.keyboard.press('Enter');
    await page.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await stop.click();
    await giveToken(page, 'not-the-token-of-this-server');
    await page.waitForFunction(() => /token/.test(document.querySelector('#board [role=status]').textContent));
    await stop.click();
    await giveToken(page, room.token);
    await page.waitForTimeout(300);
    hurry();
    assert.equal(await ended, 130, 'the process in the terminal was interrupted');
    await waitForState(page, 'interrupted');
    const before = await run(page).locator('tr', { hasText: 'done' }).count();
    assert.ok(before < PARTS, 'it was stopped before its end');
    // The token is kept in memory: it is not asked for again.
    await run(page).getByRole('button', { name: /^Resume/ }).click();
    await waitForState(page, 'finished');
    assert.equal(await page.locator('dialog').count(), 0);
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length + document.cookie.length), 0);
    const text = await run(page).innerText();
    assert.match(text, new RegExp(`Parts: ${PARTS} done`));
    await close();
  },

  async 'many tabs share one stream, and a seventh loads'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    const context = page.context();
    const tabs = [page];
    while (tabs.length < 7) tabs.push(await context.newPage());
    for (const tab of tabs) await tab.goto(`${room.address}/runs`, { timeout: 5_000 });
    // A browser has six connections for all of them.
    const eighth = await context.newPage();
    await eighth.goto(`${room.address}/page/cuda/01-cuda-language.md`, { timeout: 5_000 });
    await eighth.locator('h1').waitFor();
    const held = await page.evaluate(async () => (await navigator.locks.query()).held.length);
    assert.equal(held, 1, 'one tab reads the stream');
    // All of them see a change, and one that is closed leaves the stream to another.
    const claim = () => JSON.parse(room.run(['--json', 'part', 'claim', '_ingest-auto/tabs.md', '--agent', 'ada'])).lease;
    room.write('_ingest-auto/tabs.md', '# Expansion plan: tabs\n\n**Topic**: CMake\n\n---\n\n## PART 1: A page\n\n- [ ] PART 1: Create tabs/01-page.md (~90 lines)\n\n**Step 1: Write**\n- [ ] Section 1: Architectures (~90 lines)\n      - CUDA_SEPARABLE_COMPILATION\n');
    let lease = claim();
    for (const tab of tabs) await tab.waitForFunction(() => /tabs\/01-page\.md[^]*held by an agent/.test(document.getElementById('board').innerText));
    room.run(['part', 'release', lease]);
    await tabs.shift().close();
    lease = claim();
    for (const tab of tabs) await tab.waitForFunction(() => /tabs\/01-page\.md[^]*held by an agent/.test(document.getElementById('board').innerText));
    room.run(['part', 'release', lease]);
    await close();
  },

  async 'a hidden tab has no stream, and catches up when it is shown'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    let streams = 0;
    page.on('request', request => { if (request.url().includes('/events')) ++streams; });
    await page.goto(`${room.address}/runs`);
    const show = hidden => page.evaluate(value => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
    await page.waitForFunction(async () => (await navigator.locks.query()).held.length === 1);
    await show(true);
    await page.waitForFunction(async () => (await navigator.locks.query()).held.length === 0);
    const lease = JSON.parse(room.run(['--json', 'part', 'claim', '_ingest-auto/tabs.md', '--agent', 'ada'])).lease;
    await page.waitForTimeout(1_000);
    assert.doesNotMatch(await page.locator('#board').innerText(), /held by an agent/);
    await show(false);
    await page.waitForFunction(() => /held by an agent/.test(document.getElementById('board').innerText));
    assert.equal(streams, 2);
    room.run(['part', 'release', lease]);
    await close();
  },

  async 'one run is live too, and fits on a small screen'({ room, browser }) {
    const { page, close } = await open(browser, room.address, { viewport: { width: 360, height: 640 } });
    await page.goto(`${room.address}/runs`);
    await run(page).locator('h2 a').click();
    await page.waitForURL('**/run/*');
    assert.equal(await page.locator('#board').getAttribute('data-events'), `/events?run=${page.url().split('/').at(-1)}`);
    await checkWidth(page);
    await close();
  },

  async 'what an agent holds is shown'({ room, browser }) {
    room.write('_ingest-auto/agents.md', `# Expansion plan: an agent's page\n\n**Topic**: CMake\n\n---\n\n## PART 1: A page\n\n- [ ] PART 1: Create agents/01-page.md (~90 lines)\n\n**Step 1: Write**\n- [ ] Section 1: Architectures (~90 lines)\n      - CUDA_SEPARABLE_COMPILATION\n`);
    const claimed = JSON.parse(room.run(['--json', 'part', 'claim', '_ingest-auto/agents.md', '--agent', 'ada']));
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/runs`);
    const text = await page.locator('#board .run', { hasText: '_ingest-auto/agents.md' }).innerText();
    assert.match(text, /agents\/01-page\.md/);
    assert.match(text, /held by an agent, 0 sections drafted/);
    assert.match(text, /ada/);
    // What the gate refuses of it is shown at once, and stays open while the board changes.
    room.run(['part', 'draft', claimed.lease, '--section', '1', '--text', '### CUDA_SEPARABLE_COMPILATION\n\nIt is `UNICORN_PROPERTY`.'], { mayFail: true });
    const refused = page.locator('#board details', { hasText: 'refused by the gate' });
    await refused.waitFor();
    assert.equal(await refused.getAttribute('open'), 'open');
    assert.match(await refused.locator('li').first().innerText(), /line \d+: .*\[[a-z]+\/[a-z-]+\]/);
    await refused.locator('summary').click();
    room.run(['part', 'draft', claimed.lease, '--section', '1', '--text', '### CUDA_SEPARABLE_COMPILATION\n\nIt is `UNICORN_PROPERTY`.\n\nIt is red.'], { mayFail: true });
    await page.waitForFunction(() => /It is red|2 refused|3 refused/.test(document.getElementById('board').textContent));
    assert.equal(await refused.getAttribute('open'), null, 'what the reader closed stays closed');
    room.run(['part', 'release', claimed.lease]);
    await page.waitForFunction(() => !/held by an agent/.test(document.getElementById('board').innerText));
    await close();
  },

  async 'writing needs the token, and no other site can write'({ room }) {
    const body = JSON.stringify({ plan: PLAN });
    const headers = { 'content-type': 'application/json' };
    for (const path of ['/runs/start', '/runs/stop']) {
      const without = await fetch(room.address + path, { method: 'POST', headers, body });
      assert.equal(without.status, 401, path);
      const wrong = await fetch(room.address + path, { method: 'POST', headers: { ...headers, authorization: 'Bearer wrong' }, body });
      assert.equal(wrong.status, 401, path);
      for (const foreign of [{ origin: 'https://example.org' }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
        const answer = await fetch(room.address + path, { method: 'POST', body,
          headers: { ...headers, authorization: `Bearer ${room.token}`, ...foreign } });
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(foreign)}`);
      }
      assert.ok((await fetch(room.address + path)).status >= 400, `GET ${path}`);
    }
  },
};
