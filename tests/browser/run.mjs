// SPDX-License-Identifier: Apache-2.0
// Runs the tests in their order: node run.mjs [TEST]. TEST is a part of a name.
import { join } from 'node:path';

import { launch } from './browser.mjs';
import { Room } from './room.mjs';

const FILES = ['reading', 'asking', 'watching', 'checking', 'access', 'site'];

const wanted = process.argv[2] || '';
const began = performance.now();
const room = new Room(join(process.cwd(), 'room'));
process.on('exit', () => room.close());
await room.serve(['--connections', '256', '--tool', 'expand']);
const browser = await launch();
process.stdout.write(`oracle, server and chromium ${browser.version()}: ${Math.round(performance.now() - began)} ms\n`);

let failed = 0;
for (const file of FILES) {
  const { tests } = await import(`./${file}.mjs`);
  for (const [name, body] of Object.entries(tests)) {
    const label = `${file}: ${name}`;
    if (!label.includes(wanted)) continue;
    const start = performance.now();
    try {
      await body({ room, browser });
      process.stdout.write(`ok    ${label} (${Math.round(performance.now() - start)} ms)\n`);
    } catch (error) {
      ++failed;
      process.stdout.write(`FAIL  ${label}\n${error.stack}\n`);
    }
  }
}
await browser.close();
process.stdout.write(failed === 0 ? 'all passed\n' : `${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
