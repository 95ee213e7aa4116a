// `solana-rpc localnet --shim DIR`: the local service under the name of solana-test-validator, in a folder that the caller
// puts in front of PATH. Never a program of the package itself: an installation must not hide the real one.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, type ExitCode } from './exit';
import { localProgram } from './session/local';
import { escapeLine } from './terminal';

const NAME = 'solana-test-validator';

/** Writes the executable and prints the folder, as PATH takes it. */
export function writeShim(folder: string | undefined): ExitCode {
  if (folder === undefined || folder === '' || folder.startsWith('-')) {
    process.stderr.write('--shim needs a folder\n');
    return EXIT.usage;
  }
  const whole = path.resolve(folder);
  const file = path.join(whole, NAME);
  try {
    mkdirSync(whole, { recursive: true });
    writeFileSync(file, shimText(process.execPath, localProgram()));
    chmodSync(file, 0o755);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${escapeLine(`${file} cannot be written: ${why}`)}\n`);
    return EXIT.usage;
  }
  process.stdout.write(`${whole}\n`);
  return EXIT.ok;
}

/** A script that any POSIX shell runs. It is replaced by the service: signals and exit code are the service's own. */
export function shimText(node: string, program: string): string {
  return `#!/bin/sh\nexec ${quoted(node)} ${quoted(program)} --validator "$@"\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
