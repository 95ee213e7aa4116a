// Explains a transaction that the client names: a text, a kept response, or a row of a stream. Sends nothing; loaded when
// first asked for.
import { explainedExchange, explainedText, type Explained } from '../../core/explain/given';
import type { Explanation } from '../../core/explain/explanation';
import { loadedLimitFor, unitLimitFor } from '../../core/transaction/limits';
import { member } from '../../core/values/json/json';
import type { Programs } from '../../core/values/decode/decoded';
import type { ExplainResult, TransactionSource, TransactionView } from '../../protocol/explain';
import type { ResponsePlace } from '../../protocol/lsp';
import type { StreamRowResult } from '../../protocol/streams';
import { MAX_GIVEN } from '../../protocol/transactionPanel';
import type { Results } from '../responses/results';
import { transactionView } from './view';

export interface ExplainDeps {
  readonly results: Results;
  /** What is known of programs where a response came from; without a place, everywhere. */
  readonly programs: (place?: ResponsePlace) => Promise<Programs>;
  readonly row: (id: string, number: number) => Promise<StreamRowResult>;
  readonly replay: (id: string) => Promise<ExplainResult>;
}

/** A response with one transaction is smaller. Bytes. */
const MAX_RESPONSE = 16_000_000;

export async function explainSource(deps: ExplainDeps, source: TransactionSource): Promise<ExplainResult> {
  switch (source.kind) {
    case 'text':
      if (source.text.length > MAX_GIVEN) return none('This is too long for a transaction.');
      return resultOf(explainedText(source.text, await deps.programs()));
    case 'response':
      return explainResponse(deps, source.place, source.before);
    case 'replay':
      return deps.replay(source.id);
    case 'row': {
      const row = await deps.row(source.id, source.number);
      if (row.kind !== 'row') return { kind: 'gone' };
      return row.explained === undefined
        ? none('This row holds no transaction.')
        : { kind: 'explained', view: row.explained };
    }
  }
}

const none = (reason: string): ExplainResult => ({ kind: 'none', reason });

const resultOf = (explained: Explained): ExplainResult =>
  typeof explained === 'string' ? none(explained) : { kind: 'explained', view: transactionView(explained) };

async function explainResponse(
  { results, programs }: ExplainDeps,
  place: ResponsePlace,
  earlier: ResponsePlace | undefined,
): Promise<ExplainResult> {
  const opened = await results.large.open(place);
  if (opened === undefined) return { kind: 'gone' };
  const [response, request] = await Promise.all([opened.stored.value([], MAX_RESPONSE), results.requestOf(place)]);
  const accounts = earlier === undefined ? undefined : await results.large.open(earlier);
  const before = await accounts?.stored.value([], MAX_RESPONSE);
  if (response?.kind !== 'value' || request === undefined) return none('This response cannot be read whole.');
  const explained = explainedExchange(
    request,
    response.value,
    await programs(place),
    before?.kind === 'value' ? before.value : undefined,
  );
  if (explained === undefined) return none('This response is about no transaction.');
  const result = resultOf(explained);
  const isSimulation = member(request, 'method') === 'simulateTransaction';
  if (result.kind !== 'explained' || typeof explained === 'string' || !isSimulation) return result;
  return { ...result, view: { ...result.view, ...suggestions(explained) } };
}

/** Limits by what a simulation used, where it succeeded. */
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
