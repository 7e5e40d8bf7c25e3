// SPDX-License-Identifier: Apache-2.0
// `sibyl site`: the same pages from a folder (file:), without a server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { pagesFrom } from './access.mjs';
import { checkAccess, checkWidth, open } from './browser.mjs';

let made = null;

/** The site of the oracle, written once. */
function siteOf(room) {
  if (made) return made;
  const folder = join(room.root, 'site');
  room.run(['site', folder]);
  made = { folder, origin: pathToFileURL(folder).href, url: path => pathToFileURL(join(folder, path)).href };
  return made;
}

function filesOf(folder, from = '') {
  return readdirSync(join(folder, from), { withFileTypes: true }).flatMap(each =>
    each.isDirectory() ? filesOf(folder, join(from, each.name)) : [join(from, each.name)]);
}

const PAGE = 'page/cuda/01-cuda-language.html';

export const tests = {
  async 'the same oracle gives the same bytes'({ room }) {
    const { folder } = siteOf(room);
    const again = join(room.root, 'site-again');
    room.run(['site', again]);
    execFileSync('diff', ['-r', folder, again]);
  },

  async 'every link leads to a file of the site or to another host'({ room }) {
    const { folder } = siteOf(room);
    const pages = filesOf(folder).filter(file => file.endsWith('.html'));
    assert.ok(pages.length >= 6, String(pages));
    let count = 0;
    for (const file of pages) {
      const text = readFileSync(join(folder, file), 'utf8');
      for (const [, attribute, value] of text.matchAll(/\s(href|src|action)="([^"]*)"/g)) {
        if (/^(https?:|mailto:)/.test(value)) continue;
        ++count;
        assert.ok(!value.startsWith('/'), `${file}: ${value} is not relative`);
        const [path, anchor] = value.split('#');
        const target = path === '' ? file : join(file, '..', decodeURIComponent(path));
        // Links of the oracle's own pages may lead to nothing; the gate reports them.
        assert.ok(statSync(join(folder, target), { throwIfNoEntry: false })?.isFile(), `${file}: ${attribute} ${value}`);
        if (!anchor || !target.endsWith('.html')) continue;
        const there = readFileSync(join(folder, target), 'utf8');
        assert.ok(there.includes(`id="${decodeURIComponent(anchor)}"`), `${file}: no ${value}`);
      }
    }
    assert.ok(count > 50, `${count} links`);
  },

  async 'script and style are small'({ room }) {
    const texts = ['room.css', 'room.js', 'search.js'].map(name => readFileSync(join(siteOf(room).folder, 'static', name)));
    const whole = texts.reduce((sum, text) => sum + text.length, 0);
    const sent = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    process.stdout.write(`      ${whole} bytes, ${sent} compressed\n`);
    assert.ok(whole < 40_000 && sent < 15_000, `${whole} bytes, ${sent} compressed`);
  },

  async 'without the sources, nothing is checked, and that is what it says'({ room, browser }) {
    const folder = join(room.root, 'site-alone');
    room.run(['site', folder], { env: { ...process.env, XDG_CACHE_HOME: join(room.root, 'no-cache') } });
    const { page, close } = await open(browser, pathToFileURL(folder).href);
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    const away = Number(await page.locator('.tiles .away b').innerText());
    assert.ok(away > 400, String(away));
    assert.match(await page.locator('main').innerText(), /statements are not checked here: what they cite is not on the machine that wrote this site/);
    let sum = 0;
    for (const link of await page.locator('.topic td:first-child a').evaluateAll(all => all.map(each => each.href))) {
      const text = readFileSync(new URL(link), 'utf8');
      sum += Number(/<span class="pill away">(\d+) not checked here/.exec(text)?.[1] || 0);
    }
    assert.equal(sum, away, 'the same on the pages');
    await checkAccess(page);
    await page.goto(pathToFileURL(join(folder, PAGE)).href);
    assert.equal(await page.locator('article .m.ok, article .m.bad').count(), 0);
    await page.locator('article .m.away').first().click();
    await page.locator('#receipt .receipt').waitFor();
    assert.match(await page.locator('#receipt').innerText(), /○ not checked here[^]*not checked here ○/);
    await checkAccess(page);
    await close();
  },

  async 'pages, receipts and contents work from a folder'({ room, browser }) {
    const site = siteOf(room);
    const { page, close } = await open(browser, site.origin);
    await page.goto(site.url('index.html'));
    await page.getByRole('link', { name: 'CUDA as a language of CMake' }).first().click();
    await page.waitForURL(`**/${PAGE}`);
    await page.locator('article .m').first().click();
    await page.locator('#receipt .receipt').waitFor();
    const receipt = await page.locator('#receipt').innerText();
    assert.match(receipt, /swh:1:cnt:/);
    assert.ok(await page.locator('#receipt .ln').count() > 0);
    await page.keyboard.press('Escape');
    await page.locator('.toc a').first().click();
    assert.match(page.url(), /#/);
    await close();
  },

  async 'search answers while one types, within 50 ms'({ room, browser }) {
    const site = siteOf(room);
    const { page, close } = await open(browser, site.origin);
    await page.goto(site.url(PAGE));
    await page.locator('#q').focus();
    await page.waitForFunction(() => document.querySelector('script[src$="search-index.js"]') !== null);
    await page.locator('#q').pressSequentially('separable');
    const hit = page.locator('#live .hits a').first();
    await hit.waitFor();
    assert.match(await hit.innerText(), /SEPARABLE_COMPILATION|Separable compilation/);
    assert.ok(await page.locator('#live mark').count() > 0);
    const took = await page.evaluate(() => {
      const box = document.getElementById('q');
      const times = [];
      for (const query of ['c', 'cu', 'cud', 'cuda', 'cuda arch', 'cmake_cuda_flags', 'nothing at all']) {
        box.value = query;
        const start = performance.now();
        box.dispatchEvent(new Event('input', { bubbles: true }));
        times.push(performance.now() - start);
      }
      return Math.max(...times);
    });
    process.stdout.write(`      slowest of seven queries: ${took.toFixed(1)} ms\n`);
    assert.ok(took < 50, `${took} ms`);
    await page.locator('#q').fill('toolkit nvcc');
    await page.locator('#live .hits a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/page\/.*\.html/);
    await close();
  },

  async 'the search page takes the words from the box'({ room, browser }) {
    const site = siteOf(room);
    const { page, close } = await open(browser, site.origin);
    await page.goto(site.url('index.html'));
    await page.locator('#q').fill('host compiler');
    await page.locator('#q').press('Enter');
    await page.waitForURL(/search\.html\?q=host/);
    await page.locator('#results .hits a').first().waitFor();
    assert.match(await page.locator('#results').innerText(), /HOST_COMPILER/i);
    await page.waitForFunction(() => document.activeElement.closest('#results li'), null, { timeout: 2_000 });
    await page.keyboard.press('/');
    await page.locator('#q').fill('toolkit');
    await page.locator('#q').press('Enter');
    await page.waitForFunction(() => document.activeElement.closest('#results li'), null, { timeout: 2_000 });
    await close();
  },

  async 'runs of labs are part of it, and receipts show their plots'({ room, browser }) {
    const site = siteOf(room);
    const { page, close } = await open(browser, site.origin);
    const drawn = () => page.waitForFunction(() => [...document.querySelectorAll('main img')].length > 0
      && [...document.querySelectorAll('main img')].every(each => each.naturalWidth > 0));
    await page.goto(site.url('index.html'));
    await page.getByRole('link', { name: 'Labs' }).click();
    await page.waitForURL(/labs\/index\.html/);
    await page.locator('main td a').first().click();
    await page.waitForURL(/labs\/[0-9a-f]+\.html/);
    await drawn();
    assert.match(await page.locator('main').innerText(), /x the floor/);
    await page.goto(site.url('page/measured/01-copy.html'));
    await page.locator('article .m').first().click();
    await page.locator('#receipt .receipt').waitFor();
    await drawn();
    assert.match(await page.locator('#receipt').innerText(), /floor\s+1\.6 ms \([\d.]+x the floor\)/);
    await close();
  },

  async 'pages that cite nothing are found last'({ room, browser }) {
    const site = siteOf(room);
    const { page, close } = await open(browser, site.origin);
    await page.goto(site.url('search.html'));
    await page.locator('#q').fill('cuda');
    await page.locator('#results .hits a').first().waitFor();
    const pages = await page.locator('#results .hits a').evaluateAll(all =>
      all.map(each => new URL(each.href).pathname.replace(/.*\/page\//, '')));
    const last = pages.findLastIndex(each => !/INDEX|SKILL|README/.test(each));
    const first = pages.findIndex(each => /INDEX|SKILL|README/.test(each));
    assert.ok(first < 0 || first > last, pages.join(' '));
    await close();
  },

  async 'what needs a server is left out'({ room, browser }) {
    const site = siteOf(room);
    const { page, close } = await open(browser, site.origin);
    await page.goto(site.url(PAGE));
    const nav = await page.locator('header nav').innerText();
    assert.doesNotMatch(nav, /Ask|Runs|Check/);
    assert.equal(await page.locator('form:not([role=search])').count(), 0);
    await close();
  },

  async 'axe-core, 360 pixels, dark'({ room, browser }) {
    const site = siteOf(room);
    const kindOf = url => url.slice(site.origin.length).split(/[/?]/)[1];
    for (const options of [{}, { colorScheme: 'dark' }, { viewport: { width: 360, height: 640 } }]) {
      const { page, close } = await open(browser, site.origin, options);
      for (const url of [...await pagesFrom(page, site.url('index.html'), kindOf), site.url('search.html')]) {
        await page.goto(url);
        await checkAccess(page);
        await checkWidth(page);
      }
      await close();
    }
  },

  async 'reading and receipts need no script'({ room, browser }) {
    const site = siteOf(room);
    const { page, close } = await open(browser, site.origin, { javaScriptEnabled: false });
    await page.goto(site.url(PAGE));
    await page.locator('article .m').first().click();
    await page.waitForURL(/\/receipt\/cuda\/01-cuda-language\.html#s\d+$/);
    assert.match(await page.locator('main').innerText(), /swh:1:cnt:/);
    await close();
  },

  async 'with links only, no line of a source is copied'({ room, browser }) {
    const folder = join(room.root, 'site-links');
    room.run(['site', '--receipts', 'links', folder]);
    const excerpts = filesOf(siteOf(room).folder);
    assert.deepEqual(filesOf(folder), excerpts, 'the same files');
    for (const file of excerpts.filter(each => each.endsWith('.html'))) {
      assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), /class="lines"|class="cited"/, file);
    }
    const { page, close } = await open(browser, pathToFileURL(folder).href);
    await page.goto(pathToFileURL(join(folder, PAGE)).href);
    await page.locator('article .m').first().click();
    await page.locator('#receipt .receipt').waitFor();
    assert.match(await page.locator('#receipt').innerText(), /swh:1:cnt:/);
    await close();
  },

  async 'nothing hostile reaches a file'({ room, browser }) {
    const site = siteOf(room);
    const { page, close } = await open(browser, site.origin);
    await page.goto(site.url('page/odd/01-hostile.html'));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await page.goto(site.url('search.html'));
    await page.locator('#q').fill('hostile');
    await page.locator('#results .hits a').first().waitFor();
    await page.locator('#q').fill('"><img src=x onerror=window.hacked=1> script');
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('#results img, #results script').count(), 0);
    await close();
  },
};
