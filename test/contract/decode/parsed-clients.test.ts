// Parsed instructions against the decoders of the public clients: all that @solana-program/token and
// @solana-program/system decode of each instruction, the service returns too, under the same name.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { address, createNoopSigner, type Address, type Instruction } from '@solana/kit';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import { decodeInstruction } from '../../../core/solana/decode/transactions/instructions';
import { plainFields } from './decode-both';
import { anyKey, explain, leaves, type Explained, type Plain } from './parsed-harness';

const key = (): Address => address(anyKey());
const signer = () => createNoopSigner(key());
const authority = signer;
const decimals = 3;
const amount = 1_234_567n;

const plainOf = (instruction: Instruction): Plain => ({
  program: instruction.programAddress,
  accounts: (instruction.accounts ?? []).map((account) => account.address),
  data: Uint8Array.from(instruction.data ?? []),
});

/** A client's decoded instruction: accounts by name, and the fields of its data. */
interface Decoded {
  readonly accounts?: Readonly<Record<string, { readonly address: string } | undefined>>;
  readonly data: object;
}

const SOME = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '__option' in value ? ('value' in value ? value.value : null) : value;

/** Everything the decoder returns is in the explanation, except the fields `apart`, which have another form there. */
function compare(instruction: Instruction, type: string, decoded: Decoded, apart: readonly string[] = []): void {
  const explained = explain(plainOf(instruction));
  assert.equal(explained.type, type);
  const values = leaves(explained.info);
  for (const [name, account] of Object.entries(decoded.accounts ?? {}))
    assert.ok(account === undefined || apart.includes(name) || values.includes(account.address), `${name} of ${type}`);
  for (const [name, raw] of Object.entries(decoded.data)) {
    const value = SOME(raw);
    if (name === 'discriminator' || value === null || apart.includes(name)) continue;
    for (const leaf of leaves(value)) assert.ok(values.includes(leaf), `${name} of ${type}: ${leaf}`);
  }
}

const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const TOKEN: Readonly<Record<string, () => Instruction>> = {
  InitializeMint: () =>
    token.getInitializeMintInstruction({ mint: key(), decimals, mintAuthority: key(), freezeAuthority: key() }),
  InitializeAccount: () => token.getInitializeAccountInstruction({ account: key(), mint: key(), owner: key() }),
  InitializeMultisig: () => token.getInitializeMultisigInstruction({ multisig: key(), m: 2, signers: [key(), key()] }),
  Transfer: () => token.getTransferInstruction({ source: key(), destination: key(), authority: authority(), amount }),
  Approve: () => token.getApproveInstruction({ source: key(), delegate: key(), owner: authority(), amount }),
  Revoke: () => token.getRevokeInstruction({ source: key(), owner: authority() }),
  SetAuthority: () =>
    token.getSetAuthorityInstruction({
      owned: key(),
      owner: authority(),
      authorityType: token.AuthorityType.CloseAccount,
      newAuthority: key(),
    }),
  MintTo: () => token.getMintToInstruction({ mint: key(), token: key(), mintAuthority: authority(), amount }),
  Burn: () => token.getBurnInstruction({ account: key(), mint: key(), authority: authority(), amount }),
  CloseAccount: () => token.getCloseAccountInstruction({ account: key(), destination: key(), owner: authority() }),
  FreezeAccount: () => token.getFreezeAccountInstruction({ account: key(), mint: key(), owner: authority() }),
  ThawAccount: () => token.getThawAccountInstruction({ account: key(), mint: key(), owner: authority() }),
  TransferChecked: () =>
    token.getTransferCheckedInstruction({
      source: key(),
      mint: key(),
      destination: key(),
      authority: authority(),
      amount,
      decimals,
    }),
  ApproveChecked: () =>
    token.getApproveCheckedInstruction({
      source: key(),
      mint: key(),
      delegate: key(),
      owner: authority(),
      amount,
      decimals,
    }),
  MintToChecked: () =>
    token.getMintToCheckedInstruction({ mint: key(), token: key(), mintAuthority: authority(), amount, decimals }),
  BurnChecked: () =>
    token.getBurnCheckedInstruction({ account: key(), mint: key(), authority: authority(), amount, decimals }),
  InitializeAccount2: () => token.getInitializeAccount2Instruction({ account: key(), mint: key(), owner: key() }),
  SyncNative: () => token.getSyncNativeInstruction({ account: key() }),
  InitializeAccount3: () => token.getInitializeAccount3Instruction({ account: key(), mint: key(), owner: key() }),
  InitializeMultisig2: () =>
    token.getInitializeMultisig2Instruction({ multisig: key(), m: 2, signers: [key(), key(), key()] }),
  InitializeMint2: () => token.getInitializeMint2Instruction({ mint: key(), decimals, mintAuthority: key() }),
  GetAccountDataSize: () => token.getGetAccountDataSizeInstruction({ mint: key() }),
  InitializeImmutableOwner: () => token.getInitializeImmutableOwnerInstruction({ account: key() }),
  AmountToUiAmount: () => token.getAmountToUiAmountInstruction({ mint: key(), amount }),
  UiAmountToAmount: () => token.getUiAmountToAmountInstruction({ mint: key(), uiAmount: '12.5' }),
  WithdrawExcessLamports: () =>
    token.getWithdrawExcessLamportsInstruction({ source: key(), destination: key(), authority: authority() }),
  UnwrapLamports: () =>
    token.getUnwrapLamportsInstruction({ source: key(), destination: key(), authority: authority(), amount }),
};

/** A number that is given by name, and a sysvar that nodes leave out. */
const APART: Readonly<Record<string, readonly string[]>> = { SetAuthority: ['authorityType'], SyncNative: ['rent'] };

describe('parsed instructions, @solana-program/token', () => {
  for (const [name, build] of Object.entries(TOKEN))
    test(name, () => {
      const instruction = build();
      const decoded = token.parseTokenInstruction(instruction as Parameters<typeof token.parseTokenInstruction>[0]);
      assert.equal(token.TokenInstruction[decoded.instructionType], name);
      compare(instruction, lower(name), decoded, APART[name]);
    });
  test('each instruction of the client is among these, but for the batch', () => {
    const names = Object.values(token.TokenInstruction).filter((name) => typeof name === 'string');
    assert.deepEqual(names.filter((name) => name !== 'Batch').sort(), Object.keys(TOKEN).sort());
  });
  test('SetAuthority names the kind of authority', () => {
    const { info } = explain(plainOf(TOKEN['SetAuthority']?.() as Instruction));
    assert.equal(info['authorityType'], 'closeAccount');
  });
  test('Batch lists each of its instructions', () => {
    const parts = [TOKEN['Transfer'], TOKEN['SyncNative']].map((build) => build?.() as Instruction);
    const explained = explain(
      plainOf(token.getBatchInstruction(parts as Parameters<typeof token.getBatchInstruction>[0])),
    );
    assert.equal(explained.type, 'batch');
    assert.deepEqual(
      explained.info['instructions'],
      parts.map((part) => explain(plainOf(part))),
    );
  });
  test('Batch is the same instructions to the decoders', () => {
    const parts = ['Transfer', 'CloseAccount', 'TransferChecked', 'UnwrapLamports', 'WithdrawExcessLamports'];
    const batch = plainOf(
      token.getBatchInstruction(
        parts.map((name) => TOKEN[name]?.()) as Parameters<typeof token.getBatchInstruction>[0],
      ),
    );
    const accounts = [batch.program, ...batch.accounts].map((address) => ({
      address,
      isSigner: true,
      isWritable: true,
    }));
    const indexes = batch.accounts.map((_, at) => at + 1);
    const raw = { kind: 'raw', program: 0, accounts: indexes, data: batch.data } as const;
    const [{ value } = assert.fail()] = decodeInstruction(raw, accounts, [0], NO_PROGRAMS).fields;
    assert.ok(value.kind === 'list');
    const decoded = value.items.map(
      (part) => part.kind === 'fields' && { type: part.name, info: plainFields(part.fields) },
    );
    const explained = explain(batch).info['instructions'] as readonly Explained[];
    assert.deepEqual(
      decoded,
      explained.map(({ type, info: { tokenAmount, ...info } }) => {
        const amount = tokenAmount as Readonly<Record<string, unknown>> | undefined;
        return {
          type,
          info: { ...info, ...(amount && { amount: amount['amount'], decimals: String(amount['decimals']) }) },
        };
      }),
    );
  });
});

const SYSTEM: Readonly<Record<string, () => readonly [type: string, Instruction]>> = {
  CreateAccount: () => [
    'createAccount',
    system.getCreateAccountInstruction({
      payer: signer(),
      newAccount: signer(),
      lamports: 7n,
      space: 80,
      programAddress: key(),
    }),
  ],
  Assign: () => ['assign', system.getAssignInstruction({ account: signer(), programAddress: key() })],
  TransferSol: () => ['transfer', system.getTransferSolInstruction({ source: signer(), destination: key(), amount })],
  CreateAccountWithSeed: () => [
    'createAccountWithSeed',
    system.getCreateAccountWithSeedInstruction({
      payer: signer(),
      newAccount: key(),
      baseAccount: signer(),
      base: key(),
      seed: 'seed',
      amount,
      space: 9,
      programAddress: key(),
    }),
  ],
  AdvanceNonceAccount: () => [
    'advanceNonce',
    system.getAdvanceNonceAccountInstruction({ nonceAccount: key(), nonceAuthority: signer() }),
  ],
  WithdrawNonceAccount: () => [
    'withdrawFromNonce',
    system.getWithdrawNonceAccountInstruction({
      nonceAccount: key(),
      recipientAccount: key(),
      nonceAuthority: signer(),
      withdrawAmount: 5n,
    }),
  ],
  InitializeNonceAccount: () => [
    'initializeNonce',
    system.getInitializeNonceAccountInstruction({ nonceAccount: key(), nonceAuthority: key() }),
  ],
  AuthorizeNonceAccount: () => [
    'authorizeNonce',
    system.getAuthorizeNonceAccountInstruction({
      nonceAccount: key(),
      nonceAuthority: signer(),
      newNonceAuthority: key(),
    }),
  ],
  Allocate: () => ['allocate', system.getAllocateInstruction({ newAccount: signer(), space: 77n })],
  AllocateWithSeed: () => [
    'allocateWithSeed',
    system.getAllocateWithSeedInstruction({
      newAccount: key(),
      baseAccount: signer(),
      base: key(),
      seed: 'seed',
      space: 8,
      programAddress: key(),
    }),
  ],
  AssignWithSeed: () => [
    'assignWithSeed',
    system.getAssignWithSeedInstruction({
      account: key(),
      baseAccount: signer(),
      base: key(),
      seed: 'seed',
      programAddress: key(),
    }),
  ],
  TransferSolWithSeed: () => [
    'transferWithSeed',
    system.getTransferSolWithSeedInstruction({
      source: key(),
      baseAccount: signer(),
      destination: key(),
      amount,
      fromSeed: 'seed',
      fromOwner: key(),
    }),
  ],
  UpgradeNonceAccount: () => ['upgradeNonce', system.getUpgradeNonceAccountInstruction({ nonceAccount: key() })],
  CreateAccountAllowPrefund: () => [
    'createAccountAllowPrefund',
    system.getCreateAccountAllowPrefundInstruction({
      newAccount: signer(),
      payer: signer(),
      lamports: 7n,
      space: 80,
      programAddress: key(),
    }),
  ],
};

/** The base account only signs; the data names it already. */
const withoutBaseAccount = (decoded: Decoded): Decoded => {
  const accounts = Object.entries(decoded.accounts ?? {}).filter(([name]) => name !== 'baseAccount');
  return { ...decoded, accounts: Object.fromEntries(accounts) };
};

describe('parsed instructions, @solana-program/system', () => {
  for (const [name, build] of Object.entries(SYSTEM))
    test(name, () => {
      const [type, instruction] = build();
      const decoded = system.parseSystemInstruction(instruction as Parameters<typeof system.parseSystemInstruction>[0]);
      assert.equal(system.SystemInstruction[decoded.instructionType], name);
      const expected = 'base' in decoded.data ? withoutBaseAccount(decoded) : (decoded as Decoded);
      compare(instruction, type, expected);
    });
  test('each instruction of the client is among these', () => {
    const names = Object.values(system.SystemInstruction).filter((name) => typeof name === 'string');
    assert.deepEqual([...names].sort(), Object.keys(SYSTEM).sort());
  });
});
