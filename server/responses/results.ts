// Stores responses as files in the extension's storage: formatted with exact digits, redacted, bounded in number and
// size, each next to its run's outcome. Never writes to the workspace.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { headDocument } from '../../core/service/response/head';
import { listsIn } from '../../core/service/response/lists';
import { StoredResponse as StoredBody } from '../../core/service/response/stored';
import { answerOf, type RequestAnswer } from '../../core/requests/document/variables/answer';
import { LargeAnswer } from '../../core/requests/run/largeAnswer';
import type { Provenance } from '../../core/requests/run/assertions/subject';
import type { KeptAnswer } from '../../runner/keptAnswers';
import { isJsonArray, jsonOf, member, printJson, type JsonValue } from '../../core/solana/json/json';
import type { BodyText } from '../../core/requests/run/model';
import { writeWhole } from '../../process/files';
import { indexText, LargeResponses, outlineOf } from './largeResponses';
import type { ExecuteOutcome, ResponsePlace, KeptResponse } from '../../protocol/lsp';

/** Responses kept per request, so that two can be compared, and over all. */
const KEPT_PER_REQUEST = 10;
const KEPT_RUNS = 500;
const KEPT_BYTES = 512_000_000;

/** Older unfinished files are of a server that was killed; another window may still be writing a younger one. ms */
const LEFT_BEHIND_MS = 3_600_000;

/** `REQUEST-RUN.json`, its `.meta.json`, and of a large one the `.full` body with its `.index`. */
const FILE = /^([0-9a-f]+)-(\d+)\.(?:json|meta\.json|full|index)$/;

/** A run's outcome before it is stored, with its place if it was shown already. */
export type UnkeptOutcome = Omit<ExecuteOutcome, 'response'> & { readonly response?: ResponsePlace };

export class Results {
  /** Pages and searches in those that lie in files. */
  readonly large: LargeResponses;
  readonly #folder: string;
  readonly #redact: (text: string) => string;
  #next: Promise<number> | undefined;
  #pruning: Promise<void> = Promise.resolve();

  constructor(storage: string, redact: (text: string) => string) {
    this.#folder = path.join(storage, 'responses');
    this.large = new LargeResponses(this.#folder);
    this.#redact = redact;
  }

  /** Makes the folder ready for `spillFile` and `save`. */
  async prepare(): Promise<void> {
    await this.#started();
  }

  /** A file of this folder for a body that is too large to hold; `save` gives it its name. */
  spillFile(): string {
    return path.join(this.#folder, `spill-${randomUUID()}`);
  }

  /** A place for the next run of a request, which `save` fills if its outcome names it. */
  async take(request: string): Promise<ResponsePlace> {
    const id = idOf(request);
    return { request: id, run: await this.#takeNumber(id) };
  }

  /** Writes a response and its outcome. `request` identifies the request: the file and the block's name or line. */
  async save(
    request: string,
    body: BodyText,
    outcome: UnkeptOutcome,
    given?: Provenance & Pick<KeptAnswer, 'state'>,
  ): Promise<ExecuteOutcome> {
    // An outcome that was shown during the run keeps its file.
    const place = outcome.response ?? (await this.take(request));
    try {
      return await this.#write(place, body, outcome, given);
    } finally {
      // A body that was paged during the transfer can be paged until its file is in place, and no longer.
      this.large.forget(place);
      this.#pruning = this.#pruning.then(() => this.#prune()).catch(() => undefined);
    }
  }

  async #write(
    { request: id, run }: ResponsePlace,
    body: BodyText,
    outcome: UnkeptOutcome,
    given: (Provenance & Pick<KeptAnswer, 'state'>) | undefined,
  ): Promise<ExecuteOutcome> {
    const base = path.join(this.#folder, `${id}-${run}`);
    const fullFile = body.kind === 'file' ? `${base}.full` : undefined;
    if (body.kind === 'file' && fullFile !== undefined) {
      await writeWhole(`${base}.index`, indexText(body), { overwrite: true });
      await body.file.moveTo(fullFile);
    }
    const value = body.kind === 'text' ? body.value : undefined;
    const items = await itemsOf(body);
    const isDecodable = await canDecode(body, value);
    const response: KeptResponse = {
      request: id,
      run,
      at: Date.now(),
      ...(fullFile !== undefined && { fullFile }),
      ...(items !== undefined && { items }),
      ...(isDecodable && { isDecodable }),
      ...((body.kind === 'file' ? body.outline : value) === undefined && { isText: true }),
    };
    const kept: ExecuteOutcome = { ...outcome, response };
    const text = body.kind === 'file' ? headDocument(body.head, body.bytes) : pretty(body.text, value);
    const meta = JSON.stringify({ ...kept, ...(given !== undefined && { given }) });
    await writeWhole(`${base}.meta.json`, this.#redact(meta), { overwrite: true });
    // Last: the viewer looks for this name.
    await writeWhole(`${base}.json`, this.#redact(text), { overwrite: true });
    return kept;
  }

  /** The last stored answer to a request at an endpoint. */
  async lastGiven(request: string, endpoint: string): Promise<KeptAnswer | undefined> {
    const id = idOf(request);
    const names = await readdir(this.#folder).catch(() => []);
    const runs = names.flatMap((name) => {
      const [, of, run] = name.endsWith('.meta.json') ? (FILE.exec(name) ?? []) : [];
      return of === id ? [Number(run)] : [];
    });
    for (const run of runs.sort((left, right) => right - left)) {
      const found = readGiven(await this.#metaOf({ request: id, run }), endpoint);
      if (found !== undefined) return { ...found.given, load: () => this.#answerAt({ request: id, run }, found) };
    }
    return undefined;
  }

  async #answerAt(
    place: ResponsePlace,
    { isBatch, isStream, isGrpc, httpStatus, durationMs }: Given,
  ): Promise<RequestAnswer | undefined> {
    const parts = { durationMs, headers: [], isBatch, ...(httpStatus !== undefined && { httpStatus }) };
    const base = path.join(this.#folder, `${place.request}-${place.run}`);
    const isLarge = await stat(`${base}.full`).then(
      () => true,
      () => false,
    );
    if (isLarge) {
      const opened = isGrpc ? undefined : await this.large.open(place);
      return opened === undefined ? undefined : answerOf({ ...parts, large: new LargeAnswer(opened.stored, isBatch) });
    }
    const value = jsonOf(await readFile(`${base}.json`, 'utf8').catch(() => ''));
    if (value === undefined) return undefined;
    if (isStream) return isJsonArray(value) ? answerOf({ ...parts, messages: value }) : undefined;
    return answerOf({ ...parts, body: isGrpc ? { result: value } : value });
  }

  /** A response's request as sent; `undefined` if it was not stored or is not JSON any more. */
  async requestOf(place: ResponsePlace): Promise<JsonValue | undefined> {
    const sent = member(await this.#metaOf(place), 'request');
    // A request that was cut for its length cannot be parsed.
    return typeof sent === 'string' ? jsonOf(sent) : undefined;
  }

  /** The name of its endpoint; `undefined` if it was pruned. */
  async endpointOf(place: ResponsePlace): Promise<string | undefined> {
    const name = member(await this.#metaOf(place), 'endpoint');
    return typeof name === 'string' ? name : undefined;
  }

  async #metaOf({ request, run }: ResponsePlace): Promise<JsonValue | undefined> {
    if (!/^[0-9a-f]+$/.test(request) || !Number.isSafeInteger(run)) return undefined;
    const file = path.join(this.#folder, `${request}-${run}.meta.json`);
    return jsonOf(await readFile(file, 'utf8').catch(() => ''));
  }

  /** Resolves when nothing is left to tidy. */
  settled(): Promise<void> {
    return this.#pruning;
  }

  /** Makes the folder and finds a number for the next run; leftovers of a server that was killed go. */
  #started(): Promise<number> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  /** The number of a run, taken by making its `.meta.json`: windows without a folder share this one. */
  async #takeNumber(id: string): Promise<number> {
    for (;;) {
      const number = this.#started();
      this.#next = number.then((taken) => taken + 1);
      const run = await number;
      try {
        await writeFile(path.join(this.#folder, `${id}-${run}.meta.json`), '', { flag: 'wx', mode: 0o600 });
        return run;
      } catch (error) {
        const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
        if (!taken) throw error;
      }
    }
  }

  async #begin(): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#folder);
    const all = new Set(names);
    const isUnfinished = (name: string): boolean => {
      const [, request, run] = FILE.exec(name) ?? [];
      // A run's `.json` is written last: one without it has no answer.
      if (request !== undefined) return !all.has(`${request}-${run}.json`);
      return name.startsWith('spill-') || name.endsWith('.part');
    };
    const unfinished = names.filter(isUnfinished);
    await Promise.all(unfinished.map((name) => this.#removeLeftover(path.join(this.#folder, name))));
    return names.reduce((next, name) => Math.max(next, Number(FILE.exec(name)?.[2] ?? 0) + 1), 1);
  }

  async #removeLeftover(file: string): Promise<void> {
    // Gone already: the other window's server put it in its place.
    const changed = await stat(file).catch(() => undefined);
    if (changed !== undefined && Date.now() - changed.mtimeMs > LEFT_BEHIND_MS) await rm(file, { force: true });
  }

  /** Removes the oldest runs beyond either bound. */
  async #prune(): Promise<void> {
    const runs = new Map<string, { readonly request: string; readonly run: number; bytes: number; files: string[] }>();
    for (const name of await readdir(this.#folder)) {
      const [, request, number] = FILE.exec(name) ?? [];
      if (request === undefined) continue;
      const file = path.join(this.#folder, name);
      const key = `${request}-${number}`;
      const entry = runs.get(key) ?? { request, run: Number(number), bytes: 0, files: [] };
      entry.bytes += (await stat(file)).size;
      entry.files.push(file);
      runs.set(key, entry);
    }
    const perRequest = new Map<string, number>();
    let bytes = 0;
    let all = 0;
    for (const { request, bytes: size, files } of [...runs.values()].sort((left, right) => right.run - left.run)) {
      const count = (perRequest.get(request) ?? 0) + 1;
      perRequest.set(request, count);
      bytes += size;
      all++;
      // The newest run of a request stays however large it is, as long as it is one of the last of all.
      const isTooMuch = count > 1 && (count > KEPT_PER_REQUEST || bytes > KEPT_BYTES);
      if (isTooMuch || all > KEPT_RUNS) await Promise.all(files.map((file) => rm(file, { force: true })));
    }
  }
}

const idOf = (request: string): string => createHash('sha256').update(request).digest('hex').slice(0, 16);

/** Stored next to a reusable answer. */
interface Given {
  readonly given: Omit<KeptAnswer, 'load'>;
  readonly isBatch: boolean;
  readonly isStream: boolean;
  readonly isGrpc: boolean;
  readonly httpStatus?: number;
  readonly durationMs: number;
}

/** Undefined if the answer is from another endpoint, or was stored for reading only. */
function readGiven(meta: JsonValue | undefined, endpoint: string): Given | undefined {
  const given = member(meta, 'given');
  const [id, subject, used, state] = ['id', 'subject', 'used', 'state'].map((name) => member(given, name));
  const at = member(member(meta, 'response'), 'at');
  const [httpStatus, durationMs] = [member(meta, 'httpStatus'), member(meta, 'durationMs')];
  if (member(meta, 'endpoint') !== endpoint || typeof id !== 'string' || typeof subject !== 'string') return undefined;
  if (!isJsonArray(used) || typeof at !== 'number') return undefined;
  return {
    given: {
      id,
      subject,
      used: used.map(String),
      at,
      state: state === 'answered' || state === 'lost' ? state : 'failed',
    },
    isBatch: member(meta, 'method') === 'batch',
    isStream: member(meta, 'stream') !== undefined,
    isGrpc: member(meta, 'transport') === 'GRPC',
    ...(typeof httpStatus === 'number' && { httpStatus }),
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
  };
}

/** How long the list is that a table of a response shows first. */
async function itemsOf(body: BodyText): Promise<number | undefined> {
  if (body.kind === 'file') return listsIn(body.outline, body.bytes)[0]?.count;
  const bytes = Buffer.from(body.text);
  return listsIn(await outlineOf([bytes]), bytes.length)[0]?.count;
}

/** Whether it contains accounts or transactions; a large one is judged by its first item. */
async function canDecode(body: BodyText, value: JsonValue | undefined): Promise<boolean> {
  const { decodablePlace } = await import('../../core/service/response/decodable');
  if (body.kind === 'text') return value !== undefined && decodablePlace(value) !== undefined;
  const first = await new StoredBody(body.file, () => body.outline).page(0, 1);
  const items = (first?.items ?? []).map(({ text }) => jsonOf(text) ?? null);
  return decodablePlace({ result: items }) !== undefined;
}

/** Indents JSON, with exact digits; returns any other text unchanged. */
const pretty = (text: string, value: JsonValue | undefined): string =>
  value === undefined ? text : `${printJson(value, 2)}\n`;
