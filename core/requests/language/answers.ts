// Last answers of requests, for completion and hover. Provided by a port: the language core runs nothing, and the answers
// contain no keys.
import type { PathStep } from '../document/model';
import { lookUpAnswer, type RequestAnswer } from '../document/variables/answer';
import type { Release } from '../methods/releases';
import { printJson, type JsonValue } from '../../solana/json/json';
import { shortened } from '../../solana/common/ends';
import type { ChainAge } from '../../solana/chain/chain';
import type { NamedRequest } from '../document/variables/variables';

export interface AnswersPort {
  /** The last answer of the request `name` of the file `uri`; undefined if unknown. Contains no key. */
  lastAnswer(uri: string, name: string): RequestAnswer | undefined;
  /** Blockhashes (base58) from nodes that have expired by a later block height. */
  expired(): ReadonlySet<string>;
  /** The release of Agave that an endpoint named when `getVersion` was last sent to it. */
  release(endpoint: string): Release | undefined;
  /** About the newest slot of an endpoint at a time in Unix milliseconds, from the answers that named one. */
  newestSlot?(endpoint: string, now: number): bigint | undefined;
  /** The chain of an endpoint, by what its answers showed. */
  chain?(endpoint: string): ChainAge;
}

export const NO_ANSWERS: AnswersPort = {
  lastAnswer: () => undefined,
  expired: () => new Set(),
  release: () => undefined,
};

/** The value at a path of a request's last answer. */
export function lastValue(
  answers: AnswersPort,
  { document, name }: NamedRequest,
  path: readonly PathStep[],
): JsonValue | undefined {
  const answer = answers.lastAnswer(document.uri, name.text);
  if (answer === undefined) return undefined;
  if (path.length > 0) return lookUpAnswer(answer, path);
  return answer.body ?? (answer.messages === undefined ? undefined : { messages: answer.messages });
}

/** A value in one short line; a scalar with all its digits. */
export function preview(value: JsonValue, units = 60): string {
  const text = printJson(value);
  return shortened(text, units);
}
