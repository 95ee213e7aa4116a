// The steps of `@foreach`: one for each row. Reads files through the port, with the rules of every file that a request names.
import { rowsOfFile, rowsOfJson, type RowsReading } from '../core/requests/document/variables/rows';
import { missingColumns } from '../core/requests/checks/checkRows';
import { isWalletKey, keypairRefusal } from '../core/requests/tools/wallet';
import { abortable, Cancelled } from './wait';
import type { ForEach } from '../core/requests/document/model';
import type { PlanProblem } from '../core/requests/run/analyse';
import type { Step } from '../core/requests/run/plan';
import type { RunPorts } from './ports';

/** The steps with one for each row; the files that give no rows, and values that no row has. */
export async function withRows(
  steps: readonly Step[],
  ports: Pick<RunPorts, 'files'>,
  signal: AbortSignal,
): Promise<{ readonly steps: readonly Step[]; readonly problems: readonly PlanProblem[] }> {
  const all: Step[] = [];
  const problems: PlanProblem[] = [];
  for (const step of steps) {
    const { foreach } = step.at.block.settings;
    if (foreach === undefined || step.skip) {
      all.push(step);
      continue;
    }
    const reading = await readRows(foreach, step.at.scope.document.uri, ports, signal);
    if (!reading.ok) {
      const { span } = foreach.source.token;
      problems.push({ at: step.at, span, code: 'unresolved-variable', message: reading.reason });
    } else if (reading.rows.length === 0) all.push({ ...step, skip: true, reason: 'There are no rows.' });
    else {
      const { scope, block } = step.at;
      for (const problem of missingColumns(scope, block, reading.rows)) problems.push({ at: step.at, ...problem });
      for (const row of reading.rows) all.push({ ...step, at: { ...step.at, row } });
    }
  }
  return { steps: all, problems };
}

async function readRows(
  { source }: ForEach,
  from: string,
  { files }: Pick<RunPorts, 'files'>,
  signal: AbortSignal,
): Promise<RowsReading> {
  if (source.kind === 'json') return rowsOfJson(source.token.text);
  try {
    const read = await abortable(files.read(source.token.text, from, 'rows'), signal);
    if (!read.ok) return { ok: false, reason: read.error.message };
    if (isWalletKey(read.value.trim())) return { ok: false, reason: keypairRefusal(source.token.text) };
    return rowsOfFile(source.token.text, read.value);
  } catch (error) {
    // A cancelled run sends nothing.
    if (error instanceof Cancelled) return { ok: true, rows: [] };
    throw error;
  }
}
