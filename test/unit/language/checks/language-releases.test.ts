// Checks of methods and options that only some releases of Agave know or refuse: silent until an answer of the endpoint
// named its release.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../../core/requests/document/document';
import { createLanguageService, type LanguageService } from '../../../../core/requests/language/service';
import { agaveRelease, isOlder, type Release } from '../../../../core/requests/methods/releases';
import { TOKEN_PROGRAMS } from '../../../../core/requests/methods/records/shared';
import { nextStep, RPC_ERRORS } from '../../../../core/service/rpcErrors';
import { marked } from '../markers';

const at = (agave?: Release): LanguageService =>
  createLanguageService({
    surroundings: () => ({
      endpoint: (name) => (agave === undefined || name !== undefined ? { packs: [] } : { packs: [], agave }),
    }),
    log: (message) => assert.fail(message),
  });
const codes = (text: string, agave?: Release): string[] =>
  at(agave)
    .diagnostics(parseDocument('file:///a.jsonrpc', 1, text))
    .map(({ code, severity }) => `${String(code)} ${severity ?? ''}`);

const SIGNATURE = '2xC5zogoBUckCA9YEAdkC9UVYz9EvvU8qThQ423t8fTGwSaE9GAwLfnzhZYdXoQYTmDioRCGFwgfHe6BkustSdU1';
const CERTIFICATE = '### A\n{ "method": "getAgGenesisCert" }\n';
const BASE58 = `### A\n{ "method": "getTransaction", "params": ["${SIGNATURE}", { "encoding": "base58", "maxSupportedTransactionVersion": 1 }] }\n`;

test('a method of a newer release is silent without knowledge and a warning on an older node', () => {
  assert.deepEqual(codes(CERTIFICATE), []);
  assert.deepEqual(codes(CERTIFICATE, '4.2'), ['newer-node 2']);
  assert.deepEqual(codes(CERTIFICATE, '4.3'), []);
  assert.deepEqual(codes(CERTIFICATE, '5.0'), []);
});

test('a request to another endpoint is not judged by the release of the active one', () => {
  assert.deepEqual(codes(CERTIFICATE.replace('### A\n', '### A\n# @endpoint other\n'), '4.2'), []);
  assert.deepEqual(codes(`# @endpoint other\n${CERTIFICATE}`, '4.2'), []);
});

test('options of Agave 4.4 are known, a warning on a node before it, and no fix takes them away', () => {
  const wallet = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
  const slice = '"dataSlice": { "offset": 0, "length": 8 }';
  const [tokens] = TOKEN_PROGRAMS;
  for (const [line, method, params, newer] of [
    ['POST', 'getTransaction', `"${SIGNATURE}", { "minContextSlot": 5, "maxSupportedTransactionVersion": 1 }`, 1],
    ['POST', 'getSignatureStatuses', `["${SIGNATURE}"], { "commitment": "processed", "minContextSlot": 5 }`, 2],
    ['POST', 'getSignatureStatuses', `["${SIGNATURE}"], { "searchTransactionHistory": true }`, 0],
    ['POST', 'getLeaderSchedule', `null, { "keyByVoteAccount": true }`, 1],
    ['WS', 'accountSubscribe', `"${wallet}", { "encoding": "base64", ${slice} }`, 1],
    ['WS', 'programSubscribe', `"${tokens}", { "encoding": "base64", "filters": [{ "dataSize": 165 }], ${slice} }`, 1],
  ] as const) {
    const text = `### A\n${line}\n{ "method": "${method}", "params": [${params}] }\n`;
    const warnings = Array.from({ length: newer }, () => 'newer-node 2');
    assert.deepEqual(codes(text), [], method);
    assert.deepEqual(codes(text, '4.4'), [], method);
    assert.deepEqual(codes(text, '4.3'), warnings, method);
    const [found] = at('4.3').findings(parseDocument('file:///a.jsonrpc', 1, text));
    assert.deepEqual(found?.fixes ?? [], [], method);
  }
});

test('a stream of parsed accounts is warned that a slice has no effect', () => {
  const config = '{ "encoding": "jsonParsed", "dataSlice": { "offset": 0, "length": 8 } }';
  const text = `### A\nWS\n{ "method": "accountSubscribe", "params": ["${TOKEN_PROGRAMS[0]}", ${config}] }\n`;
  assert.deepEqual(codes(text), ['no-effect 2']);
});

test('an unknown validator in the leader schedule is an error with a name and a next step', () => {
  assert.match(RPC_ERRORS.get(-32022)?.meaning ?? '', /no leader slots/);
  assert.ok(nextStep(-32022, undefined));
});

test('base58 with version 1 is warned of unless the node is known to be older than the refusal', () => {
  assert.deepEqual(codes(BASE58), ['base58-version 2']);
  assert.deepEqual(codes(BASE58, '4.3'), ['base58-version 2']);
  assert.deepEqual(codes(BASE58, '4.2'), []);
  assert.deepEqual(codes(BASE58.replace('base58', 'base64')), []);
  assert.deepEqual(codes(BASE58.replace('Version": 1', 'Version": 0')), ['legacy-only 2']);
});

test('a block or a stream that cannot hold version 1 is a warning that says what fails', () => {
  const text = (method: string, first: string): string =>
    `### A\n{ "method": "${method}", "params": [${first}, { "maxSupportedTransactionVersion": 0 }] }\n`;
  for (const [method, first, said] of [
    ['getTransaction', `"${SIGNATURE}"`, /any other transaction is answered with error -32015/],
    ['getBlock', '5', /fails the whole block with error -32015/],
    ['blockSubscribe', '"all"', /a notification without its block, with error -32015, and ends the stream/],
  ] as const) {
    const service = at();
    const document = parseDocument('file:///a.jsonrpc', 1, text(method, first));
    const [found] = service.diagnostics(document).filter(({ code }) => code === 'legacy-only');
    assert.ok(found);
    assert.equal(found.severity, 2);
    assert.match(JSON.stringify(found.message), said);
    const titles = service.codeActions(document, found.range).map(({ title }) => title);
    assert.ok(titles.includes('Set maxSupportedTransactionVersion to 1'), titles.join());
  }
});

test('a page is bounded by a signature or by a slot at one side', () => {
  const text = (config: string): string =>
    `### A\n{ "method": "getSignaturesForAddress", "params": ["9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g", ${config}] }\n`;
  assert.deepEqual(codes(text('{ "beforeSlot": 9, "untilSlot": 1 }')), []);
  assert.deepEqual(codes(text(`{ "before": "${SIGNATURE}", "untilSlot": 1 }`)), []);
  assert.deepEqual(codes(text(`{ "before": "${SIGNATURE}", "beforeSlot": 1 }`)), ['conflicting-fields 1']);
  assert.deepEqual(codes(text(`{ "before": "${SIGNATURE}", "beforeSlot": null }`)), []);
});

test('a filter that compares numbers is checked', () => {
  const text = (filter: string): string =>
    `### A\n{ "method": "getProgramAccounts", "params": ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", { "filters": [${filter}] }] }\n`;
  const left = '"left": { "Mem": { "offset": 64, "value_type": "U64" } }';
  assert.deepEqual(codes(text(`{ "valueCmp": { ${left}, "comparator": "Ge", "right": { "Constant": "123" } } }`)), []);
  assert.deepEqual(codes(text(`{ "valueCmp": { ${left}, "comparator": ">=", "right": { "Constant": "123" } } }`)), [
    'enum-value 1',
  ]);
  assert.deepEqual(codes(text(`{ "valueCmp": { ${left}, "comparator": "Ge", "right": {} } }`)), ['filter-shape 1']);
});

test('hover names the servers of what not all know, and what a release made different', () => {
  const hover = (source: string): string => {
    const { document, cursor } = marked(source);
    return JSON.stringify(at().hover(document, cursor));
  };
  assert.match(hover('### A\n{ "method": "getAg‸GenesisCert" }'), /Known to: Agave from 4\.3/);
  assert.match(hover('### A\n{ "method": "getClust‸erNodes" }'), /From Agave 4\.0: each node has a `clientId`/);
  assert.match(
    hover(`### A\n{ "method": "getTransaction", "params": ["${SIGNATURE}", { "with‸Context": true }] }`),
    /Known to: the newest releases of Agave/,
  );
});

test('a release is read out of the version of a node; other validators count from zero or by the calendar', () => {
  assert.equal(agaveRelease('4.3.0'), '4.3');
  assert.equal(agaveRelease('4.10.2-beta.1'), '4.10');
  assert.equal(agaveRelease('0.708.40003'), undefined);
  assert.equal(agaveRelease('26.10.1'), undefined);
  assert.equal(agaveRelease('20.1.0'), undefined);
  assert.equal(agaveRelease('19.0.0'), '19.0');
  assert.equal(agaveRelease('four'), undefined);
  assert.ok(isOlder('4.2', '4.10'));
  assert.ok(!isOlder('4.10', '4.2') && !isOlder('4.2', '4.2') && isOlder('3.9', '4.0'));
});

test('a signature that does not verify has the same next step before and since Agave 3.1', () => {
  assert.equal(nextStep(-32002, { err: 'SignatureFailure' }), nextStep(-32003, undefined));
});
