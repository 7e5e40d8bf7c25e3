// SPDX-License-Identifier: Apache-2.0
// What must hold on every kind of page: axe-core has no serious finding in light
// and dark, 360 pixels are enough, reading needs no script, and the headers forbid
// what the pages do not need.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';

import { checkAccess, checkWidth, open } from './browser.mjs';

const MOST_OF_A_KIND = 2;

/** Pages that can be reached from `start` by links, a few of every kind. */
export async function pagesFrom(page, start, kindOf) {
  const pages = [];
  const waiting = [start];
  const seen = new Set(waiting);
  const counts = new Map();
  while (waiting.length > 0) {
    const url = waiting.shift();
    const kind = kindOf(url);
    const count = counts.get(kind) || 0;
    if (count >= MOST_OF_A_KIND) continue;
    counts.set(kind, count + 1);
    const response = await page.goto(url);
    assert.ok(response === null || response.status() === 0 || response.ok(), `${url}: ${response?.status()}`);
    pages.push(url);
    const links = await page.$$eval('a[href]', found => found.map(each => each.href.split('#')[0]));
    for (const link of links) {
      if (seen.has(link) || new URL(link).origin !== new URL(start).origin) continue;
      seen.add(link);
      waiting.push(link);
    }
  }
  return pages;
}

const kindOf = url => new URL(url).pathname.split('/')[1];

let found = null;
async function pagesOf({ room, browser }) {
  if (found) return found;
  const opened = await open(browser, room.address);
  found = await pagesFrom(opened.page, `${room.address}/`, kindOf);
  // What no link leads to, or not in all its forms.
  const runs = JSON.parse(room.run(['--json', 'lab', 'results'])).runs.map(each => each.run);
  for (const path of ['/search?q=separable+compilation', '/search?q=CMAKE_CUDA_[A-Z]%2B&mode=regex', '/search?q=CMAKE_CUDA_ARCHITECTURES&mode=cards',
    '/search?q=zzzzzz', '/ask?question=what+initializes+CMAKE_CUDA_ARCHITECTURES', '/ask?question=how+many+legs+has+a+spider', '/source/cmake/Modules/FindCUDAToolkit.cmake?from=465&to=466',
    '/source/cmake/Help/variable/', '/page/odd/02-many.md', '/page/odd/01-hostile.md', '/page/measured/01-copy.md', '/receipt/measured/01-copy.md/1', '/receipt/measured/01-copy.md/2', '/run/1', '/search?q=CUDA_SEP[A-Z]%2B&mode=regex', `/labs/${runs[0]}`, `/labs?before=${runs[0]}&after=${runs[1]}`]) {
    if (!found.includes(room.address + path)) found.push(room.address + path);
  }
  await opened.close();
  return found;
}

async function onEveryPage(given, options, body) {
  const pages = await pagesOf(given);
  assert.ok(pages.length >= 5, `only ${pages}`);
  const opened = await open(given.browser, given.room.address, options);
  for (const url of pages) {
    await opened.page.goto(url);
    await body(opened.page, url);
  }
  await opened.close();
}

export const tests = {
  'axe-core finds nothing serious': given => onEveryPage(given, {}, checkAccess),

  'axe-core finds nothing serious in the dark': given =>
    onEveryPage(given, { colorScheme: 'dark' }, async page => {
      const background = await page.evaluate(() => {
        const colours = [document.body, document.documentElement].map(each => getComputedStyle(each).backgroundColor);
        return colours.find(each => each !== 'rgba(0, 0, 0, 0)') || 'none';
      });
      const light = Math.max(...(background.match(/\d+/g) || [255]).slice(0, 3).map(Number));
      assert.ok(light < 80, `the background is ${background}`);
      await checkAccess(page);
    }),

  '360 pixels are enough': given =>
    onEveryPage(given, { viewport: { width: 360, height: 640 } }, async page => {
      await checkWidth(page);
      await checkAccess(page);
    }),

  '320 pixels are enough': given =>
    onEveryPage(given, { viewport: { width: 320, height: 560 } }, checkWidth),

  'open receipts, results and checked texts are accessible too': async ({ room, browser }) => {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of [1200, 360]) {
        const { page, close } = await open(browser, room.address, { colorScheme, viewport: { width, height: 800 } });
        await page.goto(`${room.address}/page/cuda/01-cuda-language.md`);
        await page.locator('article .m').first().click();
        await page.locator('#receipt .receipt').waitFor();
        await checkAccess(page);
        await page.keyboard.press('Escape');
        await page.locator('#q').fill('separable compilation');
        await page.locator('#live .hits li').first().waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await page.goto(`${room.address}/check`);
        await page.locator('textarea').first().fill('The variable `CMAKE_CUDA_ARCHITECTUREZ` is set.\n');
        await page.getByRole('button', { name: 'Check' }).click();
        await page.locator('#checked .err').first().waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await page.goto(`${room.address}/check`);
        await page.locator('textarea').nth(1).fill('FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nRUN apt-get update\n');
        await page.getByRole('button', { name: 'Inspect' }).click();
        await page.locator('#checked section').first().waitFor();
        await checkAccess(page);
        await checkWidth(page);
        await close();
      }
    }
  },

  'every page can be printed': given =>
    onEveryPage(given, {}, async (page, url) => {
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 720, height: 1000 });  // A4 without its margins
      for (const hidden of ['.top', '.foot', '.toc']) {
        if (await page.locator(hidden).count() > 0) assert.equal(await page.locator(hidden).first().isVisible(), false, `${url}: ${hidden}`);
      }
      assert.equal(await page.locator('h1').first().isVisible(), true, url);
      const { scroll, client } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
      assert.ok(scroll <= client + 1, `${url} is cut when it is printed`);
      // Paper does not scroll.
      const cut = await page.$$eval('main .wide', all => all.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => `${each.scrollWidth} of ${each.clientWidth}: ${each.innerText.slice(0, 80)}`));
      assert.deepEqual(cut, [], `${url}: tables that are cut when they are printed`);
      await page.emulateMedia({ media: null });
      await page.setViewportSize({ width: 1200, height: 800 });
    }),

  'script and style are small': async ({ room }) => {
    let whole = 0;
    let sent = 0;
    for (const name of ['room.css', 'room.js']) {
      const plain = await fetch(`${room.address}/static/${name}`, { headers: { 'accept-encoding': 'identity' } });
      const text = await plain.text();
      whole += text.length;
      sent += gzipSync(text).length;
      assert.doesNotMatch(text, /https?:\/\/|@import|eval\(|new Function/, name);
    }
    assert.ok(whole < 40_000 && sent < 15_000, `${whole} bytes, ${sent} compressed`);
  },

  'no link leads to nothing': async given => {
    const { room } = given;
    const texts = new Map();
    const fetchText = async address => {
      if (!texts.has(address)) {
        const answer = await fetch(address, { headers: { accept: 'text/html' } });
        texts.set(address, { status: answer.status, text: await answer.text() });
      }
      return texts.get(address);
    };
    const dead = [];
    let count = 0;
    for (const url of await pagesOf(given)) {
      const { text } = await fetchText(url);
      for (const [, value] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
        const target = new URL(value.replaceAll('&amp;', '&').replaceAll('&#39;', "'"), url);
        if (target.origin !== room.address) continue;
        const anchor = decodeURIComponent(target.hash.slice(1));
        target.hash = '';
        if (!texts.has(target.href) && ++count > 600) continue;
        const found = await fetchText(target.href);
        if (found.status !== 200) dead.push(`${url}: ${value}: ${found.status}`);
        else if (anchor && !found.text.includes(`id="${anchor.replaceAll('&', '&amp;')}"`)) dead.push(`${url}: no ${value}`);
      }
    }
    assert.deepEqual([...new Set(dead)], []);
    assert.ok(count > 100, `${count} links`);
  },

  'reading needs no script': given =>
    onEveryPage(given, { javaScriptEnabled: false }, async (page, url) => {
      assert.ok((await page.locator('h1').first().innerText()).trim() !== '', url);
      assert.ok((await page.locator('main').innerText()).trim().length > 20, url);
    }),

  'the headers forbid what pages do not need': async given => {
    for (const url of await pagesOf(given)) {
      const { headers, text } = await answerOf(url);
      const policy = headers.get('content-security-policy') || '';
      assert.match(policy, /default-src 'none'/, url);
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|https?:|\*/, url);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', url);
      assert.equal(headers.get('set-cookie'), null, url);
      if (url.includes('hostile')) continue;  // has them as text; reading: nothing hostile reaches a page
      assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)/i, `${url}: inline script`);
      assert.doesNotMatch(text, /\son[a-z]+=|javascript:|<style/i, `${url}: inline handlers or styles`);
    }
  },

  'a page that did not change is not sent again': async given => {
    for (const url of await pagesOf(given)) {
      const { headers } = await answerOf(url);
      const tag = headers.get('etag');
      if (tag === null) continue;
      const again = await fetch(url, { headers: { 'if-none-match': tag } });
      assert.equal(again.status, 304, url);
    }
  },

  'another site is refused': async ({ room }) => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://example.org' }]) {
      const answer = await fetch(`${room.address}/`, { headers });
      assert.equal(answer.status, 403);
    }
  },
};

async function answerOf(url) {
  const answer = await fetch(url);
  return { headers: answer.headers, text: await answer.text() };
}
