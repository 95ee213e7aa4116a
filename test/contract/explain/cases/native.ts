// Transactions of the programs that every cluster has: System, Memo, Compute Budget, nonces, lookup tables, stake.
import {
  AddressLookupTableProgram,
  Authorized,
  ComputeBudgetProgram,
  Ed25519Program,
  Lockup,
  NonceAccount,
  PublicKey,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { memo, textOf, transfer, type Instruction } from '../../rpc/rpc-harness';
import { readonly, signer } from '../programs';
import type { Stage } from '../stage';
import type { Case } from './case';

const SOL = 1_000_000_000n;
const RENT = 1_000_000n;
const NONCE_LAMPORTS = 1_500_000;
/** A tip account of Jito's block engine (docs.jito.wtf, "Tip Amount"). */
const TIPPED = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5';

/** Instructions of a separate payer, the only signer. */
const alone =
  (make: (stage: Stage, payer: PublicKey) => readonly (Instruction | TransactionInstruction)[]): Case[1] =>
  async (stage) => {
    const payer = stage.payer('payer');
    return { wire: await stage.wire(make(stage, new PublicKey(payer.address)), [payer]) };
  };

async function newNonce(
  stage: Stage,
): Promise<{ readonly instructions: TransactionInstruction; readonly nonce: string }> {
  const [payer, nonce] = [stage.payer('payer'), stage.key('nonce account')];
  const [fromPubkey, noncePubkey] = [stage.publicKey('payer'), stage.publicKey('nonce account')];
  const created = SystemProgram.createNonceAccount({
    fromPubkey,
    noncePubkey,
    authorizedPubkey: fromPubkey,
    lamports: NONCE_LAMPORTS,
  });
  await stage.prepare(created.instructions, [payer, nonce]);
  // The nonce of this slot cannot be advanced in it.
  stage.bench.slots(1);
  const { value } = await stage.bench.call('getAccountInfo', nonce.address, {
    encoding: 'base64',
    commitment: 'processed',
  });
  const data = Buffer.from(textOf(value?.['data']?.[0]), 'base64');
  return {
    instructions: SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: fromPubkey }),
    nonce: NonceAccount.fromAccountData(data).nonce,
  };
}

/** Instructions that make a stake account of three SOL. */
function stakeCreation(stage: Stage, name: string) {
  const [payer, stakeKey] = [stage.payer('payer', 100n * SOL), stage.key(name)];
  const fromPubkey = stage.publicKey('payer');
  const stakePubkey = stage.publicKey(name);
  const { instructions } = StakeProgram.createAccount({
    fromPubkey,
    stakePubkey,
    authorized: new Authorized(fromPubkey, fromPubkey),
    lockup: new Lockup(0, 0, PublicKey.default),
    lamports: Number(3n * SOL),
  });
  return { instructions, signers: [payer, stakeKey], fromPubkey, stakePubkey };
}

async function newStake(stage: Stage): Promise<PublicKey> {
  const { instructions, signers, stakePubkey } = stakeCreation(stage, 'stake account');
  await stage.prepare(instructions, signers);
  return stakePubkey;
}

const voteOf = (stage: Stage): PublicKey =>
  new PublicKey(stage.named(stage.bench.ledger.validator.vote.address, 'vote account'));

export const NATIVE: readonly Case[] = [
  ['system-transfer', alone((stage, payer) => [transfer(payer.toBase58(), stage.address('shop'), 2n * SOL)])],
  [
    'system-transfers-to-three',
    alone((stage, payer) =>
      ['first', 'second', 'third'].map((name, at) => transfer(payer.toBase58(), stage.address(name), SOL + BigInt(at))),
    ),
  ],
  [
    'system-create-account',
    async (stage) => {
      const [payer, account] = [stage.payer('payer'), stage.key('new account')];
      const made = SystemProgram.createAccount({
        fromPubkey: stage.publicKey('payer'),
        newAccountPubkey: stage.publicKey('new account'),
        lamports: 2_000_000,
        space: 100,
        programId: stage.publicKey('alpha'),
      });
      return { wire: await stage.wire([made], [payer, account]) };
    },
  ],
  [
    'system-account-and-transfer-by-seed',
    async (stage) => {
      const payer = stage.payer('payer');
      const base = stage.publicKey('payer');
      const seeded = await PublicKey.createWithSeed(base, 'savings', SystemProgram.programId);
      stage.named(seeded.toBase58(), 'seeded account');
      const lamports = 3_000_000;
      return {
        wire: await stage.wire(
          [
            SystemProgram.transfer({ fromPubkey: base, toPubkey: seeded, lamports }),
            SystemProgram.transfer({
              fromPubkey: seeded,
              basePubkey: base,
              toPubkey: stage.publicKey('shop'),
              lamports: 1_500_000,
              seed: 'savings',
              programId: SystemProgram.programId,
            }),
          ],
          [payer],
        ),
      };
    },
  ],
  [
    'system-allocate-and-assign',
    async (stage) => {
      const [payer, account] = [stage.payer('payer'), stage.payer('funded account', 5_000_000n)];
      const accountPubkey = stage.publicKey('funded account');
      return {
        wire: await stage.wire(
          [
            SystemProgram.allocate({ accountPubkey, space: 64 }),
            SystemProgram.assign({ accountPubkey, programId: stage.publicKey('alpha') }),
          ],
          [payer, account],
        ),
      };
    },
  ],
  [
    'nonce-created',
    async (stage) => {
      const [payer, nonce] = [stage.payer('payer'), stage.key('new nonce account')];
      const { instructions } = SystemProgram.createNonceAccount({
        fromPubkey: stage.publicKey('payer'),
        noncePubkey: stage.publicKey('new nonce account'),
        authorizedPubkey: stage.publicKey('payer'),
        lamports: NONCE_LAMPORTS,
      });
      return { wire: await stage.wire(instructions, [payer, nonce]) };
    },
  ],
  [
    'nonce-used',
    async (stage) => {
      const { instructions, nonce } = await newNonce(stage);
      const payer = stage.key('payer');
      const pay = transfer(payer.address, stage.address('shop'), 5n * RENT);
      return { wire: stage.wireOn(nonce, [instructions, pay], [payer]) };
    },
  ],
  [
    'nonce-closed',
    async (stage) => {
      await newNonce(stage);
      const withdraw = SystemProgram.nonceWithdraw({
        noncePubkey: stage.publicKey('nonce account'),
        authorizedPubkey: stage.publicKey('payer'),
        toPubkey: stage.publicKey('payer'),
        lamports: NONCE_LAMPORTS,
      });
      return { wire: await stage.wire([withdraw], [stage.key('payer')]) };
    },
  ],
  ['memo', alone(() => [memo('Invoice 17, with thanks')])],
  [
    'memo-signed-by-two',
    async (stage) => {
      const [payer, witness] = [stage.payer('payer'), stage.key('witness')];
      const signed = { ...memo('We agree'), accounts: [signer(payer.address), signer(witness.address)] };
      return { wire: await stage.wire([signed], [payer, witness]) };
    },
  ],
  [
    'three-signers-pay-together',
    async (stage) => {
      const keys = [stage.payer('payer'), stage.payer('second', SOL), stage.payer('third', SOL)];
      const pay = keys.map(({ address }) => transfer(address, stage.address('shop'), SOL / 2n));
      return { wire: await stage.wire(pay, keys) };
    },
  ],
  [
    'compute-budget-all-limits',
    alone((stage, payer) => [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 50_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 250_001 }),
      ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 }),
      { program: ComputeBudgetProgram.programId.toBase58(), accounts: [], data: Buffer.from('0400000100', 'hex') },
      transfer(payer.toBase58(), stage.address('shop'), SOL),
    ]),
  ],
  [
    'compute-price-without-limit',
    alone((stage, payer) => [
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10_000 }),
      transfer(payer.toBase58(), stage.address('shop'), SOL),
    ]),
  ],
  [
    'same-instruction-twice',
    alone((stage, payer) => {
      const pay = transfer(payer.toBase58(), stage.address('shop'), SOL);
      return [pay, pay];
    }),
  ],
  [
    'ed25519-signature-checked',
    alone((stage, payer) => {
      const message = Buffer.from('checked by the runtime');
      const by = stage.key('oracle');
      return [
        Ed25519Program.createInstructionWithPublicKey({
          publicKey: stage.publicKey('oracle').toBytes(),
          message,
          signature: by.sign(message),
        }),
        transfer(payer.toBase58(), stage.address('shop'), SOL),
      ];
    }),
  ],
  [
    'lookup-table-created-and-filled',
    async (stage) => {
      const payer = stage.payer('payer');
      stage.bench.slots(2);
      const slot = Number(await stage.bench.call('getSlot', { commitment: 'processed' })) - 1;
      const authority = stage.publicKey('payer');
      const [create, table] = AddressLookupTableProgram.createLookupTable({
        authority,
        payer: authority,
        recentSlot: slot,
      });
      stage.named(table.toBase58(), 'table');
      const extend = AddressLookupTableProgram.extendLookupTable({
        lookupTable: table,
        authority,
        payer: authority,
        addresses: [stage.publicKey('shop'), stage.publicKey('third')],
      });
      return { wire: await stage.wire([create, extend], [payer]) };
    },
  ],
  [
    'stake-created-and-delegated',
    async (stage) => {
      const { instructions, signers, fromPubkey, stakePubkey } = stakeCreation(stage, 'new stake account');
      const delegated = StakeProgram.delegate({ stakePubkey, authorizedPubkey: fromPubkey, votePubkey: voteOf(stage) });
      return { wire: await stage.wire([...instructions, ...delegated.instructions], signers) };
    },
  ],
  [
    'stake-split',
    async (stage) => {
      const stakePubkey = await newStake(stage);
      const [payer, half] = [stage.key('payer'), stage.key('half of the stake')];
      const rent = 2_282_880;
      const { instructions } = StakeProgram.split(
        {
          stakePubkey,
          authorizedPubkey: stage.publicKey('payer'),
          splitStakePubkey: stage.publicKey('half of the stake'),
          lamports: Number(SOL),
        },
        rent,
      );
      return { wire: await stage.wire(instructions, [payer, half]) };
    },
  ],
  [
    'stake-withdrawn-and-closed',
    async (stage) => {
      const stakePubkey = await newStake(stage);
      const { value } = await stage.bench.call('getBalance', stakePubkey.toBase58(), { commitment: 'processed' });
      const { instructions } = StakeProgram.withdraw({
        stakePubkey,
        authorizedPubkey: stage.publicKey('payer'),
        toPubkey: stage.publicKey('payer'),
        lamports: Number(value),
      });
      return { wire: await stage.wire(instructions, [stage.key('payer')]) };
    },
  ],
  [
    'fails-stake-too-much-withdrawn',
    async (stage) => {
      const stakePubkey = await newStake(stage);
      const { instructions } = StakeProgram.withdraw({
        stakePubkey,
        authorizedPubkey: stage.publicKey('payer'),
        toPubkey: stage.publicKey('payer'),
        lamports: Number(50n * SOL),
      });
      return { wire: await stage.wire(instructions, [stage.key('payer')]) };
    },
  ],
  [
    'fails-stake-locked-up',
    async (stage) => {
      const [payer, stakeKey] = [stage.payer('payer', 100n * SOL), stage.key('locked stake account')];
      const fromPubkey = stage.publicKey('payer');
      const stakePubkey = stage.publicKey('locked stake account');
      const created = StakeProgram.createAccount({
        fromPubkey,
        stakePubkey,
        authorized: new Authorized(fromPubkey, fromPubkey),
        lockup: new Lockup(4_000_000_000, 0, stage.publicKey('custodian')),
        lamports: Number(3n * SOL),
      });
      await stage.prepare(created.instructions, [payer, stakeKey]);
      const { instructions } = StakeProgram.withdraw({
        stakePubkey,
        authorizedPubkey: fromPubkey,
        toPubkey: fromPubkey,
        lamports: 1_000,
      });
      return { wire: await stage.wire(instructions, [payer]) };
    },
  ],
  [
    'fails-system-too-few-lamports',
    alone((stage, payer) => [transfer(payer.toBase58(), stage.address('shop'), 50n * SOL)]),
  ],
  [
    'fails-system-account-exists',
    async (stage) => {
      const [payer, account] = [stage.payer('payer'), stage.payer('funded account')];
      const made = SystemProgram.createAccount({
        fromPubkey: stage.publicKey('payer'),
        newAccountPubkey: stage.publicKey('funded account'),
        lamports: 2_000_000,
        space: 0,
        programId: stage.publicKey('alpha'),
      });
      return { wire: await stage.wire([made], [payer, account]) };
    },
  ],
  [
    'fails-nonce-too-early',
    async (stage) => {
      const { instructions, nonce } = await newNonce(stage);
      return { wire: stage.wireOn(nonce, [instructions, instructions], [stage.key('payer')]) };
    },
  ],
  ['fails-memo-not-text', alone(() => [{ ...memo(''), data: Uint8Array.of(0xff, 0xfe, 0x41) }])],
  [
    'fails-memo-signature-missing',
    alone((stage) => [{ ...memo('signed?'), accounts: readonly(stage.address('witness')) }]),
  ],
  [
    'fails-lookup-table-of-another',
    async (stage) => {
      const payer = stage.payer('payer');
      const extend = AddressLookupTableProgram.extendLookupTable({
        lookupTable: stage.publicKey('shop'),
        authority: stage.publicKey('payer'),
        payer: stage.publicKey('payer'),
        addresses: [stage.publicKey('third')],
      });
      return { wire: await stage.wire([extend], [payer]) };
    },
  ],
  [
    'fails-loader-not-the-authority',
    alone((stage, payer) => [
      {
        program: 'BPFLoaderUpgradeab1e11111111111111111111111',
        accounts: [{ address: stage.address('alpha'), writable: true }, signer(payer.toBase58())],
        data: Uint8Array.of(4, 0, 0, 0),
      },
    ]),
  ],
  ['tip-paid', alone((_stage, payer) => [memo('bundle'), transfer(payer.toBase58(), TIPPED, 10_000_000n)])],
];
