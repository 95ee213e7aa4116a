// One row of a stream in full: its JSON, its decoded bytes, and what changed in its account since the previous row. Only
// for rows that are opened or exported.
import { explainTransaction } from '../../core/solana/explain/explain';
import { contentIn, type Content } from '../../core/service/streams/content';
import type { Shape } from '../../core/service/streams/shape';
import type { Programs } from '../../core/solana/decode/decoded';
import { jsonOf, printJson } from '../../core/solana/json/json';
import type { TransactionView } from '../../protocol/explain';
import { explanationText } from '../explain/found';
import { transactionView } from '../explain/view';
import type { DetailChange, DetailNode, StreamRowParams, StreamRowResult } from '../../protocol/streams';
import { accountChanges, contentNode, decodedTransactionOf } from './decodeRow';
import type { StreamPlan } from './messages';
import type { Ring } from '../../runner/streams/ring';
import { updateText } from '../../core/service/streams/updateText';
import { gapJson } from '../../core/service/streams/gap';

/** Longest JSON of one row, in UTF-16 units; the rest is cut. */
const MAX_DETAIL = 200_000;

/** The parts of a stream that its row details need. */
export interface Detailed {
  readonly ring: Ring;
  readonly shape: Shape;
  readonly plan: StreamPlan;
  /** The first row of the ledger that the endpoint serves now. */
  readonly firstOfLedger: number;
  readonly programs: Programs;
  readonly grpc: { textOfUpdate(path: string, bytes: Uint8Array): string | undefined };
  readonly redact: (text: string) => string;
}

type RowWanted = Omit<StreamRowParams, 'id'>;

export function detailOf(stream: Detailed, { number, explain: isExplained }: RowWanted): StreamRowResult {
  const { ring, programs } = stream;
  if (!ring.holds(number)) return { kind: 'dropped' };
  const gap = ring.gap(number);
  const json = gap === undefined ? prettyText(stream, number) : JSON.stringify({ gap: gapJson(gap) }, null, 2);
  const text = { kind: 'row', number, json: json.slice(0, MAX_DETAIL), isCut: json.length > MAX_DETAIL } as const;
  const content = gap === undefined ? contentOf(stream, number) : undefined;
  if (content === undefined) return text;
  const decoded = contentNode(content, programs, slotAt(stream, number));
  if (decoded === undefined) return text;
  return {
    ...text,
    decoded: clean(stream, decoded),
    ...(content.kind === 'transaction' && { isTransaction: true }),
    ...(isExplained === true && explainedRow(stream, number, content)),
    ...sinceBefore(stream, number, content),
  };
}

/** The explanation of a row's transaction; empty if the row contains none. */
function explainedRow(
  stream: Detailed,
  number: number,
  content: Content,
): Pick<Extract<StreamRowResult, { kind: 'row' }>, 'explained'> {
  if (content.kind !== 'transaction') return {};
  const decoded = decodedTransactionOf(content, stream.programs, slotAt(stream, number));
  if (!decoded.ok) return {};
  const explanation = explainTransaction(decoded.value, {});
  return {
    explained: {
      view: clean(stream, transactionView(explanation)),
      text: stream.redact(explanationText(explanation)),
    },
  };
}

const slotAt = ({ ring }: Detailed, number: number): bigint | undefined => {
  const slot = ring.slot(number);
  return Number.isNaN(slot) ? undefined : BigInt(slot);
};

/** Changes since the account's last kept update; empty if the row is not an account. */
function sinceBefore(
  stream: Detailed,
  number: number,
  content: Content,
): { readonly since?: number; readonly changes?: readonly DetailChange[] } {
  if (content.kind !== 'account') return {};
  const since = lastUpdate(stream, number, content.account.address);
  const earlier = since === undefined ? undefined : contentOf(stream, since);
  if (since === undefined || earlier?.kind !== 'account') return {};
  return { since, changes: clean(stream, accountChanges(earlier.account, content.account, stream.programs)) };
}

function contentOf({ ring, shape, plan }: Detailed, number: number): Content | undefined {
  const { account, request } = plan;
  const source = { shape, method: request.method, ...(account !== undefined && { watched: account }) };
  return ring.read(number, (bytes, start, end) => contentIn(source, bytes, start, end));
}

/** The previous update of the same account on the same ledger. */
function lastUpdate(stream: Detailed, number: number, address: string | undefined): number | undefined {
  const { ring, shape, plan, firstOfLedger } = stream;
  const oldest = number < firstOfLedger ? ring.first : Math.max(ring.first, firstOfLedger);
  for (let earlier = number - 1; earlier >= oldest; earlier--) {
    if (ring.gap(earlier) !== undefined) continue;
    const its = ring.read(earlier, (bytes, start, end) => shape.value('pubkey', bytes, start, end)) ?? plan.account;
    if (its === address) return earlier;
  }
  return undefined;
}

/** Removes keys that a service put into the value. */
function clean<T extends DetailNode | readonly DetailChange[] | TransactionView>({ redact }: Detailed, value: T): T {
  return JSON.parse(redact(JSON.stringify(value))) as T;
}

/** The update as JSON text, as received; of a row that has two, the first or the second. */
export function compactText({ ring, plan, grpc, redact }: Detailed, number: number, isSecond = false): string {
  const textOf = updateText(plan.request, (path, bytes) => grpc.textOfUpdate(path, bytes));
  return redact((isSecond ? ring.also(number, textOf) : ring.read(number, textOf)) ?? '');
}

function prettyText(stream: Detailed, number: number): string {
  const first = pretty(compactText(stream, number));
  return stream.ring.isTwofold(number) ? `${first}\n${pretty(compactText(stream, number, true))}` : first;
}

function pretty(text: string): string {
  const value = jsonOf(text);
  return value === undefined ? text : printJson(value, 2);
}
