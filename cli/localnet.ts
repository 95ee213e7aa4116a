// `solana-rpc localnet`: the local service in the foreground, restarted after a crash, ended with Ctrl+C. Reads other
// endpoints for it, where its options say so.
import { LocalService } from '../process/localService';
import { EXIT, UsageError } from './exit';
import { interruptible } from './interrupt';
import { failureText, localProgram } from './session/local';
import { LOCALNET_OPTIONS } from './localnetOptions';
import { openSource, type Source } from './session/source';
import { writeShim } from './shim';
import { refuseKeys, refuseKeyWords } from './session/keysInArgv';
import { readyLine, readyText } from './session/secrets';
import { escapeLine, jsonFor } from './terminal';
import type { ExitCode } from './exit';
import type { LocalServiceReady, LocalServiceState } from '../process/localService';

/** The service says it too, into its log. */
const OPEN_TO_ALL =
  'The two ports of --open are open, without keys, to every machine that reaches this one; the rest stays on 127.0.0.1.\n';

/** Options whose value is an endpoint that this process reads for the service. */
const SOURCES: readonly string[] = ['--url', '-u', '--fork'];

/** Every option but --json and --key-stdin goes to the service as it is; it refuses what it does not know. */
export async function localnetCommand(args: readonly string[]): Promise<ExitCode> {
  refuseKeys(args);
  if (args[0] === '--shim') return writeShim(args[1]);
  refuseKeyWords(args.filter((arg, index) => !arg.startsWith('-') && !takesValue(args[index - 1])));
  if (args.includes('0.0.0.0') || args.includes('--bind-address=0.0.0.0')) process.stderr.write(OPEN_TO_ALL);
  const source = await sourceIn(args);
  try {
    return await serve(args, source);
  } finally {
    await source?.close();
  }
}

function serve(args: readonly string[], source: Source | undefined): Promise<ExitCode> {
  const isJson = args.includes('--json');
  const isQuiet = args.includes('--quiet') || args.includes('-q');
  return interruptible(
    (signal) =>
      new Promise((resolve) => {
        const service = new LocalService({
          program: localProgram(),
          args: argumentsOf(args, source?.name),
          ...(source !== undefined && { source: source.read }),
          onState: (state) => {
            if (state.kind !== 'running' || isJson || !isQuiet) printState(state, isJson);
            if (state.kind === 'failed') resolve(EXIT.usage);
            if (state.kind === 'stopped') resolve(EXIT.ok);
          },
        });
        signal.addEventListener('abort', () => void service.stop(), { once: true });
      }),
  );
}

/** The endpoint that the options name; `undefined` where they name none. Throws UsageError. */
async function sourceIn(args: readonly string[]): Promise<Source | undefined> {
  const named = new Set<string>();
  for (const [index, arg] of args.entries()) {
    const [name = '', ...own] = arg.split('=');
    if (SOURCES.includes(name)) named.add(own.length > 0 ? own.join('=') : (args[index + 1] ?? ''));
  }
  const [address, other] = named;
  if (other !== undefined) throw new UsageError('--url and --fork name two endpoints; one is read.');
  return address === undefined ? undefined : openSource(address, args.includes('--key-stdin'));
}

/** What the service is started with: its source is a name there, never a URL. */
function argumentsOf(args: readonly string[], source: string | undefined): readonly string[] {
  const passed: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const [name = '', ...own] = arg.split('=');
    if (arg === '--json' || arg === '--key-stdin') continue;
    if (source === undefined || !SOURCES.includes(name)) passed.push(arg);
    else {
      passed.push(name, source);
      if (own.length === 0) at++;
    }
  }
  return passed;
}

/** An option that the service knows under a short name only takes what follows it. */
function takesValue(option: string | undefined): boolean {
  if (option?.startsWith('-') !== true) return false;
  const known = Object.entries(LOCALNET_OPTIONS).find(([name]) => option === `--${name}`)?.[1];
  return known === undefined || 'value' in known;
}

function printState(state: LocalServiceState, isJson: boolean): void {
  switch (state.kind) {
    case 'running':
      process.stdout.write(isJson ? `${jsonFor(process.stdout, readyLine(state.ready))}\n` : textOf(state.ready));
      return;
    case 'restarting':
      process.stderr.write(`${escapeLine(state.reason)} Starting it again.\n`);
      return;
    case 'failed':
      process.stderr.write(`${failureText(state)}\n`);
      return;
    case 'starting':
    case 'stopped':
      return;
  }
}

const textOf = (ready: LocalServiceReady): string => ready.validatorText ?? readyText(ready, process.stdout.isTTY);
