// Transactions of the Token programs and of associated token accounts: moved, made, closed, with a fee, refused.
import * as spl from '@solana/spl-token';
import { SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { Stage } from '../stage';
import type { Case } from './case';

const T22 = spl.TOKEN_2022_PROGRAM_ID;
const ONE = 1_000_000n;

interface Held {
  readonly owner: PublicKey;
  readonly mint: PublicKey;
  readonly from: PublicKey;
  readonly to: PublicKey;
}

/** The payer owns 10 tokens; the customer has an account for them. */
function held(stage: Stage): Held {
  stage.payer('payer');
  return {
    owner: stage.publicKey('payer'),
    mint: stage.mint('mint', 'payer'),
    from: stage.holding('tokens of payer', 'payer', 10n * ONE),
    to: stage.holding('tokens of customer', 'customer', 0n),
  };
}

type Build = (held: Held, stage: Stage) => readonly TransactionInstruction[];

/** Over what `held` prepares, signed by the payer. */
const over =
  (build: Build, supply?: Readonly<Record<string, bigint>>): Case[1] =>
  async (stage) => {
    const instructions = build(held(stage), stage);
    const wire = await stage.wire(instructions, [stage.key('payer')]);
    return { wire, ...(supply !== undefined && { supply }) };
  };

const FEE_SPACE = spl.getMintLen([spl.ExtensionType.TransferFeeConfig]);
const RENT = 10_000_000;

/** A mint of Token-2022 that keeps 2.5 % of what is transferred, at most 5 tokens. */
function feeMint(payer: PublicKey, mint: PublicKey): readonly TransactionInstruction[] {
  return [
    SystemProgram.createAccount({
      fromPubkey: payer,
      newAccountPubkey: mint,
      space: FEE_SPACE,
      lamports: RENT,
      programId: T22,
    }),
    spl.createInitializeTransferFeeConfigInstruction(mint, payer, payer, 250, 5n * ONE, T22),
    spl.createInitializeMint2Instruction(mint, 6, payer, null, T22),
  ];
}

interface FeeHeld {
  readonly payer: PublicKey;
  readonly mint: PublicKey;
  readonly from: PublicKey;
  readonly to: PublicKey;
}

/** The fee mint, with 100 tokens of the payer and an account of the customer. */
async function feeHeld(stage: Stage): Promise<FeeHeld> {
  const [signer, mintKey] = [stage.payer('payer', 100_000_000_000n), stage.key('fee mint')];
  const [payer, mint, customer] = [stage.publicKey('payer'), stage.publicKey('fee mint'), stage.publicKey('customer')];
  const ata = (owner: PublicKey, label: string): PublicKey => {
    const address = spl.getAssociatedTokenAddressSync(mint, owner, false, T22);
    stage.named(address.toBase58(), label);
    return address;
  };
  const [from, to] = [ata(payer, 'tokens of payer'), ata(customer, 'tokens of customer')];
  await stage.prepare(feeMint(payer, mint), [signer, mintKey]);
  await stage.prepare(
    [
      spl.createAssociatedTokenAccountInstruction(payer, from, payer, mint, T22),
      spl.createAssociatedTokenAccountInstruction(payer, to, customer, mint, T22),
      spl.createMintToInstruction(mint, from, payer, 100n * ONE, [], T22),
    ],
    [signer],
  );
  return { payer, mint, from, to };
}

export const TOKENS: readonly Case[] = [
  [
    'token-transfer',
    over(({ from, mint, to, owner }) => [spl.createTransferCheckedInstruction(from, mint, to, owner, 2_500_000n, 6)]),
  ],
  [
    'token-transfer-within-one-owner',
    over(({ from, owner, mint }, stage) => [
      spl.createTransferCheckedInstruction(from, mint, stage.holding('savings of payer', 'payer', 0n), owner, ONE, 6),
    ]),
  ],
  [
    'token-mint-to',
    over(({ mint, to, owner }) => [spl.createMintToInstruction(mint, to, owner, 7n * ONE)], { mint: 7n * ONE }),
  ],
  [
    'token-burn',
    over(({ mint, from, owner }) => [spl.createBurnInstruction(from, mint, owner, 3n * ONE)], { mint: -3n * ONE }),
  ],
  [
    'token-approve-then-delegate-pays',
    async (stage) => {
      const { from, to, owner, mint } = held(stage);
      const delegate = stage.payer('delegate');
      const wire = await stage.wire(
        [
          spl.createApproveInstruction(from, stage.publicKey('delegate'), owner, 4n * ONE),
          spl.createTransferCheckedInstruction(from, mint, to, stage.publicKey('delegate'), ONE, 6),
        ],
        [stage.key('payer'), delegate],
      );
      return { wire };
    },
  ],
  [
    'token-account-closed',
    over(({ owner }, stage) => [
      spl.createCloseAccountInstruction(stage.holding('empty account', 'payer', 0n), owner, owner),
    ]),
  ],
  [
    'token-freeze-and-thaw',
    over(({ owner, mint, to }) => [
      spl.createFreezeAccountInstruction(to, mint, owner),
      spl.createThawAccountInstruction(to, mint, owner),
    ]),
  ],
  [
    'token-two-of-three-signers',
    async (stage) => {
      const signers = ['first', 'second', 'third'].map((name) => stage.publicKey(name));
      const { to, mint } = held(stage);
      const multisig = stage.publicKey('council');
      await stage.prepare(
        [
          SystemProgram.createAccount({
            fromPubkey: stage.publicKey('payer'),
            newAccountPubkey: multisig,
            space: spl.MULTISIG_SIZE,
            lamports: RENT,
            programId: spl.TOKEN_PROGRAM_ID,
          }),
          spl.createInitializeMultisigInstruction(multisig, signers, 2),
        ],
        [stage.key('payer'), stage.key('council')],
      );
      const from = stage.holding('tokens of council', 'council', 9n * ONE);
      const pay = spl.createTransferCheckedInstruction(from, mint, to, multisig, ONE, 6, signers.slice(0, 2));
      return { wire: await stage.wire([pay], [stage.key('payer'), stage.key('first'), stage.key('second')]) };
    },
  ],
  [
    'token-mint-created',
    async (stage) => {
      const [payer, mint] = [stage.payer('payer'), stage.key('new mint')];
      const address = stage.publicKey('new mint');
      const instructions = [
        SystemProgram.createAccount({
          fromPubkey: stage.publicKey('payer'),
          newAccountPubkey: address,
          space: spl.MINT_SIZE,
          lamports: 1_461_600,
          programId: spl.TOKEN_PROGRAM_ID,
        }),
        spl.createInitializeMint2Instruction(address, 9, stage.publicKey('payer'), null),
      ];
      return { wire: await stage.wire(instructions, [payer, mint]) };
    },
  ],
  [
    'token-wrapped-sol',
    async (stage) => {
      const payer = stage.payer('payer');
      const owner = stage.publicKey('payer');
      const account = spl.getAssociatedTokenAddressSync(spl.NATIVE_MINT, owner);
      stage.named(account.toBase58(), 'wrapped SOL of payer');
      const instructions = [
        spl.createAssociatedTokenAccountInstruction(owner, account, owner, spl.NATIVE_MINT),
        SystemProgram.transfer({ fromPubkey: owner, toPubkey: account, lamports: 2_000_000_000 }),
        spl.createSyncNativeInstruction(account),
      ];
      return {
        wire: await stage.wire(instructions, [payer]),
        supply: { [spl.NATIVE_MINT.toBase58()]: 2_000_000_000n },
      };
    },
  ],
  [
    'ata-created',
    over(({ owner, mint }, stage) => {
      const friend = stage.publicKey('friend');
      const account = spl.getAssociatedTokenAddressSync(mint, friend);
      stage.named(account.toBase58(), 'tokens of friend');
      return [spl.createAssociatedTokenAccountInstruction(owner, account, friend, mint)];
    }),
  ],
  [
    'ata-there-already',
    async (stage) => {
      const { owner, mint } = held(stage);
      const neighbour = stage.publicKey('neighbour');
      const account = spl.getAssociatedTokenAddressSync(mint, neighbour);
      stage.named(account.toBase58(), 'tokens of neighbour');
      const signers = [stage.key('payer')];
      await stage.prepare([spl.createAssociatedTokenAccountInstruction(owner, account, neighbour, mint)], signers);
      const again = spl.createAssociatedTokenAccountIdempotentInstruction(owner, account, neighbour, mint);
      return { wire: await stage.wire([again], signers) };
    },
  ],
  [
    'token-2022-mint-with-fee',
    async (stage) => {
      const signers = [stage.payer('payer'), stage.key('fee mint')];
      return { wire: await stage.wire(feeMint(stage.publicKey('payer'), stage.publicKey('fee mint')), signers) };
    },
  ],
  [
    'token-2022-transfer-with-fee',
    async (stage) => {
      const { from, mint, to, payer } = await feeHeld(stage);
      const pay = spl.createTransferCheckedWithFeeInstruction(from, mint, to, payer, 40n * ONE, 6, ONE, [], T22);
      // The withheld fee is in the account, but not part of its amount.
      return { wire: await stage.wire([pay], [stage.key('payer')]), supply: { 'fee mint': -ONE } };
    },
  ],
  [
    'token-2022-transfer-whose-fee-is-the-mints',
    async (stage) => {
      const { from, mint, to, payer } = await feeHeld(stage);
      const pay = spl.createTransferCheckedInstruction(from, mint, to, payer, 40n * ONE, 6, [], T22);
      return { wire: await stage.wire([pay], [stage.key('payer')]), supply: { 'fee mint': -ONE } };
    },
  ],
  [
    'token-2022-withheld-fees-withdrawn',
    async (stage) => {
      const { from, mint, to, payer } = await feeHeld(stage);
      const signers = [stage.key('payer')];
      await stage.prepare(
        [spl.createTransferCheckedWithFeeInstruction(from, mint, to, payer, 40n * ONE, 6, ONE, [], T22)],
        signers,
      );
      const take = spl.createWithdrawWithheldTokensFromAccountsInstruction(mint, from, payer, [], [to], T22);
      return { wire: await stage.wire([take], signers), supply: { 'fee mint': ONE } };
    },
  ],
  [
    'fails-token-2022-wrong-fee',
    async (stage) => {
      const { from, mint, to, payer } = await feeHeld(stage);
      const pay = spl.createTransferCheckedWithFeeInstruction(from, mint, to, payer, 40n * ONE, 6, 5n, [], T22);
      return { wire: await stage.wire([pay], [stage.key('payer')]) };
    },
  ],
  [
    'fails-token-too-few',
    over(({ from, mint, to, owner }) => [spl.createTransferCheckedInstruction(from, mint, to, owner, 50n * ONE, 6)]),
  ],
  [
    'fails-token-frozen',
    over(({ mint, to, owner }, stage) => {
      const frozen = stage.holding('frozen tokens', 'payer', 10n * ONE, { isFrozen: true });
      return [spl.createTransferCheckedInstruction(frozen, mint, to, owner, ONE, 6)];
    }),
  ],
  [
    'fails-token-wrong-decimals',
    over(({ from, mint, to, owner }) => [spl.createTransferCheckedInstruction(from, mint, to, owner, ONE, 9)]),
  ],
  [
    'fails-token-not-the-owner',
    async (stage) => {
      const { from, mint, to } = held(stage);
      const thief = stage.payer('thief');
      const take = spl.createTransferCheckedInstruction(from, mint, to, stage.publicKey('thief'), ONE, 6);
      return { wire: await stage.wire([take], [thief]) };
    },
  ],
  ['fails-token-close-with-tokens', over(({ from, owner }) => [spl.createCloseAccountInstruction(from, owner, owner)])],
  [
    'fails-ata-wrong-address',
    over(({ owner, mint }, stage) => [
      spl.createAssociatedTokenAccountInstruction(owner, stage.publicKey('somewhere'), stage.publicKey('friend'), mint),
    ]),
  ],
  [
    'fails-ata-there-already',
    async (stage) => {
      const { owner, mint } = held(stage);
      const guest = stage.publicKey('guest');
      const account = spl.getAssociatedTokenAddressSync(mint, guest);
      stage.named(account.toBase58(), 'tokens of guest');
      const create = spl.createAssociatedTokenAccountInstruction(owner, account, guest, mint);
      await stage.prepare([create], [stage.key('payer')]);
      return { wire: await stage.wire([create], [stage.key('payer')]) };
    },
  ],
];
