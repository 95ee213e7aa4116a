// `solana-rpc localnet --shim DIR`: the local service under the name of solana-test-validator, in a folder that the caller
// puts in front of PATH. Never a program of the package itself: an installation must not hide the real one.
import path from 'node:path';
import { localnetOption, localnetOptionsThat } from '../process/localnetOptions/rows';
import { fileRefused, readRegularText, writeNamed } from '../process/files';
import { EXIT, type ExitCode } from './exit';
import { commandProgram, localProgram } from './session/local';
import { escapeLine } from './terminal';

const NAME = 'solana-test-validator';
/** How an executable of every version begins and ends. */
const FIRST_LINE = '#!/bin/sh\n';
const LAST_WORDS = ' --validator "$@"\n';
/** Bytes that an executable may have; paths are shorter. */
const MAX_SHIM = 64 * 1024;

/** Writes the executable and prints the folder, as PATH takes it. */
export async function writeShim(folder: string | undefined): Promise<ExitCode> {
  if (folder === undefined || folder === '' || folder.startsWith('-')) {
    process.stderr.write('--shim needs a folder\n');
    return EXIT.usage;
  }
  const whole = path.resolve(folder);
  const file = path.join(whole, NAME);
  try {
    const text = shimText(process.execPath, { service: localProgram(), command: commandProgram() });
    await writeNamed(file, text, { overwrite: await isShim(file), mode: 0o755, makesFolder: true });
  } catch (error) {
    const { code, message } = fileRefused(error, 'written');
    const said = code === 'EEXIST' ? 'was not written by --shim; remove it, or name another folder' : message;
    process.stderr.write(`${escapeLine(`${file} ${said}`)}.\n`);
    return EXIT.usage;
  }
  process.stdout.write(`${whole}\n`);
  return EXIT.ok;
}

/** Whether the file is an executable that this command wrote. Any other program, such as the real validator, is not replaced. */
async function isShim(file: string): Promise<boolean> {
  const text = await readRegularText(file, MAX_SHIM).catch(() => '');
  return text.startsWith(FIRST_LINE) && text.endsWith(LAST_WORDS);
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
  return `${FIRST_LINE}for arg in "$@"; do
  case "$arg" in
    ${FROM_ELSEWHERE}) exec ${quoted(node)} ${quoted(command)} localnet --validator "$@" ;;
  esac
done
exec ${quoted(node)} ${quoted(service)}${LAST_WORDS}`;
}

/** Options with which accounts come from elsewhere, as patterns of the shell. A slot that is given with `=` is fetched from nowhere. */
const FROM_ELSEWHERE = localnetOptionsThat(({ fetches }) => fetches === true)
  .flatMap((name) => {
    const { aliases = [], without } = localnetOption(name) ?? {};
    return [name, ...aliases, ...(without === undefined ? [`${name}=*`] : [])];
  })
  .join(' | ');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
