// The stage on which transactions are made to be explained: a ledger from a seed, named keys, mints and holdings at will,
// and programs that do what they are asked to. Addresses have names, so that what is explained reads the same in every run.
import assert from 'node:assert/strict';
import * as spl from '@solana/spl-token';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { explainedAnswer, explainedExchange, explainedText, type Explained } from '../../../core/solana/explain/given';
import type { Explanation } from '../../../core/solana/explain/explanation';
import type { Programs } from '../../../core/solana/decode/decoded';
import type { Idl } from '../../../core/solana/decode/idl/model';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { programsOf } from '../../../core/solana/decode/idl/registry';
import { parseJson, type JsonValue } from '../../../core/solana/json/json';
import type { Keypair } from '../../../localnet/ledger/wallets/keys';
import { wireText } from '../../../localnet/wireJson';
import { puppetProgram } from '../../support/programs/puppet';
import {
  Bench,
  compile,
  freshKey,
  signatureIn,
  signTransaction,
  textOf,
  toBase64,
  TOKEN,
  type Instruction,
  type Table,
} from '../rpc/rpc-harness';
import { ANCHOR_IDL, CODAMA_IDL, HEADER_BYTES } from './programs';

const SOL = 1_000_000_000n;

/** One transaction, as made: how its outcome is known, and the sums that its tokens must reach. */
export interface Made {
  /** Base64. */
  readonly wire: string;
  /** How what happened is known; `landed` without it. */
  readonly how?: 'landed' | 'simulated' | 'unsent';
  /** Raw units that a mint's holders gained together, by the mint's name. */
  readonly supply?: Readonly<Record<string, bigint>>;
}

export interface Ran {
  readonly explanation: Explanation;
  /** The node's own words: `meta` of what landed. */
  readonly answer: JsonValue;
}

export class Stage {
  readonly #names = new Map<string, string>();
  /** Keys of programs, which every case shares. */
  readonly #shared = new Map<string, Keypair>();
  #scope = '';
  readonly programs: Programs;

  private constructor(readonly bench: Bench) {
    this.programs = programsOf([
      { idl: this.#idl(ANCHOR_IDL), program: this.#program('vault program', HEADER_BYTES) },
      { idl: this.#idl(CODAMA_IDL), program: this.#program('orders program', HEADER_BYTES) },
    ]);
  }

  static async open(): Promise<Stage> {
    const bench = await Bench.open({ seed: 'explained', now: () => 1_767_614_400_000 });
    const stage = new Stage(bench);
    for (const name of ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta']) stage.#program(name, 0);
    return stage;
  }

  #program(name: string, before: number): string {
    const key = this.key(name);
    this.#shared.set(name, key);
    this.bench.ledger.cheats.loadProgram(key.address, puppetProgram(before));
    return key.address;
  }

  /** Gives each case its own keys, regardless of the cases before it. */
  begin(name: string): void {
    this.#scope = name;
  }

  close(): void {
    this.bench.close();
  }

  #idl(document: object): Idl {
    const { idl, problems } = readIdl(JSON.stringify(document));
    assert.deepEqual(problems, []);
    assert.ok(idl);
    return idl;
  }

  /** The key of this name, the same in every run. */
  key(name: string): Keypair {
    const shared = this.#shared.get(name);
    if (shared !== undefined) return shared;
    const key = freshKey(`explained ${this.#scope} ${name}`);
    this.named(key.address, name);
    return key;
  }

  address(name: string): string {
    return this.key(name).address;
  }

  publicKey(name: string): PublicKey {
    return new PublicKey(this.address(name));
  }

  named(address: string, name: string): string {
    this.#names.set(address, name);
    return address;
  }

  /** A new funded key. */
  payer(name: string, lamports = 10n * SOL): Keypair {
    const key = this.key(name);
    this.bench.ledger.cheats.setAccount(key.address, { lamports });
    return key;
  }

  /** A mint that is there, with `authority` over minting and freezing. */
  mint(name: string, authority: string, decimals = 6): PublicKey {
    const data = Buffer.alloc(spl.MINT_SIZE);
    const of = this.publicKey(authority);
    spl.MintLayout.encode(
      {
        mintAuthorityOption: 1,
        mintAuthority: of,
        supply: 1_000_000_000n,
        decimals,
        isInitialized: true,
        freezeAuthorityOption: 1,
        freezeAuthority: of,
      },
      data,
    );
    this.bench.ledger.cheats.setAccount(this.address(name), { lamports: 1_461_600n, owner: TOKEN, data });
    return this.publicKey(name);
  }

  /** A token account of the mint named `mint` that is there. */
  holding(name: string, owner: string, amount: bigint, more: { readonly isFrozen?: true } = {}): PublicKey {
    const data = Buffer.alloc(spl.ACCOUNT_SIZE);
    spl.AccountLayout.encode(
      {
        mint: this.publicKey('mint'),
        owner: this.publicKey(owner),
        amount,
        delegateOption: 0,
        delegate: PublicKey.default,
        state: more.isFrozen === true ? spl.AccountState.Frozen : spl.AccountState.Initialized,
        isNativeOption: 0,
        isNative: 0n,
        delegatedAmount: 0n,
        closeAuthorityOption: 0,
        closeAuthority: PublicKey.default,
      },
      data,
    );
    this.bench.ledger.cheats.setAccount(this.address(name), { lamports: 2_039_280n, owner: TOKEN, data });
    return this.publicKey(name);
  }

  /** A signed transaction; the first signer pays. With tables, or an empty list of them, it is of version 0. */
  async wire(
    instructions: readonly (Instruction | TransactionInstruction)[],
    signers: readonly Keypair[],
    tables?: readonly Table[],
  ): Promise<string> {
    return this.wireOn(await this.bench.blockhash(), instructions, signers, tables);
  }

  wireOn(
    blockhash: string,
    instructions: readonly (Instruction | TransactionInstruction)[],
    signers: readonly Keypair[],
    tables?: readonly Table[],
  ): string {
    return toBase64(signTransaction(compile(instructions.map(plain), signers, blockhash, tables), signers));
  }

  /** Lands what a case needs before its own transaction; it must succeed. */
  async prepare(instructions: readonly (Instruction | TransactionInstruction)[], signers: readonly Keypair[]) {
    const wire = await this.wire(instructions, signers);
    const signature = await this.bench.call('sendTransaction', wire, {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    this.bench.slots(1);
    return textOf(signature);
  }

  async run({ wire, how = 'landed' }: Made): Promise<Ran> {
    switch (how) {
      case 'unsent':
        return { explanation: explanationOf(explainedText(wire, this.programs)), answer: null };
      case 'simulated':
        return this.#simulated(wire);
      case 'landed': {
        await this.bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
        this.bench.slots(1);
        const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
        const first = signatureOf(wire);
        const answer = parseJson(wireText(await this.bench.call('getTransaction', first, config)));
        assert.notEqual(answer, null, 'it landed');
        return { explanation: explanationOf(explainedAnswer(answer, this.programs)), answer };
      }
    }
  }

  async #simulated(wire: string): Promise<Ran> {
    const params = [wire, { encoding: 'base64', commitment: 'processed', innerInstructions: true }];
    const result = parseJson(wireText(await this.bench.call('simulateTransaction', ...params)));
    const explained = explainedExchange({ method: 'simulateTransaction', params }, { result }, this.programs);
    assert.ok(explained !== undefined);
    return { explanation: explanationOf(explained), answer: result };
  }

  /** Addresses by their names; what differs between two runs is left out. */
  readable(line: string): string {
    return line
      .replace(/[1-9A-HJ-NP-Za-km-z]{86,88}/g, '<signature>')
      .replace(/[1-9A-HJ-NP-Za-km-z]{32,44}/g, (found) => {
        const name = this.#names.get(found);
        return name === undefined ? found : `<${name}>`;
      });
  }
}

const explanationOf = (explained: Explained): Explanation => {
  assert.ok(typeof explained === 'object', typeof explained === 'string' ? explained : '');
  return explained;
};

/** Version 1 has its signatures at its end; the node names a transaction by the first of them. */
function signatureOf(wire: string): string {
  const bytes = Buffer.from(wire, 'base64');
  if (bytes[0] !== 0x81) return signatureIn(wire);
  const signatures = bytes[1] ?? 0;
  return signatureIn(toBase64(Buffer.concat([Uint8Array.of(1), bytes.subarray(-64 * signatures)])));
}

const plain = (given: Instruction | TransactionInstruction): Instruction =>
  'program' in given
    ? given
    : {
        program: given.programId.toBase58(),
        accounts: given.keys.map(({ pubkey, isSigner, isWritable }) => ({
          address: pubkey.toBase58(),
          signer: isSigner,
          writable: isWritable,
        })),
        data: given.data,
      };
