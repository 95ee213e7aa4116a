// Starts the built terminal command in a separate folder, with only the environment that a test passes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { MARK } from '../../../scripts/test/leftovers.mjs';
import { waiting } from '../waiting';
import './interrupt';

const PROGRAM = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'cli.js');

/** Variables of the test's environment that our commands get: the paths of programs and temporary files, and the owner. */
export const PASSED_ON: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'TMPDIR', MARK].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Leaves standard input to the test, which ends it. */
  readonly holdsInput?: true;
}

/** A folder for one test file: the working directory of the command, and its home. */
export class Workspace {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'solana-rpc-cli-'));
  readonly #children = new Set<ChildProcess>();
  readonly #clear = (): void => {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  };

  constructor() {
    process.once('exit', this.#clear);
  }

  write(name: string, text: string): string {
    writeFileSync(path.join(this.root, name), text);
    return name;
  }

  read(name: string): string {
    return readFileSync(path.join(this.root, name), 'utf8');
  }

  async folder(name: string): Promise<string> {
    await mkdir(path.join(this.root, name), { recursive: true });
    return path.join(this.root, name);
  }

  /** Starts the command; what it writes is collected by `result`. */
  start(args: readonly string[], { env = {}, input, holdsInput }: CliOptions = {}): ChildProcess {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: this.root,
      env: { ...this.#environment(), ...env },
      stdio: [input === undefined && holdsInput !== true ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    if (holdsInput !== true) child.stdin?.end(input);
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return child;
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...PASSED_ON, HOME: this.root, XDG_CONFIG_HOME: path.join(this.root, 'config') };
  }

  run(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
    return resultOf(this.start(args, options));
  }

  /** Starts the command in a separate terminal. */
  terminal(args: readonly string[], options: TerminalOptions = {}): Terminal {
    return this.inTerminal([process.execPath, PROGRAM, ...args], options);
  }

  /** Starts a program in a terminal, which `script` of util-linux makes; its input is what is typed. */
  inTerminal(words: readonly string[], { env = {}, columns = 80 }: TerminalOptions = {}): Terminal {
    const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const child = spawn('script', ['-qec', `stty cols ${columns}; exec ${command}`, '/dev/null'], {
      cwd: this.root,
      env: { ...this.#environment(), TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return new Terminal(child);
  }

  dispose(): void {
    process.off('exit', this.#clear);
    this.#clear();
  }
}

/** A folder for the tests of a file or `describe`, removed after them. */
export function testWorkspace(): Workspace {
  const work = new Workspace();
  after(() => work.dispose());
  return work;
}

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Width in characters. */
  readonly columns?: number;
}

/** The service's addresses, as the commands take them. */
export const urlOptions = ({ rpcUrl, wsUrl, grpcUrl }: Record<'rpcUrl' | 'wsUrl' | 'grpcUrl', string>): string[] => [
  ...['--rpc-url', rpcUrl],
  ...['--ws-url', wsUrl],
  ...['--grpc-url', grpcUrl],
];

/** A command in a terminal. */
export class Terminal {
  /** Everything written so far; line ends as CR LF. */
  screen = '';
  readonly #ended: Promise<number | null>;

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (part: Buffer) => {
      this.screen += part.toString();
      child.emit('shown');
    });
    this.#ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Waits until the screen shows it, from a character on; the place behind it. Rejects where the command ends first. */
  async shows(text: string, from = 0): Promise<number> {
    const ended = this.#ended.then(() => true);
    for (;;) {
      const at = this.screen.indexOf(text, from);
      if (at >= 0) return at + text.length;
      const more = (): Promise<boolean> => Promise.race([once(this.child, 'shown').then(() => false), ended]);
      if (await waiting(`"${text}" in the terminal`, more)) throw new Error(`"${text}" was not shown: ${this.screen}`);
    }
  }

  /** `\r` is Enter, `\x03` Ctrl+C. */
  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** The exit code. */
  ended(): Promise<number | null> {
    return this.#ended;
  }
}

export async function resultOf(child: ChildProcess): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (stderr += part.toString()));
  const [code] = (await waiting('the end of a command', () => once(child, 'close'))) as [number | null];
  return { code, stdout, stderr };
}

/** A server of somebody else: records what it gets, calls `onRequest`, and answers with a result of 1. */
export interface Sink {
  readonly origin: string;
  readonly requests: readonly {
    readonly headers: http.IncomingHttpHeaders;
    readonly url: string;
    readonly body: string;
  }[];
  close(): Promise<void>;
}

export async function startSink(
  answer = '{"jsonrpc":"2.0","id":1,"result":1}',
  onRequest = (): void => undefined,
): Promise<Sink> {
  const requests: { headers: http.IncomingHttpHeaders; url: string; body: string }[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      requests.push({ headers: request.headers, url: request.url ?? '', body });
      onRequest();
      response.setHeader('content-type', 'application/json');
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Ids of the processes that this one started and that still run (Linux). */
export function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);
}

/** The local service that a command started, once it has left the group that a terminal sends Ctrl+C to (Linux). */
export async function serviceOf({ pid = 0 }: ChildProcess): Promise<number> {
  const inOwnGroup = async (): Promise<number> => {
    for (;;) {
      const [service] = childrenOf(pid);
      if (service !== undefined && groupOf(service) !== groupOf(pid)) return service;
      await new Promise(setImmediate);
    }
  };
  return waiting('a local service in its own process group', inOwnGroup);
}

/** Behind the name, which may hold spaces, are the state, the parent and the group. */
const groupOf = (pid: number): string | undefined =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')[2];

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
