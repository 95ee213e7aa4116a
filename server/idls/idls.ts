// The IDLs at hand: those that were fetched from the chain, and those of the workspace, which are read when something
// is first decoded, and again after a file has changed. What is wrong with one is a line of the log with its place.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { NO_PROGRAMS, type Programs } from '../../core/solana/decode/decoded';
import type { KnownIdls, PlacedIdl, PublishedIdl } from '../../core/solana/decode/idl/registry';
import { readIdlFiles } from '../../runner/idlFiles';
import type { FilePort } from '../../runner/ports';
import type { Log } from '../lsp/log';
import type { Window } from '../window';

export interface IdlDeps {
  readonly window: Window;
  readonly files: FilePort;
  readonly log: Log;
}

export class Idls {
  #published: () => Promise<readonly PublishedIdl[]> = () => Promise.resolve([]);
  #reading: Promise<readonly PlacedIdl[]> | undefined;

  constructor(private readonly deps: IdlDeps) {}

  /** Other files are named, or one of them changed: the next question reads them again. */
  changed(): void {
    this.#reading = undefined;
  }

  /** Everything the IDLs say at a service, by program. */
  async programs(origin: string | undefined): Promise<Programs> {
    const known = await this.known();
    if (known.workspace.length === 0 && known.published.length === 0) return NO_PROGRAMS;
    const { programsAt } = await import('../../core/solana/decode/idl/registry');
    return programsAt(known, origin);
  }

  /** The IDLs themselves: plain data, which a worker can be sent. */
  async known(): Promise<KnownIdls> {
    this.#reading ??= this.#read();
    return { workspace: await this.#reading, published: await this.#published() };
  }

  /** Includes fetched IDLs, if there is a folder to keep them. */
  also(published: () => Promise<readonly PublishedIdl[]>): void {
    this.#published = published;
  }

  async #read(): Promise<readonly PlacedIdl[]> {
    const { window, files, log } = this.deps;
    // Files of a window that is not trusted are not read, like every other file that a workspace names.
    if (!window.permit().ok) return [];
    return readIdlFiles(window.state.idls, {
      read: ({ path: name, folder }) =>
        files.read(name, pathToFileURL(path.join(folder, 'solana-rpc.json')).href, 'idl'),
      report: (problem) => log('warn', problem),
    });
  }
}
