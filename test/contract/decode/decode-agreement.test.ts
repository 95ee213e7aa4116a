// The decoders against the local service's own jsonParsed, which shares no code with them: for every kind of account it
// explains, and for a transaction in every encoding. A disagreement is a failing test.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { address as kitAddress } from '@solana/kit';
import { getMultisigEncoder } from '@solana-program/token';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import { parseJson, type JsonValue } from '../../../core/solana/json/json';
import { transactionFromJson } from '../../../core/solana/decode/transactions/decode';
import { borsh, extension, keyOf, layOut, type Part } from '../../support/data/layouts';
import { bothOf, mintData, plainFields, put, tokenData } from './decode-both';
import { Bench, digits, freshKey, SYSTEM, TOKEN, TOKEN_2022, type Loose } from '../rpc/rpc-harness';
import { newHolding, newMint, transferChecked } from '../rpc/rpc-token-kit';

const A = encodeBase58(keyOf(0xaa));
const B = encodeBase58(keyOf(0xbb));
const NEVER = 2n ** 64n - 1n;
const UPGRADEABLE = 'BPFLoaderUpgradeab1e11111111111111111111111';
const TABLES = 'AddressLookupTab1e1111111111111111111111111';

let bench: Bench;
before(async () => {
  bench = await Bench.open();
});
after(() => bench.close());

describe('decoders and the service agree on', () => {
  test('token accounts', async () => {
    const { info, decoded } = await put(bench, TOKEN, tokenData(bench, 2_039_280n));
    const { isNative, tokenAmount, ...rest } = info;
    const { amount, rentExemptReserve, ...fields } = plainFields(decoded.fields);
    assert.deepEqual([isNative, tokenAmount, rest], [true, amount, { ...fields, rentExemptReserve }]);
  });

  test('token accounts without options, which the service leaves out', async () => {
    const empty = tokenData(bench, null).slice();
    empty.fill(0, 72, 108).fill(0, 121, 165);
    const { info, decoded } = await put(bench, TOKEN, empty);
    const fields = plainFields(decoded.fields);
    assert.deepEqual([info['isNative'], info['owner'], info['state']], [false, fields['owner'], fields['state']]);
    for (const name of ['delegate', 'closeAuthority', 'rentExemptReserve']) {
      assert.deepEqual([info[name], fields[name]], [undefined, null], name);
    }
  });

  test('mints', async () => {
    const { info, type, decoded } = await put(bench, TOKEN, mintData());
    assert.deepEqual([type, info], ['mint', plainFields(decoded.fields)]);
  });

  test('multisigs', async () => {
    const signers = [A, B, ...Array<string>(9).fill(SYSTEM)].map((signer) => kitAddress(signer));
    const data = Uint8Array.from(getMultisigEncoder().encode({ m: 1, n: 2, isInitialized: true, signers }));
    const { info, decoded } = await put(bench, TOKEN, data);
    const { requiredSigners, validSigners, ...fields } = plainFields(decoded.fields);
    assert.deepEqual(info, { numRequiredSigners: requiredSigners, numValidSigners: validSigners, ...fields });
  });

  test('nonces', async () => {
    const { info, decoded } = await put(bench, SYSTEM, layOut([4, 1], [4, 1], keyOf(0xaa), keyOf(0xbb), [8, 5_000]));
    const { authority, blockhash, lamportsPerSignature } = plainFields(decoded.fields);
    assert.deepEqual(info, { authority, blockhash, feeCalculator: { lamportsPerSignature } });
  });

  for (const [name, deactivation, authority] of [
    ['in use', NEVER, 1],
    ['on its way out', 99n, 0],
  ] as const)
    test(`lookup tables ${name}`, async () => {
      const data = layOut(
        [4, 1],
        [8, deactivation],
        [8, 10],
        [1, 1],
        [1, authority],
        keyOf(authority * 0xaa),
        [2, 0],
        keyOf(0xbb),
        keyOf(0xcc),
      );
      const { info, decoded } = await put(bench, TABLES, data);
      const { deactivationSlot, authority: owner, ...fields } = plainFields(decoded.fields);
      assert.equal(info['deactivationSlot'], deactivationSlot ?? String(NEVER));
      // The service leaves out an authority that was given up.
      assert.deepEqual(info, {
        ...fields,
        deactivationSlot: info['deactivationSlot'],
        ...(owner === null ? {} : { authority: owner }),
      });
    });

  for (const [type, parts, renamed] of [
    ['program', [[4, 2], keyOf(0xaa)], {}],
    ['programData', [[4, 3], [8, 7], [1, 1], keyOf(0xbb), Uint8Array.of(1, 2, 3)], { authority: 'upgradeAuthority' }],
    ['buffer', [[4, 1], [1, 0], keyOf(0), Uint8Array.of(1, 2, 3)], {}],
  ] as readonly (readonly [string, Part[], Record<string, string>])[])
    test(`a ${type} of the upgradeable loader`, async () => {
      const { info, type: reported, decoded } = await put(bench, UPGRADEABLE, layOut(...parts));
      assert.equal(reported, type);
      const fields = plainFields(decoded.fields);
      for (const [name, value] of Object.entries(info)) {
        if (name === 'data')
          assert.equal(Buffer.from(String((value as string[])[0]), 'base64').length, Number(fields['codeLength']));
        else assert.equal(value, fields[renamed[name] ?? name], name);
      }
    });

  for (const address of [
    'SysvarC1ock11111111111111111111111111111111',
    'SysvarRent111111111111111111111111111111111',
    'SysvarEpochSchedu1e111111111111111111111111',
    'SysvarS1otHashes111111111111111111111111111',
    'SysvarStakeHistory1111111111111111111111111',
    'SysvarRecentB1ockHashes11111111111111111111',
    'SysvarS1otHistory11111111111111111111111111',
    'SysvarLastRestartS1ot1111111111111111111111',
    'SysvarEpochRewards1111111111111111111111111',
  ])
    test(`the sysvar ${address}`, async () => {
      const { value } = await bench.call('getAccountInfo', address, {
        encoding: 'jsonParsed',
        commitment: 'processed',
      });
      const explained = value?.['data']?.['parsed'] !== undefined;
      // An account that the service does not parse is missing or given only as bytes.
      if (!explained) return assert.ok(value === null || Array.isArray(value?.['data']), JSON.stringify(value, digits));
      const { info, decoded } = await bothOf(bench, address);
      const fields = plainFields(decoded.fields);
      for (const [name, reported] of Object.entries(info)) {
        if (name === 'bits') continue;
        assert.deepEqual(flat(reported), flat(fields[name]), name);
      }
    });
});

/** The service puts a hash's fee into a separate object. */
function flat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flat);
  if (typeof value !== 'object' || value === null || !('feeCalculator' in value)) return value;
  const { feeCalculator, ...rest } = value;
  return { ...rest, ...(feeCalculator as object) };
}

const fee = (epoch: number): Part[] => [
  [8, epoch],
  [8, 2_000_000],
  [2, 50],
];
const double = (value: number): Uint8Array => new Uint8Array(Float64Array.of(value).buffer);
/** Type and value of every extension of a mint that the service explains. */
const MINT_EXTENSIONS: readonly (readonly [number, Uint8Array])[] = [
  [1, layOut(keyOf(0xaa), keyOf(0), [8, 15], ...fee(3), ...fee(4))],
  [4, layOut(keyOf(0xaa), [1, 1], keyOf(0))],
  [16, layOut(keyOf(0), keyOf(0xbb), [1, 0], new Uint8Array(64).fill(3))],
  [24, new Uint8Array(196).fill(4)],
  [28, keyOf(0xaa)],
  [3, keyOf(0xaa)],
  [6, layOut([1, 2])],
  [9, layOut()],
  [10, layOut(keyOf(0xaa), [8, 1], [2, -5], [8, 2], [2, 250])],
  [12, keyOf(0)],
  [14, layOut(keyOf(0xaa), keyOf(0))],
  [18, layOut(keyOf(0xaa), keyOf(0xbb))],
  [19, layOut(keyOf(0), keyOf(0xbb), borsh('Name'), borsh('SYM'), borsh('https://x'), [4, 1], borsh('k'), borsh('v'))],
  [20, layOut(keyOf(0xaa), keyOf(0xbb))],
  [21, layOut(keyOf(0), keyOf(0xbb), [8, 1], [8, 10])],
  [22, layOut(keyOf(0xaa), keyOf(0xbb))],
  [23, layOut(keyOf(0xaa), keyOf(0xbb), [8, 3])],
  [25, layOut(keyOf(0xaa), double(1.5), [8, 9], double(2))],
  [26, layOut(keyOf(0xaa), [1, 1])],
];
const ACCOUNT_EXTENSIONS: readonly (readonly [number, Uint8Array])[] = [
  [5, layOut([1, 1], keyOf(0xaa), new Uint8Array(228).fill(5), [1, 1], [1, 0], [8, 1], [8, 2], [8, 3], [8, 4])],
  [17, new Uint8Array(64).fill(6)],
  [2, layOut([8, 5])],
  [7, layOut()],
  [8, layOut([1, 1])],
  [11, layOut([1, 0])],
  [13, layOut()],
  [15, layOut([1, 1])],
  [27, layOut()],
];

/** The service's pairs of texts, as structures. */
function extensionsOf(info: Record<string, unknown>): unknown {
  const list = info['extensions'] as { extension: string; state?: Record<string, unknown> }[];
  return list.map(({ extension: name, state = {} }) => {
    const pairs = state['additionalMetadata'] as [string, string][] | undefined;
    return {
      extension: name,
      ...state,
      ...(pairs && { additionalMetadata: pairs.map(([key, value]) => ({ key, value })) }),
    };
  });
}

describe('decoders and the service agree on', () => {
  test('every extension of a Token-2022 mint', async () => {
    const data = layOut(
      mintData(),
      Buffer.alloc(83),
      [1, 1],
      ...MINT_EXTENSIONS.map(([type, value]) => extension(type, value)),
    );
    const { info, decoded } = await put(bench, TOKEN_2022, data);
    const { extensions, ...fields } = plainFields(decoded.fields);
    assert.deepEqual(info, { ...fields, extensions: info['extensions'] });
    assert.deepEqual(extensionsOf(info), extensions);
  });

  test('every extension of a Token-2022 account', async () => {
    const mint = freshKey('agreement mint 2022').address;
    bench.ledger.cheats.setAccount(mint, { owner: TOKEN_2022, lamports: 10_000_000n, data: mintData() });
    const base = layOut(
      freshKey('agreement mint 2022').publicKey,
      keyOf(0xbb),
      [8, 9],
      Buffer.alloc(36),
      [1, 1],
      Buffer.alloc(56),
    );
    const data = layOut(base, [1, 2], ...ACCOUNT_EXTENSIONS.map(([type, value]) => extension(type, value)));
    const { info, decoded } = await put(bench, TOKEN_2022, data);
    assert.deepEqual(extensionsOf(info), plainFields(decoded.fields)['extensions']);
  });
});

describe('transactions of the service decode the same', () => {
  const jsonOf = (value: Loose): JsonValue => parseJson(JSON.stringify(value, digits).replaceAll(/"(\d+)n"/g, '$1'));

  test('in every encoding, and as the service itself explains them', async () => {
    const mint = freshKey('agreement traded');
    await newMint(bench, mint, 6);
    const [from, to] = [freshKey('agreement from'), freshKey('agreement to')];
    for (const account of [from, to])
      await newHolding(bench, account, { mint: mint.address, owner: bench.wallet.address, amount: 9n });
    const signature = await bench.send([
      transferChecked({ from: from.address, mint: mint.address, to: to.address, owner: bench.wallet.address }, 4n, 6),
    ]);
    bench.slots(2);
    const [json, base64, base58, parsed] = await Promise.all(
      ['json', 'base64', 'base58', 'jsonParsed'].map(async (encoding) => {
        const answer = await bench.call('getTransaction', signature, {
          encoding,
          commitment: 'confirmed',
          maxSupportedTransactionVersion: 0,
        });
        const decoded = transactionFromJson(jsonOf(answer), NO_PROGRAMS);
        assert.ok(decoded.ok, encoding);
        return decoded.value;
      }),
    );
    assert.ok(json && base64 && base58 && parsed);
    assert.deepEqual(base64, json);
    assert.deepEqual(base58, json);
    assert.deepEqual(
      [parsed.accounts.map(({ address }) => address), parsed.balances, parsed.logs],
      [json.accounts.map(({ address }) => address), json.balances, json.logs],
    );
    assert.deepEqual(
      parsed.instructions.map(({ name }) => name),
      json.instructions.map(({ name }) => name),
    );
    const fields = plainFields(parsed.instructions[0]?.fields ?? []);
    for (const { role, address } of json.instructions[0]?.accounts ?? [])
      assert.equal(fields[role ?? ''], address, role);
  });
});
