// The rows of the benchmarks as people read them: a table in the terminal, and the one in docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { verdictOf, type Measured } from './measure';
import { root } from './root';

const HEAD = ['goal', 'what', 'figure', 'bound', 'verdict', 'of'];
const PAGE = path.join(root, 'docs', 'performance.md');
/** Between these two comments of the page lies what is written. */
const MARKS = ['<!-- figures: npm run bench -- --write -->', '<!-- end of figures -->'] as const;

/** For a terminal: columns as wide as their longest cell. */
export function textTable(rows: readonly Measured[]): string {
  const all = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  const printed = all.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${printed.join('\n')}\n`;
}

/** Writes the rows, the day and the machine into docs/performance.md. Throws where the page has no place for them. */
export async function writePage(rows: readonly Measured[]): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const [start, end] = MARKS.map((mark) => page.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error(`docs/performance.md has no "${MARKS.join('" before "')}".`);
  const lines = [HEAD, HEAD.map(() => '---'), ...rows.map(cellsOf)].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  const written = `${page.slice(0, start)}${MARKS[0]}\n\n${machine()}\n\n${lines.join('\n')}\n\n${page.slice(end)}`;
  await writeFile(PAGE, written);
}

function machine(): string {
  const cpus = os.cpus();
  const model = cpus[0]?.model.replace(/\s+/g, ' ').trim() ?? '';
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day}: ${os.type()} ${os.arch()}, ${cpus.length} cores (${model}), ${memory} GB, Node ${process.versions.node}.`;
}

const cellsOf = (row: Measured): readonly string[] => [
  row.goal,
  row.name,
  figure(row),
  bound(row),
  verdictOf(row),
  row.note,
];

function figure({ figure: value, unit }: Measured): string {
  if (value === undefined) return '-';
  return unit === undefined ? `${value.toFixed(2)}x` : `${value} ${unit}`;
}

function bound({ bound: goal, unit }: Measured): string {
  if (goal === undefined) return '-';
  const [sign, value] = 'atMost' in goal ? ['<=', goal.atMost] : ['>=', goal.atLeast];
  return `${sign} ${value}${unit === undefined ? 'x' : ''}`;
}
