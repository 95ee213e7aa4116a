// The window that P10 is compared with, which gets a message per update: measures the receiver's cost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { StreamRow } from '../../protocol/streams';
import { cross } from './play';

/** Rows that the page keeps at hand, as ours. */
const MAX_HELD = 1_000;
/** Until the sender and the code that takes its messages are warm, in milliseconds. */
const WARM_MS = 500;

export interface Fed {
  readonly updates: number;
  /** Processor time of this process, in milliseconds. */
  readonly cpuMs: number;
}

export async function fed(pace: number, ms: number): Promise<Fed> {
  const sender = path.join(import.meta.dirname, 'oneByOne.mjs');
  const child = spawn(process.execPath, [sender, String(pace)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  let updates = 0;
  const held: StreamRow[] = [];
  connection.onNotification('update', (row: StreamRow) => {
    updates++;
    held.push(cross(row));
    if (held.length > 2 * MAX_HELD) held.splice(0, MAX_HELD);
  });
  connection.listen();
  await pass(WARM_MS);
  const [before, cpu] = [updates, process.cpuUsage()];
  await pass(ms);
  const { user, system } = process.cpuUsage(cpu);
  const seen = { updates: updates - before, cpuMs: (user + system) / 1_000 };
  const gone = once(child, 'exit');
  connection.dispose();
  kill();
  await gone;
  process.off('exit', kill);
  return seen;
}
