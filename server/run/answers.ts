// The last answers of named requests, for the editor's completion and hover: in memory only, bounded in number and
// size, without keys.
import type { AnswersPort } from '../../core/requests/language/answers';
import { agaveRelease, type Release } from '../../core/requests/methods/releases';
import type { RequestAnswer } from '../../core/requests/document/variables/answer';
import { Chains } from '../../core/requests/run/chains';
import type { RequestReport } from '../../core/requests/run/model';
import { setNewest } from '../../core/solana/common/maps';
import { integerOf, member } from '../../core/solana/json/json';
import type { ChainAge } from '../../core/solana/chain/chain';
import { BLOCKHASH_BLOCKS } from '../../core/solana/chain/limits';
import { answerFrom } from '../../runner/keptAnswers';

/** Named requests whose answers are kept, the latest ones. */
const MAX_KEPT = 200;

/** Blockhashes that are remembered. */
const MAX_BLOCKHASHES = 500;

/** A blockhash that an endpoint gave, and the last block height at which it is taken. */
interface Blockhash {
  readonly endpoint: string;
  readonly lastValid: bigint;
}

export class LastAnswers implements AnswersPort {
  readonly chains = new Chains();
  readonly #kept = new Map<string, RequestAnswer>();

  readonly #blockhashes = new Map<string, Blockhash>();
  /** The highest known block height, by endpoint. */
  readonly #heights = new Map<string, bigint>();
  #expired: ReadonlySet<string> = new Set();
  /** By endpoint. */
  readonly #releases = new Map<string, Release>();

  /** `redact` takes the keys out of a text; `onLearned` is called when a blockhash is too old or a release is known. */
  constructor(
    private readonly redact: (text: string) => string,
    private readonly onLearned: () => void,
    private readonly now: () => number = Date.now,
  ) {}

  expired(): ReadonlySet<string> {
    return this.#expired;
  }

  release(endpoint: string): Release | undefined {
    return this.#releases.get(endpoint);
  }

  newestSlot(endpoint: string, now: number): bigint | undefined {
    return this.chains.newestSlot(endpoint, now);
  }

  chain(endpoint: string): ChainAge {
    return this.chains.age(endpoint);
  }

  lastAnswer(uri: string, name: string): RequestAnswer | undefined {
    return this.#kept.get(keyOf(uri, name));
  }

  /**
   * Keeps a request's outcome; an answer that is too large discards the last one. `isElsewhere`: it is not from its endpoint.
   */
  keep(report: RequestReport, isElsewhere = false): void {
    if (!isElsewhere) this.#learn(report);
    const { file, name, response, messages } = report;
    if (name === null || (response === undefined && messages === undefined)) return;
    const key = keyOf(file, name);
    const answer = answerFrom(report, this.redact)?.answer;
    if (answer === undefined) this.#kept.delete(key);
    else setNewest(this.#kept, key, answer, MAX_KEPT);
  }

  #learn(report: RequestReport): void {
    this.#watchHeight(report);
    this.#watchRelease(report);
    if (this.chains.learn(report, this.now())) this.onLearned();
  }

  /** The release of Agave that an endpoint runs; an answer of something else makes it unknown. */
  #watchRelease({ endpoint, method, response }: RequestReport): void {
    const version = member(member(response, 'result'), 'solana-core');
    if (method !== 'getVersion' || typeof version !== 'string') return;
    const release = agaveRelease(version);
    if (release === this.#releases.get(endpoint)) return;
    if (release === undefined) this.#releases.delete(endpoint);
    else setNewest(this.#releases, endpoint, release, MAX_KEPT);
    this.onLearned();
  }

  /** Learns a blockhash's last valid height and the chain's height from any answer that contains them. */
  #watchHeight({ endpoint, method, response }: RequestReport): void {
    const result = member(response, 'result');
    const value = member(result, 'value');
    const blockhash = member(value, 'blockhash');
    const lastValid = integerOf(member(value, 'lastValidBlockHeight'));
    if (typeof blockhash === 'string' && lastValid !== undefined)
      setNewest(this.#blockhashes, blockhash, { endpoint, lastValid }, MAX_BLOCKHASHES);
    const stated = method === 'getBlockHeight' ? integerOf(result) : integerOf(member(result, 'blockHeight'));
    const height = stated ?? (lastValid === undefined ? undefined : lastValid - BigInt(BLOCKHASH_BLOCKS));
    if (height === undefined || height <= (this.#heights.get(endpoint) ?? -1n)) return;
    this.#heights.set(endpoint, height);
    const old = [...this.#blockhashes].filter(
      ([, known]) => known.lastValid < (this.#heights.get(known.endpoint) ?? 0n),
    );
    if (old.length === this.#expired.size) return;
    this.#expired = new Set(old.map(([hash]) => hash));
    this.onLearned();
  }
}

const keyOf = (uri: string, name: string): string => `${uri}\n${name}`;
