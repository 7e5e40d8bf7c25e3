// SPDX-License-Identifier: Apache-2.0
// A real oracle, made offline from CMake's manual, and the servers over it.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { SIBYL, CMAKE_SHARE, SIBYL_REPOSITORY } = process.env;
const TOKEN = 'a-token-for-the-browser-tests';

// What must not reach a page. `hacked` is looked for afterwards.
const HOSTILE = `# A hostile page

<script>window.hacked = 1</script>
<img src="https://example.org/a.png" onerror="window.hacked = 2">
<iframe src="https://example.org/"></iframe>
<style>body { display: none }</style>

[a link](javascript:window.hacked=3), <a href="javascript:window.hacked=4">another</a>,
[data](data:text/html,<script>window.hacked=5</script>), ![image](https://example.org/b.png),
[outside](../../../../etc/passwd), <svg onload="window.hacked=6">, \`<b>code</b>\`,
[quoted](https://example.org/"onmouseover="window.hacked=7).

\`\`\`html
</code></pre><script>window.hacked = 8</script>
\`\`\`

| <script>window.hacked = 9</script> | b |
| --- | --- |
| "><img src=x onerror=window.hacked=10> | d |

## "><script>window.hacked = 11</script>

The end.[^1]

[^1]: <script>window.hacked = 12</script>
`;

export class Room {
  constructor(root) {
    this.root = root;
    this.folder = join(root, 'oracle');
    this.token = TOKEN;
    execFileSync('git', ['init', '-q', this.folder]);
    this.run(['init', this.folder], { folder: root });
    this.run(['source', 'add', CMAKE_SHARE, '--name', 'cmake']);
    this.plan('cuda-in-cmake');
    this.run(['expand', '_ingest-auto/cuda-in-cmake.md'], { mayFail: true });
    this.write('odd/01-hostile.md', HOSTILE);
    this.write('odd/02-many.md', this.manyStatements());
    this.write('measured/01-copy.md', this.measured());
    this.gitPage();
    this.wordsPage();
    this.header();
  }

  /** A header as those of CUDA are: macros, an enumeration, hundreds of documented declarations. */
  header() {
    const folder = join(this.root, 'header');
    mkdirSync(folder);
    let text = '#ifndef API_H\n#define API_H\n#define APIENTRY\n#define API_VERSION 13000\n\nenum apiError {\n  apiSuccess = 0,\n  apiFailure = 1\n};\n\n';
    for (let i = 0; i < 300; ++i) text += `/**\n * \\brief Does the ${i}th thing.\n *\n${' * More is said about it here.\n'.repeat(8)} */\nextern __host__ enum apiError APIENTRY apiCall${i}(int a, void *stream);\n\n`;
    writeFileSync(join(folder, 'api.h'), `${text}#endif\n`);
    this.run(['source', 'add', folder, '--name', 'header']);
  }

  /** Citations of words: beyond ASCII, with CR LF and tabs, in a long line. */
  wordsPage() {
    const folder = join(this.root, 'words');
    mkdirSync(folder);
    const long = `${'x'.repeat(3000)} ändert tiefe = 9 ${'y'.repeat(3000)}`;
    writeFileSync(join(folder, 'words.conf'), `    vier = 4\r\n\tacht = 8\r\n# ÄÖÜ: größe = 48\r\n\t\tbreite = 7\r\n${long}\r\n`);
    this.run(['source', 'add', folder, '--name', 'words']);
    const cite = (target, words) => JSON.parse(this.run(['--json', 'cite', `words:words.conf:${target} "${words}"`])).footnote;
    const notes = [cite('3', 'größe = 48'), cite('4', 'breite = 7'), cite('5', 'tiefe = 9')]
      .map((each, index) => each.replace('[^1]', `[^${index + 1}]`));
    this.write('measured/03-words.md', `# Words\n\nThe \`größe\` is 48.[^1]\n\nThe \`breite\` is 7.[^2]\n\nThe \`tiefe\` is 9.[^3]\n\n## Sources\n\n${notes.join('\n')}\n`);
  }

  /** A page with a measurement and a fact. The lab prints what one prints on a GPU. */
  measured() {
    const env = { ...process.env, SIBYL_LABS: join(SIBYL_REPOSITORY, 'tests/transcripts/files/labs') };
    for (const time of ['2.0', '1.7']) {
      this.run(['lab', 'run', 'copy'], { env: { ...env, COPY_TIME: time } });
    }
    const [first] = JSON.parse(this.run(['--json', 'lab', 'results'])).runs;
    const { measurements } = JSON.parse(this.run(['--json', 'lab', 'results', first.run]));
    const wide = measurements.find(each => each.variant === 'wide');
    const lab = this.run(['cite', wide.citation]).split('\n')[0];
    const fatbin = join(SIBYL_REPOSITORY, 'fuzz/corpus/inspect_code/packed.fatbin');
    copyFileSync(fatbin, join(this.folder, 'kernels.fatbin'));
    const fact = JSON.parse(this.run(['--json', 'cite', 'kernels.fatbin#cuda:architectures'])).footnote;
    JSON.parse(this.run(['--json', 'cite', 'kernels.fatbin#cuda:ptx']));
    return `# Copies\n\nThe wide copy of 64 bytes takes ${wide.value} ms.[^1]\n\nThe file kernels.fatbin has code for sm_75.[^2]\n\n`
      + `## Sources\n\n${lab}\n${fact.replace('[^1]', '[^2]')}\n`;
  }

  /** A page that cites a repository which has moved on since: stale, and newer than the pin. */
  gitPage() {
    const origin = join(this.root, 'gadget');
    const git = words => execFileSync('git', ['-C', origin, ...words], { stdio: 'ignore' });
    execFileSync('git', ['init', '-q', '-b', 'main', origin]);
    const commit = text => {
      writeFileSync(join(origin, 'gadget.conf'), text);
      git(['add', '-A']);
      git(['commit', '-q', '-m', 'a change']);
    };
    commit('# settings\ncache_kilobytes = 48\nthreads = 4\n');
    this.run(['source', 'add', origin, '--name', 'gadget', '--ref', 'main']);
    const cited = JSON.parse(this.run(['--json', 'cite', 'gadget:gadget.conf:2-3'])).footnote;
    commit('# settings\n\n# sizes\ncache_kilobytes = 48\nthreads = 4\n');
    this.run(['source', 'sync', 'gadget']);
    commit('# settings\n\n# sizes\n# of the cache\ncache_kilobytes = 48\nthreads = 4\n');
    this.write('measured/02-gadget.md', `# Gadget\n\nThe setting \`cache_kilobytes\` is 48.[^1]\n\n## Sources\n\n${cited}\n`);
  }

  /** A page with 400 statements and 20 citations; each statement says what its lines say. */
  manyStatements() {
    const folder = join(CMAKE_SHARE, 'Help/variable');
    const files = readdirSync(folder).filter(name => name.startsWith('CMAKE_')).sort().slice(0, 20);
    let text = '# Variables of CMake\n';
    let notes = '';
    files.forEach((file, index) => {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n');
      const begin = lines.findIndex((line, at) => at > 2 && /^[A-Z]/.test(line));
      const end = lines.findIndex((line, at) => at > begin && line.trim() === '');
      // Without the roles of reST.
      const said = lines.slice(begin, end).join(' ').replace(/:[a-z:_]+:`([^`<]*?)(?: <[^>]*>)?`/g, '`$1`').replace(/\.\s.*$/, '.');
      const cited = JSON.parse(this.run(['--json', 'cite', `cmake:Help/variable/${file}:1-${end}`]));
      text += `\n## ${file.replace('.rst', '')}\n\n${`${said}[^${index + 1}]\n\n`.repeat(20)}`;
      notes += cited.footnote.replace('[^1]', `[^${index + 1}]`) + '\n';
    });
    return `${text}\n## Sources\n\n${notes}`;
  }

  /** Runs the program in the oracle; returns what it printed. */
  run(words, { folder = this.folder, mayFail = false, env = process.env } = {}) {
    try {
      return execFileSync(SIBYL, words, { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      if (mayFail && error.status === 1) return error.stdout;
      throw new Error(`sibyl ${words.join(' ')}: ${error.stderr}`);
    }
  }

  /** Copies a plan of examples/ into the oracle. */
  plan(name) {
    const to = join(this.folder, '_ingest-auto', `${name}.md`);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(SIBYL_REPOSITORY, 'examples/plans', `${name}.md`), to);
  }

  write(path, text) {
    const to = join(this.folder, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  }

  /** Runs `sibyl` at a tenth of its speed, so that a short run can be watched: `ended` resolves
   * with the exit status, `hurry()` lets it run freely. */
  startSlowly(words) {
    const child = spawn(SIBYL, words, { cwd: this.folder, stdio: 'ignore' });
    let turn = 0;
    const timer = setInterval(() => child.kill(++turn % 10 === 0 ? 'SIGCONT' : 'SIGSTOP'), 20);
    const hurry = () => { clearInterval(timer); child.kill('SIGCONT'); };
    const ended = new Promise(resolve => child.on('exit', status => { clearInterval(timer); resolve(status); }));
    return { ended, hurry };
  }

  /** Starts `sibyl serve`; resolves with its address, without a slash at the end. */
  async serve(words = []) {
    this.server = spawn(SIBYL, ['serve', '--port', '0', ...words], {
      cwd: this.folder, env: { ...process.env, SIBYL_TOKEN: TOKEN }, stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    this.address = await new Promise((resolve, reject) => {
      this.server.stderr.on('data', data => {
        said += data;
        const found = /serving (http:\/\/[^/]+)\//.exec(said);
        if (found) resolve(found[1]);
      });
      this.server.on('exit', code => reject(new Error(`sibyl serve ended (${code}): ${said}`)));
    });
    return this.address;
  }

  close() {
    this.server?.kill('SIGINT');
  }
}
