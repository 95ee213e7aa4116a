// Every way in which a request file names another file, and every way out of the workspace: nothing outside is read or
// written by the built server or the terminal, whose service records all it gets; a window that is not trusted reads and
// writes none at all.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ExecuteResult } from '../../protocol/lsp';
import { idIn } from '../support/data/accounts';
import { startServer, WINDOW, type RunningServer } from '../support/lsp/serverProcess';
import { testWorkspace } from '../support/process/cli';
import { filesBelow } from '../support/process/leaks';
import { httpServer, type Hostile } from '../support/wire/hostile';

/** In every file outside. */
const SECRET = 'the-text-of-a-file-outside';
const WRITTEN = 'written';

/** Text → what a file outside would have to hold for it to be used. */
const READS: Readonly<Record<string, readonly [content: string, text: (name: string) => string]>> = {
  $file: [SECRET, (name) => `### A\n{ "method": "getBlock", "params": ["{{$file ${name}}}"] }\n`],
  '@import': [
    `@outside = ${SECRET}\n\n### B\n# @name b\n{ "method": "getSlot" }\n`,
    (name) => `# @import ${name}\n\n### A\n{ "method": "getBlock", "params": ["{{outside}}"] }\n`,
  ],
  '@foreach': [
    `outside\n${SECRET}\n`,
    (name) => `### A\n# @foreach row in ${name}\n{ "method": "getBlock", "params": ["{{row.outside}}"] }\n`,
  ],
  matchesSchema: [
    `{ "type": "number", "description": "${SECRET}" }`,
    (name) => `### A\n{ "method": "getBlock", "params": ["x"] }\n?? result matchesSchema ${name}\n`,
  ],
};
const EXTENSIONS: Readonly<Record<string, string>> = {
  $file: 'txt',
  '@import': 'jsonrpc',
  '@foreach': 'csv',
  matchesSchema: 'json',
};

describe('a file that a request names', () => {
  const work = testWorkspace();
  const home = work.root;
  const name = path.basename(home);
  /** Folders outside the workspace; the name of the first begins with the workspace's name. */
  const [beside, outside] = [`${home}-evil`, `${home.replace(name, 'outside')}-${name}`];
  let service: Hostile;
  let trusted: RunningServer;
  let untrusted: RunningServer;
  const bodies: string[] = [];

  /** From the workspace out of it; each is there. */
  const ways = (file: string): readonly string[] => {
    const [near, far] = [path.basename(beside), path.basename(outside)];
    return [
      ...[`../${far}/${file}`, `./../${far}/${file}`, `./sub/../../${far}/${file}`, path.join(outside, file)],
      ...[`../${near}/${file}`, path.join(beside, file)],
      ...[`./link-${file}`, `./linked/${file}`, `./chain/${file}`],
    ];
  };

  before(async () => {
    for (const folder of [beside, outside, path.join(home, 'sub')]) mkdirSync(folder, { recursive: true });
    for (const [kind, [content]] of Object.entries(READS)) {
      const file = `a.${EXTENSIONS[kind]}`;
      for (const folder of [beside, outside]) writeFileSync(path.join(folder, file), content);
      writeFileSync(path.join(home, `in.${EXTENSIONS[kind]}`), content.replaceAll(SECRET, 'inside'));
      symlinkSync(path.join(outside, file), path.join(home, `link-${file}`));
    }
    symlinkSync(outside, path.join(home, 'linked'));
    symlinkSync(path.join(home, 'linked'), path.join(home, 'chain'));
    service = await httpServer(({ body }, response) => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json');
      response.end(`{"jsonrpc":"2.0","id":${idIn(body)},"result":"${WRITTEN}"}`);
    });
    const window = {
      ...WINDOW,
      folders: [home],
      profiles: [{ profile: { name: 'mine', rpcUrl: service.origin, auth: { rpc: 'none' } }, source: 'user' } as const],
      endpoint: 'mine',
    };
    trusted = await startServer({ window });
    untrusted = await startServer({ window: { ...window, trusted: false } });
  });
  after(async () => {
    await trusted?.stop();
    await untrusted?.stop();
    await service?.close();
    for (const folder of [beside, outside]) rmSync(folder, { recursive: true, force: true });
  });

  /** The files outside, with their contents. */
  const everyFile = (): string =>
    [beside, outside]
      .flatMap((folder) => [...filesBelow(folder)])
      .map((file) => `${file}\n${readFileSync(file, 'utf8')}`)
      .join('\n');

  let version = 0;
  async function inServer(server: RunningServer, text: string): Promise<string> {
    version++;
    const uri = pathToFileURL(path.join(home, `a${version}.jsonrpc`)).href;
    await server.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'jsonrpc', version: 1, text },
    });
    return JSON.stringify(await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri, version: 1 }));
  }
  async function inTerminal(text: string, verb: 'run' | 'check' = 'run'): Promise<string> {
    writeFileSync(path.join(home, 'run.jsonrpc'), text);
    const place = verb === 'run' ? ['--rpc-url', service.origin, '--auth', 'rpc=none', '--yes'] : [];
    const { code, stdout, stderr } = await work.run([verb, 'run.jsonrpc', ...place, '--json']);
    assert.notEqual(code, 0, text);
    return stdout + stderr;
  }

  for (const [kind, [, text]] of Object.entries(READS)) {
    const names = ways(`a.${EXTENSIONS[kind]}`);

    test(`${kind}: inside it is used`, async () => {
      bodies.length = 0;
      assert.match(await inServer(trusted, text(`./in.${EXTENSIONS[kind]}`)), /"kind":"done"/);
      assert.match(bodies.join('\n'), kind === 'matchesSchema' ? /"x"/ : /inside/);
    });

    test(`${kind}: in the editor nothing outside is read`, async () => {
      bodies.length = 0;
      for (const name of names) {
        const said = await inServer(trusted, text(name));
        assert.match(said, /is outside|No variable/, name);
        assert.ok(!said.includes(SECRET), `${name}: ${said}`);
      }
      assert.ok(!bodies.join('\n').includes(SECRET));
    });

    test(`${kind}: in the terminal nothing outside is read, by run and by check`, async () => {
      bodies.length = 0;
      for (const name of [names[0], names[4], names[6], names[7]]) {
        const said = await inTerminal(text(name ?? ''));
        assert.match(said, /is outside/, name);
        assert.ok(!said.includes(SECRET), `${name}: ${said}`);
      }
      const checked = await inTerminal(text(names[6] ?? ''), 'check');
      assert.match(checked, /outside/);
      assert.ok(!checked.includes(SECRET) && !bodies.join('\n').includes(SECRET));
    });

    test(`${kind}: a window that is not trusted reads nothing inside either`, async () => {
      bodies.length = 0;
      const said = await inServer(untrusted, text(`./in.${EXTENSIONS[kind]}`));
      assert.match(said, /"kind":"refused".*not trusted/);
      assert.deepEqual(bodies, []);
    });
  }

  for (const arrow of ['>>', '>>!'])
    test(`${arrow}: nothing outside is written, and nothing is sent whose response would be`, async () => {
      bodies.length = 0;
      const before = everyFile();
      const text = (name: string): string => `### A\n{ "method": "getSlot" }\n${arrow} ${name}\n`;
      for (const file of ['new.json', 'a.json']) {
        for (const name of ways(file).filter((way) => !way.startsWith('./link-')))
          assert.match(await inServer(trusted, text(name)), /outside/, name);
        assert.match(await inServer(untrusted, text(`./${file}`)), /not trusted/);
      }
      assert.match(await inServer(trusted, text('./link-a.json')), /outside|link|exists/);
      assert.deepEqual(bodies, []);
      assert.equal(everyFile(), before);
      for (const name of [...ways('new.json').slice(0, 1), './linked/new.json', './link-a.json'])
        assert.match(await inTerminal(text(name)), /outside|link|exists/, name);
      assert.ok(!everyFile().includes(WRITTEN));
    });
});
