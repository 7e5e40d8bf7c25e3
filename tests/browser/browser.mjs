// SPDX-License-Identifier: Apache-2.0
// Chromium, and pages that record what must not happen: errors on the console,
// exceptions, and requests to another host.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
      `--crash-dumps-dir=${mkdtempSync(join(tmpdir(), 'crash-'))}`],
  });
}

/** A page in a context of its own, which may request only what starts with `origin`. */
export async function open(browser, origin, options = {}) {
  // The pages' policy forbids the scripts that tests inject; it is tested by its header.
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  const wrong = [];
  const expected = [];
  context.on('request', request => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) wrong.push(`request to ${url}`);
  });
  const page = await context.newPage();
  page.on('console', message => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (!expected.some(each => each.test(message.text()))) wrong.push(`console: ${message.text()}`);
  });
  page.on('pageerror', error => wrong.push(`exception: ${error.message}`));
  page.setDefaultTimeout(10_000);
  // Tests are about checked pages; the script replaces one that is not checked yet.
  const goto = page.goto.bind(page);
  page.goto = async (url, given) => {
    const response = await goto(url, given);
    if (options.javaScriptEnabled !== false) {
      await page.locator('main [data-unchecked]').waitFor({ state: 'detached', timeout: 30_000 });
    } else if (await page.locator('main [data-unchecked]').count() > 0) {
      await fetch(url);  // waits for the checked one
      return goto(url, given);
    }
    return response;
  };
  return {
    page,
    /** An error on the console that the test provokes. */
    expectError: pattern => expected.push(pattern),
    async close() {
      await context.close();
      assert.deepEqual(wrong, [], 'console, exceptions and requests');
    },
  };
}

/** Fails on serious and critical findings of axe-core. */
export async function checkAccess(page) {
  // In an isolated world the page's Content-Security-Policy does not apply.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld',
    { frameId: frameTree.frame.id, worldName: 'axe' });
  const evaluate = async expression => {
    const answer = await session.send('Runtime.evaluate',
      { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true });
    assert.ok(!answer.exceptionDetails, JSON.stringify(answer.exceptionDetails));
    return answer.result.value;
  };
  await evaluate(`${AXE}; 0`);
  const found = await evaluate(`axe.run(document, { resultTypes: ['violations'], preload: false }).then(result =>
    result.violations.filter(each => ['serious', 'critical'].includes(each.impact)).map(each =>
      each.id + ': ' + each.help + ': ' + each.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')))`);
  await session.detach();
  assert.deepEqual(found, [], `axe-core on ${page.url()}`);
}

/** Fails if the page is wider than the window. */
export async function checkWidth(page) {
  const { scroll, client, wide } = await page.evaluate(() => {
    const client = document.documentElement.clientWidth;
    const wide = [...document.querySelectorAll('body *')].filter(each => {
      const box = each.getBoundingClientRect();
      return box.width > 0 && box.right > client + 1 && !each.closest('pre, table, .scroll');
    }).slice(0, 3).map(each => each.outerHTML.slice(0, 120));
    return { scroll: document.documentElement.scrollWidth, client, wide };
  });
  assert.ok(scroll <= client + 1, `${page.url()} is ${scroll} px wide in a window of ${client}: ${wide.join(' | ')}`);
}

/** With SIBYL_UPDATE=1, writes docs/pictures/NAME.png: small, and the same on every machine with these fonts. */
export async function picture(page, name) {
  if (process.env.SIBYL_UPDATE !== '1') return;
  const folder = join(process.env.SIBYL_REPOSITORY, 'docs/pictures');
  mkdirSync(folder, { recursive: true });
  await page.setViewportSize({ width: 1100, height: 500 });
  const bytes = await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.setViewportSize({ width: 1200, height: 800 });
  assert.ok(bytes.length < 120_000, `${name}.png has ${bytes.length} bytes`);
}
