// The built local service as a child of the benchmark, and what the system says of it: processor time and memory.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../root';

/** The members of the service's ready line used here. */
export interface Ready {
  readonly pid: number;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly grpcUrl: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly keys: { readonly rpc: { readonly key: string }; readonly grpc: { readonly key: string } };
  readonly wallet: { readonly secretKey: string };
  readonly slotMs: number;
}

export interface BenchService {
  readonly ready: Ready;
  readonly port: number;
  /** Keys of the largest plan. */
  newKeys(count: number): Promise<readonly string[]>;
  cheat(method: string, params: unknown): Promise<void>;
  /** The longest turn of its loop since the last question, in ms; started with `TURNS` (see turns.cjs). */
  longestTurn(): Promise<number>;
  /** Seconds of processor time so far; undefined if the system does not report it. */
  processorSeconds(): number | undefined;
  /** Resident bytes; undefined if the system does not report them. */
  residentBytes(): number | undefined;
  stop(): Promise<void>;
}

/** A program that answers lines with lines; it ends with this process. */
export interface LineProcess {
  readonly child: ChildProcess;
  /** The next line; rejects when the program ends before. */
  line(): Promise<string>;
  ask(line: string): Promise<string>;
  stop(): Promise<void>;
}

export function lineProcess(args: readonly string[]): LineProcess {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('The child has no pipes.');
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', kill);
    throw new Error(`${args[0]} ended with ${String(code ?? signal)}.`);
  });
  ended.catch(() => undefined);
  const iterator = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await Promise.race([iterator.next(), ended]);
    return next.done === true ? ended : next.value;
  };
  return {
    child,
    line,
    ask: (text) => {
      stdin.write(`${text}\n`);
      return line();
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await ended.catch(() => undefined);
    },
  };
}

/** Node's flags for a service whose `longestTurn` is asked for; the timer behind it costs 4 % of a core. */
export const TURNS = ['--require', path.join(root, 'bench', 'localnet', 'turns.cjs')];

/** Starts dist/localnet.js; `flags` are Node's own, `options` the service's. */
export async function benchService(
  flags: readonly string[] = [],
  options: readonly string[] = [],
): Promise<BenchService> {
  const program = path.join(root, 'dist', 'localnet.js');
  const own = ['--json', '--with-parent', '--plan', 'Shared Metal'];
  const child = lineProcess([...flags, program, ...own, ...options]);
  const ready = JSON.parse(await child.line()) as Ready;
  const admin = async (after: string, body: unknown): Promise<string> => {
    const response = await fetch(ready.adminUrl + after, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok || text.includes('"error"')) throw new Error(`${after}: ${text}`);
    return text;
  };
  return {
    ready,
    port: Number(new URL(ready.rpcUrl).port),
    newKeys: async (count) => {
      const keys: string[] = [];
      for (let at = 0; at < count; at++) {
        const made = await admin('/keys', { type: 'rpc', plan: 'Shared Metal', label: `bench ${at}` });
        keys.push((JSON.parse(made) as { readonly key: string }).key);
      }
      return keys;
    },
    cheat: async (method, params) => {
      await admin('/rpc', { jsonrpc: '2.0', id: 1, method, params });
    },
    longestTurn: async () => {
      const answer = once(child.child, 'message');
      child.child.send('longest');
      return ((await answer) as [number])[0];
    },
    processorSeconds: () => processorSeconds(ready.pid),
    residentBytes: () => {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(procFile(ready.pid, 'status') ?? '')?.[1];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    },
    stop: () => child.stop(),
  };
}

/** Seconds of processor time that a process took so far; undefined if the system does not report it. */
export function processorSeconds(pid: number): number | undefined {
  // Behind the name in parentheses: user and system time in hundredths of a second are fields 11 and 12.
  const fields = procFile(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ');
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / 100;
}

function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
