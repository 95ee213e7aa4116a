// Pages and searches in responses; those in separate files also while they are being received. Opens only files of the
// storage folder; keeps the indices of the last few.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Outline, outlineText, readOutline, type BytePart } from '../../core/service/response/outline';
import { JsonScanner } from '../../core/service/response/scanner';
import { bytesInPieces, StoredResponse } from '../../core/service/response/stored';
import { StoredFile } from '../../net/http/bodyFile';
import type { LargeBody } from '../../core/requests/run/model';
import type { GrowingBody } from '../../net/api';
import type { ResponsePlace } from '../../protocol/lsp';
import { setNewest } from '../../core/solana/common/maps';
import { jsonOf, member } from '../../core/solana/json/json';
import type {
  BrokenBody,
  ResponsePageParams,
  ResponsePageResult,
  ResponseSearchParams,
  ResponseSearchResult,
} from '../../protocol/responses';

/** Indices kept in memory; one has up to half a megabyte. */
const KEPT = 8;
/** Most matches of one search. */
const MAX_HITS = 200;
/** As the storage folder names them. */
const REQUEST = /^[0-9a-f]+$/;

/** A response that can be read in parts. */
export interface Opened {
  readonly stored: StoredResponse;
  /** Its parts known so far. */
  readonly root: () => BytePart | undefined;
  readonly isComplete: () => boolean;
}

export class LargeResponses {
  readonly #opened = new Map<string, Promise<Opened | undefined>>();

  /** `folder`: of the responses. */
  constructor(private readonly folder: string) {}

  /** A body that streams in can be paged from now on, until `forget`. */
  grows(place: ResponsePlace, body: GrowingBody): void {
    const stored = new StoredResponse(body.file, body.root);
    const isComplete = (): boolean => body.root()?.end !== undefined;
    this.#keep(place, Promise.resolve({ stored, root: body.root, isComplete }));
  }

  /** Discards cached state: the response was moved to its place, or is incomplete. */
  forget(place: ResponsePlace): void {
    this.#opened.delete(nameOf(place));
  }

  async page(params: ResponsePageParams): Promise<ResponsePageResult> {
    const opened = await this.open(params);
    if (opened === undefined) return { kind: 'gone' };
    const { stored, isComplete } = opened;
    const complete = isComplete();
    const page = await stored.page(params.from, params.count, params.path);
    const facts = { bytes: stored.bytes, isComplete: complete };
    if (page !== undefined) return { kind: 'page', ...facts, ...page };
    return (await this.brokenBy(params)) ?? { kind: 'noItems', ...facts };
  }

  async search(params: ResponseSearchParams, isCancelled: () => boolean): Promise<ResponseSearchResult> {
    const opened = await this.open(params);
    if (opened === undefined) return { kind: 'gone' };
    const limit = Math.min(Math.max(1, params.limit), MAX_HITS);
    const hits = await opened.stored.search(params.text, params.from, limit, isCancelled);
    return { kind: 'hits', ...hits };
  }

  /** Why a response is incomplete, as stored next to it; undefined if it is complete. */
  async brokenBy({ request, run }: ResponsePlace): Promise<BrokenBody | undefined> {
    if (!REQUEST.test(request) || !Number.isSafeInteger(run)) return undefined;
    const meta = path.join(this.folder, `${nameOf({ request, run })}.meta.json`);
    const outcome = jsonOf(await readFile(meta, 'utf8').catch(() => ''));
    if (member(outcome, 'isBroken') !== true) return undefined;
    const error = member(outcome, 'error');
    const [message, hint] = ['message', 'hint'].map((name) => member(error, name));
    return {
      kind: 'broken',
      message: typeof message === 'string' ? message : '',
      ...(typeof hint === 'string' && { hint }),
    };
  }

  /** A response of any size, as far as received; undefined if it does not exist. */
  async open(place: ResponsePlace): Promise<Opened | undefined> {
    if (!REQUEST.test(place.request) || !Number.isSafeInteger(place.run)) return undefined;
    const known = this.#opened.get(nameOf(place));
    if (known !== undefined) return known;
    const opening = this.#read(path.join(this.folder, nameOf(place))).catch(() => undefined);
    this.#keep(place, opening);
    const opened = await opening;
    // A file that is not there now may come.
    if (opened === undefined) this.forget(place);
    return opened;
  }

  async #read(base: string): Promise<Opened> {
    const full = await stat(`${base}.full`).catch(() => undefined);
    // A small one is shown entirely.
    const file = new StoredFile(
      full === undefined ? `${base}.json` : `${base}.full`,
      (full ?? (await stat(`${base}.json`))).size,
    );
    const text = full === undefined ? '' : await readFile(`${base}.index`, 'utf8').catch(() => '');
    const part = readOutline(text) ?? (await outlineOf(bytesInPieces(file)));
    const root = (): BytePart | undefined => part;
    return { stored: new StoredResponse(file, root), root, isComplete: () => true };
  }

  #keep(place: ResponsePlace, opened: Promise<Opened | undefined>): void {
    setNewest(this.#opened, nameOf(place), opened, KEPT);
  }
}

const nameOf = ({ request, run }: ResponsePlace): string => `${request}-${run}`;

/** Stored next to a response, so that another server need not read all of it. */
export const indexText = ({ outline }: LargeBody): string => (outline === undefined ? '' : outlineText(outline));

/** Rebuilds the index from the bytes. */
export async function outlineOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<BytePart | undefined> {
  const outline = new Outline();
  const scanner = new JsonScanner(outline);
  for await (const piece of pieces) scanner.push(piece);
  return outline.root;
}
