// SPDX-License-Identifier: Apache-2.0
// Official clients against `sibyl mcp` and `sibyl serve`, in both eras of the
// protocol: node run.mjs SIBYL
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

import { BODIES, Oracle, PLAN } from './oracle.mjs';

const run = promisify(execFile);
const here = process.cwd();
const program = process.argv[2];
const tests = [];
const test = (name, body) => tests.push({ name, body });
const me = { name: 'sibyl-test', version: '1.0.0' };
const ERAS = { legacy: { mode: 'legacy' }, auto: { mode: 'auto' }, modern: { mode: { pin: '2026-07-28' } } };

async function usual(client) {
  const { tools } = await client.listTools();
  const names = tools.map(tool => tool.name);
  for (const name of ['claim_part', 'draft_section', 'submit_part', 'finalize', 'search', 'read_source']) {
    assert.ok(names.includes(name), name);
  }
  assert.equal(tools.find(tool => tool.name === 'search').annotations.readOnlyHint, true);
  const found = await client.callTool({ name: 'search', arguments: { query: 'detection order' } });
  assert.equal(found.structuredContent.files[0].path, 'profiler.md');
  assert.ok(found.content[0].text.length < 200, 'the answer is sent once');
  const wrong = await client.callTool({ name: 'search', arguments: { qery: 'x' } });
  assert.equal(wrong.isError, true);
  assert.match(wrong.content[0].text, /did you mean 'query'/);
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }));
  const { resources } = await client.listResources();
  const skill = resources.find(resource => resource.name === 'SKILL.md');
  const read = await client.readResource({ uri: skill.uri });
  assert.match(read.contents[0].text, /^---\nname:/);
  await assert.rejects(client.readResource({ uri: 'sibyl://oracle/none.md' }));
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
  const { prompts } = await client.listPrompts();
  const prompt = await client.getPrompt({ name: prompts[0].name, arguments: { plan: PLAN } });
  assert.match(prompt.messages[0].content.text, /expansion-gadget/);
}

async function writeAll(client, delivered) {
  while (true) {
    const claimed = await client.callTool({ name: 'claim_part', arguments: { plan: PLAN } });
    assert.ok(!claimed.isError, JSON.stringify(claimed.content));
    const { lease, part } = claimed.structuredContent;
    if (lease === null) return;
    const { statement, place } = BODIES[part.number];
    const source = await client.callTool({ name: 'read_source', arguments: { target: place } });
    const bad = await client.callTool({
      name: 'draft_section', arguments: { lease, section: 1, text: 'It reads `NO_SUCH_NAME`.' },
    });
    assert.equal(bad.structuredContent.accepted, false);
    assert.equal(bad.structuredContent.findings[0].line, 1);
    const text = `${statement}[^a]\n\n[^a]: ${source.structuredContent.citation}\n`;
    const good = await client.callTool({ name: 'draft_section', arguments: { lease, section: 1, text } });
    assert.equal(good.structuredContent.accepted, true, JSON.stringify(good.structuredContent.findings));
    const submitted = await client.callTool({ name: 'submit_part', arguments: { lease } });
    assert.equal(submitted.structuredContent.accepted, true);
    delivered.push(part.number);
  }
}

test('SDK v1 over standard input', async oracle => {
  const client = new ClientV1(me);
  await client.connect(new StdioV1(oracle.stdio()));
  await usual(client);
  await client.ping();
  await client.close();
});

for (const [era, versionNegotiation] of Object.entries(ERAS)) {
  test(`SDK v2 over standard input, ${era}`, async oracle => {
    const client = new ClientV2(me, { versionNegotiation });
    await client.connect(new StdioV2(oracle.stdio()));
    await usual(client);
    await client.close();
  });
}

test('the installed CUDA oracle over standard input', async oracle => {
  const client = new ClientV1(me);
  await client.connect(new StdioV1(oracle.stdio('@cuda')));
  const question = 'can two profilers use CUPTI at once';
  const answer = await client.callTool({ name: 'ask', arguments: { question } });
  const [first] = answer.structuredContent.statements;
  assert.match(first.page, /26-cupti\.md$/);
  assert.match(first.text, /CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED/);
  await client.close();
});

test('standard output carries the protocol and nothing else', async oracle => {
  const { command, args, env } = oracle.stdio();
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  let out = '';
  child.stdout.on('data', data => { out += data; });
  const lines = [
    'nonsense', '[]', '{"jsonrpc":"2.0","id":1,"method":"no/such"}', '\u0000\u0001', '{"a":'.repeat(100),
    '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"verify","arguments":{}}}',
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}',
  ];
  child.stdin.end(lines.join('\n') + '\n');
  const code = await new Promise(resolve => child.on('exit', resolve));
  assert.equal(code, 0);
  const answers = out.trimEnd().split('\n').map(line => JSON.parse(line));
  assert.ok(answers.every(answer => answer.jsonrpc === '2.0'));
  assert.deepEqual(answers.map(answer => answer.id).filter(id => id !== null).sort(), [1, 2, 3, 4]);
});

test('over HTTP, both SDKs, and what writes needs the token', async oracle => {
  const { url, token } = await oracle.serve();
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const old = new ClientV1(me);
  await old.connect(new HttpV1(new URL(url), { requestInit }));
  await usual(old);
  await old.close();
  for (const versionNegotiation of Object.values(ERAS)) {
    const client = new ClientV2(me, { versionNegotiation });
    await client.connect(new HttpV2(new URL(url), { requestInit }));
    await usual(client);
    await client.close();
  }
  const reader = new ClientV2(me, { versionNegotiation: ERAS.modern });
  await reader.connect(new HttpV2(new URL(url)));
  await usual(reader);
  const refused = await reader.callTool({ name: 'claim_part', arguments: { plan: PLAN } });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /token/);
  await reader.close();
  assert.equal(await oracle.endServer(), 0, oracle.told());
});

test('two agents of two eras write a plan, and it is published once', async oracle => {
  const { url, root, token } = await oracle.serve();
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const old = new ClientV1(me);
  await old.connect(new StdioV1(oracle.stdio()));
  const modern = new ClientV2(me, { versionNegotiation: ERAS.modern });
  await modern.connect(new HttpV2(new URL(url), { requestInit }));
  const delivered = [];
  await Promise.all([writeAll(old, delivered), writeAll(modern, delivered)]);
  assert.deepEqual(delivered.sort(), [1, 2]);
  const published = await Promise.all([old, modern].map(client =>
    client.callTool({ name: 'finalize', arguments: { plan: PLAN } })));
  for (const each of published) {
    assert.ok(!each.isError, JSON.stringify(each.content));
    assert.equal(each.structuredContent.totals.delivered, 2);
  }
  const page = await modern.readResource({ uri: 'sibyl://oracle/gadget/01-profiler.md' });
  assert.match(page.contents[0].text, /agent-written/);
  const verified = await fetch(`${root}/api/verify`).then(answer => answer.json());
  assert.equal(verified.holds, true);
  await old.close();
  await modern.close();
  await oracle.endServer();
});

const node = join(here, 'node_modules/node/bin/node');

async function inspect(...words) {
  const inspector = join(here, 'node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js');
  const { stdout } = await run(node, [inspector, '--cli', ...words], { timeout: 30_000, maxBuffer: 1 << 24 });
  return stdout;
}

test('the inspector takes tools and skills, in both eras', async oracle => {
  const { command, args } = oracle.stdio();
  process.env.XDG_CACHE_HOME = oracle.environment.XDG_CACHE_HOME;
  process.env.XDG_STATE_HOME = oracle.environment.XDG_STATE_HOME;
  await Promise.all(['legacy', 'modern'].map(async era => {
    const listed = await inspect(command, ...args, '--protocol-era', era, '--format', 'json', '--method', 'tools/list', '--strict');
    assert.match(listed, /claim_part/);
  }));
  const skills = await inspect(command, ...args, '--protocol-era', 'modern', '--format', 'json', '--method', 'skills/list', '--verify', '--require-digests');
  assert.match(skills, /skill:\/\/oracle\/SKILL.md/);
});

// Checks that call tools of the suite's own, which a server of ours does not have.
const FIXTURES = new Set([
  'sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream', 'sep-2575-server-no-log-without-loglevel',
]);
const failuresIn = text => [...text.matchAll(/\[([a-z0-9-]+) *\] \x1B\[31mFAILURE/g)].map(match => match[1])
  .filter(check => !FIXTURES.has(check));

// Scenarios that can be held without such tools.
const SCENARIOS = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'],
  '2026-07-28': ['server-stateless', 'tools-list', 'resources-list', 'prompts-list', 'caching', 'http-header-validation',
    'sep-2164-resource-not-found', 'dns-rebinding-protection'],
};

test('the conformance suite', async oracle => {
  const { url } = await oracle.serve();
  const suite = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const failures = [];
  await Promise.all(Object.entries(SCENARIOS).map(async ([version, scenarios]) => {
    for (const scenario of scenarios) {
      const words = [suite, 'server', '--url', url, '--scenario', scenario, '--spec-version', version];
      const { stdout, failed } = await run(node, words, { timeout: 60_000, maxBuffer: 1 << 24 })
        .catch(error => ({ stdout: `${error.stdout}${error.stderr}`, failed: true }));
      const checks = failuresIn(stdout);
      const isKnown = /\d+ failed/.test(stdout) && checks.length === 0;
      if (failed && !isKnown) {
        failures.push(`${version} ${scenario}: ${checks.join(', ') || stdout.slice(-1500)}`);
      }
    }
  }));
  assert.deepEqual(failures, []);
  await oracle.endServer();
});

const only = process.argv[3];
let failed = 0;
for (const { name, body } of tests) {
  if (only && !name.includes(only)) continue;
  const oracle = new Oracle(program);
  const began = Date.now();
  try {
    await body(oracle);
    console.log(`ok   ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    ++failed;
    console.log(`FAIL ${name}\n${error.stack}`);
  } finally {
    oracle.server?.kill('SIGKILL');
    oracle.remove();
  }
}
process.exit(failed === 0 ? 0 : 1);
