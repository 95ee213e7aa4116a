// The OpenRPC documents of the workspace: read when the window names them and again when one changes. What is wrong with
// one is a line of the log with its place; the others, and the contract's methods, are as they were.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Result } from '../../core/service/errors';
import { MethodTable, STANDARD_METHODS } from '../../core/requests/methods';
import type { MethodRecord } from '../../core/requests/methods/types';
import type { FilePort } from '../../runner/ports';
import type { SchemaPlace } from '../../protocol/lsp';
import type { Log } from '../lsp/log';
import type { Window } from '../window';

/** More documents than this are a mistake. */
const MAX_DOCUMENTS = 20;

export interface SchemaDeps {
  readonly window: Window;
  readonly files: FilePort;
  readonly log: Log;
  /** Other methods are known now. */
  readonly changed: () => void;
}

export class Schemas {
  #methods = STANDARD_METHODS;
  #texts = '';
  #reading: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SchemaDeps) {}

  /** The standard methods with those of the documents. */
  get methods(): MethodTable {
    return this.#methods;
  }

  /** Reads the documents that the window names now; resolves when the methods are known. */
  load(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#load());
    return this.#reading;
  }

  async #load(): Promise<void> {
    const { window, log, changed } = this.deps;
    // Documents of a window that is not trusted are not read, like every other file that a workspace names.
    const places = window.permit().ok ? window.state.schemas.slice(0, MAX_DOCUMENTS) : [];
    const texts = await Promise.all(places.map((place) => this.#read(place)));
    const seen = JSON.stringify([places, texts]);
    if (seen === this.#texts || (this.#texts === '' && places.length === 0)) return;
    this.#texts = seen;
    const { readOpenRpc } = await import('../../core/requests/methods/openrpc');
    const methods: MethodRecord[] = [];
    for (const [index, { path: name }] of places.entries()) {
      const text = texts[index];
      if (text === undefined) continue;
      const document = text.ok
        ? readOpenRpc(text.value, path.basename(name))
        : { methods: [], faults: [{ place: 'the file', message: text.error.message }] };
      methods.push(...document.methods);
      for (const { place, message } of document.faults) log('warn', `${name}: ${place}: ${message}`);
    }
    this.#methods = new MethodTable(methods);
    changed();
  }

  #read({ path: name, folder }: SchemaPlace): Promise<Result<string>> {
    return this.deps.files.read(name, pathToFileURL(path.join(folder, 'solana-rpc.json')).href, 'schema');
  }
}
