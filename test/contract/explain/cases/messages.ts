// Transactions by the form of their message: with lookup tables, of version 1, unsigned, with a damaged signature, and those
// that the runtime refuses whole.
import { createKeyPairSignerFromBytes, type Instruction as KitInstruction } from '@solana/kit';
import { ComputeBudgetProgram } from '@solana/web3.js';
import { kitV1, transferInstruction, type KitConfig } from '../../../support/data/v1Transactions';
import { script } from '../../../support/programs/puppet';
import { bytesOf, freshKey, memo, toBase64, transfer, u32, u64, type Table } from '../../rpc/rpc-harness';
import { call } from '../programs';
import type { Stage } from '../stage';
import type { Case } from './case';

const SOL = 1_000_000_000n;
const LOOKUP_TABLES = 'AddressLookupTab1e1111111111111111111111111';

/** A table that is there. */
function table(stage: Stage, name: string, ...entries: readonly string[]): Table {
  const addresses = entries.map((entry) => stage.address(entry));
  const data = Buffer.concat([
    u32(1),
    u64(2n ** 64n - 1n),
    u64(1n),
    Uint8Array.of(0, 1),
    bytesOf(stage.address('payer')),
    new Uint8Array(2),
    ...addresses.map(bytesOf),
  ]);
  stage.bench.ledger.cheats.setAccount(stage.address(name), { lamports: SOL, owner: LOOKUP_TABLES, data });
  return { address: stage.address(name), addresses };
}

/** A version 1 transaction of the public client: a transfer, unless `make` says what. */
const versionOne =
  (config: KitConfig, make?: (stage: Stage) => KitInstruction): Case[1] =>
  async (stage) => {
    const key = stage.payer('payer');
    const payer = await createKeyPairSignerFromBytes(
      Buffer.concat([key.secretKey.subarray(0, 32), bytesOf(key.address)]),
    );
    const instructions = [make?.(stage) ?? transferInstruction(payer, stage.address('shop'), SOL)];
    return { wire: toBase64(await kitV1({ payer, blockhash: await stage.bench.blockhash(), instructions, config })) };
  };

const FULL: KitConfig = {
  priorityFeeLamports: 5001n,
  computeUnitLimit: 30_000,
  loadedAccountsDataSizeLimit: 131_072,
  heapSize: 65_536,
};

export const MESSAGES: readonly Case[] = [
  [
    'v0-without-tables',
    async (stage) => {
      const payer = stage.payer('payer');
      return { wire: await stage.wire([transfer(payer.address, stage.address('shop'), SOL)], [payer], []) };
    },
  ],
  [
    'v0-with-two-tables',
    async (stage) => {
      const payer = stage.payer('payer');
      const tables = [
        table(stage, 'table of shops', 'shop', 'third'),
        table(stage, 'table of friends', 'guest', 'friend'),
      ];
      const pay = ['shop', 'friend'].map((name) => transfer(payer.address, stage.address(name), SOL));
      return { wire: await stage.wire(pay, [payer], tables) };
    },
  ],
  [
    'v0-with-tables-nobody-read',
    async (stage) => {
      const payer = stage.payer('payer');
      const tables = [table(stage, 'table of shops', 'shop', 'third')];
      const pay = transfer(payer.address, stage.address('shop'), SOL);
      return { wire: await stage.wire([pay], [payer], tables), how: 'unsent' };
    },
  ],
  ['v1-with-every-limit', versionOne(FULL)],
  [
    'v1-calls-a-program',
    versionOne({ ...FULL, priorityFeeLamports: 0n }, (stage) => ({
      programAddress: stage.address('alpha') as KitInstruction['programAddress'],
      accounts: [],
      data: script({ act: 'log', text: 'in version 1' }),
    })),
  ],
  ['fails-v1-without-limits', versionOne({})],
  [
    'fails-v1-too-few-units',
    versionOne({ ...FULL, computeUnitLimit: 100 }, (stage) => ({
      programAddress: stage.address('alpha') as KitInstruction['programAddress'],
      accounts: [],
      data: script({ act: 'loop', times: 1000 }),
    })),
  ],
  [
    'unsent-and-signed',
    async (stage) => {
      const payer = stage.payer('payer');
      return { wire: await stage.wire([memo('not yet sent')], [payer]), how: 'unsent' };
    },
  ],
  [
    'unsent-with-a-signature-missing',
    async (stage) => {
      const [payer, second] = [stage.payer('payer'), stage.payer('second')];
      const wire = await stage.wire(
        [memo('half signed'), transfer(second.address, payer.address, 5n)],
        [payer, second],
      );
      const bytes = Buffer.from(wire, 'base64');
      return { wire: toBase64(bytes.fill(0, 65, 129)), how: 'unsent' };
    },
  ],
  [
    'unsent-with-a-damaged-signature',
    async (stage) => {
      const payer = stage.payer('payer');
      const bytes = Buffer.from(await stage.wire([memo('changed after it was signed')], [payer]), 'base64');
      bytes[bytes.length - 1] = 0x21;
      return { wire: toBase64(bytes), how: 'unsent' };
    },
  ],
  [
    'simulated-transfer',
    async (stage) => {
      const payer = stage.payer('payer');
      return {
        wire: await stage.wire([transfer(payer.address, stage.address('shop'), SOL)], [payer]),
        how: 'simulated',
      };
    },
  ],
  [
    'nearly-full',
    async (stage) => {
      const payer = stage.payer('payer');
      const acts = script({ act: 'data', bytes: Buffer.alloc(950, 'x') });
      return { wire: await stage.wire([call(stage.address('alpha'), [], acts)], [payer]) };
    },
  ],
  [
    'refused-blockhash-expired',
    (stage) => {
      const payer = stage.payer('payer');
      return { wire: stage.wireOn(freshKey('an old blockhash').address, [memo('late')], [payer]), how: 'simulated' };
    },
  ],
  [
    'refused-payer-has-nothing',
    async (stage) => {
      const payer = stage.key('pauper');
      return { wire: await stage.wire([memo('on credit')], [payer]), how: 'simulated' };
    },
  ],
  [
    'refused-too-few-lamports-for-the-fee',
    async (stage) => {
      const payer = stage.payer('nearly a pauper', 4_999n);
      return { wire: await stage.wire([memo('on credit')], [payer]), how: 'simulated' };
    },
  ],
  [
    'refused-rent-not-covered',
    async (stage) => {
      const payer = stage.payer('payer');
      return {
        wire: await stage.wire([transfer(payer.address, stage.address('pauper of another kind'), 5n)], [payer]),
        how: 'simulated',
      };
    },
  ],
  [
    'refused-program-not-there',
    async (stage) => {
      const payer = stage.payer('payer');
      return {
        wire: await stage.wire([call(stage.address('nowhere'), [], new Uint8Array())], [payer]),
        how: 'simulated',
      };
    },
  ],
  [
    'refused-limit-set-twice',
    async (stage) => {
      const payer = stage.payer('payer');
      const limits = [10_000, 20_000].map((units) => ComputeBudgetProgram.setComputeUnitLimit({ units }));
      return { wire: await stage.wire(limits, [payer]), how: 'simulated' };
    },
  ],
  [
    'refused-too-much-data-loaded',
    async (stage) => {
      const payer = stage.payer('payer');
      const limit = {
        program: ComputeBudgetProgram.programId.toBase58(),
        accounts: [],
        data: Buffer.from('0401000000', 'hex'),
      };
      return { wire: await stage.wire([limit, memo('too large')], [payer]), how: 'simulated' };
    },
  ],
];
