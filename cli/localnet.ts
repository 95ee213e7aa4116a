// `solana-rpc localnet`: the local service in the foreground, restarted after a crash, ended with Ctrl+C. Reads other
// endpoints for it, where its options say so.
import { spawnSync } from 'node:child_process';
import { known } from '../core/solana/common/known';
import { LocalService } from '../process/localService';
import { NO_SEED } from '../process/localnetOptions/rows';
import { endWithParent, firstLine } from '../process/parent';
import { EXIT, UsageError } from './exit';
import { interruptible } from './interrupt';
import { whyNoService, localProgram } from './session/local';
import { readLocalnetArguments, type LocalnetArguments } from './localnetArguments';
import { openSource, type Source } from './session/source';
import { writeShim } from './shim';
import { refuseKeys, refuseKeyWords } from './session/keysInArgv';
import { readyLineWithKeys, readyText } from './session/secrets';
import { escapeLine, jsonFor } from './terminal';
import type { ExitCode } from './exit';
import type { LocalServiceReady, LocalServiceState } from '../process/localService';

/** Every option but those of `readLocalnetArguments` goes to the service as it is; it refuses what it does not know. */
export async function localnetCommand(args: readonly string[]): Promise<ExitCode> {
  refuseKeys(args);
  const given = readLocalnetArguments(args);
  refuseKeyWords(given.words);
  if (given.has('--shim')) return writeShim(given.shim);
  if (given.has('--version')) return printVersion(given);
  const seed = given.has('--seed-stdin') ? await seedLine() : given.seed;
  const source = given.source === undefined ? undefined : await openSource(given.source, given.has('--key-stdin'));
  try {
    return await serve(given, source, seed);
  } finally {
    await source?.close();
  }
}

/** Of the service: the release that it answers for. */
function printVersion(given: LocalnetArguments): ExitCode {
  const { status } = spawnSync(process.execPath, [localProgram(), ...given.passed(undefined)], { stdio: 'inherit' });
  return status === 0 ? EXIT.ok : EXIT.usage;
}

/** The first line of standard input. Throws UsageError if it is empty. */
async function seedLine(): Promise<string> {
  const line = await firstLine(process.stdin);
  if (line === '') throw new UsageError(NO_SEED);
  return line;
}

async function serve(
  given: LocalnetArguments,
  source: Source | undefined,
  seed: string | undefined,
): Promise<ExitCode> {
  const isJson = given.has('--json');
  const lines = new ServiceLines();
  try {
    return await interruptible(
      (signal) =>
        new Promise((resolve) => {
          const service = new LocalService({
            program: localProgram(),
            args: given.passed(source?.name),
            ...known({ seed, source: source?.read }),
            onLine: (line) => lines.add(line),
            onState: (state) => {
              lines.follow(state);
              if (state.kind !== 'running' || isJson || !given.has('--quiet')) printState(state, isJson);
              if (state.kind === 'failed') resolve(EXIT.usage);
              if (state.kind === 'stopped') resolve(EXIT.ok);
            },
          });
          const stop = (): void => void service.stop();
          signal.addEventListener('abort', stop, { once: true });
          if (given.has('--with-parent')) endWithParent(stop);
        }),
    );
  } finally {
    // An open pipe would keep this process.
    process.stdin.destroy();
  }
}

const MAX_HELD = 50;

/** The service's own lines on stderr: notices once it is ready, all else as it comes. A failed start quotes them itself. */
class ServiceLines {
  #held: string[] | undefined = [];

  add(line: string): void {
    if (this.#held === undefined) process.stderr.write(`${escapeLine(line)}\n`);
    else if (this.#held.length < MAX_HELD) this.#held.push(line);
  }

  follow({ kind }: LocalServiceState): void {
    const held = this.#held ?? [];
    this.#held = kind === 'running' ? undefined : [];
    if (kind === 'running') for (const line of held) this.add(line);
  }
}

function printState(state: LocalServiceState, isJson: boolean): void {
  switch (state.kind) {
    case 'running':
      process.stdout.write(
        isJson ? `${jsonFor(process.stdout, readyLineWithKeys(state.ready))}\n` : textOf(state.ready),
      );
      return;
    case 'restarting':
      process.stderr.write(`${escapeLine(state.reason)} Starting it again.\n`);
      return;
    case 'failed':
      process.stderr.write(`${whyNoService(state)}\n`);
      return;
    case 'starting':
    case 'stopped':
      return;
  }
}

const textOf = (ready: LocalServiceReady): string => ready.validatorText ?? readyText(ready, process.stdout.isTTY);
