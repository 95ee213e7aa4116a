// Asks the process that started the service to read from another endpoint, over Node's IPC: this process opens no
// connection and knows neither URL nor key. One question at a time, so that the endpoint is read at its own pace.
import { isJsonArray, member, parseJson, type JsonValue } from '../../core/solana/json/json';
import { accountOf, type FileAccount } from '../accountsFile';
import { isSlot } from '../ledger/bounds';
import type { Consensus } from '../ledger/consensus';
import type { AccountState, FetchedAccount } from '../node/open';

type Question = { readonly ask: 'slot' | 'certificate' | 'rent' } | (ListQuestion & { readonly minSlot?: number });
type ListQuestion =
  | { readonly ask: 'accounts'; readonly addresses: readonly string[] }
  | { readonly ask: 'program'; readonly address: string; readonly filters?: string }
  | { readonly ask: 'tokens'; readonly owner: string; readonly program: string };

/** An error between the service and the endpoint that it reads from, as a sentence for people. */
export class SourceError extends Error {}

/** Addresses of one question, as many as a node answers for. */
const AT_ONCE = 100;
/** Bytes that rent counts for an account without data (Solana docs, "Rent"). */
const EMPTY_ACCOUNT_BYTES = 128n;

/** The end of Node's IPC that a forked process has. */
interface Parent {
  readonly connected: boolean;
  send?(message: unknown): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** Accounts as they were at a slot of the source. */
interface FetchedAccounts {
  readonly slot: number;
  /** In the order of the addresses; `undefined` for accounts that do not exist. */
  readonly accounts: readonly (AccountState | undefined)[];
}

/** A row of a list of accounts. */
type FetchedRow = readonly [address: string, fetched: FetchedAccount];

export class SourceChannel {
  readonly #waiting = new Map<number, (message: unknown) => void>();
  #line: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #minSlot: number | undefined;

  /** Throws SourceError where the service was started by nobody who could read for it. */
  constructor(
    readonly name: string,
    private readonly parent: Parent,
  ) {
    if (!parent.connected || parent.send === undefined)
      throw new SourceError(`${name} is read by the terminal command: start the service with "solana-rpc localnet".`);
    parent.on('message', (message) => this.#take(message));
    parent.once('disconnect', () => {
      for (const answer of this.#waiting.values()) answer({ failure: 'the process that reads from it has ended' });
      this.#waiting.clear();
    });
  }

  /** Questions that were asked so far. */
  get reads(): number {
    return this.#asked;
  }

  /** From now on nothing is read that is older than a slot: the nodes behind one address need not be equally far. */
  atLeast(slot: number): void {
    this.#minSlot = slot;
  }

  /** The slot of the newest confirmed block. Rejects with SourceError. */
  async slot(): Promise<number> {
    return this.#slotOf(await this.#ask({ ask: 'slot' }), 'getSlot');
  }

  /** How the source's blocks become final; `undefined` where its node does not say. Rejects with SourceError. */
  async consensus(): Promise<Consensus | undefined> {
    const certificate = await this.#ask({ ask: 'certificate' });
    if (certificate === null) return 'tower';
    return isSlot(member(member(certificate, 'block'), 'slot')) ? 'alpenglow' : undefined;
  }

  /** Lamports that an account must hold there per byte (rent exemption). Rejects with SourceError. */
  async lamportsPerByte(): Promise<bigint> {
    const least = await this.#ask({ ask: 'rent' });
    if (typeof least !== 'number' || !Number.isSafeInteger(least) || least < 0)
      throw this.#strange('getMinimumBalanceForRentExemption');
    return BigInt(least) / EMPTY_ACCOUNT_BYTES;
  }

  /** Up to 100 accounts. Rejects with SourceError. */
  async accounts(addresses: readonly string[]): Promise<FetchedAccounts> {
    if (addresses.length > AT_ONCE) throw new RangeError(`at most ${AT_ONCE} accounts are read at once`);
    const answer = await this.#askFor({ ask: 'accounts', addresses });
    const values = member(answer, 'value');
    if (!isJsonArray(values) || values.length !== addresses.length) throw this.#strange('getMultipleAccounts');
    const accounts = addresses.map((address, index) => this.#accountOf(address, values[index])?.[1]);
    return { slot: this.#contextOf(answer, 'getMultipleAccounts'), accounts };
  }

  /** The accounts of any number of addresses, by address. Rejects with SourceError. */
  async all(addresses: Iterable<string>): Promise<Map<string, FetchedAccount>> {
    const all = [...addresses];
    const found = new Map<string, FetchedAccount>();
    for (let at = 0; at < all.length; at += AT_ONCE) {
      const some = all.slice(at, at + AT_ONCE);
      const { slot, accounts } = await this.accounts(some);
      for (const [index, address] of some.entries()) found.set(address, { slot, account: accounts[index] });
    }
    return found;
  }

  /** Every account of a program; `filters` is the JSON text of getProgramAccounts' filters. Rejects with SourceError. */
  async program(address: string, filters: string | undefined): Promise<readonly FetchedRow[]> {
    const question = { ask: 'program', address, ...(filters !== undefined && { filters }) } as const;
    return this.#rowsOf(await this.#askFor(question), 'getProgramAccounts');
  }

  /** Every token account that `owner` has of a token program. Rejects with SourceError. */
  async tokens(owner: string, program: string): Promise<readonly FetchedRow[]> {
    return this.#rowsOf(await this.#askFor({ ask: 'tokens', owner, program }), 'getTokenAccountsByOwner');
  }

  #rowsOf(answer: JsonValue, method: string): readonly FetchedRow[] {
    const rows = member(answer, 'value');
    if (!isJsonArray(rows)) throw this.#strange(method);
    const slot = this.#contextOf(answer, method);
    return rows.flatMap((row) => {
      const read = this.#accountOf(member(row, 'pubkey'), member(row, 'account'));
      return read === undefined ? [] : [[read[0], { slot, account: read[1] }] as const];
    });
  }

  #accountOf(address: JsonValue | undefined, value: JsonValue | undefined): FileAccount | undefined {
    const read = accountOf(address, value);
    if (typeof read === 'string') throw new SourceError(`${this.name} answered with an invalid account: ${read}.`);
    return read;
  }

  #contextOf(answer: JsonValue, method: string): number {
    return this.#slotOf(member(member(answer, 'context'), 'slot'), method);
  }

  #slotOf(value: JsonValue | undefined, method: string): number {
    if (!isSlot(value)) throw this.#strange(method);
    return value;
  }

  #strange(method: string): SourceError {
    return new SourceError(`The answer of ${this.name} to ${method} is not what a node answers.`);
  }

  #askFor(question: ListQuestion): Promise<JsonValue> {
    const minSlot = this.#minSlot;
    return this.#ask(minSlot === undefined ? question : { ...question, minSlot });
  }

  async #ask(question: Question): Promise<JsonValue> {
    const before = this.#line;
    const answered = before.then(
      () => this.#exchange(question),
      () => this.#exchange(question),
    );
    this.#line = answered;
    const message = await answered;
    const [result, failure] = [textIn(message, 'result'), textIn(message, 'failure')];
    if (result === undefined) throw new SourceError(`${this.name} could not be read: ${failure ?? 'no answer'}.`);
    try {
      return parseJson(result);
    } catch {
      throw this.#strange(question.ask);
    }
  }

  #exchange(question: Question): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      if (!this.parent.connected) {
        resolve({ failure: 'the process that reads from it has ended' });
        return;
      }
      this.#waiting.set(id, resolve);
      this.parent.send?.({ source: id, question });
    });
  }

  #take(message: unknown): void {
    const id = typeof message === 'object' && message !== null && 'source' in message ? message.source : undefined;
    if (typeof id !== 'number') return;
    this.#waiting.get(id)?.(message);
    this.#waiting.delete(id);
  }
}

function textIn(message: unknown, name: 'result' | 'failure'): string | undefined {
  if (typeof message !== 'object' || message === null || !Object.hasOwn(message, name)) return undefined;
  const value = (message as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}
