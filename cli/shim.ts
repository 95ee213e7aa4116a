// `solana-rpc localnet --shim DIR`: the local service under the name of solana-test-validator, in a folder that the caller
// puts in front of PATH. Never a program of the package itself: an installation must not hide the real one.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileRefused, writeWhole } from '../process/files';
import { EXIT, type ExitCode } from './exit';
import { commandProgram, localProgram } from './session/local';
import { escapeLine } from './terminal';

const NAME = 'solana-test-validator';

/** Writes the executable and prints the folder, as PATH takes it. */
export async function writeShim(folder: string | undefined): Promise<ExitCode> {
  if (folder === undefined || folder === '' || folder.startsWith('-')) {
    process.stderr.write('--shim needs a folder\n');
    return EXIT.usage;
  }
  const whole = path.resolve(folder);
  const file = path.join(whole, NAME);
  try {
    await mkdir(whole, { recursive: true });
    const text = shimText(process.execPath, { service: localProgram(), command: commandProgram() });
    await writeWhole(file, text, { overwrite: true, mode: 0o755 });
  } catch (error) {
    process.stderr.write(`${escapeLine(`${file} ${fileRefused(error, 'written').message}`)}\n`);
    return EXIT.usage;
  }
  process.stdout.write(`${whole}\n`);
  return EXIT.ok;
}

/** The built programs that an executable starts. */
interface ShimPrograms {
  readonly service: string;
  /** The terminal command, which reads the endpoint that accounts come from. */
  readonly command: string;
}

/**
 * A script that any POSIX shell runs. It is replaced by the service, whose signals and exit code are its own; by the terminal
 * command where accounts come from elsewhere.
 */
export function shimText(node: string, { service, command }: ShimPrograms): string {
  return `#!/bin/sh
for arg in "$@"; do
  case "$arg" in
    ${FROM_ELSEWHERE}) exec ${quoted(node)} ${quoted(command)} localnet --validator "$@" ;;
  esac
done
exec ${quoted(node)} ${quoted(service)} --validator "$@"
`;
}

/** Options with which accounts come from elsewhere, as patterns of the shell. */
const FROM_ELSEWHERE = '-c | --clone* | --maybe-clone* | --deep-clone* | --fork* | -w | --warp-slot';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
