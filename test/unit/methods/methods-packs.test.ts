// The method packs: known everywhere, offered where they are asked for, and never an error where they are not.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { TextEdit } from 'vscode-languageserver-types';
import { parseDocument } from '../../../core/requests/document/document';
import { transportOfCall } from '../../../core/requests/document/call';
import { createLanguageService, type LanguageService } from '../../../core/requests/language/service';
import { METHODS, MethodTable, STANDARD_METHODS } from '../../../core/requests/methods';
import { checkCall } from '../../../core/requests/methods/check';
import { readOpenRpc } from '../../../core/requests/methods/openrpc';
import { PROVIDERS } from '../../../core/service/providers/table';
import { isPackId, PACK_IDS, type PackId } from '../../../core/service/providers/packIds';
import { PACK_METHODS, PACKS } from '../../../core/requests/methods/packs/packs';
import { packsReference } from '../../../core/requests/methods/reference';
import { isJsonArray, parseJson, printJson, type JsonValue } from '../../../core/solana/json/json';
import { assertMade } from '../../support/pages/madePage';

const FILE = 'file:///a.jsonrpc';
const ASSET = 'F9Lw3ki3hJ7PF9HQXsBzoY8GyE6sPoEZZdXJBsTTD2rk';

/** The methods that the services know. */
let methods = STANDARD_METHODS;
const serviceFor = (packs: readonly PackId[] = []): LanguageService =>
  createLanguageService({ surroundings: () => ({ packs, methods }), log: (message) => assert.fail(message) });
const service = serviceFor();

const found = (text: string, asked = service): string[] =>
  asked
    .findings(parseDocument(FILE, 1, text))
    .map(({ diagnostic }) => `${String(diagnostic.code)} ${diagnostic.severity}`);
const call = (method: string, params: JsonValue): string => `### A\n${printJson({ method, params })}\n`;

/** The text after the first fix of its first diagnostic. */
function mended(text: string): string {
  const document = parseDocument(FILE, 1, text);
  const [diagnostic] = service.diagnostics(document);
  assert.ok(diagnostic);
  const [action] = service.codeActions(document, diagnostic.range);
  const edits: readonly TextEdit[] = action?.edit?.changes?.[FILE] ?? [];
  const lines = text.split('\n');
  for (const { range, newText } of edits) {
    assert.deepEqual(range.start, range.end);
    const line = lines[range.start.line] ?? '';
    lines[range.start.line] = line.slice(0, range.start.character) + newText + line.slice(range.start.character);
  }
  return lines.join('\n');
}

afterEach(() => {
  methods = STANDARD_METHODS;
});

describe('the records', () => {
  test('there is one pack for each id', () => {
    assert.deepEqual(
      PACKS.map(({ id }) => id),
      [...PACK_IDS],
    );
  });

  test('the packs of the providers are packs', () => {
    for (const { id, packs = [] } of PROVIDERS) assert.ok(packs.every(isPackId), id);
  });

  test('names are unique and none is a name of the standard', () => {
    const names = [...METHODS, ...PACK_METHODS].map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  });

  for (const { id, methods, extensions = [] } of PACKS)
    for (const { name, example } of [...methods, ...extensions])
      test(`the example of ${name} has nothing but the hint, and none with the pack ${id}`, () => {
        const hints = found(call(name, example));
        assert.deepEqual(hints, ['method-pack 4']);
        assert.deepEqual(found(`# @pack ${id}\n${call(name, example)}`), []);
        assert.deepEqual(found(call(name, example), serviceFor([id])), []);
      });

  test('docs/packs.md is the page made from the records', () => {
    assertMade('docs/packs.md', packsReference());
  });

  test('every method and every example is on the page', () => {
    const page = packsReference();
    for (const { methods, extensions = [] } of PACKS)
      for (const { name, example } of [...methods, ...extensions]) {
        assert.ok(page.includes(`\n### ${name}\n`), name);
        assert.ok(page.includes(printJson({ method: name, params: example })), name);
      }
  });

  test('an unsubscribe method and its subscription name each other', () => {
    for (const { name, subscription, closes } of PACK_METHODS) {
      if (subscription !== undefined) assert.equal(STANDARD_METHODS.named(subscription.unsubscribe)?.closes, name);
      if (closes !== undefined) assert.equal(STANDARD_METHODS.named(closes)?.subscription?.unsubscribe, name);
    }
  });
});

describe('a method of a pack that nobody asked for', () => {
  test('is a hint at its name with a fix, which is not an error of `check`', () => {
    const document = parseDocument(FILE, 1, call('getAsset', { id: ASSET }));
    const [finding, ...more] = service.findings(document);
    assert.deepEqual(more, []);
    assert.equal(finding?.diagnostic.severity, 4);
    assert.deepEqual(finding.diagnostic.range.start, { line: 1, character: 10 });
    assert.deepEqual(finding.fixes, ['Add # @pack das']);
  });

  for (const [what, text, wanted] of [
    ['a file of blocks', call('getAsset', { id: ASSET }), /^# @pack das\n\n### A/],
    ['a file with a preamble', `@x = ${ASSET}\n\n${call('getAsset', { id: '{{x}}' })}`, /^# @pack das\n@x = /],
    ['a file that names another pack', `# @pack jito\n${call('getAsset', { id: ASSET })}`, /^# @pack jito das\n###/],
    [
      'a file of one block without a title',
      `{ "method": "getAsset", "params": { "id": "${ASSET}" } }`,
      /^# @pack das\n\{/,
    ],
  ] as const)
    test(`the fix ends the hint in ${what}`, () => {
      assert.deepEqual(found(text), ['method-pack 4']);
      const after = mended(text);
      assert.match(after, wanted);
      assert.deepEqual(found(after), []);
    });

  test('its parameters are checked all the same', () => {
    assert.deepEqual(found(call('getAsset', {})), ['method-pack 4', 'missing-field 1']);
    assert.deepEqual(found(`# @pack das\n${call('getAsset', { id: 'abc' })}`), ['wrong-length 1']);
    assert.deepEqual(found(`# @pack das\n${call('getAssetsByOwner', { ownerAddress: ASSET, limit: 1001 })}`), [
      'out-of-range 1',
    ]);
    assert.deepEqual(found(`# @pack das\n${call('getAsset', { id: ASSET, options: { showFungibel: true } })}`), [
      'unknown-field 2',
    ]);
  });

  test('a file that was checked before is checked with the new directive', () => {
    const text = call('getAsset', { id: ASSET });
    const asked = serviceFor();
    assert.deepEqual(found(text, asked), ['method-pack 4']);
    assert.deepEqual(found(`# @pack das\n${text}`, asked), []);
    assert.deepEqual(found(text, asked), ['method-pack 4']);
  });
});

/** The methods beyond the standard that Helius documents. */
const HELIUS = `getAsset getAssetBatch getAssetProof getAssetProofBatch getAssetsByAuthority getAssetsByCreator
  getAssetsByGroup getAssetsByOwner getNftEditions getSignaturesForAsset getTokenAccounts searchAssets mintCompressedNft
  getPriorityFeeEstimate getProgramAccountsV2 getTokenAccountsByOwnerV2 simulateBundle transactionSubscribe
  transactionUnsubscribe getCompressedAccount getCompressedAccountProof getCompressedAccountsByOwner getCompressedBalance
  getCompressedBalanceByOwner getCompressedMintTokenHolders getCompressedTokenAccountBalance
  getCompressedTokenAccountsByDelegate getCompressedTokenAccountsByOwner getCompressedTokenBalancesByOwner
  getCompressedTokenBalancesByOwnerV2 getCompressionSignaturesForAccount getCompressionSignaturesForAddress
  getCompressionSignaturesForOwner getCompressionSignaturesForTokenOwner getIndexerHealth getIndexerSlot
  getLatestCompressionSignatures getLatestNonVotingSignatures getMultipleCompressedAccountProofs
  getMultipleCompressedAccounts getMultipleNewAddressProofs getMultipleNewAddressProofsV2
  getTransactionWithCompressionInfo getValidityProof getTransactionsForAddress`.split(/\s+/);

test('every method that Helius documents is known, and known to its pack', () => {
  const asked = serviceFor(['helius']);
  for (const name of HELIUS) {
    const example = STANDARD_METHODS.named(name)?.example;
    assert.ok(example, name);
    assert.deepEqual(found(call(name, example), asked), [], name);
  }
});

describe('asking for a pack', () => {
  test('in a block is for that block', () => {
    const named = `### A\n# @pack das\n${printJson({ method: 'getAsset', params: { id: ASSET } })}\n`;
    assert.deepEqual(found(`${named}${call('getAsset', { id: ASSET })}`), ['method-pack 4']);
  });

  test('for helius brings das and photon', () => {
    assert.deepEqual(found(`# @pack helius\n${call('getAsset', { id: ASSET })}${call('getIndexerSlot', [])}`), []);
  });

  test('with another name is a mistake that names the packs there are', () => {
    const document = parseDocument(FILE, 1, `# @pack dass\n${call('getSlot', [])}`);
    assert.match(JSON.stringify(service.diagnostics(document)), /bad-directive.*das, photon, helius/s);
  });

  test('is completed with the packs that the line does not name', () => {
    const text = '# @pack das he\n### A\n{ "method": "getSlot" }\n';
    const labels = service
      .completion(parseDocument(FILE, 1, text), { line: 0, character: 14 })
      .map(({ label }) => label);
    assert.deepEqual(labels, ['photon', 'helius', 'jito', 'quicknode', 'triton']);
  });

  test('puts its methods on the list of names', () => {
    const labels = (text: string, line: number): string[] =>
      service.completion(parseDocument(FILE, 1, text), { line, character: 14 }).map(({ label }) => label);
    const open = '### A\n{ "method": "" }\n';
    assert.ok(!labels(open, 1).includes('getAsset'));
    assert.ok(labels(open, 1).includes('getSlot'));
    const asked = labels(`# @pack das\n${open}`, 2);
    assert.ok(asked.includes('getAsset') && asked.includes('getSlot'));
    assert.ok(!asked.includes('getTipAccounts'));
  });
});

describe('what a pack adds to a method of the standard', () => {
  const fees = call('getRecentPrioritizationFees', [[ASSET], { percentile: 5000 }]);

  test('is a hint without the pack and checked with it', () => {
    assert.deepEqual(found(fees), ['method-pack 4']);
    assert.deepEqual(found(`# @pack triton\n${fees}`), []);
    assert.deepEqual(found(`# @pack triton\n${fees.replace('5000', '10001')}`), ['out-of-range 1']);
  });

  test('is in completion and signature help with the pack only', () => {
    const label = (text: string, line: number): string =>
      service.signatureHelp(parseDocument(FILE, 1, text), { line, character: 55 })?.signatures[0]?.label ?? '';
    assert.equal(label(fees, 1), 'getRecentPrioritizationFees(addresses?: public key[])');
    assert.equal(
      label(`# @pack triton\n${fees}`, 2),
      'getRecentPrioritizationFees(addresses?: public key[], config?: object)',
    );
  });

  test('leaves the standard as it is', () => {
    assert.equal(METHODS.find(({ name }) => name === 'getRecentPrioritizationFees')?.params.length, 1);
    assert.deepEqual(found(call('getRecentPrioritizationFees', [[ASSET]])), []);
  });
});

describe('how parameters go', () => {
  const codes = (method: string, params: string): string[] => {
    const record = STANDARD_METHODS.named(method);
    assert.ok(record);
    return checkCall(record, parseJson(params)).map(({ code }) => code);
  };

  test('assets are asked for by name, and an array is taken', () => {
    assert.deepEqual(codes('getAsset', `{"id":"${ASSET}"}`), []);
    assert.deepEqual(codes('getAsset', `["${ASSET}"]`), []);
  });

  test('a parameter that repeats is checked each time', () => {
    const hash = 'G48THYrfFq3Bdxjw3tZqaCb3w8qiBif1ofGgGei9g8FG';
    assert.deepEqual(codes('getMultipleCompressedAccountProofs', `["${hash}","${hash}","${hash}"]`), []);
    assert.deepEqual(codes('getMultipleCompressedAccountProofs', `["${hash}","abc"]`), ['wrong-length']);
    assert.deepEqual(codes('getMultipleCompressedAccountProofs', '[]'), ['missing-param']);
  });

  test('a stream of a pack runs on the WebSocket', () => {
    assert.equal(transportOfCall({ method: 'transactionSubscribe' }, STANDARD_METHODS), 'WS');
    assert.deepEqual(codes('transactionSubscribe', '[{"accountInclude":["x0"]}]'), ['not-base58']);
  });

  test('examples by name are objects, all others arrays', () => {
    for (const { name, example, structure } of PACK_METHODS)
      assert.equal(isJsonArray(example), structure === undefined, name);
  });
});

describe('a document of the workspace', () => {
  const use = (method: object): void => {
    const text = JSON.stringify({ openrpc: '1.2.1', methods: [method] });
    methods = new MethodTable(readOpenRpc(text, 'x.json').methods);
  };

  test('adds to a method of the standard', () => {
    const text = call('getSlot', [{ commitment: 'finalized', shard: 3 }]);
    assert.deepEqual(found(text), ['unknown-field 2']);
    use({
      name: 'getSlot',
      params: [{ name: 'options', schema: { type: 'object', properties: { shard: { type: 'integer' } } } }],
    });
    assert.deepEqual(found(text), []);
    assert.deepEqual(found(text.replace('3', '"3"')), ['wrong-type 1']);
    assert.deepEqual(found(call('getSlot', [{ comitment: 'confirmed' }])), ['unknown-field 2']);
  });

  test('may hold subscriptions', () => {
    const params = [{ name: 'filter', required: true, schema: { type: 'string' } }];
    for (const [method, notification, wanted] of [
      ['thingSubscribe', undefined, 'thingNotification'],
      ['thingSubscribe', 'thingHappened', 'thingHappened'],
      ['thingSubscribe', { method: 'thingHappened' }, 'thingHappened'],
    ] as const) {
      use({ name: method, params, ...(notification === undefined ? {} : { 'x-notification': notification }) });
      assert.equal(methods.named(method)?.subscription?.notification, wanted);
      assert.equal(transportOfCall({ method }, methods), 'WS');
      assert.deepEqual(found(`### A\n# @until 1 messages\n{ "method": "${method}", "params": ["x"] }\n`), []);
      assert.deepEqual(found(`### A\nPOST\n{ "method": "${method}", "params": ["x"] }\n`), ['wrong-transport 1']);
    }
  });

  test('may name the object of all parameters as its one parameter', () => {
    use({
      name: 'getThing',
      params: [
        {
          name: 'params',
          required: true,
          schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        },
      ],
    });
    for (const params of [{ id: 'x' }, [{ id: 'x' }], { params: { id: 'x' } }])
      assert.deepEqual(found(call('getThing', params)), [], printJson(params));
    assert.deepEqual(found(call('getThing', { id: 5 })), ['wrong-type 1']);
    assert.deepEqual(found(call('getThing', {})), ['missing-field 1']);
  });

  test('that names its one parameter without saying how takes it by name and by position', () => {
    use({ name: 'getThing', params: [{ name: 'id', required: true, schema: { type: 'string' } }] });
    assert.deepEqual(found(call('getThing', { id: 'x' })), []);
    assert.deepEqual(found(call('getThing', ['x'])), []);
    assert.deepEqual(found(call('getThing', { id: 5 })), ['wrong-type 1']);
  });
});
