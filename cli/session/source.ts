// The endpoint that a local service reads accounts from. Its questions come over IPC; each becomes one read through net,
// with the user's keys, and never anything else. URL and key stay in this process.
import { setTimeout as delay } from 'node:timers/promises';
import { printJson, member, parseJson, type JsonValue } from '../../core/values/json/json';
import { settleInterface, shownHost } from '../../net/target/target';
import type { SourceAnswer, SourceQuestion, SourceReader } from '../../process/sourceQuestions';
import type { Net, Target } from '../../net/api';
import type { PreparedRequest } from '../../core/run/model';
import { UsageError } from '../exit';
import { readArguments } from '../options';
import { resolveEndpoints } from './endpoints';
import { keyPort, readKeys } from './keys';
import { connectFrom } from './network';

/** The clusters as the Solana tools call them. */
const CLUSTERS: Readonly<Record<string, readonly string[]>> = {
  m: ['--provider', 'public:mainnet'],
  'mainnet-beta': ['--provider', 'public:mainnet'],
  d: ['--provider', 'public:devnet'],
  devnet: ['--provider', 'public:devnet'],
  t: ['--provider', 'public:testnet'],
  testnet: ['--provider', 'public:testnet'],
  l: ['--rpc-url', 'http://localhost:8899'],
  localhost: ['--rpc-url', 'http://localhost:8899'],
};

const TIMEOUT_MS = 60_000;
/** The largest account has 10 MiB, which base64 makes a third larger; many small ones may be as much. */
const MAX_ANSWER = 256 * 1024 * 1024;

/** A node's error for a minContextSlot that it has not reached, how often it is asked again, and after how long. ms */
const NOT_REACHED = -32016;
const TRIES_BEHIND = 10;
const BEHIND_MS = 400;

export interface Source {
  /** What people and the service read: a host or a profile's name, without any key. */
  readonly name: string;
  readonly read: SourceReader;
  close(): Promise<void>;
}

/** `address` is a URL, a cluster's name, or that of an endpoint profile. Throws UsageError. */
export async function openSource(address: string, keyFromStdin: boolean): Promise<Source> {
  const place = Object.hasOwn(CLUSTERS, address) ? CLUSTERS[address] : undefined;
  const isUrl = /^https?:\/\//i.test(address);
  const given = readArguments('usage', place ?? [isUrl ? '--rpc-url' : '--endpoint', address]);
  const keys = await readKeys(process.env, keyFromStdin ? process.stdin : undefined);
  const endpoints = await resolveEndpoints(given, process.env, process.cwd(), keys);
  if (endpoints.active === undefined) throw new UsageError('Which endpoint is to be read? Give a URL or a profile.');
  const target = settleInterface(endpoints.active, 'rpc');
  if (!target.ok) throw new UsageError([target.error.message, target.error.hint ?? ''].join(' ').trim());
  const { createNet } = await import('../../net/transports');
  const net = createNet({
    connect: connectFrom(process.env),
    keys: keyPort(keys, endpoints.keyOrigins, endpoints.keyWays),
  });
  return {
    name: isUrl || place !== undefined ? shownHost(target.value.url) : address,
    read: (question, signal) => read({ net, target: target.value, signal }, question),
    close: () => net.close(),
  };
}

interface Reading {
  readonly net: Net;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** Waits where a node behind the endpoint is not as far as others: it catches up within a few slots. */
async function read(reading: Reading, question: SourceQuestion): Promise<SourceAnswer> {
  for (let left = TRIES_BEHIND; ; left--) {
    const answer = await readOnce(reading, question);
    if (answer !== 'behind') return answer;
    if (left === 0) return { ok: false, message: 'Its node is too far behind the slot at which the fork began.' };
    await delay(BEHIND_MS, undefined, { signal: reading.signal }).catch(() => undefined);
  }
}

async function readOnce({ net, target, signal }: Reading, question: SourceQuestion): Promise<SourceAnswer | 'behind'> {
  const { method, params } = callOf(question);
  const request: PreparedRequest = {
    transport: 'POST',
    method,
    body: printJson({ jsonrpc: '2.0', id: 1, method, params }),
    ids: ['1'],
    isBatch: false,
    headers: [],
    timeoutMs: TIMEOUT_MS,
  };
  const limits = { inlineBytes: MAX_ANSWER, maxBytes: MAX_ANSWER };
  const answer = await net.call(target, request, { signal, ...limits });
  const error = answer.ok ? answer.value.error : answer.error;
  if (error?.kind === 'rpc' && error.code === NOT_REACHED) return 'behind';
  if (error !== undefined) return { ok: false, message: [error.message, error.hint ?? ''].join(' ').trim() };
  const body = answer.ok && answer.value.body.kind === 'text' ? answer.value.body.value : undefined;
  const result = member(body, 'result');
  return result === undefined
    ? { ok: false, message: `It answers ${method} without a result.` }
    : { ok: true, result: printJson(result) };
}

/** A read with a slot that an answer must have reached, where the service names one. */
const readAt = (minSlot: number | undefined) => ({
  ...{ encoding: 'base64', commitment: 'confirmed' },
  ...(minSlot !== undefined && { minContextSlot: minSlot }),
});

/** The one read that answers a question. */
function callOf(question: SourceQuestion): { readonly method: string; readonly params: JsonValue } {
  switch (question.ask) {
    case 'slot':
      return { method: 'getSlot', params: [{ commitment: 'confirmed' }] };
    case 'accounts':
      return { method: 'getMultipleAccounts', params: [question.addresses, readAt(question.minSlot)] };
    case 'program': {
      const filters = question.filters === undefined ? {} : { filters: parseJson(question.filters) };
      return {
        method: 'getProgramAccounts',
        params: [question.address, { ...readAt(question.minSlot), withContext: true, ...filters }],
      };
    }
    case 'tokens':
      return {
        method: 'getTokenAccountsByOwner',
        params: [question.owner, { programId: question.program }, readAt(question.minSlot)],
      };
  }
}
