// `npm run bench`: one table of what is promised as a ratio and what was measured; `--json` for machines, names of goals
// (`P6`) for a part, `--write` to put the whole table into docs/performance.md. Ends with exit code 1 where a goal is missed.
import { measureBase58 } from './base58';
import { measureCompression } from './compression';
import { measureDecoding } from './decode';
import { measureHttp } from './http';
import { measureAsking, measureChecking, measureParsing, measureTyping } from './language';
import { measureLarge } from './large';
import { measureLocalnet } from './localnet/localnet';
import { verdictOf, type Measured } from './measure';
import { measureInstant } from './localnet/instant';
import { measurePanel, measurePanelInEditor, measurePaused } from './panel';
import { measureRuns } from './runner';
import { measureSize } from './size';
import { measureActivation, measureStart } from './start';
import { measureGrpcStreams, measureWebSocketStreams } from './streams';
import { textTable, writePage } from './table';

/** The function that measures the rows of a goal, by goal. */
const SUITES: Readonly<Record<string, () => Promise<readonly Measured[]>>> = {
  P1: measureChecking,
  P2: measureTyping,
  P3: measureAsking,
  P4: measureParsing,
  P5: measureRuns,
  P6: measureHttp,
  P7: measureLarge,
  P8: measureGrpcStreams,
  P9: measureWebSocketStreams,
  P10: measurePanel,
  'P10-editor': measurePanelInEditor,
  P11: measurePaused,
  P12: measureStart,
  'P12-host': measureActivation,
  P13: measureSize,
  P14: measureBase58,
  P15: measureLocalnet,
  P16: measureInstant,
  P17: measureDecoding,
  P18: measureCompression,
};

async function main(args: readonly string[]): Promise<number> {
  const asked = args.filter((arg) => !arg.startsWith('--'));
  const unknown = asked.filter((goal) => !Object.hasOwn(SUITES, goal));
  if (unknown.length > 0) {
    process.stderr.write(`No such goal: ${unknown.join(', ')}. Goals: ${Object.keys(SUITES).join(', ')}\n`);
    return 2;
  }
  const writes = args.includes('--write');
  if (writes && asked.length > 0) {
    process.stderr.write('--write takes no goals: the page shows figures of one run.\n');
    return 2;
  }
  const rows: Measured[] = [];
  for (const [goal, measure] of Object.entries(SUITES)) {
    if (asked.length === 0 || asked.includes(goal))
      rows.push(...(await measure().catch((error: unknown) => failed(goal, error))));
  }
  const verdicts = rows.map((row) => ({ ...row, verdict: verdictOf(row) }));
  const json = `${JSON.stringify({ node: process.version, rows: verdicts })}\n`;
  process.stdout.write(args.includes('--json') ? json : textTable(rows));
  if (writes) await writePage(rows);
  return verdicts.some(({ verdict }) => verdict === 'missed') ? 1 : 0;
}

/** The row of a goal that could not be measured: it is missed, and those after it are measured all the same. */
function failed(goal: string, error: unknown): readonly Measured[] {
  process.stderr.write(`${goal}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return [{ goal, name: 'could not be measured', note: 'the error is above' }];
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 2;
  },
);
