// `solana-rpc convert`: a `.http` file of REST Client, httpYac or JetBrains' HTTP Client as a `.jsonrpc` text. What could not
// be carried over goes to standard error, line by line. Sends nothing.
import { readGivenText, fileRefused, writeNamed } from '../process/files';
import { EXIT, UsageError, type ExitCode } from './exit';
import { readArguments } from './options';
import { givenFiles, STANDARD_INPUT } from './session/given';
import { escapeLine, jsonFor } from './terminal';

const USAGE = 'What is to be converted? A FILE, or - for standard input. See: solana-rpc convert --help';

export async function convertCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('convert', args);
  const [wanted, ...more] = given.words;
  if (wanted === undefined || more.length > 0) throw new UsageError(USAGE);
  const { convertHttp, MAX_HTTP } = await import('../core/requests/convert/convert');
  const { text, requests, notes } = convertHttp(await textOf(wanted, MAX_HTTP));
  const out = given.text('out');
  if (out !== undefined && requests > 0) await save(out, text, given.flag('force'));
  if (given.flag('json'))
    process.stdout.write(
      jsonFor(process.stdout, `${JSON.stringify({ requests, ...(out === undefined && { text }), notes }, null, 2)}\n`),
    );
  else {
    if (out === undefined) process.stdout.write(text);
    for (const { line, message } of notes) process.stderr.write(`${escapeLine(`${wanted}:${line}: ${message}`)}\n`);
    if (requests === 0) process.stderr.write('No request could be converted.\n');
  }
  return requests === 0 ? EXIT.invalid : EXIT.ok;
}

async function textOf(wanted: string, most: number): Promise<string> {
  if (wanted === STANDARD_INPUT) return (await givenFiles([STANDARD_INPUT], process.stdin))[0]?.text ?? '';
  try {
    return await readGivenText(wanted, most);
  } catch (error) {
    throw new UsageError(`${escapeLine(wanted, 100)} ${fileRefused(error, 'read').message}.`);
  }
}

/** A file that is there is kept unless `isForced`. Throws UsageError. */
async function save(file: string, text: string, isForced: boolean): Promise<void> {
  try {
    await writeNamed(file, text, { overwrite: isForced, mode: 0o666 });
  } catch (error) {
    const { code, message } = fileRefused(error, 'written');
    throw new UsageError(
      `${escapeLine(file, 100)} ${code === 'EEXIST' ? 'is there already: --force writes over it' : message}.`,
    );
  }
}
