// The updates of one account in their order: balance, token amount and what changed from one to the next, exact. No
// elements here.
import type { DetailNode, StreamInfo, StreamRow } from '../../../protocol/streams';

export interface AccountUpdate {
  readonly number: number;
  readonly time: number;
  /** Digits, or empty. */
  readonly slot: string;
  /** Undefined without an update of the account, as in a gap. */
  readonly lamports?: bigint;
  readonly owner: string;
  readonly size: string;
  readonly signatures: readonly string[];
  /** The connection was away before it. */
  readonly isAfterGap: boolean;
}

/** An amount of tokens as it was decoded: the raw number, and with its decimals where they are known. */
export interface TokenAmount {
  readonly raw: bigint;
  readonly text: string;
}

/** Updates that are held; the charts and the table show these. */
export const MAX_UPDATES = 500;

export class Updates {
  readonly #byNumber = new Map<number, AccountUpdate>();
  readonly #amounts = new Map<number, TokenAmount>();
  /** Numbers whose decoded form was asked for. */
  readonly #decoded = new Set<number>();
  #gapAfter = -1;

  /** Oldest first. */
  list(): readonly AccountUpdate[] {
    return [...this.#byNumber.values()];
  }

  get newest(): AccountUpdate | undefined {
    return this.list().at(-1);
  }

  /** The row to ask for next: behind the newest at hand, and no more than are held. */
  from(first: number, next: number): number {
    const seen = this.newest?.number ?? -1;
    return Math.max(first, next - MAX_UPDATES, seen + 1, this.#gapAfter + 1);
  }

  take(info: StreamInfo, rows: readonly StreamRow[]): void {
    for (const row of rows) {
      if (row.kind === 'gap') this.#gapAfter = row.number;
      else this.#byNumber.set(row.number, updateOf(info, row, this.#gapAfter === row.number - 1));
    }
    for (const number of this.#byNumber.keys()) {
      if (this.#byNumber.size <= MAX_UPDATES) break;
      this.#byNumber.delete(number);
      this.#amounts.delete(number);
    }
  }

  amountOf(number: number): TokenAmount | undefined {
    return this.#amounts.get(number);
  }

  /** The newest update that was not decoded yet; only the newest one where the account holds no tokens. */
  toDecode(): number | undefined {
    const numbers = this.list().map(({ number }) => number);
    const open = numbers.filter((number) => !this.#decoded.has(number));
    const newest = numbers.at(-1);
    return this.#amounts.size > 0 || newest === open.at(-1) ? open.at(-1) : undefined;
  }

  decoded(number: number, root: DetailNode | undefined): void {
    this.#decoded.add(number);
    const amount = root === undefined ? undefined : tokenAmount(root);
    if (amount !== undefined && this.#byNumber.has(number)) this.#amounts.set(number, amount);
  }

  /** Forgets decoded values: decoding again may yield more by now. */
  decodeAnew(): void {
    this.#amounts.clear();
    this.#decoded.clear();
  }

  clear(): void {
    this.#byNumber.clear();
    this.#amounts.clear();
    this.#decoded.clear();
    this.#gapAfter = -1;
  }
}

function updateOf(
  { columns }: StreamInfo,
  { number, time, cells }: Extract<StreamRow, { kind: 'update' }>,
  isAfterGap: boolean,
): AccountUpdate {
  const cell = (field: string): string => cells[columns.findIndex((column) => column.field === field)] ?? '';
  const lamports = cell('lamports');
  return {
    number,
    time,
    slot: cell('slot'),
    ...(/^\d+$/.test(lamports) && { lamports: BigInt(lamports) }),
    owner: cell('owner'),
    size: cell('size'),
    signatures: cell('signature')
      .split(/[,\s]+/)
      .filter((signature) => signature !== ''),
    isAfterGap,
  };
}

/** `12.5 (raw 12500000)`, or `12,500,000 raw` where the decimals are not known. */
const AMOUNT = /^(?:(?<shown>[\d,.]+) \(raw (?<raw>\d+)\)|(?<only>[\d,]+) raw)$/;

/** The field of a token account that says how much it holds. */
function tokenAmount({ parts = [] }: DetailNode): TokenAmount | undefined {
  for (const part of parts) {
    const found = part.name.toLowerCase() === 'amount' ? AMOUNT.exec(part.text)?.groups : undefined;
    if (found !== undefined) {
      const { shown, raw, only = '' } = found;
      return { raw: BigInt(raw ?? only.replaceAll(',', '')), text: shown ?? only };
    }
    const inside = tokenAmount(part);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
