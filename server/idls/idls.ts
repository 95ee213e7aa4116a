// The IDLs at hand: those that were fetched from the chain, and those of the workspace, which are read when something
// is first decoded, and again after a file has changed. What is wrong with one is a line of the log with its place; the
// others are as they were.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { NO_PROGRAMS, type Programs } from '../../core/values/decode/decoded';
import type { KnownIdls, PlacedIdl, PublishedIdl } from '../../core/values/decode/idl/registry';
import { isPublicKey } from '../../core/values/solana/keys';
import type { SchemaPlace } from '../../protocol/lsp';
import type { FilePort } from '../../runner/ports';
import type { Log } from '../lsp/log';
import type { Window } from '../window';

/** More files than these are not read. */
const MAX_FILES = 200;
/** Problems of one file that are told. */
const MAX_TOLD = 5;
const ALL_FILES = /^(.*?)[\\/]?\*\.json$/;

export interface IdlDeps {
  readonly window: Window;
  readonly files: FilePort;
  readonly log: Log;
}

export class Idls {
  readonly #deps: IdlDeps;
  #published: () => Promise<readonly PublishedIdl[]> = () => Promise.resolve([]);
  #reading: Promise<readonly PlacedIdl[]> | undefined;

  constructor(deps: IdlDeps) {
    this.#deps = deps;
  }

  /** Other files are named, or one of them changed: the next question reads them again. */
  changed(): void {
    this.#reading = undefined;
  }

  /** Everything the IDLs say at a service, by program. */
  async programs(origin: string | undefined): Promise<Programs> {
    const known = await this.known();
    if (known.workspace.length === 0 && known.published.length === 0) return NO_PROGRAMS;
    const { programsAt } = await import('../../core/values/decode/idl/registry');
    return programsAt(known, origin);
  }

  /** The IDLs themselves: plain data, which a worker can be sent. */
  async known(): Promise<KnownIdls> {
    this.#reading ??= this.#read();
    return { workspace: await this.#reading, published: await this.#published() };
  }

  /** Those that were fetched count too, where there is a place to keep them. */
  also(published: () => Promise<readonly PublishedIdl[]>): void {
    this.#published = published;
  }

  async #read(): Promise<readonly PlacedIdl[]> {
    const { window, files, log } = this.#deps;
    // Files of a window that is not trusted are not read, like every other file that a workspace names.
    if (!window.permit().ok) return [];
    const names = (await Promise.all(window.state.idls.map(filesOf))).flat();
    if (names.length > MAX_FILES) log('warn', `There are ${names.length} IDL files; the first ${MAX_FILES} are read.`);
    if (names.length === 0) return [];
    const { readIdl } = await import('../../core/values/decode/idl/read');
    const found: PlacedIdl[] = [];
    const additional: PlacedIdl[] = [];
    for (const { path: name, folder } of names.slice(0, MAX_FILES)) {
      const text = await files.read(name, pathToFileURL(path.join(folder, 'solana-rpc.json')).href, 'idl');
      const {
        idl,
        additional: others,
        problems,
      } = text.ok
        ? readIdl(text.value)
        : { idl: undefined, additional: [], problems: [{ place: 'the file', message: text.error.message }] };
      for (const { place, message } of problems.slice(0, MAX_TOLD)) log('warn', `${name}: ${place}: ${message}`);
      const stem = path.basename(name, '.json');
      const program = isPublicKey(stem) ? stem : idl?.address;
      if (idl === undefined) continue;
      if (program === undefined) log('warn', `${name}: it names no program; call it PROGRAM_ID.json`);
      else found.push({ idl, program });
      additional.push(...others.map((other) => ({ idl: other })));
    }
    // A program's own file holds against what the file of another one says of it.
    return [...additional, ...found];
  }
}

/** The files a place names, from the folder of the workspace; a folder that is not there has none. */
async function filesOf({ path: name, folder }: SchemaPlace): Promise<readonly SchemaPlace[]> {
  const [, directory] = ALL_FILES.exec(name) ?? [];
  if (directory === undefined) return [{ path: name, folder }];
  const there = path.resolve(folder, directory);
  if (there !== path.resolve(folder) && !there.startsWith(path.resolve(folder) + path.sep)) return [];
  const entries = await readdir(there).catch(() => []);
  return entries
    .filter((entry) => entry.endsWith('.json'))
    .sort()
    .map((entry) => ({ path: path.join(directory, entry), folder }));
}
