// The decoders against the public clients' own, on bytes that the clients or the layouts give.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { address as kitAddress } from '@solana/kit';
import { getNonceDecoder, getNonceEncoder, NonceState, NonceVersion } from '@solana-program/system';
import {
  AccountState,
  getMintDecoder,
  getMultisigDecoder,
  getMultisigEncoder,
  getTokenDecoder,
} from '@solana-program/token';
import { TOKEN_2022_PROGRAM_ID, getTransferFeeConfig, unpackAccount, unpackMint } from '@solana/spl-token';
import { AddressLookupTableAccount, NonceAccount, PublicKey, VoteAccount } from '@solana/web3.js';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { extension, keyOf, layOut } from '../../support/data/layouts';
import { decode } from '../../support/data/decoded';
import { mintData, plainFields, plainJson, tokenData } from './decode-both';
import { Bench, SYSTEM, TOKEN, TOKEN_2022 } from '../rpc/rpc-harness';

const A = encodeBase58(keyOf(0xaa));
const B = encodeBase58(keyOf(0xbb));
const TABLES = 'AddressLookupTab1e1111111111111111111111111';
const VOTE = 'Vote111111111111111111111111111111111111111';

let bench: Bench;
before(async () => {
  bench = await Bench.open();
});
after(() => bench.close());

const fieldsOf = (owner: string, data: Uint8Array): Record<string, unknown> => plainFields(decode(owner, data).fields);
/** As @solana/spl-token takes an account. */
const info = (data: Uint8Array) => ({
  data: Buffer.from(data),
  owner: TOKEN_2022_PROGRAM_ID,
  lamports: 1,
  executable: false,
});

describe('decoders and the public clients agree on', () => {
  test('a Token-2022 mint with a transfer fee, and an account, as @solana/spl-token reads them', () => {
    const fee = layOut(keyOf(0xaa), keyOf(0), [8, 15], [8, 3], [8, 7], [2, 1], [8, 4], [8, 2_000_000], [2, 50]);
    const data = layOut(mintData(), Buffer.alloc(83), [1, 1], extension(1, fee));
    const config = getTransferFeeConfig(unpackMint(new PublicKey(A), info(data), TOKEN_2022_PROGRAM_ID));
    assert.ok(config);
    const [decoded] = fieldsOf(TOKEN_2022, data)['extensions'] as Record<string, unknown>[];
    assert.deepEqual(decoded, {
      extension: 'transferFeeConfig',
      transferFeeConfigAuthority: config.transferFeeConfigAuthority.toBase58(),
      withdrawWithheldAuthority: null,
      withheldAmount: String(config.withheldAmount),
      olderTransferFee: plainJson(config.olderTransferFee),
      newerTransferFee: plainJson(config.newerTransferFee),
    });
    const base = layOut(keyOf(0xaa), keyOf(0xbb), [8, 9], Buffer.alloc(36), [1, 1], Buffer.alloc(56));
    const account = layOut(base, [1, 2], extension(7, layOut()));
    const { mint, owner, amount } = unpackAccount(new PublicKey(A), info(account), TOKEN_2022_PROGRAM_ID);
    const fields = fieldsOf(TOKEN_2022, account);
    assert.deepEqual(
      [mint.toBase58(), owner.toBase58(), String(amount)],
      [fields['mint'], fields['owner'], fields['amount']],
    );
  });

  test('token accounts, mints and multisigs, as @solana-program/token reads them', () => {
    const token = tokenData(bench, 5n);
    const { isNative, state, ...rest } = getTokenDecoder().decode(token);
    const { rentExemptReserve, state: shown, ...fields } = fieldsOf(TOKEN, token);
    assert.deepEqual(plainJson(unwrapped(rest)), fields);
    assert.deepEqual(
      [plainJson(unwrapped({ isNative })), state, shown],
      [{ isNative: rentExemptReserve }, AccountState.Frozen, 'frozen'],
    );
    assert.deepEqual(plainJson(unwrapped({ ...getMintDecoder().decode(mintData(9)) })), fieldsOf(TOKEN, mintData(9)));
    const signers = [A, ...Array<string>(10).fill(SYSTEM)].map((signer) => kitAddress(signer));
    const multisig = Uint8Array.from(getMultisigEncoder().encode({ m: 1, n: 1, isInitialized: true, signers }));
    const { m, n, signers: found } = getMultisigDecoder().decode(multisig);
    const parsed = fieldsOf(TOKEN, multisig);
    assert.deepEqual(
      [String(m), String(n), found.slice(0, n)],
      [parsed['requiredSigners'], parsed['validSigners'], parsed['signers']],
    );
  });

  test('nonces, as @solana-program/system and web3.js read them', () => {
    const data = Uint8Array.from(
      getNonceEncoder().encode({
        version: NonceVersion.Current,
        state: NonceState.Initialized,
        authority: kitAddress(A),
        blockhash: kitAddress(B),
        lamportsPerSignature: 5_000n,
      }),
    );
    const { authority, blockhash, lamportsPerSignature } = fieldsOf(SYSTEM, data);
    const kit = getNonceDecoder().decode(data);
    assert.deepEqual(
      [kit.authority, kit.blockhash, String(kit.lamportsPerSignature)],
      [authority, blockhash, lamportsPerSignature],
    );
    const web3 = NonceAccount.fromAccountData(data);
    assert.deepEqual(
      [web3.authorizedPubkey.toBase58(), web3.nonce, String(web3.feeCalculator.lamportsPerSignature)],
      [authority, blockhash, lamportsPerSignature],
    );
  });

  test('lookup tables, as web3.js reads them', () => {
    const data = layOut([4, 1], [8, 50], [8, 10], [1, 1], [1, 1], keyOf(0xaa), [2, 0], keyOf(0xbb), keyOf(0xcc));
    const fields = fieldsOf(TABLES, data);
    const { authority, addresses, deactivationSlot, lastExtendedSlot } = AddressLookupTableAccount.deserialize(data);
    assert.deepEqual(
      [
        authority?.toBase58(),
        addresses.map((key) => key.toBase58()),
        String(deactivationSlot),
        String(lastExtendedSlot),
      ],
      [fields['authority'], fields['addresses'], fields['deactivationSlot'], fields['lastExtendedSlot']],
    );
  });

  test('vote accounts, as web3.js reads them', () => {
    // Version 1.14.11: the one that web3.js knows.
    const data = layOut(
      [4, 1],
      keyOf(0xaa),
      keyOf(0xbb),
      [1, 9],
      [8, 2],
      [8, 50],
      [4, 3],
      [8, 51],
      [4, 2],
      [1, 1],
      [8, 40],
      [8, 1],
      [8, 5],
      keyOf(0xcc),
      Buffer.alloc(32 * 48),
      [8, 31],
      [1, 1],
      [8, 1],
      [8, 5],
      [8, 30],
      [8, 20],
      [8, 60],
      [8, 70],
      Buffer.alloc(500),
    );
    const fields = fieldsOf(VOTE, data);
    const vote = VoteAccount.fromAccountData(data);
    assert.deepEqual(
      [
        vote.nodePubkey.toBase58(),
        vote.authorizedWithdrawer.toBase58(),
        String(vote.commission),
        String(vote.rootSlot),
        plainJson(vote.votes),
        plainJson(vote.lastTimestamp),
      ],
      [
        fields['nodePubkey'],
        fields['authorizedWithdrawer'],
        fields['commission'],
        fields['rootSlot'],
        fields['votes'],
        fields['lastTimestamp'],
      ],
    );
    assert.deepEqual(
      vote.epochCredits.map(({ epoch, credits, prevCredits }) => [epoch, credits, prevCredits].map(String)),
      (fields['epochCredits'] as Record<string, string>[]).map(({ epoch, credits, previousCredits }) => [
        epoch,
        credits,
        previousCredits,
      ]),
    );
  });
});

/** @solana/kit's options as null or what they hold. */
function unwrapped(value: Record<string, unknown>): Record<string, unknown> {
  const open = (inside: unknown): unknown => {
    if (typeof inside !== 'object' || inside === null || !('__option' in inside)) return inside;
    return 'value' in inside ? inside.value : null;
  };
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, open(inside)]));
}
