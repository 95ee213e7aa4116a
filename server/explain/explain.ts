// Explains a transaction that the client names: a text, a kept response, or a row of a stream. Sends nothing; loaded when
// first asked for.
import { explainedExchange, explainedText } from '../../core/solana/explain/given';
import type { Explanation } from '../../core/solana/explain/explanation';
import { rawLog } from '../../core/solana/explain/rawLog';
import { loadedLimitFor, unitLimitFor } from '../../core/requests/transaction/limits';
import { jsonOf, member, type JsonValue } from '../../core/solana/json/json';
import type { Programs } from '../../core/solana/decode/decoded';
import type {
  ExplainResult,
  OutcomeView,
  TransactionSource,
  TransactionTextResult,
  TransactionView,
} from '../../protocol/explain';
import type { ResponsePlace } from '../../protocol/lsp';
import type { StreamRowResult } from '../../protocol/streams';
import { MAX_GIVEN } from '../../protocol/pageLimits';
import type { Results } from '../responses/results';
import { foundOf, notFound, type TransactionLookup } from './found';

export interface ExplainDeps {
  readonly results: Results;
  /** The programs known at a response's endpoint; without one, at all endpoints. */
  readonly programs: (place?: ResponsePlace) => Promise<Programs>;
  readonly row: (id: string, number: number) => Promise<StreamRowResult>;
  readonly replay: (id: string) => Promise<TransactionLookup>;
}

/** A response with one transaction is smaller. Bytes. */
const MAX_RESPONSE = 16_000_000;

export async function explainSource(deps: ExplainDeps, source: TransactionSource): Promise<ExplainResult> {
  const found = await findSource(deps, source);
  return found.kind === 'found' ? { kind: 'explained', view: found.view() } : found;
}

export async function textOfSource(deps: ExplainDeps, source: TransactionSource): Promise<TransactionTextResult> {
  const found = await findSource(deps, source);
  return found.kind === 'found' ? { kind: 'text', text: found.text() } : found;
}

async function findSource(deps: ExplainDeps, source: TransactionSource): Promise<TransactionLookup> {
  switch (source.kind) {
    case 'text': {
      if (source.text.length > MAX_GIVEN) return notFound('This is too long for a transaction.');
      const explained = explainedText(source.text, await deps.programs());
      return typeof explained === 'string' ? notFound(explained) : foundOf(explained);
    }
    case 'response':
      return findInResponse(deps, source.place, source.before);
    case 'replay':
      return deps.replay(source.id);
    case 'row': {
      const row = await deps.row(source.id, source.number);
      if (row.kind !== 'row') return { kind: 'gone' };
      const { explained } = row;
      if (explained === undefined) return notFound('This row holds no transaction.');
      return { kind: 'found', view: () => explained.view, text: () => explained.text };
    }
  }
}

async function findInResponse(
  { results, programs }: ExplainDeps,
  place: ResponsePlace,
  earlier: ResponsePlace | undefined,
): Promise<TransactionLookup> {
  const opened = await results.large.open(place);
  if (opened === undefined) return { kind: 'gone' };
  const [response, request] = await Promise.all([opened.stored.value([], MAX_RESPONSE), results.requestOf(place)]);
  const accounts = earlier === undefined ? undefined : await results.large.open(earlier);
  const before = await accounts?.stored.value([], MAX_RESPONSE);
  if (response?.kind !== 'value' || request === undefined) return notFound('This response cannot be read whole.');
  const explained = explainedExchange(
    request,
    response.value,
    await programs(place),
    before?.kind === 'value' ? before.value : undefined,
  );
  if (explained === undefined) return notFound('This response is about no transaction.');
  if (typeof explained === 'string') return notFound(explained);
  const method = member(request, 'method');
  const ranIn = typeof method === 'string' ? RAN_IN.get(method) : undefined;
  const isSimulation = ranIn === 'simulation';
  const found = foundOf(explained, isSimulation ? suggestions(explained) : {});
  if (ranIn === undefined || explained.outcome.kind === 'notExecuted') return found;
  return { ...found, view: () => ranElsewhere(found.view(), ranIn) };
}

/** A method's result for a transaction that ran without landing. */
const RAN_IN: ReadonlyMap<string, NonNullable<OutcomeView['ranIn']>> = new Map([
  ['simulateTransaction', 'simulation'],
  ['sendTransaction', 'preflight'],
]);

const ranElsewhere = (view: TransactionView, ranIn: NonNullable<OutcomeView['ranIn']>): TransactionView => ({
  ...view,
  outcome: { ...view.outcome, ranIn },
});

/** The complete log, lines joined. Null if it is no longer kept or does not exist. */
export async function logOf(
  { results, replayLog }: Pick<ExplainDeps, 'results'> & { readonly replayLog: (id: string) => Promise<Log> },
  source: TransactionSource,
): Promise<string | null> {
  const log = source.kind === 'replay' ? await replayLog(source.id) : logIn(await answerOf(results, source));
  return log === undefined ? null : `${log.join('\n')}\n`;
}

type Log = readonly string[] | undefined;

const logIn = (answer: JsonValue | undefined): Log => (answer === undefined ? undefined : rawLog(answer));

/** The node's JSON of a text or a response. */
async function answerOf(results: Results, source: TransactionSource): Promise<JsonValue | undefined> {
  if (source.kind === 'text') return source.text.length > MAX_GIVEN ? undefined : jsonOf(source.text);
  if (source.kind !== 'response') return undefined;
  const read = await (await results.large.open(source.place))?.stored.value([], MAX_RESPONSE);
  return read?.kind === 'value' ? read.value : undefined;
}

/** Compute limits from a simulation's use, if it succeeded. */
function suggestions({ outcome, limits }: Explanation): Pick<TransactionView, 'suggested'> {
  const { computeUnits, loadedAccountsData } = limits;
  if (outcome.kind !== 'succeeded' || computeUnits.used === undefined) return {};
  return {
    suggested: [
      { member: 'computeUnitLimit', value: unitLimitFor(computeUnits.used) },
      ...(loadedAccountsData.used === undefined
        ? []
        : [{ member: 'loadedAccountsDataLimit' as const, value: loadedLimitFor(loadedAccountsData.used) }]),
    ],
  };
}
