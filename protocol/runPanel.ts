// The messages of a run report's page: the outcome of each request of a file, and the user's actions on a row.
import { responsePlace } from './responsePanels';
import { count, kinds, list, oneOf, optional, record, text, type ReadBy } from './shapes';

/** Rows of one report; a file has no more requests. */
export const MAX_REPORT_ROWS = 2_000;

const words = text(10_000);

const runRow = record({
  /** The file and the zero-based line that it begins on. */
  uri: words,
  line: count,
  title: words,
  /** `running`: in progress, with the results so far. */
  status: oneOf('running', 'passed', 'failed', 'skipped'),
  statusText: words,
  method: words,
  time: words,
  size: words,
  /** Results of its assertions, progress of its transaction, or why it failed or was skipped. */
  notes: list(text(Infinity), Infinity),
  /** Absent without a response. */
  response: optional(responsePlace),
});
/** One request of the run. Texts are for people. */
export type RunRow = ReadBy<typeof runRow>;

/** A run, also as its page kept it over a reload of the window. */
export const runView = record({
  uri: words,
  /** The file's name. */
  file: words,
  endpoint: words,
  /** When it began, as a time of day. */
  at: words,
  isDone: 'boolean',
  rows: list(runRow, MAX_REPORT_ROWS),
});
export type RunView = ReadBy<typeof runView>;

/** An action of the page; `row` is zero-based. */
export const runPanelCommand = kinds({ response: { row: count }, request: { row: count }, again: {}, cancel: {} });
export type RunCommand = ReadBy<typeof runPanelCommand>;
