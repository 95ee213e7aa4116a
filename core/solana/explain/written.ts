// The accounts that a simulation writes: lamports, owner, size and decoded fields, before and after. Reads the accounts
// as nodes return them; sends nothing.
import { accountFromJson } from '../chain/accountJson';
import { decodeAccount } from '../decode/decode';
import type { AccountBytes, Change, Decoded, Programs } from '../decode/decoded';
import { visibleText, valueText } from '../decode/decodedText';
import { diffBytes, diffDecoded } from '../decode/diff';
import type { JsonValue } from '../json/json';
import { known } from '../common/known';
import { formatSol, groupDigits } from '../chain/lamports';

export interface WrittenAccount {
  /** Base58. */
  readonly address: string;
  /** Absent where the account is not there. */
  readonly before?: AccountFacts;
  readonly after?: AccountFacts;
  /** The kind of its decoded content: `SPL Token account`. Absent if not decoded. */
  readonly title?: string;
  /** Fields that change, of what is decoded; all of them in an account that is created. */
  readonly changes: readonly Change[];
  /** Bytes that change, where the layout is not known. */
  readonly bytesChanged?: number;
}

interface AccountFacts {
  readonly lamports: bigint;
  /** Base58. */
  readonly owner: string;
  /** Bytes of its data. */
  readonly size: number;
}

/** `before` and `after`: accounts as nodes give them in base64, or null, in the order of the addresses. */
export function writtenAccounts(
  addresses: readonly string[],
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  programs: Programs,
): readonly WrittenAccount[] {
  return addresses.map((address, at) => {
    const [was, is] = [accountOf(address, before[at]), accountOf(address, after[at])];
    const [read, reads] = [decoded(was, programs), decoded(is, programs)];
    const begun = was === undefined && reads !== undefined ? { ...reads, fields: [] } : read;
    const changes = begun !== undefined && reads !== undefined ? diffDecoded(begun, reads) : [];
    const isUnread = read === undefined && reads === undefined && was !== undefined && is !== undefined;
    return known({
      address,
      before: was && factsOf(was),
      after: is && factsOf(is),
      title: reads?.title ?? read?.title,
      changes,
      bytesChanged: isUnread ? diffBytes(was.data, is.data).reduce((sum, { length }) => sum + length, 0) : undefined,
    });
  });
}

/** Whether the transaction leaves the account as it was, though it may write it. */
export const isUntouched = ({ before, after, changes, bytesChanged = 0 }: WrittenAccount): boolean =>
  changes.length === 0 &&
  bytesChanged === 0 &&
  before?.lamports === after?.lamports &&
  before?.owner === after?.owner &&
  before?.size === after?.size;

/** One thing that changes, as text that is fit to be shown; absent on a side where the account is not there. */
export interface WrittenRow {
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
}

export function writtenRows({ before, after, changes, bytesChanged = 0 }: WrittenAccount): readonly WrittenRow[] {
  const row = (name: string, text: (facts: AccountFacts) => string): readonly WrittenRow[] => {
    const [was, is] = [before && text(before), after && text(after)];
    if (was === is) return [];
    return [known({ name, before: was, after: is })];
  };
  return [
    ...row('balance', ({ lamports }) => formatSol(lamports)),
    ...row('owner', ({ owner }) => valueText({ kind: 'pubkey', address: visibleText(owner) })),
    ...row('size', ({ size }) => `${groupDigits(String(size))} bytes`),
    ...changes.map(({ path, before: was, after: is }) =>
      known({
        name: path.map((step) => visibleText(String(step))).join('.'),
        before: was && valueText(was),
        after: is && valueText(is),
      }),
    ),
    ...(bytesChanged === 0
      ? []
      : [{ name: 'data', before: 'as it was', after: `${groupDigits(String(bytesChanged))} bytes differ` }]),
  ];
}

/** Its kind, and whether it is created or closed: `SPL Token account, created`; empty if neither is known. */
export function writtenTitle({ before, after, title }: WrittenAccount): string {
  const life = before === undefined ? (after === undefined ? 'not there' : 'created') : after ? undefined : 'closed';
  return [title && visibleText(title), life].filter((part) => part !== undefined).join(', ');
}

const factsOf = ({ lamports, owner, data }: AccountBytes): AccountFacts => ({ lamports, owner, size: data.length });

const decoded = (account: AccountBytes | undefined, programs: Programs): Decoded | undefined =>
  account === undefined ? undefined : decodeAccount(account, programs);

function accountOf(address: string, value: JsonValue | undefined): AccountBytes | undefined {
  const account = accountFromJson(value);
  // A closed account is one without lamports.
  return typeof account === 'object' && account.lamports > 0n ? { address, ...account } : undefined;
}
