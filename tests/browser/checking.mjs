// SPDX-License-Identifier: Apache-2.0
// Checking: Markdown, a Dockerfile, a CMake cache and a library, pasted, dropped or
// uploaded; lab runs as plots, and two compared.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { checkAccess, checkWidth, open } from './browser.mjs';

const { SIBYL_REPOSITORY } = process.env;

const NOTES = `# Notes

The variable \`CMAKE_CUDA_ARCHITECTURES\` initializes the property.
Set \`CMAKE_CUDA_ARCHITEKTURES\` to choose others. <script>window.hacked = 1</script>
`;

const DOCKERFILE = `FROM nvidia/cuda:13.0.1-runtime-ubuntu24.04
RUN nvcc --version
`;

export const tests = {
  async 'pasted Markdown is underlined with the nearest truth'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/check`);
    await page.locator('textarea[name=text]').first().fill(NOTES);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const wrong = page.locator('#checked .err').first();
    await wrong.waitFor();
    assert.match(await wrong.innerText(), /CMAKE_CUDA_ARCHITEKTURES/);
    assert.match(await page.locator('#checked').innerText(), /nearest:\s*CMAKE_CUDA_ARCHITECTURES|CMAKE_CUDA_ARCHITECTURES/);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.match(await page.locator('textarea[name=text]').first().inputValue(), /ARCHITEKTURES/, 'the text is kept');
    await checkAccess(page);
    await close();
  },

  async 'without script too, and at 360 pixels'({ room, browser }) {
    const { page, close } = await open(browser, room.address, { javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
    await page.goto(`${room.address}/check`);
    await page.locator('textarea[name=text]').first().fill(NOTES);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.locator('#checked .err').first().waitFor();
    await checkWidth(page);
    await close();
  },

  async 'a Dockerfile is judged for a GPU and a driver'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/check`);
    await page.locator('textarea[name=text]').nth(1).fill(DOCKERFILE);
    await page.locator('input[name=gpu]').fill('L4');
    await page.locator('input[name=driver]').fill('535');
    await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    await page.waitForFunction(() => /docker\/driver-too-old/.test(document.getElementById('checked').innerText));
    assert.match(await page.locator('#checked').innerText(), /docker\/nvcc-in-runtime/);
    await checkAccess(page);
    await close();
  },

  async 'a CMakeCache.txt that is uploaded is known by its name'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/check`);
    await page.locator('input[name=gpu]').fill('H200');
    await page.locator('input[type=file]').setInputFiles({ name: 'CMakeCache.txt', mimeType: 'text/plain',
      buffer: Buffer.from('# This is the CMakeCache file.\nCMAKE_CUDA_ARCHITECTURES:STRING=75-real\nCMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda/bin/nvcc\nCMAKE_BUILD_TYPE:STRING=Release\n') });
    await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    await page.waitForFunction(() => /cmake/i.test(document.querySelector('#checked h2')?.innerText || ''));
    const text = await page.locator('#checked').innerText();
    assert.match(text, /architectures/i);
    assert.match(text, /cmake\/arch-not-gpu[^]*nothing of that runs on H200/, 'a verdict for the GPU');
    await checkAccess(page);
    await close();
  },

  async 'a library that is dropped shows its architectures and a verdict'({ room, browser }) {
    // A shared library with the fatbin of a real compilation in it.
    const library = join(room.root, 'libkernel.so');
    const folder = '/usr/lib/x86_64-linux-gnu';
    const plain = readdirSync(folder).find(name => /^libutil\.so\.1$/.test(name));
    execFileSync('objcopy', ['--add-section', `.nv_fatbin=${SIBYL_REPOSITORY}/fuzz/corpus/inspect_code/packed.fatbin`,
      '--set-section-flags', '.nv_fatbin=alloc,readonly,data', join(folder, plain), library], { stdio: 'ignore' });
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/check`);
    await page.locator('input[name=gpu]').fill('H200');
    await page.locator('input[name=driver]').fill('580.65.06');
    const dropped = await page.evaluateHandle(bytes => {
      const given = new DataTransfer();
      given.items.add(new File([new Uint8Array(bytes)], 'libkernel.so'));
      return given;
    }, [...readFileSync(library)]);
    await page.dispatchEvent('form[data-upload] textarea', 'drop', { dataTransfer: dropped });
    await page.locator('#checked svg').waitFor();
    const text = await page.locator('#checked').innerText();
    assert.match(text, /H200 \(sm_90\): runs, compiled by the driver at startup/);
    assert.match(await page.locator('#checked svg').textContent(), /sm_75/);
    assert.match(text, /libutil\.so\.1/, 'the facts');
    await checkAccess(page);
    await close();
  },

  async 'a dropped Markdown file is checked at once'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/check`);
    const dropped = await page.evaluateHandle(text => {
      const given = new DataTransfer();
      given.items.add(new File([text], 'notes.md'));
      return given;
    }, NOTES);
    await page.dispatchEvent('textarea[name=text] >> nth=0', 'drop', { dataTransfer: dropped });
    const wrong = page.locator('#checked .err').first();
    await wrong.waitFor();
    assert.match(await wrong.innerText(), /CMAKE_CUDA_ARCHITEKTURES/);
    await close();
  },

  async 'runs of labs are plots, and two are compared'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/labs`);
    const rows = page.locator('main tr', { hasText: 'NVIDIA H200' });
    assert.equal(await rows.count(), 2);
    await rows.first().getByRole('link').click();
    await page.waitForURL('**/labs/*');
    const plot = page.locator('main img');
    await page.waitForFunction(() => document.querySelector('main img').naturalWidth > 0);
    assert.match(await plot.getAttribute('src'), /\.svg$/);
    assert.match(await page.locator('main').innerText(), /1\.6[^]*NVIDIA H200/, 'floor and device');
    await page.goto(`${room.address}/labs`);
    await rows.first().locator('input[name=before]').check();
    await rows.nth(1).locator('input[name=after]').check();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(/before=/);
    assert.match(await page.locator('main').innerText(), /times better/);
    assert.equal(await page.locator('main img').count(), 2, 'both plots');
    await page.waitForFunction(() => [...document.querySelectorAll('main img')].every(each => each.naturalWidth > 0));
    await checkAccess(page);
    await close();
  },
};
