// Sends transactions to the service's process for the tests of its streams: signed by its wallet, no preflight.
import { member } from '../../../core/solana/json/json';
import type { Keypair } from '../../../localnet/ledger/wallets/keys';
import { request, type Localnet, walletOf } from '../../support/process/localnet';
import { compile, signTransaction, textOf, toBase64, transfer, type Instruction, type Table } from '../rpc/rpc-harness';

export class ServiceWallet {
  #keypair: Keypair | undefined;

  constructor(private readonly local: Pick<Localnet, 'rpc' | 'ready'>) {}

  get keypair(): Keypair {
    return (this.#keypair ??= walletOf(this.local.ready));
  }

  get address(): string {
    return this.keypair.address;
  }

  /** Answers the signature. With `tables` (an empty list too) it is a version 0 transaction. */
  async send(
    instructions: readonly Instruction[],
    signers: readonly Keypair[] = [],
    tables?: readonly Table[],
  ): Promise<string> {
    const all = [this.keypair, ...signers];
    const latest = await this.local.rpc('getLatestBlockhash', [{ commitment: 'processed' }]);
    const blockhash = textOf(member(member(member(latest.json, 'result'), 'value'), 'blockhash'));
    const wire = toBase64(signTransaction(compile(instructions, all, blockhash, tables), all));
    const options = { encoding: 'base64', skipPreflight: true };
    const answer = await this.local.rpc('sendTransaction', [wire, options]);
    return textOf(member(answer.json, 'result'));
  }

  transfer(to: string, lamports = 1_000_000n): Promise<string> {
    return this.send([transfer(this.address, to, lamports)]);
  }

  /** A transfer of more than there is: it lands and fails. */
  transferTooMuch(to: string): Promise<string> {
    return this.transfer(to, 10n ** 15n);
  }
}

/** Writes an account's lamports exactly: JSON.stringify cannot write those above 2^53. */
export async function setLamports({ ready }: Localnet, address: string, lamports: bigint): Promise<void> {
  const body = `{"jsonrpc":"2.0","id":1,"method":"setAccount","params":{"address":"${address}","lamports":${lamports}}}`;
  const headers = { authorization: `Bearer ${ready.adminToken}`, 'content-type': 'application/json' };
  const answer = await request(`${ready.adminUrl}/rpc`, { method: 'POST', headers, body });
  if (!answer.text.includes('"result":true')) throw new Error(answer.text);
}
