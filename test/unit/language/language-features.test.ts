// The editor's features on marked texts: what is offered, shown and mended at the cursor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hover } from 'vscode-languageserver-types';
import { applyEdit } from '../../../core/requests/document/document';
import { createLanguageService } from '../../../core/requests/language/service';
import { FILTER_KINDS, filterSnippet } from '../../../core/requests/methods/filterKinds';
import { readMarkdown } from '../../support/data/markdown';
import { marked } from './markers';

const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const failures: string[] = [];
const service = createLanguageService({ surroundings: () => ({}), log: (message) => failures.push(message) });

const labels = (source: string): string[] => {
  const { document, cursor } = marked(source);
  return service.completion(document, cursor).map(({ label }) => label);
};

function completed(source: string, label: string): string {
  const { document, cursor } = marked(source);
  const edit = service.completion(document, cursor).find((item) => item.label === label)?.textEdit;
  assert.ok(edit !== undefined && 'range' in edit, `${label} is not offered`);
  return applyEdit(document, 2, edit.range, edit.newText).lines.join('\n');
}

function hover(source: string): string {
  const { document, cursor } = marked(source);
  const contents: Hover['contents'] = service.hover(document, cursor)?.contents ?? '';
  return typeof contents === 'object' && 'value' in contents ? contents.value : '';
}

test('directives are offered behind "@", those of the preamble only there', () => {
  assert.ok(labels('### a\n# @‸').includes('until'));
  assert.ok(!labels('### a\n# @‸').includes('import'));
  assert.ok(labels('# @‸\n### a').includes('import'));
  assert.ok(!labels('# @‸\n### a').includes('name'));
  assert.equal(completed('### a\n# @ti‸', 'timeout'), '### a\n# @timeout');
});

test('the value of @auth is offered, and explained by hover', () => {
  assert.ok(labels('### a\n# @‸').includes('auth'));
  assert.ok(!labels('# @‸\n### a').includes('auth'));
  assert.equal(completed('### a\n# @auth n‸', 'none'), '### a\n# @auth none');
  assert.match(hover('### a\n# @au‸th none\n{}'), /without a key/);
});

test('request-line keywords are offered where the line has its place', () => {
  assert.deepEqual(labels('### a\nW‸').slice(0, 2), ['POST', 'WS']);
  assert.deepEqual(labels('### a\n{ "method": "getSlot" }\n‸'), []);
  assert.equal(completed('### a\nGRPC gey‸', 'geyser.Geyser/Ping'), '### a\nGRPC geyser.Geyser/Ping');
  assert.equal(completed('GRPC https://h/gey‸', 'geyser.Geyser/Ping'), 'GRPC https://h/geyser.Geyser/Ping');
});

test('method names come with their required parameters', () => {
  assert.ok(labels('{ "method": "‸" }').length > 50);
  assert.equal(completed('{ "method": "getSl‸" }', 'getSlot'), '{ "method": "getSlot" }');
  assert.match(
    completed('{ "method": ‸ }', 'getBalance'),
    /^\{ "method": "getBalance", "params": \["\$\{1:pubkey\}"\] \}$/,
  );
  assert.equal(completed('{ "method": "‸", "params": [] }', 'getBalance'), '{ "method": "getBalance", "params": [] }');
});

test('method names follow the transport', () => {
  assert.ok(labels('WS\n{ "method": "‸" }').includes('slotSubscribe'));
  assert.ok(!labels('WS\n{ "method": "‸" }').includes('getSlot'));
  assert.ok(!labels('POST\n{ "method": "‸" }').includes('slotSubscribe'));
});

test('members of a request are offered while they are missing', () => {
  assert.deepEqual(labels('{ "method": "getSlot", "‸" }'), ['params', 'id', 'jsonrpc']);
});

test('config members that are not there yet are offered, also in a batch', () => {
  const single = `{ "method": "getBalance", "params": ["${KEY}", { "commitment": "confirmed", "‸" }] }`;
  assert.deepEqual(labels(single), ['minContextSlot']);
  assert.deepEqual(labels(`[${single}]`), ['minContextSlot']);
});

test('values of a config member are offered', () => {
  const source = `{ "method": "getBalance", "params": ["${KEY}", { "commitment": "‸" }] }`;
  assert.deepEqual(labels(source), ['processed', 'confirmed', 'finalized']);
  assert.match(completed(source, 'confirmed'), /"commitment": "confirmed" \}/);
  assert.ok(labels(`{ "method": "getBlocks", "params": [1, 2, { "commitment": ‸ }] }`).includes('confirmed'));
});

test('known addresses are offered by name where a public key is due', () => {
  const source = '{ "method": "getProgramAccounts", "params": ["‸"] }';
  assert.match(completed(source, 'SPL Token Program'), /"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"/);
});

test('variables, requests, prompts and helpers are offered inside braces', () => {
  const names = labels('@w = 1\n### a\n# @name first\n{}\n### b\n@own = 2\n# @prompt asked\n{ "id": "{{‸}}" }');
  for (const name of ['w', 'own', 'first', 'asked', '$guid', '$wallet']) assert.ok(names.includes(name), name);
  assert.deepEqual(labels('{ "id": "{{a}} ‸" }'), []);
});

test('assertions offer paths and then operators', () => {
  assert.ok(labels('{}\n?? ‸').includes('result.value'));
  assert.ok(labels('{}\n?? result ‸').includes('=='));
  assert.ok(labels('{}\n?? result not ‸').includes('contains'));
  assert.ok(labels('{}\n?? every result[*] ‸').includes('between'));
  assert.equal(completed('{}\n?? res‸', 'result'), '{}\n?? result');
});

test('hover describes methods, parameters, addresses and lamports', () => {
  assert.match(hover('{ "method": "getBal‸ance" }'), /balance/i);
  assert.match(hover('{ "method": "getBalance", "params": ["x", { "commit‸ment": "confirmed" }] }'), /commitment/i);
  assert.match(
    hover('{ "method": "getBalance", "params": ["TokenkegQfeZyiNwAJbN‸bGKPFXCWuBvf9Ss623VQ5DA"] }'),
    /SPL Token Program/,
  );
  assert.match(hover(`{ "method": "requestAirdrop", "params": ["${KEY}", 15‸00000000] }`), /1\.5 SOL/);
});

test('hover describes directives, keywords and the target of a reference', () => {
  assert.match(hover('# @unt‸il 5s\n{}'), /stream/);
  assert.match(hover('SWQ‸OS'), /staked/);
  assert.match(hover('@w = 18446744073709551615\n### a\n{ "id": "{{‸w}}" }'), /18446744073709551615/);
  assert.match(hover('### a\n# @name x\n{}\n### b\n{ "id": "{{x.re‸sult}}" }'), /`x`, at `result`/);
  assert.match(hover('{ "id": "{{$gu‸id}}" }'), /UUID/);
});

test('text of the file stays text in a hover', () => {
  // Not a reference: reported by a diagnostic, not a hover.
  assert.equal(hover('{ "id": "{{[x](command:‸evil)}}" }'), '');
  const link = hover('@a = "[x](command:evil) ````"\n### a\n{ "id": "{{‸a}}" }');
  assert.deepEqual([...readMarkdown(link).kinds], ['paragraph_open', 'inline', 'text', 'paragraph_close', 'fence']);
  const path = hover('### a\n# @name x\n{}\n### b\n{ "id": "{{x[\\"` <img> `\\"]‸}}" }');
  assert.deepEqual(readMarkdown(path).kinds.has('html_inline'), false, path);
});

test('lenses appear above blocks that can be sent', () => {
  const { document } = marked('@a = 1\n### a\n{ "method": "getSlot" }\n### notes\n### c\nGRPC geyser.Geyser/Ping\n');
  assert.deepEqual(
    service.codeLenses(document).map(({ range, command }) => [range.start.line, command?.title]),
    [
      [1, 'Send'],
      [1, 'Copy As…'],
      [4, 'Send'],
      [4, 'Copy As…'],
    ],
  );
});

test('a block that subscribes can be watched, over WebSocket and gRPC', () => {
  const { document } = marked(
    '### a\n{ "method": "slotSubscribe" }\n### b\nGRPC geyser.Geyser/Subscribe\n{}\n### c\n{ "method": "getSlot" }\n',
  );
  const watched = service.codeLenses(document).filter(({ command }) => command?.title === 'Watch');
  assert.deepEqual(
    watched.map(({ range, command }) => [range.start.line, command?.command, command?.arguments]),
    [
      [0, 'solanaRpc.watch', [document.uri, 0]],
      [2, 'solanaRpc.watch', [document.uri, 2]],
    ],
  );
});

test('the list of blocks has what the test explorer shows', () => {
  const { document } = marked(
    '### A title\n# @name x\n{ "method": "slotSubscribe" }\n?? messages[0] exists\n\n### b\n',
  );
  assert.deepEqual(service.blocks(document), [
    {
      line: 0,
      endLine: 4,
      title: 'A title',
      name: 'x',
      method: 'slotSubscribe',
      transport: 'WS',
      assertions: 1,
    },
  ]);
});

test('the outline lists requests, variables and the calls of a batch', () => {
  const { document } = marked('@a = 1\n### one\n@b = 2\n[{ "method": "getSlot" }]\n');
  const symbols = service.symbols(document);
  assert.deepEqual(
    symbols.map(({ name, children }) => [name, children?.map((child) => child.name)]),
    [
      ['a', undefined],
      ['one', ['b', 'getSlot']],
    ],
  );
});

test('blocks and bodies fold', () => {
  const { document } = marked('### a\n{\n  "method": "getSlot",\n  "params": [\n    {}\n  ]\n}\n\n### b\n');
  assert.deepEqual(
    service.folding(document).map(({ startLine, endLine }) => [startLine, endLine]),
    [
      [0, 6],
      [1, 5],
      [3, 4],
    ],
  );
});

test('a feature that fails answers empty and logs once', () => {
  const logged: string[] = [];
  const broken = createLanguageService({
    surroundings: () => {
      throw new Error('no profile');
    },
    log: (message) => logged.push(message),
  });
  const { document } = marked('{ "method": "getSlot" }');
  assert.deepEqual(broken.diagnostics(document), []);
  assert.deepEqual(broken.diagnostics(document), []);
  assert.deepEqual(logged, ['diagnostics: no profile']);
});

test('no feature failed in these tests', () => {
  assert.deepEqual(failures, []);
});

test('filters by kind of account are offered in the list of filters, those of the program where it is known', () => {
  const call = (program: string, filters: string): string =>
    `{ "method": "getProgramAccounts", "params": ["${program}", { "filters": ${filters} }] }`;
  const stake = 'Stake11111111111111111111111111111111111111';
  const offered = labels(call(stake, '[‸]'));
  assert.ok(offered.includes('Stake accounts of a staker'));
  assert.ok(!offered.includes('Mints of an authority'));
  assert.ok(labels(call('', '[‸]')).includes('Mints of an authority'));
  assert.equal(
    completed(call(stake, '[‸]'), 'Stake accounts of a staker'),
    call(stake, '[{ "dataSize": 200 }, { "memcmp": { "offset": 12, "bytes": "${1:staker}" } }]'),
  );
  assert.match(completed(call(stake, '‸'), 'Stake accounts of a staker'), /"filters": \[\{ "dataSize".*\}\]/);
  assert.ok(!labels('{ "method": "getBalance", "params": [‸] }').includes('Stake accounts of a staker'));
});

test('every filter by kind of account is a valid one', () => {
  for (const kind of FILTER_KINDS) {
    const text = filterSnippet(kind).replace(/\$\{1:\w+\}/, KEY);
    const call = `### a\n{ "method": "getProgramAccounts", "params": ["${kind.program}", { "filters": [${text}] }] }`;
    assert.deepEqual(service.diagnostics(marked(call).document), [], kind.label);
  }
});

test('behind a trailing comma the next parameter is offered', () => {
  const { document, cursor } = marked(`{ "method": "getBalance", "params": ["${KEY}", ‸] }`);
  assert.equal(service.signatureHelp(document, cursor)?.activeParameter, 1);
  assert.ok(labels(`{ "method": "getBalance", "params": ["${KEY}", ‸] }`).includes('{ config }'));
});
