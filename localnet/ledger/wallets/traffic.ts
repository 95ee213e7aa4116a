// A steady flow of small transfers between wallets of the ledger's own, so that streams have something to show.
import { newAccount } from '../accounts/accounts';
import { SYSTEM_PROGRAM, LAMPORTS_PER_SOL } from '../accounts/addresses';
import { executeTransaction } from '../engine/execute';
import { keypairFromSeed, type Keypair } from './keys';
import type { LedgerState } from '../state';
import { signedTransfer } from './transfer';
import { decodeStrictly } from '../transaction/wire';

/** More would leave no time for answering calls. */
export const MAX_TRAFFIC = 2_000;
const WALLETS = 8;
const TICK_MS = 20;

export class SampleTraffic {
  #timer: ReturnType<typeof setInterval> | undefined;
  #wallets: readonly Keypair[] = [];
  #sent = 0;

  constructor(
    private readonly state: LedgerState,
    private readonly bytes: (name: string) => Uint8Array,
  ) {}

  /** Transfers per second from now on; 0 ends the flow. */
  set(perSecond: number): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (perSecond === 0) return;
    this.#fundWallets();
    const start = performance.now();
    let done = 0;
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - start) * perSecond) / 1000);
      // After a stall the flow continues at its rate; it does not catch up in one burst.
      const most = Math.ceil((perSecond * TICK_MS * 4) / 1000);
      if (due - done > most) done = due - most;
      for (; done < due; done++) this.#one();
    }, TICK_MS);
  }

  #one(): void {
    const from = this.#wallets[this.#sent % WALLETS];
    const to = this.#wallets[(this.#sent + 1) % WALLETS];
    if (from === undefined || to === undefined) return;
    const { blockhash } = this.state.chain.latestBlockhash(this.state.chain.open.height);
    const lamports = 1000n + BigInt(this.#sent % 1000);
    const wire = signedTransfer(from, { to: to.address, lamports, memo: `traffic ${++this.#sent}` }, blockhash);
    const landing = executeTransaction(this.state, { wire, transaction: decodeStrictly(wire) });
    // A reset or a restore may have taken the wallets' money.
    if (landing.kind === 'refused') this.#fundWallets();
  }

  #fundWallets(): void {
    if (this.#wallets.length === 0)
      this.#wallets = Array.from({ length: WALLETS }, (_, i) => keypairFromSeed(this.bytes(`traffic ${i}`)));
    for (const { address } of this.#wallets)
      this.state.overwrite(address, newAccount(SYSTEM_PROGRAM, 1_000_000n * LAMPORTS_PER_SOL));
  }
}
