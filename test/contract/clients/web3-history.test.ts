// The unmodified @solana/web3.js looks back: records and parsed records, pages of an address's history, statuses and
// blocks.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  ACCOUNT_SIZE,
  createAssociatedTokenAccountInstruction,
  createMint,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  createMintToInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Keypair,
  SystemProgram,
  type Connection,
  type ParsedInstruction,
  type ParsedTransaction,
  type ParsedTransactionWithMeta,
  type PartiallyDecodedInstruction,
  type PublicKey,
} from '@solana/web3.js';
import type { Localnet } from '../../support/process/localnet';
import { memo, send, sendVersioned, web3Session } from './web3-harness';

const ANY_VERSION = { maxSupportedTransactionVersion: 0 } as const;

let local: Localnet;
let connection: Connection;
let payer: Keypair;
let reconnect: () => Connection;
web3Session((session) => ({ local, connection, payer, reconnect } = session));

const pay = (to: PublicKey, lamports = 2_000_000) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports });

/** `program type` of an instruction, or the program's address if it is not parsed. */
const programAndType = (instruction: ParsedInstruction | PartiallyDecodedInstruction): string =>
  'parsed' in instruction
    ? `${instruction.program} ${typeof instruction.parsed === 'string' ? instruction.parsed : (instruction.parsed as { type: string }).type}`
    : instruction.programId.toBase58();

const infoOf = (instruction: ParsedInstruction | PartiallyDecodedInstruction | undefined): unknown => {
  assert.ok(instruction && 'parsed' in instruction);
  return (instruction.parsed as { info: unknown }).info;
};

describe('web3.js: parsed transactions', () => {
  const wallet = Keypair.generate();
  let mint: PublicKey;
  let from: PublicKey;
  let to: PublicKey;
  let record: ParsedTransactionWithMeta;
  let signature: string;
  before(async () => {
    const authority = payer.publicKey;
    mint = await createMint(connection, payer, authority, authority, 3, Keypair.generate());
    from = getAssociatedTokenAddressSync(mint, authority);
    to = getAssociatedTokenAddressSync(mint, wallet.publicKey);
    await send(
      connection,
      [
        createAssociatedTokenAccountInstruction(authority, from, authority, mint),
        createMintToInstruction(mint, from, authority, 9_000n),
      ],
      [payer],
    );
    signature = await send(
      connection,
      [
        pay(wallet.publicKey),
        createAssociatedTokenAccountInstruction(authority, to, wallet.publicKey, mint),
        createTransferCheckedInstruction(from, mint, to, authority, 1_234n, 3),
        memo('all four'),
      ],
      [payer],
    );
    const found = await connection.getParsedTransaction(signature, ANY_VERSION);
    assert.ok(found?.meta);
    record = found;
  });

  test('each instruction is explained by its program', () => {
    assert.deepEqual(record.transaction.message.instructions.map(programAndType), [
      'system transfer',
      'spl-associated-token-account create',
      'spl-token transferChecked',
      'spl-memo all four',
    ]);
  });
  test('a transfer has its source, destination and lamports', () => {
    assert.deepEqual(infoOf(record.transaction.message.instructions[0]), {
      source: payer.publicKey.toBase58(),
      destination: wallet.publicKey.toBase58(),
      lamports: 2_000_000,
    });
  });
  test('associated token account: who pays, for whom, and which mint', () => {
    assert.deepEqual(infoOf(record.transaction.message.instructions[1]), {
      source: payer.publicKey.toBase58(),
      account: to.toBase58(),
      wallet: wallet.publicKey.toBase58(),
      mint: mint.toBase58(),
      systemProgram: SystemProgram.programId.toBase58(),
      tokenProgram: TOKEN_PROGRAM_ID.toBase58(),
    });
  });
  test('a token transfer has its amount with the decimals', () => {
    assert.deepEqual(infoOf(record.transaction.message.instructions[2]), {
      source: from.toBase58(),
      mint: mint.toBase58(),
      destination: to.toBase58(),
      authority: payer.publicKey.toBase58(),
      tokenAmount: { amount: '1234', decimals: 3, uiAmount: 1.234, uiAmountString: '1.234' },
    });
  });
  test('inner instructions are explained under the instruction that made them', () => {
    const [inner, ...more] = record.meta?.innerInstructions ?? [];
    assert.deepEqual(more, []);
    assert.equal(inner?.index, 1);
    assert.deepEqual(inner.instructions.map(programAndType), [
      'spl-token getAccountDataSize',
      'system createAccount',
      'spl-token initializeImmutableOwner',
      'spl-token initializeAccount3',
    ]);
  });
  test('token balances before and after name mint, owner and program', () => {
    const { preTokenBalances, postTokenBalances } = record.meta ?? {};
    const keys = record.transaction.message.accountKeys.map(({ pubkey }) => pubkey.toBase58());
    assert.deepEqual(
      postTokenBalances
        ?.map(({ accountIndex, owner, uiTokenAmount }) => [keys[accountIndex], owner, uiTokenAmount.amount])
        .sort(),
      [
        [from.toBase58(), payer.publicKey.toBase58(), '7766'],
        [to.toBase58(), wallet.publicKey.toBase58(), '1234'],
      ].sort(),
    );
    assert.deepEqual(
      preTokenBalances?.map(({ uiTokenAmount }) => uiTokenAmount.uiAmountString),
      ['9'],
    );
    for (const { mint: of, programId } of postTokenBalances ?? [])
      assert.deepEqual([of, programId], [mint.toBase58(), TOKEN_PROGRAM_ID.toBase58()]);
  });
  test('balances, fee, units and lines are those of the run', async () => {
    const { meta } = record;
    assert.equal(meta?.err, null);
    assert.equal(meta?.fee, 5000);
    const rent = (meta?.postBalances[0] ?? 0) - (meta?.preBalances[0] ?? 0) + 2_000_000 + 5000;
    assert.equal(rent, -(await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE)));
    const consumed = (meta?.logMessages ?? []).flatMap(
      (line) => /^Program (?!.* invoke).* consumed (\d+) of/.exec(line)?.[1] ?? [],
    );
    assert.ok(Number(meta?.computeUnitsConsumed) >= Math.max(...consumed.map(Number)));
  });
  test('accounts are listed with their roles', () => {
    const [first] = record.transaction.message.accountKeys;
    assert.deepEqual(
      [first?.pubkey.toBase58(), first?.signer, first?.writable, first?.source],
      [payer.publicKey.toBase58(), true, true, 'transaction'],
    );
  });
  test('getParsedTransactions keeps the order, null for what is unknown', async () => {
    const other = await send(connection, [memo('second')], [payer]);
    const unknown = '1'.repeat(64);
    const found = await connection.getParsedTransactions([other, unknown, signature], ANY_VERSION);
    assert.deepEqual(
      found.map((one) => one?.transaction.signatures[0] ?? null),
      [other, null, signature],
    );
  });
  test('getTransactions gives the same as compiled messages', async () => {
    const [one] = await connection.getTransactions([signature], ANY_VERSION);
    assert.equal(one?.transaction.message.compiledInstructions.length, 4);
    assert.equal(one.transaction.message.staticAccountKeys[0]?.toBase58(), payer.publicKey.toBase58());
    assert.equal(one.meta?.innerInstructions?.[0]?.instructions.length, 4);
  });
  test('a version 0 transaction is refused to a client that reads legacy only', async () => {
    const versioned = await sendVersioned(connection, [memo('new')], [payer]);
    await assert.rejects(connection.getParsedTransaction(versioned), /-32015|maxSupportedTransactionVersion/);
    assert.equal((await connection.getParsedTransaction(versioned, ANY_VERSION))?.version, 0);
  });
});

describe('web3.js: pages of history', () => {
  const subject = Keypair.generate().publicKey;
  const count = 7;
  let newestFirst: string[];
  before(async () => {
    const signatures: string[] = [];
    for (let i = 0; i < count; i++) signatures.push(await send(connection, [pay(subject), memo(`page ${i}`)], [payer]));
    newestFirst = signatures.reverse();
  });
  const page = async (options: object): Promise<string[]> =>
    (await connection.getSignaturesForAddress(subject, options)).map(({ signature }) => signature);

  test('without bounds the newest comes first', async () => {
    assert.deepEqual(await page({}), newestFirst);
  });
  test('backwards: before the last one seen, page by page, to the beginning', async () => {
    const seen: string[] = [];
    for (;;) {
      const next = await page({ limit: 3, ...(seen.length > 0 ? { before: seen.at(-1) } : {}) });
      if (next.length === 0) break;
      seen.push(...next);
    }
    assert.deepEqual(seen, newestFirst);
  });
  test('forwards: until the newest one known gives what is new, and that one', async () => {
    assert.deepEqual(await page({ until: newestFirst[2] }), newestFirst.slice(0, 3));
  });
  test('before and until together cut a piece out', async () => {
    assert.deepEqual(await page({ before: newestFirst[1], until: newestFirst[4] }), newestFirst.slice(2, 5));
  });
  test('each entry has slot, time, memo and confirmation status', async () => {
    const [entry] = await connection.getSignaturesForAddress(subject, { limit: 1 });
    assert.equal(entry?.memo, '[6] page 6');
    assert.equal(entry.err, null);
    assert.equal(entry.confirmationStatus, 'finalized');
    const record = await connection.getTransaction(entry.signature, ANY_VERSION);
    assert.deepEqual([entry.slot, entry.blockTime], [record?.slot, record?.blockTime]);
  });
  test('what is confirmed is final, and listed as that', async () => {
    const late = await send(connection, [pay(subject)], [payer]);
    const final = await connection.getSignaturesForAddress(subject, {}, 'finalized');
    assert.deepEqual(
      final.map(({ signature }) => signature),
      [late, ...newestFirst],
    );
    assert.equal((await page({ limit: 1 }))[0], late);
  });
});

describe('web3.js: statuses', () => {
  test('getSignatureStatuses says that what is confirmed is final, and finds old ones in the history', async () => {
    const signature = await send(connection, [memo('status')], [payer]);
    const { value: fresh } = await connection.getSignatureStatuses([signature]);
    assert.equal(fresh[0]?.confirmationStatus, 'finalized');
    assert.equal(fresh[0].confirmations, null);
    await local.slots(340);
    const { value: gone } = await connection.getSignatureStatuses([signature]);
    assert.equal(gone[0], null);
    const { value: found } = await connection.getSignatureStatuses([signature], { searchTransactionHistory: true });
    assert.equal(found[0]?.confirmationStatus, 'finalized');
    assert.equal(found[0].confirmations, null);
    connection = reconnect();
  });
});

describe('web3.js: blocks', () => {
  let slot: number;
  let signature: string;
  before(async () => {
    signature = await send(connection, [pay(Keypair.generate().publicKey)], [payer]);
    slot = (await connection.getTransaction(signature, ANY_VERSION))?.slot ?? 0;
  });
  test('getBlock holds the transaction in full', async () => {
    const block = await connection.getBlock(slot, ANY_VERSION);
    assert.ok(block);
    assert.ok(block.transactions.some(({ transaction }) => transaction.signatures[0] === signature));
    assert.equal(block.parentSlot, slot - 1);
    const parent = await connection.getBlock(slot - 1, ANY_VERSION);
    assert.equal(block.previousBlockhash, parent?.blockhash);
    assert.equal(block.blockTime, await connection.getBlockTime(slot));
  });
  test('getParsedBlock explains its instructions', async () => {
    const block = await connection.getParsedBlock(slot, ANY_VERSION);
    const own = block.transactions.find(({ transaction }) => transaction.signatures[0] === signature);
    // The client's types take every parsed block for one without messages.
    const { message } = own?.transaction as unknown as ParsedTransaction;
    assert.deepEqual(message.instructions.map(programAndType), ['system transfer']);
  });
  test('transactionDetails and rewards leave the rest out', async () => {
    const accounts = await connection.getBlock(slot, { ...ANY_VERSION, transactionDetails: 'accounts' });
    assert.ok(accounts?.transactions.some(({ transaction }) => transaction.signatures[0] === signature));
    const none = await connection.getBlock(slot, { ...ANY_VERSION, transactionDetails: 'none', rewards: false });
    assert.equal(none?.transactions, undefined);
    assert.equal(none?.rewards, undefined);
  });
  test('getBlockSignatures lists the names only', async () => {
    assert.ok((await connection.getBlockSignatures(slot)).signatures.includes(signature));
  });
  test('getBlocks lists the slots of a range', async () => {
    assert.deepEqual(await connection.getBlocks(slot - 2, slot), [slot - 2, slot - 1, slot]);
  });
  test('a slot without a block yet is an error that says so', async () => {
    await assert.rejects(connection.getBlock(slot + 10_000, ANY_VERSION), /not available for slot/);
  });
});
