// Additions of the editor to a text: signatures, tokens, selections, hints, links.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLanguageService } from '../../../core/requests/language/service';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '../../../core/requests/language/features/tokens';
import { encodeBase64 } from '../../../core/solana/encoding/base64';
import { attachSignature, memoMessage } from '../../../core/solana/wire/message';
import { readMarkdown } from '../../support/data/markdown';
import { marked } from './markers';

const failures: string[] = [];
const service = createLanguageService({
  surroundings: () => ({}),
  resolve: (path, from) => new URL(path, from).href,
  log: (message) => failures.push(message),
});
const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';

function signature(source: string): string | undefined {
  const { document, cursor } = marked(source);
  const help = service.signatureHelp(document, cursor);
  const [first] = help?.signatures ?? [];
  const label = first?.parameters?.[help?.activeParameter ?? -1]?.label;
  return typeof label === 'object' ? first?.label.slice(label[0], label[1]) : undefined;
}

test('signature help shows the parameter that holds the cursor', () => {
  assert.match(signature(`{ "method": "getBalance", "params": ["${KEY}‸"] }`) ?? '', /^pubkey/);
  assert.match(signature(`{ "method": "getBalance", "params": ["${KEY}", {‸}] }`) ?? '', /^config/);
  assert.match(signature('[{ "id": 1, "method": "getBlockTime", "params": [1‸] }]') ?? '', /^slot/);
  assert.equal(signature('{ "method": "getBalance‸", "params": [] }'), undefined);
});

function tokens(source: string): string[] {
  const { document } = marked(source);
  const data = service.semanticTokens(document);
  const found: string[] = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, across = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + 5);
    character = down === 0 ? character + across : across;
    line += down;
    const modifier = bits === 0 ? '' : `.${TOKEN_MODIFIERS[Math.log2(bits)]}`;
    found.push(`${TOKEN_TYPES[type]}${modifier} ${(document.lines[line] ?? '').slice(character, character + length)}`);
  }
  return found;
}

test('semantic tokens distinguish names, references, helpers and methods', () => {
  assert.deepEqual(tokens('@a = {{$guid}}\n### x\n# @name q\nPOST\n{ "method": "getSlot", "params": ["{{a}}"] }'), [
    'variable.declaration a',
    'macro $guid',
    'decorator @name',
    'function.declaration q',
    'keyword POST',
    'method.defaultLibrary getSlot',
    'variable a',
  ]);
  assert.deepEqual(tokens('{ "method": "getRecentBlockhash" }'), ['method.deprecated getRecentBlockhash']);
  assert.deepEqual(tokens('{ "method": "nothing" }'), []);
});

test('tokens of a range are those of its blocks, at the same places', () => {
  const { document } = marked('### a\n{ "method": "getSlot" }\n### b\n{ "method": "getHealth" }');
  const range = { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } };
  assert.deepEqual(service.semanticTokens(document, range).slice(0, 3), [3, 13, 9]);
});

test('a selection grows from the text of a string to the block', () => {
  const { document, cursor } = marked('### a\n{ "method": "get‸Slot" }');
  const texts: string[] = [];
  const [first] = service.selectionRanges(document, [cursor]);
  for (let range = first; range !== undefined; range = range.parent) {
    const { start, end } = range.range;
    texts.push(
      start.line === end.line ? (document.lines[start.line] ?? '').slice(start.character, end.character) : '…',
    );
  }
  assert.deepEqual(texts.slice(0, 3), ['getSlot', '"getSlot"', '"method": "getSlot"']);
  assert.equal(texts.at(-1), '…');
});

const ALL = { lamports: true, units: true, addresses: true, defaults: true };
const NONE = { lamports: false, units: false, addresses: false, defaults: false };

function hints(source: string, choice = ALL): string[] {
  const { document } = marked(source);
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  return service.inlayHints(document, range, choice).map(({ label }) => (typeof label === 'string' ? label : ''));
}

test('hints show SOL, names of addresses and defaults, each when it is wanted', () => {
  const airdrop = `{ "method": "requestAirdrop", "params": ["11111111111111111111111111111111", 1500000000] }`;
  const found = hints(airdrop);
  assert.ok(found.includes('1.5 SOL'), found.join());
  assert.ok(found.some((label) => label.includes('System')));
  assert.deepEqual(hints(airdrop, NONE), []);
  assert.deepEqual(hints(airdrop, { ...NONE, lamports: true }), ['1.5 SOL']);
  const left = hints(`{ "method": "getBalance", "params": ["${KEY}"] }`, { ...NONE, defaults: true });
  assert.match(left.join(), /commitment: "finalized"/);
  const given = `{ "method": "getBalance", "params": ["${KEY}", { "commitment": "confirmed" }] }`;
  assert.deepEqual(hints(given, { ...NONE, defaults: true }), []);
});

test('a transaction in params is shown decoded, and none of its text leaves the block', () => {
  const built = memoMessage({ from: KEY, text: '````[x](command:y)', blockhash: KEY });
  assert.ok(built.ok);
  const wire = encodeBase64(attachSignature(built.message, new Uint8Array(64)));
  const { document, cursor } = marked(
    `{ "method": "sendTransaction", "params": ["‸${wire}", { "encoding": "base64" }] }`,
  );
  const contents = service.hover(document, cursor)?.contents;
  assert.ok(contents !== undefined && typeof contents === 'object' && 'value' in contents);
  const { kinds, words } = readMarkdown(contents.value);
  assert.match(words, new RegExp(`Fee payer +${KEY}`));
  assert.match(words, /Signatures +0 of 1/);
  assert.match(words, /1\. .*[Mm]emo.*````\[x\]\(command:y\)/);
  assert.ok(!kinds.has('link_open'));
});

test('imports, $file, redirects and methods are links', () => {
  const { document } = marked(
    '# @import lib.jsonrpc\n### a\n{ "method": "getSlot", "p": "{{$file ./a b.txt}}" }\n>> out/r.json',
  );
  assert.deepEqual(
    service.links(document).map(({ target }) => target),
    [
      'file:///project/lib.jsonrpc',
      'file:///project/a%20b.txt',
      'file:///project/out/r.json',
      'https://solana.com/docs/rpc/http/getslot',
    ],
  );
  assert.deepEqual(failures, []);
});
