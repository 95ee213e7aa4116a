// The IDLs that programs have published on the chain: fetched from the active endpoint when the user asks, and kept in the
// extension's storage for the service they came from. Never fetches by itself, and never writes into the workspace.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { failed, invalidRequest, ok, type Result } from '../../core/service/errors';
import { originOf } from '../../core/service/profiles/origin';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import { decodeBase64 } from '../../core/solana/encoding/base64';
import { visibleText } from '../../core/solana/decode/decodedText';
import {
  externalBytes,
  idlPlaces,
  readIdlPlace,
  readPublished,
  type IdlPlace,
  type Inflate,
  type PublishedText,
} from '../../core/solana/decode/idl/onChain';
import type { Idl } from '../../core/solana/decode/idl/model';
import { MAX_IDL_TEXT, readIdl } from '../../core/solana/decode/idl/read';
import type { PublishedIdl } from '../../core/solana/decode/idl/registry';
import { isJsonArray, member, parseJson, type JsonValue } from '../../core/solana/json/json';
import { isPublicKey } from '../../core/solana/chain/keys';
import { writeWhole } from '../../process/files';
import type { FetchIdlParams, FetchIdlResult } from '../../protocol/idls';
import { askAccount } from '../../net/streams/accountInfo';
import { profileNamed } from '../profiles';
import type { Transports } from '../run/transports';
import type { Window } from '../window';

/** Files that are kept, the newest ones. */
const MAX_FILES = 100;
/** Problems of one IDL that are reported. */
const MAX_TOLD = 5;
/** `ORIGIN-PROGRAM.json`, the origin as the beginning of its hash. */
const FILE = /^[0-9a-f]{16}-[1-9A-HJ-NP-Za-km-z]{32,44}\.json$/;

export interface PublishedIdlsDeps {
  /** The extension's own folder. */
  readonly storage: string;
  readonly window: Window;
  readonly transports: Transports;
}

const UNPACK = { gzip: promisify(gunzip), zlib: promisify(inflate) };
const inflated: Inflate = (data, most, compression) => UNPACK[compression](data, { maxOutputLength: most });

const refuse = (message: string, hint?: string): Result<never> => failed(invalidRequest(message, hint));

const FROM_A_FILE = 'An IDL file in the workspace, as target/idl/PROGRAM.json, serves as well.';

/** One account that may contain the IDL of a program. */
interface Asked {
  readonly place: IdlPlace;
  readonly program: string;
  readonly placed: PlacedProfile;
}

type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'published'; readonly idl: Idl; readonly text: string; readonly problems: readonly string[] };

export class PublishedIdls {
  readonly #folder: string;
  #all: Promise<readonly PublishedIdl[]> | undefined;

  constructor(private readonly deps: PublishedIdlsDeps) {
    this.#folder = path.join(deps.storage, 'idls');
  }

  /** Those that are kept, of every service. */
  all(): Promise<readonly PublishedIdl[]> {
    this.#all ??= this.#read();
    return this.#all;
  }

  async fetch(params: FetchIdlParams, signal: AbortSignal): Promise<FetchIdlResult> {
    const fetched = await this.#fetch(params, signal);
    return fetched.ok ? fetched.value : { kind: 'failed', error: fetched.error };
  }

  async #fetch({ program, endpoint }: FetchIdlParams, signal: AbortSignal): Promise<Result<FetchIdlResult>> {
    const { window } = this.deps;
    const places = isPublicKey(program) ? idlPlaces(program) : [];
    const [first] = places;
    if (first === undefined) return refuse('This is not the address of a program.');
    const placed = profileNamed(window, undefined);
    if (placed === undefined) return refuse('No endpoint is active.', 'Choose one and fetch again.');
    const { name } = placed.profile;
    if (endpoint !== undefined && endpoint !== name)
      return refuse(`This comes from ${endpoint}, and ${name} is active.`, `Choose ${endpoint} and fetch again.`);
    const origin = originOf(placed.profile.rpcUrl ?? '');
    if (origin === undefined) return refuse(`${name} has no JSON-RPC URL to fetch an IDL over.`, FROM_A_FILE);
    const reasons: string[] = [];
    for (const place of places) {
      const asked: Asked = { place, program, placed };
      const found = await this.#publishedAt(asked, signal);
      if (!found.ok) return found;
      if (found.value.kind === 'nothing') continue;
      if (found.value.kind === 'refused') reasons.push(found.value.message);
      else return this.#use(found.value, asked, origin);
    }
    if (reasons.length > 0)
      return refuse(`The IDL that ${program} has published cannot be used: ${reasons.join('; ')}.`, FROM_A_FILE);
    return refuse(
      `${program} has published no IDL on ${name}.`,
      `${FROM_A_FILE} Its account would be ${first.address}.`,
    );
  }

  /** The account's data and owner at the endpoint; null if there is no such account. */
  async #account(address: string, placed: PlacedProfile, signal: AbortSignal): Promise<Result<JsonValue>> {
    return this.deps.transports.use<JsonValue>(async (net) => {
      const answer = await askAccount({ net, placed, address }, signal);
      return answer.ok ? ok(answer.value.value) : answer;
    });
  }

  async #publishedAt({ place, program, placed }: Asked, signal: AbortSignal): Promise<Result<Found>> {
    const answer = await this.#account(place.address, placed, signal);
    if (!answer.ok) return answer;
    if (answer.value === null) return ok({ kind: 'nothing' });
    const data = member(answer.value, 'owner') === place.owner ? dataOf(answer.value) : undefined;
    if (data === undefined)
      return ok({ kind: 'refused', message: `the account ${place.address} belongs to another program` });
    const read = readIdlPlace(place, program, data);
    if (read.kind === 'refused') return ok(read);
    const { source, compression } = read;
    if (source.kind === 'url')
      return refuse(
        `${program} has its IDL at ${visibleText(source.url)}, which is not fetched.`,
        'Save it in the workspace as idl/PROGRAM.json.',
      );
    let bytes = source.kind === 'direct' ? source.bytes : undefined;
    if (source.kind === 'external') {
      const other = await this.#account(source.address, placed, signal);
      if (!other.ok) return other;
      const whole = other.value === null ? undefined : dataOf(other.value);
      bytes = whole === undefined ? undefined : externalBytes(source, whole);
    }
    if (bytes === undefined) return ok({ kind: 'refused', message: 'the account that it names does not contain it' });
    const published = await readPublished(bytes, compression, inflated);
    const { idl, text } = published;
    const problems = problemTexts(published);
    if (idl === undefined || text === undefined) return ok({ kind: 'refused', message: problems.join('; ') });
    return ok({ kind: 'published', idl, text, problems });
  }

  async #use(
    { idl, text, problems }: Extract<Found, { kind: 'published' }>,
    { place, program, placed }: Asked,
    origin: string,
  ): Promise<Result<FetchIdlResult>> {
    try {
      await this.#keep(origin, program, text);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      return refuse(`The IDL was fetched, and could not be written into the extension's storage${code}.`);
    }
    const { instructions, accounts, events } = idl;
    return ok({
      kind: 'fetched',
      name: visibleText(idl.name),
      endpoint: placed.profile.name,
      instructions: instructions.length,
      accounts: accounts.length,
      events: events.length,
      problems,
      isByFoundation: place.from === 'foundation',
    });
  }

  async #keep(origin: string, program: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const place = createHash('sha256').update(origin).digest('hex').slice(0, 16);
    const file = path.join(this.#folder, `${place}-${program}.json`);
    await writeWhole(file, JSON.stringify({ origin, program, idl: text }), { overwrite: true });
    await this.#prune();
    this.#all = undefined;
  }

  /** The oldest go beyond the bound. */
  async #prune(): Promise<void> {
    const names = (await this.#names()).map((name) => path.join(this.#folder, name));
    if (names.length <= MAX_FILES) return;
    const dated = await Promise.all(names.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
    const old = dated.sort((left, right) => right.at - left.at).slice(MAX_FILES);
    await Promise.all(old.map(({ file }) => rm(file, { force: true })));
  }

  async #names(): Promise<readonly string[]> {
    // The folder does not exist before the first one is kept.
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => FILE.test(name)).sort();
  }

  async #read(): Promise<readonly PublishedIdl[]> {
    const found = await Promise.all((await this.#names()).map((name) => readKept(path.join(this.#folder, name))));
    return found.filter((one) => one !== undefined);
  }
}

function dataOf(account: JsonValue): Uint8Array | undefined {
  const data = member(account, 'data');
  const [text] = isJsonArray(data) ? data : [];
  return typeof text === 'string' ? decodeBase64(text) : undefined;
}

const problemTexts = ({ problems }: PublishedText): readonly string[] =>
  problems.slice(0, MAX_TOLD).map(({ place, message }) => `${visibleText(place)}: ${visibleText(message)}`);

/** As JSON text in JSON text it is at most so much longer. */
const MAX_FILE = 8 * MAX_IDL_TEXT;

/** A file that somebody broke is as good as none. */
async function readKept(file: string): Promise<PublishedIdl | undefined> {
  try {
    if ((await stat(file)).size > MAX_FILE) return undefined;
    const kept = parseJson(await readFile(file, 'utf8'));
    const [origin, program, text] = ['origin', 'program', 'idl'].map((name) => member(kept, name));
    if (typeof origin !== 'string' || typeof program !== 'string' || typeof text !== 'string') return undefined;
    const { idl } = readIdl(text);
    return idl === undefined || !isPublicKey(program) ? undefined : { origin, idl: { idl, program } };
  } catch {
    return undefined;
  }
}
