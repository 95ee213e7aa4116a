// Transactions, logs, blocks and accounts in a stream's rows and details: decoded when they are read, with the IDLs at hand.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { contentIn, type ContentSource } from '../../../core/service/streams/content';
import { readFilter } from '../../../core/service/streams/filter';
import { cellsOf, type Shape } from '../../../core/service/streams/shape';
import { NO_PROGRAMS, type Programs } from '../../../core/solana/decode/decoded';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { programsAt, programsOf } from '../../../core/solana/decode/idl/registry';
import type { DetailNode } from '../../../protocol/streams';
import { contentNode } from '../../../server/streams/decodeRow';
import { keyOf, layOut } from '../../support/data/layouts';
import {
  blockUpdate,
  infoOf,
  notification,
  notificationsShape,
  PROGRAM,
  SIGNATURE,
  SUBSCRIBE,
  SYSTEM,
  TOKEN,
  transactionUpdate,
  updateOf,
  updatesShape,
} from '../../support/wire/streamed';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 8);

function idlOf(name: string): Programs {
  const { idl, problems } = readIdl(
    JSON.stringify({
      address: PROGRAM,
      metadata: { name, version: '0.1.0', spec: '0.1.0' },
      instructions: [
        {
          name: 'pay_out',
          accounts: [{ name: 'till' }, { name: 'clerk' }],
          args: [{ name: 'amount', type: 'u64' }],
        },
      ],
      accounts: [{ name: 'Till' }],
      events: [{ name: 'Paid' }],
      errors: [{ code: 6000, name: 'TillIsEmpty', msg: 'There is nothing left' }],
      types: [
        { name: 'Till', type: { kind: 'struct', fields: [{ name: 'coins', type: 'u64' }] } },
        { name: 'Paid', type: { kind: 'struct', fields: [{ name: 'amount', type: 'u64' }] } },
      ],
    }),
  );
  assert.ok(idl !== undefined, JSON.stringify(problems));
  return programsOf([{ idl }]);
}
const SHOP = idlOf('shop');
/** An unknown program, as a row names it. */
const SHORT = `${PROGRAM.slice(0, 4)}…${PROGRAM.slice(-4)}`;

const value = (shape: Shape, bytes: Uint8Array, field: string) => shape.value(field, bytes, 0, bytes.length);
const passes = (shape: Shape, bytes: Uint8Array, text: string): boolean => {
  const filter = readFilter(text, shape);
  assert.ok(filter.kind === 'filter', JSON.stringify(filter));
  return filter.passes(bytes, 0, bytes.length);
};

function detail(source: ContentSource, bytes: Uint8Array, known = NO_PROGRAMS): DetailNode {
  const content = contentIn(source, bytes, 0, bytes.length);
  assert.ok(content !== undefined);
  const node = contentNode(content, known, 77n);
  assert.ok(node !== undefined);
  return node;
}
const updates = { shape: updatesShape(), method: SUBSCRIBE };
const part = (node: DetailNode | undefined, name: string): DetailNode | undefined =>
  node?.parts?.find((one) => one.name === name);
/** Names and texts as lines, indented by depth. */
const lines = (node: DetailNode, depth = 0): readonly string[] => [
  `${'  '.repeat(depth)}${node.name}: ${node.text}`,
  ...(node.parts ?? []).flatMap((one) => lines(one, depth + 1)),
];

/** InstructionError of the third instruction, with the program's own error 6000. */
const FAILED = { err: { err: layOut([4, 8], [1, 2], [4, 25], [4, 6000]) } };

describe('Transactions over gRPC', () => {
  test('a row shows the outcome, the programs called, the fee and the units', () => {
    const shape = updatesShape();
    const cells = cellsOf(shape, transactionUpdate(), 0, transactionUpdate().length);
    assert.deepEqual(
      shape.columns.map(({ field }) => field),
      ['slot', 'outcome', 'instructions', 'signature', 'fee', 'units', 'vote'],
    );
    assert.deepEqual(cells, [
      '77',
      'succeeded',
      `System Program: transfer ×2, ${SHORT}`,
      SIGNATURE,
      '5000',
      '1500',
      'false',
    ]);
  });

  test('an IDL names the program, the instruction and the error', () => {
    const data = layOut(hash('global:pay_out'), [8, 40]);
    const bytes = transactionUpdate(infoOf(FAILED, data));
    const shape = updatesShape(SHOP);
    assert.equal(value(shape, bytes, 'instructions'), 'System Program: transfer ×2, shop: pay_out');
    assert.equal(value(shape, bytes, 'outcome'), 'Instruction 3 failed: TillIsEmpty: There is nothing left (6000).');
    assert.match(String(value(updatesShape(), bytes, 'outcome')), /the program's own error 6000/);
  });

  test('programs that others called are found by address, in a filter too', () => {
    const bytes = transactionUpdate();
    assert.equal(value(updatesShape(), bytes, 'programs'), `${SYSTEM}, ${PROGRAM}`);
    assert.ok(passes(updatesShape(), bytes, `programs ~ ${PROGRAM} && outcome == succeeded`));
    assert.ok(!passes(updatesShape(), bytes, `programs ~ ${TOKEN}`));
  });

  test('a text is found in what only decoding shows', () => {
    assert.ok(passes(updatesShape(), transactionUpdate(), 'system program: TRANSFER'));
    assert.ok(!passes(updatesShape(), transactionUpdate(), 'burn'));
  });

  test('the detail holds instructions with what they called, balances and logs by call', () => {
    const node = detail(updates, transactionUpdate());
    assert.deepEqual([node.name, node.text], ['Transaction', 'succeeded']);
    const [, , third] = part(node, 'instructions')?.parts ?? [];
    assert.equal(third?.name, '3');
    assert.equal(part(third, '3.1')?.text, 'System Program: transfer');
    assert.match(part(part(third, '3.1'), 'lamports')?.text ?? '', /^2,000,000,000 lamports/);
    assert.deepEqual(
      part(node, 'balances')?.parts?.map(({ text }) => text),
      ['10 SOL → 3.999995 SOL (-6.000005 SOL)', '0 SOL → 6 SOL (+6 SOL)'],
    );
    assert.deepEqual(lines(part(node, 'logs') ?? { name: '', text: '' }), [
      'logs: ',
      '  System Program: success',
      `  ${SHORT}: success, 1,200 of 200,000 compute units`,
      '    log: Instruction: PayOut',
    ]);
  });

  test('an event that the IDL knows appears in the logs with its fields', () => {
    const event = Buffer.from(layOut(hash('event:Paid'), [8, 7])).toString('base64');
    const logMessages = [`Program ${PROGRAM} invoke [1]`, `Program data: ${event}`, `Program ${PROGRAM} success`];
    const node = detail(updates, transactionUpdate(infoOf({ logMessages })), SHOP);
    const logs = lines(part(node, 'logs') ?? { name: '', text: '' });
    assert.deepEqual(logs.slice(-2), ['    event: Paid', '      amount: 7']);
  });

  test('a status alone names the error', () => {
    const of = (err: { err: Uint8Array } | undefined): Uint8Array =>
      updateOf({
        filters: ['s'],
        updateOneof: {
          case: 'transactionStatus',
          value: { slot: 4n, signature: keyOf(3), ...(err === undefined ? {} : { err }) },
        },
      });
    const shape = updatesShape(NO_PROGRAMS, 'transactionsStatus');
    assert.equal(value(shape, of(undefined), 'outcome'), 'succeeded');
    assert.match(String(value(shape, of({ err: layOut([4, 7]) }), 'outcome')), /BlockhashNotFound/);
  });

  test('cut off anywhere, or with any byte changed, nothing is thrown', () => {
    const whole = transactionUpdate(infoOf(FAILED));
    const look = (bytes: Uint8Array): void => {
      cellsOf(updates.shape, bytes, 0, bytes.length);
      value(updates.shape, bytes, 'programs');
      const content = contentIn(updates, bytes, 0, bytes.length);
      if (content !== undefined) contentNode(content, SHOP, 1n);
    };
    for (let at = 0; at < whole.length; at++) {
      look(whole.subarray(0, at));
      const changed = Uint8Array.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      look(changed);
    }
  });
});

describe('Logs over a WebSocket', () => {
  const logs = { shape: notificationsShape('logsSubscribe'), method: 'logsSubscribe' };
  const of = (err: unknown): Uint8Array =>
    notification('logsNotification', {
      context: { slot: 5 },
      value: { signature: SIGNATURE, err, logs: infoOf().meta?.logMessages },
    });

  test('a row shows the outcome, the programs with the instructions they log, and the units', () => {
    const bytes = of(null);
    assert.deepEqual(cellsOf(logs.shape, bytes, 0, bytes.length), [
      '5',
      'succeeded',
      `System Program, ${SHORT}: payOut`,
      SIGNATURE,
      '1200',
      '6',
    ]);
    assert.match(String(value(logs.shape, of('AccountInUse'), 'outcome')), /AccountInUse/);
    assert.ok(passes(logs.shape, bytes, 'units > 1000'));
  });

  test('the detail is the tree of calls', () => {
    const node = detail(logs, of({ InstructionError: [1, { Custom: 1 }] }));
    assert.match(node.text, /Instruction 2 failed/);
    assert.deepEqual(lines(part(node, 'logs') ?? { name: '', text: '' }).slice(0, 2), [
      'logs: ',
      '  System Program: success',
    ]);
  });

  test('of a signature the error is named', () => {
    const shape = notificationsShape('signatureSubscribe');
    const failed = notification('signatureNotification', { context: { slot: 5 }, value: { err: 'BlockhashNotFound' } });
    assert.match(String(value(shape, failed, 'outcome')), /BlockhashNotFound/);
  });
});

describe('Blocks', () => {
  test('over gRPC the detail lists transactions with what they did', () => {
    const node = detail(updates, blockUpdate(3));
    assert.deepEqual([node.name, node.text, node.parts?.length], ['Block', '3 transactions', 3]);
    const [first] = node.parts ?? [];
    assert.deepEqual([first?.name, first?.text], ['1', `succeeded; System Program: transfer ×2, ${SHORT}`]);
    assert.equal(part(first, 'signature')?.text, SIGNATURE);
    assert.equal(part(first, 'instructions')?.parts?.length, 3);
  });

  test('of a block with many the first hundred are listed, and the others counted', () => {
    const { parts = [] } = detail(updates, blockUpdate(130));
    assert.equal(parts.length, 101);
    assert.deepEqual(parts.at(-1), { name: '…', text: '30 more transactions' });
  });

  test('over a WebSocket transactions are read, or signatures listed', () => {
    const block = { shape: notificationsShape('blockSubscribe'), method: 'blockSubscribe' };
    const of = (inside: object): Uint8Array =>
      notification('blockNotification', { context: { slot: 5 }, value: { slot: 5, err: null, block: inside } });
    const transaction = {
      transaction: {
        signatures: [SIGNATURE],
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
          accountKeys: [PROGRAM, SYSTEM],
          recentBlockhash: PROGRAM,
          instructions: [{ programIdIndex: 1, accounts: [0], data: '' }],
        },
      },
      meta: { err: null, fee: 5000, preBalances: [2, 0], postBalances: [1, 0], logMessages: [] },
    };
    const full = detail(block, of({ transactions: [transaction, transaction] }));
    assert.deepEqual([full.text, full.parts?.[1]?.text], ['2 transactions', 'succeeded; System Program']);
    assert.match(part(full.parts?.[0], 'fee')?.text ?? '', /^5,000 lamports/);
    const signatures = detail(block, of({ signatures: [SIGNATURE] }));
    assert.deepEqual([signatures.text, signatures.parts?.[0]?.text], ['1 transaction', SIGNATURE]);
    const none = of({ blockhash: 'x' });
    assert.equal(contentIn(block, none, 0, none.length), undefined);
  });
});

describe('Accounts', () => {
  const TILL = layOut(hash('account:Till'), [8, 12]);
  const update = updateOf({
    filters: ['a'],
    updateOneof: {
      case: 'account',
      value: { slot: 4n, account: { pubkey: keyOf(5), owner: keyOf(0x11), lamports: 9n, data: TILL } },
    },
  });
  const notified = (encoding: string, data: string): Uint8Array =>
    notification('accountNotification', {
      context: { slot: 5 },
      value: { lamports: 9, owner: PROGRAM, data: [data, encoding], executable: false, space: 16 },
    });

  test('a row says what kind of account it is and what its data says, by the IDL of its owner', () => {
    const shape = updatesShape(SHOP, 'accounts');
    assert.deepEqual([value(shape, update, 'type'), value(shape, update, 'data')], ['Till (shop)', 'coins: 12']);
    assert.ok(passes(shape, update, 'type ~ till && data ~ "coins: 12"'));
    assert.deepEqual(
      [value(updatesShape(), update, 'type'), value(updatesShape(), update, 'data')],
      [undefined, undefined],
    );
    const shown = notificationsShape('accountSubscribe', SHOP);
    assert.equal(value(shown, notified('base64', Buffer.from(TILL).toString('base64')), 'type'), 'Till (shop)');
    assert.equal(value(shown, notified('rot13', 'abc'), 'type'), undefined);
  });

  test('the detail is decoded by the IDL, and a guess without it', () => {
    const source = { shape: updatesShape(), method: SUBSCRIBE };
    assert.equal(part(detail(source, update, SHOP), 'coins')?.text, '12');
    const guessed = detail(source, update);
    assert.equal(guessed.name, 'Account');
    assert.ok(guessed.parts?.some(({ isGuess }) => isGuess === true));
  });

  test('what an IDL would say more of names the program, and nothing else does', () => {
    const source = { shape: updatesShape(), method: SUBSCRIBE };
    assert.equal(detail(source, update).idl, PROGRAM);
    assert.equal(detail(source, update, SHOP).idl, undefined);
    const calls = part(detail(source, transactionUpdate()), 'instructions')?.parts ?? [];
    assert.deepEqual(
      calls.map((call) => part(call, 'program')?.idl),
      [undefined, undefined, PROGRAM],
    );
  });

  test('an IDL of the workspace holds everywhere and first, a published one at its service', () => {
    const placed = (name: string) => {
      const idl = idlOf(name).idl(PROGRAM);
      assert.ok(idl !== undefined);
      return { idl, program: PROGRAM };
    };
    const published = [{ origin: 'https://one.test', idl: placed('published') }];
    const name = (workspace: boolean, origin: string): string | undefined =>
      programsAt({ workspace: workspace ? [placed('own')] : [], published }, origin).idl(PROGRAM)?.name;
    assert.deepEqual(
      [name(false, 'https://one.test'), name(false, 'https://two.test'), name(true, 'https://one.test')],
      ['published', undefined, 'own'],
    );
  });
});
