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

  async 'a reason leads to its line and to the place of the nearest truth'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/check`);
    const long = `${'Much is said before it. '.repeat(40)}Set \`CMAKE_CUDA_ARCHITEKTURES\` then.`;
    await page.locator('textarea[name=text]').first().fill(`# Notes\n\n${long}\n`);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const wrong = page.locator('#checked .err').first();
    await wrong.waitFor();
    const text = page.locator('#checked pre');
    const { scroll, client } = await text.evaluate(each => ({ scroll: each.scrollWidth, client: each.clientWidth }));
    assert.ok(scroll <= client + 1, `a long line is ${scroll} px wide in ${client}`);
    await wrong.click();
    assert.match(page.url(), /#why-1$/);
    const reason = page.locator('.reasons li').first();
    await reason.getByRole('link', { name: 'line 3' }).click();
    assert.match(await page.locator(':target').innerText(), /ARCHITEKTURES/);
    await reason.locator('a.where').click();
    await page.waitForURL(/\/source\/cmake\/Help\/variable\/CMAKE_CUDA_ARCHITECTURES\.rst\?/);
    assert.match(await page.locator('.ln.hit').first().innerText(), /CMAKE_CUDA_ARCHITECTURES/);
    await close();
  },

  async 'without script too, and at 360 pixels'({ room, browser }) {
    const { page, close } = await open(browser, room.address, { javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
    await page.goto(`${room.address}/check`);
    await page.locator('textarea[name=text]').first().fill(NOTES);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.locator('#checked .err').first().waitFor();
    await page.waitForLoadState('load');  // and its stylesheet
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
    // Its lines are shown, and lead to the findings and back.
    await page.locator('#c2 .err').click();
    assert.match(page.url(), /#why-\d+$/);
    assert.match(await page.locator(':target').innerText(), /docker\/nvcc-in-runtime/);
    await page.locator(':target').getByRole('link', { name: 'line 2' }).click();
    assert.match(await page.locator(':target').innerText(), /RUN nvcc/);
    assert.match(await page.locator('#checked .verdict').innerText(), /L4 with driver 535: does not run ✗/);
    await checkAccess(page);
    // One that mentions CMake is still a Dockerfile.
    const verdict = async (text, gpu, driver) => {
      await page.locator('textarea[name=text]').nth(1).fill(text);
      await page.locator('input[name=gpu]').fill(gpu);
      await page.locator('input[name=driver]').fill(driver);
      await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Inspect', exact: true }).click()]);
      return (await page.locator('#checked').innerText()).split('\n').slice(0, 4).join(' ');
    };
    const image = 'ARG CUDA=12.8.1\nFROM nvidia/cuda:${CUDA}-devel-ubuntu24.04\n' +
      'RUN apt-get update && apt-get install -y --no-install-recommends cmake && rm -rf /var/lib/apt/lists/*\n' +
      'RUN cmake -DCMAKE_BUILD_TYPE:STRING=Release .\n';
    assert.match(await verdict(image, 'L4', '535'), /dockerfile.*L4 with driver 535: no conflict found ✓.*CUDA 12\.8/);
    assert.match(await verdict(image, '', '470'), /driver 470: does not run ✗/);
    // The verdict does not say that something runs which cannot be built.
    assert.match(await verdict(`${image}EXPOSE 99999\n`, 'L4', '535'), /L4 with driver 535: fits, but it has 1 error ✗/);
    assert.match(await verdict('FROM vllm/vllm-openai:v0.11.0\n', 'L4', '535'), /not decided \?/);
    const cache = 'CMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-13.0/bin/nvcc\nCMAKE_CUDA_ARCHITECTURES:STRING=89-real\n';
    assert.match(await verdict(cache, 'L4', '535'), /cmake-cache.*L4 with driver 535: does not run ✗/);
    assert.match(await verdict(cache, 'L4', '580.65.06'), /no conflict found ✓/);
    await close();
  },

  async 'a driver alone is refused for code, with a reason'({ room, browser }) {
    const { page, close } = await open(browser, room.address);
    await page.goto(`${room.address}/check`);
    await page.locator('input[name=driver]').fill('535');
    await page.locator('input[type=file]').setInputFiles(join(SIBYL_REPOSITORY, 'fuzz/corpus/inspect_code/packed.fatbin'));
    await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    await page.waitForFunction(() => /depends on the GPU/.test(document.getElementById('checked').innerText));
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
    assert.match(text, /^CMakeCache\.txt cmake-cache/m, 'its name');
    assert.match(await page.locator('#c2').innerText(), /CMAKE_CUDA_ARCHITECTURES/);
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
    assert.match(text, /^libkernel\.so elf/m, 'its name');
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
    assert.match(await page.locator('main').innerText(), /1\.6[^]*[\d.]+x the floor[^]*NVIDIA H200/, 'floor and device');
    const drawn = await (await fetch(room.address + await plot.getAttribute('src'))).text();
    assert.match(drawn, /variant of the lab[^]*floor: the least that the hardware allows[^]*shorter is better/, 'a legend');
    await page.goto(`${room.address}/labs`);
    await rows.first().locator('input[name=before]').check();
    await rows.nth(1).locator('input[name=after]').check();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(/before=/);
    assert.match(await page.locator('main').innerText(), /times (better|worse)/);
    assert.equal(await page.locator('main img').count(), 2, 'both plots');
    await page.waitForFunction(() => [...document.querySelectorAll('main img')].every(each => each.naturalWidth > 0));
    await checkAccess(page);
    const run = new URL(page.url()).searchParams.get('before');
    const other = await fetch(`${room.address}/labs?before=x&after=y`);
    assert.equal(other.status, 404);
    assert.ok(!(await other.text()).includes(room.root), 'no path of this machine');
    await page.goto(`${room.address}/labs?before=${run}&after=${run}`);
    assert.match(await page.locator('main').innerText(), /cannot be compared: both are the same run/);
    assert.equal(await page.locator('main img, main table').count(), 0);
    await close();
  },
};
