// Transactions out of the value of `$transaction`: what is compiled is read back by the decoder, member by member.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileTransaction, needsOf } from '../../../core/requests/transaction/compile';
import type { Compiled, TransactionContext } from '../../../core/requests/transaction/model';
import { NO_PROGRAMS, type DecodedTransaction } from '../../../core/solana/decode/decoded';
import { transactionFromWire } from '../../../core/solana/decode/transactions/decode';
import { valueText } from '../../../core/solana/decode/decodedText';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { parseJson } from '../../../core/solana/json/json';
import { NO_BLOCKHASH, withBlockhash, writeMessage, writeTransaction } from '../../../core/solana/wire/messageWriter';
import { associatedAddress } from '../../../core/solana/wire/wellKnown';
import { addressWithSeed } from '../../../core/solana/chain/programAddress';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../core/solana/chain/addresses';

const address = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte));
const WALLET = address(1);
const SHOP = address(2);
const MINT = address(3);
const TABLE = address(4);

const CONTEXT: TransactionContext = {
  programs: NO_PROGRAMS,
  wallet: WALLET,
  blockhash: address(9),
  mints: new Map([[MINT, { decimals: 6, tokenProgram: TOKEN_PROGRAM }]]),
  tables: new Map(),
};

const compile = (text: string, more: Partial<TransactionContext> = {}): Compiled =>
  compileTransaction(parseJson(text), { ...CONTEXT, ...more });

function decoded(text: string, more: Partial<TransactionContext> = {}): DecodedTransaction {
  const made = compile(text, more);
  assert.ok(made.ok, JSON.stringify(made));
  const bytes = writeTransaction(
    made.version,
    made.message,
    made.signers.map(() => new Uint8Array(64).fill(7)),
  );
  const read = transactionFromWire(bytes, NO_PROGRAMS);
  assert.ok(read.ok, read.ok ? '' : read.reason);
  return read.value;
}

const faults = (text: string, more: Partial<TransactionContext> = {}): string[] => {
  const made = compile(text, more);
  assert.ok(!made.ok);
  return made.faults.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

const summary = ({ instructions }: DecodedTransaction): string[] =>
  instructions.map(({ programName, name, fields }) =>
    `${programName ?? '?'} ${name ?? '?'} ${fields.map((field) => `${field.name}=${valueText(field.value)}`).join(' ')}`.trim(),
  );

test('a message gets its blockhash afterwards, with any version and number of accounts', () => {
  for (const version of ['legacy', 0, 1] as const)
    for (const count of [1, 25]) {
      const accounts = Array.from({ length: count }, (_, nth) => ({
        address: encodeBase58(new Uint8Array(32).fill(100).fill(nth, 31)),
        isSigner: false,
        isWritable: false,
      }));
      const instructions = [{ program: SHOP, accounts, data: new Uint8Array([1]) }];
      const written = (blockhash: string) => {
        const made = writeMessage({ version, feePayer: WALLET, blockhash, instructions });
        return made.ok ? made.message : assert.fail(made.reason);
      };
      assert.deepEqual(withBlockhash(written(NO_BLOCKHASH), address(9)), written(address(9)));
    }
});

test('a limit of loaded account data is an instruction, in version 1 a member of the message', () => {
  const text = `{ "loadedAccountsDataLimit": 32768, "instructions": [{ "memo": "a" }] }`;
  assert.match(summary(decoded(text))[0] ?? '', /^Compute Budget Program setLoadedAccountsDataSizeLimit .*32,768/);
  const { config } = decoded(text.replace('{', '{ "version": 1,'));
  assert.equal(config?.loadedAccountsDataSizeLimit, 32_768);
});

describe('instructions by name', () => {
  test('a transfer and a memo, signed by the wallet alone', () => {
    const transaction = decoded(
      `{ "instructions": [{ "transfer": { "to": "${SHOP}", "lamports": 5000 } }, { "memo": "thanks" }] }`,
    );
    assert.deepEqual(summary(transaction), [
      'System Program transfer lamports=5,000 lamports (0.000005 SOL)',
      'Memo Program v2 memo memo=thanks',
    ]);
    assert.equal(transaction.version, 0);
    assert.equal(transaction.feePayer, WALLET);
    assert.deepEqual(
      transaction.instructions[0]?.accounts.map((one) => one.address),
      [WALLET, SHOP],
    );
  });

  test('u64 amounts are exact', () => {
    const [transfer = ''] = summary(
      decoded(`{ "instructions": [{ "transfer": { "to": "${SHOP}", "lamports": 18446744073709551615 } }] }`),
    );
    assert.match(transfer, /18,446,744,073,709,551,615/);
  });

  test("tokens in whole amounts, by the mint's decimals, between associated accounts", () => {
    const text = `{ "instructions": [{ "transferToken": { "mint": "${MINT}", "to": "${SHOP}", "amount": "12.50", "createAccount": true } }] }`;
    const transaction = decoded(text);
    assert.deepEqual(needsOf(parseJson(text)), { mints: [MINT], tables: [], simulates: false });
    assert.equal(transaction.instructions.length, 2);
    const [, sent] = transaction.instructions;
    assert.equal(sent?.name, 'transferChecked');
    assert.equal(sent?.fields.map(({ value }) => valueText(value)).join(' '), '12.5 (raw 12500000) 6');
    assert.deepEqual(
      sent?.accounts.map((one) => one.address),
      [associatedAddress(WALLET, MINT, TOKEN_PROGRAM), MINT, associatedAddress(SHOP, MINT, TOKEN_PROGRAM), WALLET],
    );
  });

  test('a mint of Token-2022 has its own program and addresses', () => {
    const mints = new Map([[MINT, { decimals: 0, tokenProgram: TOKEN_2022_PROGRAM }]]);
    const { instructions } = decoded(`{ "instructions": [{ "createAta": { "mint": "${MINT}" } }] }`, { mints });
    assert.equal(instructions[0]?.accounts[1]?.address, associatedAddress(WALLET, MINT, TOKEN_2022_PROGRAM));
    assert.equal(instructions[0]?.accounts[5]?.address, TOKEN_2022_PROGRAM);
  });

  test('more decimals than the mint has, and a mint that is not there, are faults at their place', () => {
    assert.deepEqual(
      faults(
        `{ "instructions": [{ "memo": "x" }, { "transferToken": { "mint": "${MINT}", "to": "${SHOP}", "amount": "0.1234567" } }] }`,
      ),
      ['instructions.1.transferToken.amount: This amount does not fit: the mint has 6 decimals.'],
    );
    assert.deepEqual(faults(`{ "instructions": [{ "createAta": { "mint": "${SHOP}" } }] }`), [
      'instructions.0.createAta.mint: There is no such mint.',
    ]);
  });

  test('an account with a seed', () => {
    const { instructions } = decoded(
      `{ "instructions": [{ "createAccount": { "seed": "vault", "owner": "${SHOP}", "space": 48, "lamports": 9 } }] }`,
    );
    assert.equal(instructions[0]?.name, 'createAccountWithSeed');
    assert.equal(instructions[0]?.accounts[1]?.address, addressWithSeed(WALLET, 'vault', SHOP));
  });

  test('a raw instruction has its bytes and accounts as they are written', () => {
    const { instructions } = decoded(
      `{ "version": "legacy", "instructions": [{ "program": "${SHOP}", "data": "hex:0102ff", "accounts": [{ "pubkey": "${MINT}", "isWritable": true }, { "pubkey": "${WALLET}", "isSigner": true }] }] }`,
    );
    assert.deepEqual([...(instructions[0]?.data ?? [])], [1, 2, 255]);
    assert.deepEqual(
      instructions[0]?.accounts.map(({ address: of, isSigner, isWritable }) => [of, isSigner, isWritable]),
      [
        [MINT, false, true],
        [WALLET, true, true],
      ],
    );
  });

  test('another signer than the wallet is refused by its address', () => {
    const [fault = ''] = faults(
      `{ "instructions": [{ "program": "${SHOP}", "data": [1], "accounts": [{ "pubkey": "${MINT}", "isSigner": true }] }] }`,
    );
    assert.ok(fault.includes(`${MINT} has to sign it`));
  });
});

describe('fees, limits and versions', () => {
  const one = `"instructions": [{ "memo": "x" }]`;

  test('legacy and version 0 ask by Compute Budget instructions', () => {
    assert.deepEqual(
      summary(decoded(`{ "computeUnitLimit": 50000, "priorityFee": { "microLamports": 7 }, ${one} }`)).slice(0, 2),
      [
        'Compute Budget Program setComputeUnitLimit units=50,000 compute units',
        'Compute Budget Program setComputeUnitPrice microLamports=7 micro-lamports',
      ],
    );
    const [, price = ''] = summary(
      decoded(`{ "computeUnitLimit": 50000, "priorityFee": { "lamports": 5000 }, ${one} }`),
    );
    assert.match(price, /microLamports=100,000 micro-lamports/);
  });

  test('a fee in all needs units that are counted: a limit is asked for', () => {
    assert.match(summary(decoded(`{ "priorityFee": { "lamports": 5000 }, ${one} }`))[0] ?? '', /units=200,000/);
    assert.equal(summary(decoded(`{ ${one} }`)).length, 1);
  });

  test('version 1 says them in the message', () => {
    const { version, config, instructions } = decoded(
      `{ "version": 1, "computeUnitLimit": 30000, "priorityFee": { "lamports": 5000 }, ${one} }`,
    );
    assert.equal(version, 1);
    assert.equal(instructions.length, 1);
    assert.deepEqual(config, { priorityFee: 5000n, computeUnitLimit: 30000, loadedAccountsDataSizeLimit: 67_108_864 });
    const priced = decoded(
      `{ "version": 1, "computeUnitLimit": 30000, "priorityFee": { "microLamports": 1500000 }, ${one} }`,
    );
    assert.equal(priced.config?.priorityFee, 45_000n);
    assert.equal(decoded(`{ "version": 1, ${one} }`).config?.computeUnitLimit, 200_000);
  });

  test('what a simulation found takes the place of "simulate"', () => {
    const text = `{ "computeUnitLimit": "simulate", ${one} }`;
    assert.equal(needsOf(parseJson(text)).simulates, true);
    assert.match(summary(decoded(text))[0] ?? '', /units=1,400,000/);
    assert.match(summary(decoded(text, { simulatedLimit: 4321 }))[0] ?? '', /units=4,321/);
  });

  test('a tip is the last instruction, to the account that is named or to the sender’s', () => {
    const named = summary(decoded(`{ "tip": { "lamports": 200000, "account": "${SHOP}" }, ${one} }`));
    assert.match(named.at(-1) ?? '', /transfer lamports=200,000/);
    assert.equal(
      decoded(`{ "tip": { "lamports": 1 }, ${one} }`, { tipAccount: MINT }).instructions[1]?.accounts[1]?.address,
      MINT,
    );
    assert.match(faults(`{ "tip": { "lamports": 1 }, ${one} }`)[0] ?? '', /^tip: .*name the "account"/);
  });

  test('version 0 reads what its tables hold, all but signers and programs', () => {
    const tables = new Map([[TABLE, [MINT, SHOP, WALLET]]]);
    const { accounts } = decoded(
      `{ "lookupTables": ["${TABLE}"], "instructions": [{ "transfer": { "to": "${SHOP}", "lamports": 1 } }] }`,
      { tables },
    );
    assert.deepEqual(accounts.map(({ address: of, table }) => [of, table]).slice(-1), [[undefined, TABLE]]);
    assert.equal(accounts.length, 3);
    assert.deepEqual(faults(`{ "lookupTables": ["${TABLE}"], ${one} }`), [
      'lookupTables.0: There is no such lookup table.',
    ]);
    assert.match(
      faults(`{ "version": 1, "lookupTables": ["${TABLE}"], ${one} }`)[0] ?? '',
      /^lookupTables: Only version 0/,
    );
  });

  test('what is too large for a packet says its size', () => {
    assert.match(faults(`{ "instructions": [{ "memo": "${'x'.repeat(1200)}" }] }`)[0] ?? '', /nodes take at most 1232/);
    assert.equal(decoded(`{ "version": 1, "instructions": [{ "memo": "${'x'.repeat(1200)}" }] }`).version, 1);
  });
});

describe('what is refused before anything is asked', () => {
  const cases: readonly (readonly [text: string, path: string, message: RegExp])[] = [
    ['{}', '', /"instructions" is missing/],
    ['{ "instructions": [] }', 'instructions', /At least 1/],
    [`{ "instructions": [{ "transfer": { "to": "${SHOP}" } }] }`, 'instructions.0.transfer', /"lamports" is missing/],
    [
      `{ "instructions": [{ "transfer": { "to": "${SHOP}", "lamports": 1.5 } }] }`,
      'instructions.0.transfer.lamports',
      /integer/,
    ],
    [
      `{ "instructions": [{ "transfer": { "to": "${SHOP}", "lamport": 1 } }] }`,
      'instructions.0.transfer.lamport',
      /"lamports" is missing/,
    ],
    [
      `{ "instructions": [{ "transfer": { "to": "${SHOP}", "lamports": 1, "memo": 2 } }] }`,
      'instructions.0.transfer.memo',
      /not known here\.$/,
    ],
    [
      `{ "instructions": [{ "memo": "x", "createAta": { "mint": "${MINT}" } }] }`,
      'instructions.0.createAta',
      /does one thing/,
    ],
    [`{ "instructions": [{ "memo": "x", "program": "${SHOP}" }] }`, 'instructions.0.program', /not part of "memo"/],
    ['{ "instructions": [{}] }', 'instructions.0', /An instruction is transfer/],
    [`{ "instructions": [{ "program": "${SHOP}" }] }`, 'instructions.0', /"data" of a raw one/],
    ['{ "instructions": [{ "memo": "x" }], "computeUnitLimit": 1400001 }', 'computeUnitLimit', /1400000/],
    ['{ "instructions": [{ "memo": "x" }], "version": 2 }', 'version', /0 to 1/],
    ['{ "instructions": [{ "memo": "x" }], "fee": 2 }', 'fee', /not known here/],
    ['{ "instructions": [{ "memo": "x" }], "priorityFee": {} }', 'priorityFee', /"lamports" or "microLamports"/],
    [
      `{ "instructions": [{ "transferToken": { "mint": "${MINT}", "to": "${SHOP}", "amount": "1,5" } }] }`,
      'instructions.0.transferToken.amount',
      /digits with a point/,
    ],
    [
      `{ "instructions": [{ "transferToken": { "mint": "${MINT}", "to": "${SHOP}" } }] }`,
      'instructions.0.transferToken',
      /"amount" in whole tokens/,
    ],
    [`{ "instructions": [{ "program": "${SHOP}", "data": "0102" }] }`, 'instructions.0.data', /"hex:0102"/],
  ];
  for (const [text, path, message] of cases)
    test(text.slice(0, 110), () => {
      const made = compile(text);
      assert.ok(!made.ok);
      assert.equal(made.faults.length, 1, JSON.stringify(made.faults));
      assert.equal(made.faults[0]?.path.join('.'), path);
      assert.match(made.faults[0]?.message ?? '', message);
    });
});

describe('who pays and who signs', () => {
  const SPONSOR = address(5);
  const OWNER = address(6);

  test('the fee payer comes first, and what is transferred is the wallet’s unless "from" says whose', () => {
    const transaction = decoded(
      `{ "feePayer": "sponsor", "signers": ["owner"], "instructions": [{ "transfer": { "to": "${SHOP}", "lamports": 1 } }, { "transfer": { "from": "${OWNER}", "to": "${SHOP}", "lamports": 2 } }, { "transferToken": { "from": "${OWNER}", "mint": "${MINT}", "to": "${SHOP}", "rawAmount": 3 } }] }`,
      { feePayer: SPONSOR, signers: [OWNER] },
    );
    assert.equal(transaction.feePayer, SPONSOR);
    assert.deepEqual(
      transaction.instructions.map(({ accounts }) => accounts[0]?.address),
      [WALLET, OWNER, associatedAddress(OWNER, MINT, TOKEN_PROGRAM)],
    );
    assert.equal(transaction.instructions[2]?.accounts[3]?.address, OWNER);
    assert.equal(transaction.signatures.length, 3);
  });

  test('a wallet that nothing is signed by is a fault at its place', () => {
    const [fault = ''] = faults(`{ "signers": ["owner"], "instructions": [{ "memo": "a" }] }`, { signers: [OWNER] });
    assert.match(fault, new RegExp(`^signers\\.0: Nothing here is signed by this wallet, ${OWNER}`));
  });

  for (const [name, where] of [
    ['"feePayer": "~/.config/solana/id.json"', 'feePayer'],
    [`"feePayer": "${OWNER}"`, 'feePayer'],
    ['"signers": ["./id.json"]', 'signers.0'],
  ] as const)
    test(`${name} is not the name of a wallet: no request names a file`, () => {
      const [fault = '', ...more] = faults(`{ ${name}, "instructions": [{ "memo": "a" }] }`);
      assert.ok(fault.startsWith(`${where}: A wallet goes by its name`), fault);
      assert.deepEqual(more, []);
    });
});
