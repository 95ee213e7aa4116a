// `--var NAME=VALUE`, `--var-file` and `--env-file`: variables from outside the files.
import { readEnvFile } from '../../core/service/profiles/envFile';
import { FILE_BYTES } from '../../core/service/fileKinds';
import { NAME_PATTERN } from '../../core/requests/document/variables/reference';
import { readVariableText } from '../../core/requests/document/variables/value';
import { fileRefused, readGivenText } from '../../process/files';
import { UsageError } from '../exit';
import { isKeyVariable } from '../../core/service/keys/keyNames';
import { escapeLine } from '../terminal';
import type { JsonValue } from '../../core/solana/json/json';
import type { Given } from '../options';

export interface OutsideVariables {
  /** For `{{NAME}}`; `--var` outranks the file. */
  readonly values: ReadonlyMap<string, JsonValue>;
  /** The file's lines as texts, for `{{$processEnv NAME}}`. */
  readonly environment: ReadonlyMap<string, string>;
}

/** The names of `--allow-env`. Throws UsageError for an invalid name and for a key, which cannot be allowed. */
export function allowedEnvironment(given: Given): ReadonlySet<string> {
  const names = given.list('allow-env');
  for (const name of names) {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new UsageError('--allow-env takes the name of an environment variable.');
    if (isKeyVariable(name)) throw new UsageError(`--allow-env ${name}: no request reads a key of the environment.`);
  }
  return new Set(names);
}

/** Throws UsageError. Lines that hold keys are left out: keys come from the environment or standard input. */
export async function readVariables(given: Given): Promise<OutsideVariables> {
  const environment = new Map<string, string>();
  for (const option of ['env-file', 'var-file'])
    for (const [name, text] of await readVariableFile(given.text(option), environment)) environment.set(name, text);
  const values = new Map<string, JsonValue>();
  for (const [name, text] of environment) if (NAME_PATTERN.test(name)) values.set(name, readVariableText(text));
  for (const pair of given.list('var')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0));
    if (!NAME_PATTERN.test(name)) throw new UsageError('--var takes NAME=VALUE.');
    values.set(name, readVariableText(pair.slice(at + 1)));
  }
  return { values, environment };
}

/** `known`: what an earlier file says, which a value may refer to. */
async function readVariableFile(
  file: string | undefined,
  known: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  if (file === undefined) return new Map();
  let text: string;
  try {
    text = await readGivenText(file, FILE_BYTES.variables);
  } catch (error) {
    throw new UsageError(`The file of variables ${escapeLine(file)} ${fileRefused(error, 'read').message}.`);
  }
  const { values, unresolved } = readEnvFile(text, known);
  for (const { line, name, reference } of unresolved) {
    const why = `${name} was left out: ${reference} names no variable above it. Single quotes keep it as text.`;
    process.stderr.write(`${escapeLine(`${file}:${line}: ${why}`)}\n`);
  }
  return values;
}
