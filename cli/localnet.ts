// `solana-rpc localnet`: the local service in the foreground, restarted after a crash, ended with Ctrl+C.
import { LocalService } from '../process/localService';
import { EXIT } from './exit';
import { interruptible } from './interrupt';
import { failureText, localProgram } from './session/local';
import { LOCALNET_OPTIONS } from './localnetOptions';
import { writeShim } from './shim';
import { refuseKeys, refuseKeyWords } from './session/keysInArgv';
import { readyLine, readyText } from './session/secrets';
import { escapeLine, jsonFor } from './terminal';
import type { ExitCode } from './exit';
import type { LocalServiceState } from '../process/localService';

/** The service says it too, into its log. */
const OPEN_TO_ALL =
  'The two ports of --open are open, without keys, to every machine that reaches this one; the rest stays on 127.0.0.1.\n';

/** Every option but --json goes to the service as it is; it refuses what it does not know. */
export async function localnetCommand(args: readonly string[]): Promise<ExitCode> {
  refuseKeys(args);
  if (args[0] === '--shim') return writeShim(args[1]);
  refuseKeyWords(args.filter((arg, index) => !arg.startsWith('-') && !takesValue(args[index - 1])));
  if (args.includes('0.0.0.0') || args.includes('--bind-address=0.0.0.0')) process.stderr.write(OPEN_TO_ALL);
  const isJson = args.includes('--json');
  const isQuiet = args.includes('--quiet') || args.includes('-q');
  return interruptible(
    (signal) =>
      new Promise((resolve) => {
        const service = new LocalService({
          program: localProgram(),
          args: args.filter((arg) => arg !== '--json'),
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

/** An option that the service knows under a short name only takes what follows it. */
function takesValue(option: string | undefined): boolean {
  if (option?.startsWith('-') !== true) return false;
  const known = Object.entries(LOCALNET_OPTIONS).find(([name]) => option === `--${name}`)?.[1];
  return known === undefined || 'value' in known;
}

function printState(state: LocalServiceState, isJson: boolean): void {
  switch (state.kind) {
    case 'running':
      process.stdout.write(
        isJson ? `${jsonFor(process.stdout, readyLine(state.ready))}\n` : readyText(state.ready, process.stdout.isTTY),
      );
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
