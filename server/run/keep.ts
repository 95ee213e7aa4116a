// Stores a request's outcome: its response as a file, and next to it the summary that is sent to the client.
import { landingText } from '../../core/requests/run/landing';
import type { BodyText, Exchange, LargeBody, RequestReport } from '../../core/requests/run/model';
import type { Provenance } from '../../core/requests/run/assertions/subject';
import { bareUnit } from '../../core/requests/methods/resultShape';
import { STANDARD_METHODS } from '../../core/requests/methods';
import { StoredResponse } from '../../core/service/response/stored';
import { TextBody } from '../../core/service/response/textBody';
import { member, printJson, type JsonValue } from '../../core/solana/json/json';
import type { ChainAge } from '../../core/solana/chain/chain';
import { known } from '../../core/solana/common/known';
import type { ExecuteOutcome, FileVariant, Wire } from '../../protocol/lsp';
import { stateOf } from '../../runner/keptAnswers';
import type { Results } from '../responses/results';
import { wasSent, type Exchanges } from './exchanges';
import { nameOf, requestName, titleOf } from './live';

export interface KeepOptions {
  /** In progress, with the results so far. */
  readonly isWatched: boolean;
  /** Distinguishes the answers of a variant from those of the request itself. */
  readonly mark: string;
  readonly variant: FileVariant | undefined;
  readonly given: Provenance | undefined;
  /** Names the run of all requests of a file. */
  readonly together: string | undefined;
  /** The chain of the endpoint, as it showed it. */
  readonly chain: ChainAge;
}

/** Keeps the response of a request that was sent, and gives the summary that crosses to the client. */
export async function keep(
  results: Results,
  report: RequestReport,
  exchanges: Exchanges,
  { isWatched, mark, variant, given, together, chain }: KeepOptions,
): Promise<ExecuteOutcome> {
  const traffic = exchanges.of(report, isWatched);
  const { exchange, failure, key, origin, ledger } = traffic;
  const live = exchanges.streamOf(report);
  const body = exchange?.body ?? new TextBody(printJson(shownFor(report)));
  const growing = await exchanges.placeOf(report);
  const place = live?.response ?? exchanges.shownAt(report) ?? growing;
  const facts = await factsOf(report);
  const said = exchange?.error;
  const lost = said ?? failure;
  const { status, error, assertions, httpStatus, durationMs, transport, method, endpoint, messages, dropped } = report;
  const { landing, notes } = report;
  const title = titleOf(report) + mark;
  const block = nameOf(report);
  const outcome: Omit<ExecuteOutcome, 'response'> = known({
    uri: report.file,
    line: report.line - 1,
    title,
    block: block === title ? undefined : block,
    variant,
    status,
    assertions: assertions.map(({ actual, expected, ...rest }) => ({
      ...rest,
      ...(actual !== undefined && { actual: excerpt(actual) }),
      ...(expected !== undefined && { expected: excerpt(expected) }),
    })),
    ...(report.request !== null && { request: excerpt(report.request) }),
    durationMs: exchange?.durationMs ?? durationMs,
    bytes: exchange?.bytes ?? sizeOf(body),
    notes,
    transport,
    method,
    endpoint,
    error,
    ...(said !== undefined && 'retryAfterMs' in said && { retryAfterMs: said.retryAfterMs }),
    httpStatus,
    ...facts,
    ...(chain.isMeasured && { slotMs: chain.slotMs }),
    ...(messages !== undefined && { stream: { count: messages.length, dropped: dropped ?? 0, isOpen: false } }),
    ...(landing !== undefined && {
      landing: {
        signature: landing.signature,
        text: landingText(landing),
        isWatched,
        isLanded: landing.level !== 'sent' && landing.level !== 'expired',
        level: landing.level,
        times: landing.times,
        ...(landing.atMost !== undefined && { atMost: landing.atMost }),
        ...(landing.finalizedSlot !== undefined && { finalizedSlot: landing.finalizedSlot }),
        ...(landing.err !== undefined && { failure: excerpt(landing.err) }),
      },
    }),
    ...(lost?.kind === 'ambiguous' && lost.signature !== undefined && { lostSignature: lost.signature }),
    wire: exchange && wireOf(exchange),
    ...(growing !== undefined && exchange === undefined && { isBroken: true }),
    key,
    origin,
    ledger,
    together,
  });
  // A request that was not sent has no response and no entry in the history.
  if (place === undefined && !wasSent(traffic, error)) return outcome;
  const kept = await results.save(
    requestName({ ...report, line: report.line - 1 }) + mark,
    body,
    place === undefined ? outcome : { ...outcome, response: place },
    given && { ...given, state: stateOf(report) },
  );
  if (isWatched && kept.response !== undefined) exchanges.show(report, kept.response);
  return kept;
}

const wireOf = ({ sent, headers, phases }: Exchange): Wire => ({
  headers,
  ...(sent !== undefined && { sent }),
  ...(phases !== undefined && { phases }),
});

/** A document without a body: the messages of a stream, else the error with its next step. */
function shownFor({ messages, error }: RequestReport): JsonValue {
  // A broken stream keeps its messages; the reason is shown above them.
  if (error === undefined || (messages?.length ?? 0) > 0) return messages ?? null;
  const { kind, message, hint } = error;
  return { error: { kind, message, ...(hint !== undefined && { nextStep: hint }) } };
}

/** JSON text for showing. UTF-16 units. */
const MAX_EXCERPT = 16_384;

function excerpt(value: JsonValue): string {
  const text = printJson(value, 2);
  return text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT)}…`;
}

const sizeOf = (body: BodyText): number => (body.kind === 'text' ? Buffer.byteLength(body.text) : body.bytes);

/** The slot of an answer, and the unit of a bare number. */
async function factsOf({
  method,
  response,
  large,
}: RequestReport): Promise<Pick<ExecuteOutcome, 'slot' | 'unit' | 'genesisHash'>> {
  const slot = slotOf(response) ?? (await slotIn(large));
  const unit = bareUnit(method, STANDARD_METHODS);
  const hash = method === 'getGenesisHash' ? member(response, 'result') : undefined;
  return known({ genesisHash: typeof hash === 'string' ? hash : undefined, slot, unit });
}

/** The same of a response that is in a file. */
async function slotIn(large: LargeBody | undefined): Promise<string | undefined> {
  if (large === undefined) return undefined;
  const stored = new StoredResponse(large.file, () => large.outline);
  const found = await stored.value(['result', 'context', 'slot'], 100);
  return found?.kind === 'value' ? printJson(found.value) : undefined;
}

/** `result.context.slot` as its digits. */
function slotOf(response: JsonValue | undefined): string | undefined {
  const slot = member(member(member(response, 'result'), 'context'), 'slot');
  return slot === undefined ? undefined : printJson(slot);
}
