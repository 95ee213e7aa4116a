// Colours of meaning: amounts, slots, times and compute units in people's terms, and hovers that say a thing once and in
// plain words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hover } from 'vscode-languageserver-types';
import { DIRECTIVES } from '../../../core/requests/document/directives';
import { NO_ANSWERS, type AnswersPort } from '../../../core/requests/language/answers';
import { createLanguageService, type LanguageService } from '../../../core/requests/language/service';
import { METHODS } from '../../../core/requests/methods';
import { fieldMarkdown, fieldsOf, methodMarkdown } from '../../../core/requests/methods/describe';
import { answerOf } from '../../../core/requests/document/variables/answer';
import { parseJson } from '../../../core/solana/json/json';
import { chainAge, type ChainAge } from '../../../core/solana/chain/chain';
import { unitText } from '../../../core/solana/chain/units';
import { marked } from './markers';

const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A service that knows the newest slot 1,000 and, with `answer`, the last answer of the request `r`. */
function serviceWith(answer?: string, copies = false, chain?: ChainAge): LanguageService {
  const known = answerOf({ body: parseJson(answer ?? '{}'), durationMs: 1, headers: [], isBatch: false });
  const answers: AnswersPort = { ...NO_ANSWERS, lastAnswer: () => (answer === undefined ? undefined : known) };
  const surroundings = { endpoint: () => ({ packs: [], slot: 1000n, ...(chain && { chain }) }) };
  const log = (message: string): void => assert.fail(message);
  return createLanguageService({ surroundings: () => surroundings, answers, now: () => NOW, copies, log });
}

function hover(source: string, service = serviceWith()): string {
  const { document, cursor } = marked(source);
  const contents: Hover['contents'] = service.hover(document, cursor)?.contents ?? '';
  return typeof contents === 'object' && 'value' in contents ? contents.value : '';
}

test('each unit is shown in people’s terms with every digit', () => {
  const at = { now: NOW, slot: 1000n };
  assert.equal(unitText('lamports', 18_446_744_073_709_551_615n, at), '18,446,744,073.709551615 SOL');
  assert.equal(unitText('slot', 988n, at), '12 slots ago, about 2 s');
  assert.equal(unitText('slot', 1000n, at), 'the newest slot known');
  assert.equal(unitText('slot', 1001n, at), 'in 1 slot, about 200 ms');
  assert.equal(unitText('slot', 900n, { ...at, slotMs: 215.5 }), '100 slots ago, about 21 s');
  assert.equal(unitText('slot', 988n, {}), undefined);
  assert.equal(unitText('seconds', BigInt(NOW / 1000) - 7_200n, at), '2026-01-02 01:04:05 UTC, 2 h ago');
  assert.equal(unitText('seconds', 0n, {}), '1970-01-01 00:00:00 UTC');
  assert.equal(unitText('seconds', 10n ** 18n, at), undefined);
  assert.equal(unitText('computeUnits', 150n, at), '0.01 % of 1,400,000 compute units');
  assert.equal(unitText('microLamports', 1_000n, at), '200 lamports for 200,000 compute units');
});

test('a slot in a request shows its age, an amount its SOL', () => {
  assert.match(hover('{ "method": "getBlockTime", "params": [9‸88] }'), /12 slots ago, about 2 s/);
  assert.match(hover(`{ "method": "requestAirdrop", "params": ["${KEY}", 15‸00000000] }`), /1\.5 SOL/);
  const variable = `@much = 1500000000\n### a\n{ "method": "requestAirdrop", "params": ["${KEY}", "{{mu‸ch}}"] }`;
  assert.match(hover(variable), /1\.5 SOL/);
});

test('a hover has a link that copies what it shows, where the editor can', () => {
  const source = `{ "method": "requestAirdrop", "params": ["${KEY}", 15‸00000000] }`;
  const copied = /\[Copy\]\(command:solanaRpc\.copyValue\?([^)]*)\)/.exec(
    hover(source, serviceWith(undefined, true)),
  )?.[1];
  assert.deepEqual(JSON.parse(decodeURIComponent(copied ?? '')), ['1.5 SOL']);
  assert.doesNotMatch(hover(source), /command:/);
});

test('a reference and the path of an assertion show type, unit and last value', () => {
  const source = (use: string): string => `### a\n# @name r\n{ "method": "getBalance", "params": ["${KEY}"] }\n${use}`;
  const service = serviceWith('{"result":{"context":{"slot":990},"value":2500000000}}');
  const reference = hover(source('### b\n{ "method": "getSlot", "id": "{{r.result.va‸lue}}" }'), service);
  for (const part of [/1,000,000,000/, /2500000000/, /2\.5 SOL/]) assert.match(reference, part);
  const path = hover(source('?? result.context.sl‸ot > 1'), service);
  for (const part of [/A slot/, /990/, /10 slots ago/]) assert.match(path, part);
  assert.match(hover(source('?? res‸ult exists')), /`\{ context, value \}`/);
  assert.match(hover('# @retry 5 every 1s while result.absolu‸teSlot < 5\n{ "method": "getEpochInfo" }'), /A slot/);
  const batch = '[{ "id": 1, "method": "getBlockTime", "params": [5] }]\n?? [1].res‸ult > 1';
  assert.match(hover(batch), /Unix time/);
});

test('no hover speaks of the papers this was made from', () => {
  const words = /contract(?! address)|standard node/i;
  for (const record of METHODS) {
    assert.doesNotMatch(methodMarkdown(record), words, record.name);
    for (const param of record.params)
      for (const field of [param, ...fieldsOf(param.spec)])
        assert.doesNotMatch(fieldMarkdown(field), words, record.name);
  }
});

test('what a finding says at a place is not said again in its hover', () => {
  for (const source of [
    '{ "id": "{{no‸pe}}", "method": "getSlot" }',
    '{ "method": "getRecent‸Blockhash" }',
    '@a = {{b}}\n@b = {{a}}\n### a\n{ "method": "getSlot", "id": "{{‸a}}" }',
    '{ "method": "blockSub‸scribe", "params": ["all"] }',
  ]) {
    const { document } = marked(source);
    const said = serviceWith()
      .diagnostics(document)
      .map(({ message }) => (typeof message === 'string' ? message : message.value));
    assert.ok(said.length > 0, source);
    const shown = hover(source).replace(/\\/g, '');
    for (const message of said) {
      const last = message.split(': ').at(-1) ?? message;
      assert.ok(!shown.toLowerCase().includes(last.toLowerCase()), `${message} — ${shown}`);
    }
  }
});

test('a hover does not repeat itself', () => {
  assert.doesNotMatch(
    hover('{ "method": "getBalance", "params": ["TokenkegQfeZyiNwAJbN‸bGKPFXCWuBvf9Ss623VQ5DA"] }'),
    /Program\*\* \(program\)/,
  );
  for (const record of METHODS) {
    assert.deepEqual(repeated(methodMarkdown(record)), [], record.name);
    for (const param of record.params)
      for (const field of [param, ...fieldsOf(param.spec)])
        assert.deepEqual(repeated(fieldMarkdown(field)), [], `${record.name}: ${field.name}`);
  }
});

/** Sentences of a hover, without its marks, that it has twice. */
function repeated(markdown: string): readonly string[] {
  const sentences = markdown
    .split(/\n+|(?<=[.:;])\s+/)
    .map((text) => text.replace(/[*`_|]/g, '').trim())
    .filter((text) => text.length > 6);
  return sentences.filter((text, at) => sentences.indexOf(text) !== at);
}

test('every directive has the same documentation in completion and hover', () => {
  const documented = new Set<string>();
  for (const [typed, written] of [
    ['# @‸\n\n### a', (name: string) => `# @${name}‸ x\n\n### a`],
    ['### a\n# @‸', (name: string) => `### a\n# @${name}‸ x\n{ "method": "getSlot" }`],
  ] as const) {
    const { document, cursor } = marked(typed);
    for (const { label, detail, documentation } of serviceWith().completion(document, cursor)) {
      const doc = typeof documentation === 'object' ? documentation.value : (documentation ?? '');
      assert.match(doc, /^[A-Z].{20}/, label);
      assert.match(detail ?? '', new RegExp(`^@${label}\\b`), label);
      const shown = hover(written(label));
      assert.ok(shown.includes(doc) && shown.includes(detail ?? ''), `${label}: ${shown}`);
      documented.add(label);
    }
  }
  assert.deepEqual([...documented].sort(), Object.keys(DIRECTIVES).sort());
});

test('a slot is shown with its age, if that is wanted and the newest slot is known', () => {
  const { document } = marked('{ "method": "getBlockTime", "params": [988] }');
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const none = { lamports: false, units: false, addresses: false, defaults: false };
  const labels = (units: boolean): unknown[] =>
    serviceWith()
      .inlayHints(document, range, { ...none, units })
      .map(({ label }) => label);
  assert.deepEqual(labels(true), ['12 slots ago, about 2 s']);
  assert.deepEqual(labels(false), []);
});

test('the age of a slot follows the pace that the endpoint showed, else that of its consensus', () => {
  const ageAt = (chain?: ChainAge): string =>
    hover('{ "method": "getBlockTime", "params": [9‸00] }', serviceWith(undefined, false, chain));
  assert.match(ageAt(), /100 slots ago, about 20 s/);
  assert.match(ageAt(chainAge({ consensus: 'tower' })), /100 slots ago, about 40 s/);
  assert.match(ageAt(chainAge({ consensus: 'tower', slotMs: 300 })), /100 slots ago, about 30 s/);
});
