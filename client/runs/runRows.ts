// The outcome of a run as the rows of its report. Pure: texts go through `t`.
import type { ExecuteOutcome, ExecuteResult } from '../../protocol/lsp';
import { MAX_REPORT_ROWS, type RunRow, type RunView } from '../../protocol/runPanel';
import { plain, sizeText, type Translate } from '../shared/words';
import { fileName } from '../responses/historyRows';
import { assertionsText, statusText, durationText } from '../responses/responseSummary';

type Skipped = NonNullable<Extract<ExecuteResult, { kind: 'done' }>['skipped']>;

/** A run that has just begun. `at`: Unix milliseconds. */
export const emptyRun = (uri: string, endpoint: string, at: number): RunView => ({
  uri,
  file: plain(fileName(uri)),
  endpoint: plain(endpoint),
  at: new Date(at).toLocaleTimeString(),
  isDone: false,
  rows: [],
});

/** The run with the current outcome of one request, in the order of the file. */
export function withOutcome(view: RunView, outcome: ExecuteOutcome, isDone: boolean, t: Translate): RunView {
  const row = rowOf(outcome, isDone, t);
  const others = view.rows.filter(({ uri, line }) => uri !== row.uri || line !== row.line);
  return { ...view, endpoint: endpointOf(view, outcome), rows: inOrder([...others, row], view.uri) };
}

/** The run begins without an endpoint if the user has yet to be asked for one. */
const endpointOf = (view: RunView, outcome: ExecuteOutcome | undefined): string =>
  view.endpoint === '' ? plain(outcome?.endpoint ?? '') : view.endpoint;

/** The run at its end, with what was left out of it. */
export function doneRun(view: RunView, outcomes: readonly ExecuteOutcome[], skipped: Skipped, t: Translate): RunView {
  const left = skipped.map(({ uri, line, why }): RunRow => ({
    uri,
    line,
    title: t('Line {0}', line + 1),
    status: 'skipped',
    statusText: t('skipped'),
    method: '',
    time: '',
    size: '',
    notes: [plain(why)],
  }));
  const rows = [...outcomes.map((outcome) => rowOf(outcome, true, t)), ...left];
  return { ...view, endpoint: endpointOf(view, outcomes[0]), isDone: true, rows: inOrder(rows, view.uri) };
}

/** Those of other files, which the run needed, come first: they ran first. */
const inOrder = (rows: readonly RunRow[], uri: string): readonly RunRow[] =>
  rows.toSorted((a, b) => Number(a.uri === uri) - Number(b.uri === uri) || a.line - b.line).slice(0, MAX_REPORT_ROWS);

function rowOf(outcome: ExecuteOutcome, isDone: boolean, t: Translate): RunRow {
  const {
    uri,
    line,
    title,
    status,
    method,
    durationMs,
    bytes,
    response,
    landing,
    error,
    assertions,
    notes = [],
  } = outcome;
  const said = [
    assertions.length === 0 ? '' : assertionsText(assertions, t),
    landing === undefined ? '' : plain(landing.text),
    error === undefined ? '' : plain(error.message),
    ...notes.map(plain),
  ];
  return {
    uri,
    line,
    title: plain(title),
    status: isDone ? status : 'running',
    statusText: isDone ? statusText(status, t) : t('running'),
    method: plain(method),
    time: durationText(durationMs),
    size: response === undefined ? '' : sizeText(bytes),
    notes: said.filter((note) => note !== ''),
    ...(response !== undefined && { response: { request: response.request, run: response.run } }),
  };
}
