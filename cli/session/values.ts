// Names for the completion scripts: of requests, tags and endpoints, out of the files at hand. Opens nothing else, and says
// nothing where a file cannot be read.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, type ExitCode } from '../exit';
import { resolveEndpoints } from './endpoints';
import { loadFiles } from './files';
import type { Given } from '../options';
import type { RequestDocument } from '../../core/requests/document/model';

/** A name is offered only where no shell can read anything else into it. */
const HARMLESS = /^[\w.:@+][\w.:@+-]{0,99}$/;
/** More files than this are not read for a completion. */
const MAX_FILES = 200;
const NOTHING_GIVEN: Given = { words: [], text: () => undefined, list: () => [], flag: () => false };

/** `values OPTION WORD…`: one name per line; the words are those of the line that is completed. */
export async function printValues([option = '', ...words]: readonly string[]): Promise<ExitCode> {
  const found = await namesFor(option, words).catch(() => []);
  const names = [...new Set(found)].filter((name) => HARMLESS.test(name)).sort();
  process.stdout.write(names.map((name) => `${name}\n`).join(''));
  return EXIT.ok;
}

async function namesFor(option: string, words: readonly string[]): Promise<readonly string[]> {
  switch (option) {
    case 'endpoint':
    case 'allow-endpoint': {
      const { known } = await resolveEndpoints(NOTHING_GIVEN, process.env, process.cwd(), new Map());
      return known.map(({ profile }) => profile.name);
    }
    case 'name':
      return (await documents(words)).flatMap(({ blocks }) =>
        blocks.flatMap(({ block }) => block.settings.name?.text ?? []),
      );
    case 'tag':
      return (await documents(words)).flatMap(({ first, blocks }) =>
        [first, ...blocks.map(({ block }) => block)].flatMap(({ settings }) => settings.tags),
      );
    default:
      return [];
  }
}

/** The files that the line names already, else those of the working directory. */
async function documents(words: readonly string[]): Promise<readonly RequestDocument[]> {
  const isRequestFile = (name: string): boolean => name.endsWith('.jsonrpc');
  const given = words.filter(isRequestFile);
  const names = given.length > 0 ? given : (await readdir('.')).filter(isRequestFile);
  const read = await Promise.all(
    names.slice(0, MAX_FILES).map((name) => loadFiles([{ name }], path.resolve('.')).catch(() => undefined)),
  );
  return read.flatMap((one) => one?.files ?? []);
}
