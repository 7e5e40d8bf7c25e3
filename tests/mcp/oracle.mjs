// SPDX-License-Identifier: Apache-2.0
// An oracle for the clients: one pinned source, one plan of two parts.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const PLAN = '_ingest-auto/expansion-gadget/ingestion.md';

const FILES = {
  'notes/profiler.md':
    '# Profiler\n\nThe detection order of the profiler is fixed: the toolkit is asked before the system.\n',
  'notes/streams.md':
    '# Streams\n\nThe priority of the worker streams is the highest that the device has.\n',
};

const PLAN_TEXT = `# Knowledge expansion: Gadget

**Topic**: How Gadget is built

## PART 1: How Gadget finds its profiler

- [ ] PART 1: Create gadget/01-profiler.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Detection (~50 lines)
      - Detection order of the profiler

## PART 2: How Gadget uses streams

- [ ] PART 2: Create gadget/02-streams.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Streams (~50 lines)
      - Priority of the worker streams
`;

export const BODIES = {
  1: { statement: 'The toolkit is asked before the system.', place: 'profiler.md:3' },
  2: { statement: 'Worker streams have the highest priority that the device has.', place: 'streams.md:3' },
};

export class Oracle {
  constructor(program) {
    this.program = program;
    this.root = mkdtempSync(join(tmpdir(), 'sibyl-mcp-'));
    this.folder = join(this.root, 'oracle');
    // The user's mirrors would be read too.
    this.environment = { ...process.env, XDG_CACHE_HOME: join(this.root, 'cache'),
      XDG_STATE_HOME: join(this.root, 'state'), XDG_CONFIG_HOME: join(this.root, 'config') };
    for (const [path, text] of Object.entries(FILES)) this.write(join(this.root, path), text);
    this.run('init', this.folder);
    this.write(join(this.folder, PLAN), PLAN_TEXT);
    for (const [key, value] of [['user.name', 'Ada'], ['user.email', 'ada@example.org']]) {
      execFileSync('git', ['-C', this.folder, 'config', key, value]);
    }
    this.run('-C', this.folder, 'source', 'add', join(this.root, 'notes'));
  }

  write(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  run(...words) {
    return execFileSync(this.program, words, { env: this.environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  // How a client starts the server on standard input and output.
  stdio(folder = this.folder) {
    return { command: this.program, args: ['-C', folder, 'mcp', '--structured'], env: this.environment, stderr: 'ignore' };
  }

  // The server on a free port: its address and its token.
  async serve() {
    const child = spawn(this.program, ['-C', this.folder, 'serve', '--port', '0', '--structured'], {
      env: this.environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.server = child;
    let told = '';
    child.stderr.on('data', data => { told += data; });
    this.told = () => told;
    return await new Promise((resolve, reject) => {
      child.on('exit', code => reject(new Error(`serve ended with ${code}: ${told}`)));
      child.stderr.on('data', () => {
        const url = /serving (http:\S+)\//.exec(told)?.[1];
        const token = /token for operations that write: (\S+)/.exec(told)?.[1];
        if (url && token) resolve({ url: `${url}/mcp`, root: url, token });
      });
    });
  }

  // Ends the server as a person would, and tells its exit code.
  async endServer() {
    const child = this.server;
    child.removeAllListeners('exit');
    const ended = new Promise(resolve => child.on('exit', code => resolve(code)));
    child.kill('SIGINT');
    return await ended;
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}
