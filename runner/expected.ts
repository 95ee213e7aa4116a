// Files that assertions compare with: JSON Schemas, and snapshots next to the request file. Snapshots are written only
// at the user's request, once per file, at the end of the run.
import path from 'node:path';
import { unescaped } from '../core/service/providers/urlText';
import { without } from '../core/requests/run/assertions/difference';
import { NoValue } from '../core/requests/run/evaluate';
import { writtenMethod } from '../core/requests/run/report';
import {
  isJsonObject,
  JsonDepthError,
  MAX_DEPTH,
  parseJson,
  printJson,
  type JsonValue,
} from '../core/solana/json/json';
import { faultOf } from './fault';
import type { Assertion, Block } from '../core/requests/document/model';
import type { ServiceError } from '../core/service/errors';
import type { Located } from '../core/requests/run/source';
import type { RunPorts } from './ports';

/** Words for the editor and the terminal. */
const NO_SNAPSHOT =
  'There is no snapshot yet. --update-snapshots, or Update Snapshot in the editor, keeps what is found.';

interface SnapshotFile {
  /** As the request file names it. */
  readonly name: string;
  /** The URI or path of the request file. */
  readonly from: string;
  readonly values: Map<string, JsonValue>;
  isChanged: boolean;
}

export class ExpectedFiles {
  readonly #schemas = new Map<string, Promise<JsonValue>>();
  readonly #snapshots = new Map<string, Promise<SnapshotFile>>();

  /** `refuseUpdate`: found values become the snapshots, apart from those that it says why not. */
  constructor(
    private readonly ports: Pick<RunPorts, 'files' | 'onFault'>,
    private readonly refuseUpdate?: (at: Located, file: string) => Promise<ServiceError | undefined>,
  ) {}

  /** The schema of a file. Throws NoValue. */
  schema(name: string, from: string): Promise<JsonValue> {
    const key = `${from}\0${name}`;
    const known = this.#schemas.get(key) ?? this.#readSchema(name, from);
    this.#schemas.set(key, known);
    return known;
  }

  async #readSchema(name: string, from: string): Promise<JsonValue> {
    const read = await this.ports.files.read(name, from, 'schema');
    if (!read.ok) throw new NoValue(read.error.message);
    return parsed(read.value, name);
  }

  /** An assertion's stored snapshot, or, while snapshots are updated, the found value. Throws NoValue. */
  async snapshot(at: Located, assertion: Assertion, actual: JsonValue | undefined): Promise<JsonValue> {
    const from = at.scope.document.uri;
    const file = this.#snapshots.get(from) ?? Promise.resolve(this.#readSnapshots(from));
    this.#snapshots.set(from, file);
    const kept = await file;
    const key = keyOf(at, assertion);
    if (this.refuseUpdate !== undefined && actual !== undefined) {
      const value = without(actual, assertion.ignoring ?? []);
      const before = kept.values.get(key);
      if (before === undefined || printJson(before) !== printJson(value)) {
        const refusal = await this.refuseUpdate(at, kept.name);
        if (refusal !== undefined) throw new NoValue(refusal.message);
        kept.isChanged = true;
        kept.values.set(key, value);
      }
    }
    const value = kept.values.get(key);
    if (value === undefined) throw new NoValue(NO_SNAPSHOT);
    return value;
  }

  async #readSnapshots(from: string): Promise<SnapshotFile> {
    const name = snapshotFile(from);
    const read = await this.ports.files.read(name, from, 'value');
    const value = read.ok ? parsed(read.value, name) : {};
    if (!isJsonObject(value)) throw new NoValue(`${name} holds no snapshots.`);
    return { name, from, values: new Map(Object.entries(value)), isChanged: false };
  }

  /** Writes the snapshots that changed; the reasons why one could not be written. */
  async save(): Promise<readonly string[]> {
    const reasons: string[] = [];
    for (const reading of this.#snapshots.values()) {
      const file = await reading.catch(() => undefined);
      if (file === undefined || !file.isChanged) continue;
      try {
        const values = [...file.values].sort(([a], [b]) => (a < b ? -1 : 1));
        const text = `${printJson(Object.fromEntries(values), 2)}\n`;
        const written = await this.ports.files.write(file.name, file.from, text, true);
        if (!written.ok) reasons.push(written.error.message);
      } catch (thrown) {
        faultOf(thrown, this.ports);
        reasons.push(`${file.name} met an internal error of the workbench.`);
      }
    }
    return reasons;
  }
}

function parsed(text: string, name: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new NoValue(
      error instanceof JsonDepthError ? `${name} is nested deeper than ${MAX_DEPTH} levels.` : `${name} is not JSON.`,
    );
  }
}

/** The request as people name it, its row, and the assertion; of several with the same words, which one. */
function keyOf({ scope, placed, block, row }: Located, assertion: Assertion): string {
  const own = wordsOf(block, assertion);
  let nth = 1;
  for (const other of scope.document.blocks)
    for (const one of other.block.assertions) {
      if (other.block === placed.block && one === assertion)
        return `${own}${row === undefined ? '' : ` [${row.index}]`}${nth > 1 ? ` #${nth}` : ''}`;
      if (one.operator === assertion.operator && wordsOf(other.block, one) === own) nth++;
    }
  return own;
}

const wordsOf = (block: Block, { path: { text } }: Assertion): string =>
  `${block.settings.name?.text ?? (block.title.text || writtenMethod(block))}: ${text}`;

/** The file of the snapshots of a request file, as that file names it. */
export const snapshotFile = (from: string): string => `./__snapshots__/${nameOf(from)}.json`;

/** The name of a file by its URI, or in a terminal by its path: always one part of a path, escapes included. */
function nameOf(from: string): string {
  const name = path.posix.basename(from.replaceAll('\\', '/'));
  // A separator leads out of the folder, and a colon may not be saved.
  return (/^[a-z][a-z\d+.-]+:\/\//i.test(from) ? unescaped(name) : name).replaceAll(/[/\\:\0]/g, encodeURIComponent);
}
