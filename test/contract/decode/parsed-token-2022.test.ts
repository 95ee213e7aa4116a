// Token-2022's instructions as jsonParsed: built by the unmodified @solana/spl-token, sent to the service, read back from
// the ledger. A failed transaction is parsed all the same.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as spl from '@solana/spl-token';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type Connection,
  type ParsedAccountData,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { Localnet } from '../../support/process/localnet';
import { finalize, send, web3Session } from '../clients/web3-harness';

const PROGRAM = spl.TOKEN_2022_PROGRAM_ID;

let local: Localnet;
let connection: Connection;
let payer: Keypair;
web3Session((session) => ({ local, connection, payer } = session));

interface Parsed {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

/** The instruction as the ledger returns it once it has landed, failed or not. */
async function landed(instruction: TransactionInstruction): Promise<Parsed> {
  const latest = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(instruction);
  transaction.sign(payer);
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  // A failed transaction's confirmation rejects with its error, as soon as it has landed.
  await connection.confirmTransaction({ signature, ...latest }).catch((error: unknown) => {
    if (error instanceof Error) throw error;
  });
  await local.slots(2);
  const found = await connection.getParsedTransaction(signature);
  const [first] = found?.transaction.message.instructions ?? [];
  assert.ok(first && 'parsed' in first, 'the instruction is parsed');
  assert.equal(first.program, 'spl-token');
  return first.parsed as Parsed;
}

const [a, b, c] = [Keypair.generate(), Keypair.generate(), Keypair.generate()].map(({ publicKey }) => publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
];

/** An instruction and its expected parsed form; keys as base58. */
type Row = readonly [build: (me: PublicKey) => TransactionInstruction, type: string, info: (me: PublicKey) => object];

const ROWS: readonly Row[] = [
  [
    (me) => spl.createInitializeTransferFeeConfigInstruction(a, me, b, 250, 9_000n, PROGRAM),
    'initializeTransferFeeConfig',
    (me) => ({
      mint: a,
      transferFeeConfigAuthority: me,
      withdrawWithheldAuthority: b,
      transferFeeBasisPoints: 250,
      maximumFee: 9000,
    }),
  ],
  [
    () => spl.createInitializeTransferFeeConfigInstruction(a, null, null, 1, 2n, PROGRAM),
    'initializeTransferFeeConfig',
    () => ({ mint: a, transferFeeBasisPoints: 1, maximumFee: 2 }),
  ],
  [
    (me) => spl.createTransferCheckedWithFeeInstruction(a, b, c, me, 1_500n, 2, 15n, [], PROGRAM),
    'transferCheckedWithFee',
    (me) => ({
      source: a,
      mint: b,
      destination: c,
      authority: me,
      tokenAmount: { amount: '1500', decimals: 2, uiAmount: 15, uiAmountString: '15' },
      feeAmount: { amount: '15', decimals: 2, uiAmount: 0.15, uiAmountString: '0.15' },
    }),
  ],
  [
    (me) => spl.createWithdrawWithheldTokensFromMintInstruction(a, b, me, [], PROGRAM),
    'withdrawWithheldTokensFromMint',
    (me) => ({ mint: a, feeRecipient: b, withdrawWithheldAuthority: me }),
  ],
  [
    (me) => spl.createWithdrawWithheldTokensFromAccountsInstruction(a, b, me, [], [b, c], PROGRAM),
    'withdrawWithheldTokensFromAccounts',
    (me) => ({ mint: a, feeRecipient: b, withdrawWithheldAuthority: me, sourceAccounts: [b, c] }),
  ],
  [
    () => spl.createHarvestWithheldTokensToMintInstruction(a, [b, c], PROGRAM),
    'harvestWithheldTokensToMint',
    () => ({ mint: a, sourceAccounts: [b, c] }),
  ],
  [
    (me) => spl.createSetTransferFeeInstruction(a, me, [], 7, 8n, PROGRAM),
    'setTransferFee',
    (me) => ({ mint: a, transferFeeBasisPoints: 7, maximumFee: 8, transferFeeConfigAuthority: me }),
  ],
  [
    () => spl.createInitializeDefaultAccountStateInstruction(a, spl.AccountState.Frozen, PROGRAM),
    'initializeDefaultAccountState',
    () => ({ mint: a, accountState: 'frozen' }),
  ],
  [
    (me) => spl.createUpdateDefaultAccountStateInstruction(a, spl.AccountState.Initialized, me, [], PROGRAM),
    'updateDefaultAccountState',
    (me) => ({ mint: a, accountState: 'initialized', freezeAuthority: me }),
  ],
  [
    (me) =>
      spl.createReallocateInstruction(
        a,
        me,
        [spl.ExtensionType.MemoTransfer, spl.ExtensionType.CpiGuard],
        me,
        [],
        PROGRAM,
      ),
    'reallocate',
    (me) => ({
      account: a,
      payer: me,
      systemProgram: PublicKey.default,
      extensionTypes: ['memoTransfer', 'cpiGuard'],
      owner: me,
    }),
  ],
  [
    (me) => spl.createEnableRequiredMemoTransfersInstruction(a, me, [], PROGRAM),
    'enableRequiredMemoTransfers',
    (me) => ({ account: a, owner: me }),
  ],
  [
    (me) => spl.createDisableRequiredMemoTransfersInstruction(a, me, [], PROGRAM),
    'disableRequiredMemoTransfers',
    (me) => ({ account: a, owner: me }),
  ],
  [
    (me) => spl.createEnableCpiGuardInstruction(a, me, [], PROGRAM),
    'enableCpiGuard',
    (me) => ({ account: a, owner: me }),
  ],
  [
    (me) => spl.createDisableCpiGuardInstruction(a, me, [], PROGRAM),
    'disableCpiGuard',
    (me) => ({ account: a, owner: me }),
  ],
  [
    (me) => spl.createCreateNativeMintInstruction(me, spl.NATIVE_MINT_2022, PROGRAM),
    'createNativeMint',
    (me) => ({ payer: me, nativeMint: spl.NATIVE_MINT_2022, systemProgram: PublicKey.default }),
  ],
  [
    () => spl.createInitializeNonTransferableMintInstruction(a, PROGRAM),
    'initializeNonTransferableMint',
    () => ({ mint: a }),
  ],
  [
    () => spl.createInitializeInterestBearingMintInstruction(a, b, -25, PROGRAM),
    'initializeInterestBearingConfig',
    () => ({ mint: a, rateAuthority: b, rate: -25 }),
  ],
  [
    (me) => spl.createUpdateRateInterestBearingMintInstruction(a, me, 30, [], PROGRAM),
    'updateInterestBearingConfigRate',
    // This client names the authority once more as its own signer.
    (me) => ({ mint: a, newRate: 30, multisigRateAuthority: me, signers: [me] }),
  ],
  [
    () => spl.createInitializePermanentDelegateInstruction(a, b, PROGRAM),
    'initializePermanentDelegate',
    () => ({ mint: a, delegate: b }),
  ],
  [
    () => spl.createInitializeMintCloseAuthorityInstruction(a, null, PROGRAM),
    'initializeMintCloseAuthority',
    () => ({ mint: a, newAuthority: null }),
  ],
  [
    () => spl.createInitializeTransferHookInstruction(a, b, c, PROGRAM),
    'initializeTransferHook',
    () => ({ mint: a, authority: b, programId: c }),
  ],
  [
    (me) => spl.createUpdateTransferHookInstruction(a, me, c, [], PROGRAM),
    'updateTransferHook',
    (me) => ({ mint: a, authority: me, programId: c }),
  ],
  [
    () => spl.createInitializeMetadataPointerInstruction(a, b, null, PROGRAM),
    'initializeMetadataPointer',
    () => ({ mint: a, authority: b }),
  ],
  [
    (me) => spl.createUpdateMetadataPointerInstruction(a, me, c, [], PROGRAM),
    'updateMetadataPointer',
    (me) => ({ mint: a, authority: me, metadataAddress: c }),
  ],
  [
    () => spl.createInitializeGroupPointerInstruction(a, null, c, PROGRAM),
    'initializeGroupPointer',
    () => ({ mint: a, groupAddress: c }),
  ],
  [
    (me) => spl.createUpdateGroupPointerInstruction(a, me, c, [], PROGRAM),
    'updateGroupPointer',
    (me) => ({ mint: a, authority: me, groupAddress: c }),
  ],
  [
    () => spl.createInitializeGroupMemberPointerInstruction(a, b, c, PROGRAM),
    'initializeGroupMemberPointer',
    () => ({ mint: a, authority: b, memberAddress: c }),
  ],
  [
    (me) => spl.createUpdateGroupMemberPointerInstruction(a, me, null, [], PROGRAM),
    'updateGroupMemberPointer',
    (me) => ({ mint: a, authority: me }),
  ],
  [
    () => spl.createInitializeScaledUiAmountConfigInstruction(a, b, 1.5, PROGRAM),
    'initializeScaledUiAmountConfig',
    () => ({ mint: a, authority: b, multiplier: '1.5' }),
  ],
  [
    (me) => spl.createUpdateMultiplierDataInstruction(a, me, 2, 77n, [], PROGRAM),
    'updateMultiplier',
    (me) => ({ mint: a, authority: me, newMultiplier: '2', newMultiplierTimestamp: 77 }),
  ],
  [
    () => spl.createInitializePausableConfigInstruction(a, b, PROGRAM),
    'initializePausableConfig',
    () => ({ mint: a, authority: b }),
  ],
  [(me) => spl.createPauseInstruction(a, me, [], PROGRAM), 'pause', (me) => ({ mint: a, authority: me })],
  [(me) => spl.createResumeInstruction(a, me, [], PROGRAM), 'resume', (me) => ({ mint: a, authority: me })],
  [
    () => spl.createInitializePermissionedBurnInstruction(a, b, PROGRAM),
    'initializePermissionedBurnConfig',
    () => ({ mint: a, authority: b }),
  ],
  [
    (me) => spl.createPermissionedBurnInstruction(a, b, me, me, 5n, [], PROGRAM),
    'permissionedBurn',
    (me) => ({ account: a, mint: b, permissionedBurnAuthority: me, authority: me, amount: '5' }),
  ],
  [
    (me) => spl.createPermissionedBurnCheckedInstruction(a, b, me, me, 5n, 0, [], PROGRAM),
    'permissionedBurnChecked',
    (me) => ({
      account: a,
      mint: b,
      permissionedBurnAuthority: me,
      authority: me,
      tokenAmount: { amount: '5', decimals: 0, uiAmount: 5, uiAmountString: '5' },
    }),
  ],
];

/** Keys as their text, as JSON has them. */
const texts = (info: object): unknown => JSON.parse(JSON.stringify(info)) as object;

describe('parsed instructions, Token-2022', { concurrency: 8 }, () => {
  for (const [index, [build, type, info]] of ROWS.entries())
    test(`${type} (${index})`, async () => {
      const parsed = await landed(build(payer.publicKey));
      assert.equal(parsed.type, type);
      assert.deepEqual(parsed.info, texts(info(payer.publicKey)));
    });
  test('a multisig is listed with its signers', async () => {
    const multisig = Keypair.generate().publicKey;
    const parsed = await landed(spl.createPauseInstruction(a, multisig, [payer.publicKey], PROGRAM));
    assert.deepEqual(parsed.info, texts({ mint: a, multisigAuthority: multisig, signers: [payer.publicKey] }));
  });
});

describe('amounts of mints that change what is shown', () => {
  /** A mint of two decimals with one extension, and 1,500 of it in an account. */
  async function held(extension: spl.ExtensionType, initialize: (mint: PublicKey) => TransactionInstruction) {
    const mint = Keypair.generate();
    const space = spl.getMintLen([extension]);
    const lamports = await connection.getMinimumBalanceForRentExemption(space);
    const created = { fromPubkey: payer.publicKey, newAccountPubkey: mint.publicKey, space, lamports };
    const create = SystemProgram.createAccount({ ...created, programId: PROGRAM });
    const last = spl.createInitializeMintInstruction(mint.publicKey, 2, payer.publicKey, null, PROGRAM);
    await send(connection, [create, initialize(mint.publicKey), last], [payer, mint]);
    const more = [undefined, PROGRAM] as const;
    const holder = await spl.createAssociatedTokenAccount(
      connection,
      payer,
      mint.publicKey,
      Keypair.generate().publicKey,
      ...more,
    );
    await spl.mintTo(connection, payer, mint.publicKey, holder, payer, 1_500n, [], ...more);
    return { mint: mint.publicKey, holder };
  }
  const shown = async (holder: PublicKey): Promise<unknown> => {
    const { value } = await connection.getParsedAccountInfo(holder);
    const { info } = (value?.data as ParsedAccountData).parsed as Parsed;
    return info['tokenAmount'];
  };

  test('a multiplier changes the shown amount', async () => {
    const { mint, holder } = await held(spl.ExtensionType.ScaledUiAmountConfig, (key) =>
      spl.createInitializeScaledUiAmountConfigInstruction(key, payer.publicKey, 2.5, PROGRAM),
    );
    const wanted = { amount: '1500', decimals: 2, uiAmount: 37.5, uiAmountString: '37.5' };
    assert.deepEqual(await shown(holder), wanted);
    assert.deepEqual((await connection.getTokenAccountBalance(holder)).value, wanted);
    assert.deepEqual((await connection.getTokenSupply(mint)).value, wanted);
    assert.equal(await spl.amountToUiAmountForMintWithoutSimulation(connection, mint, 1_500n), '37.5');
  });
  test('interest is added as the client computes it a year later', async () => {
    const { mint, holder } = await held(spl.ExtensionType.InterestBearingConfig, (key) =>
      spl.createInitializeInterestBearingMintInstruction(key, payer.publicKey, 500, PROGRAM),
    );
    const now = await connection.getBlockTime(await connection.getSlot());
    await local.cheat('timeTravel', { timestamp: Number(now) + 31_556_736 });
    await finalize(local);
    // 15 at five per cent, compounded all the time: 15.769 after a year and until the seconds are over.
    const { value } = await connection.getTokenAccountBalance(holder);
    assert.equal(value.uiAmountString, '15.77');
    assert.deepEqual(await shown(holder), value);
    assert.equal(await spl.amountToUiAmountForMintWithoutSimulation(connection, mint, 1_500n), '15.76');
  });
});
