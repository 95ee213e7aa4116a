// GET and POST /local/fork: what a fork has fetched so far, and what it is to fetch now: lists of accounts, which no call
// fetches by itself, and accounts that will be needed offline.
import { isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../../core/solana/json/json';
import { isPublicKey } from '../../core/solana/chain/keys';
import { json, restError, type HttpReply } from '../http/answer';
import { ForkError, type Fork } from '../node/open';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../ledger/accounts/addresses';
import { SourceError, type SourceChannel } from '../source/channel';

const NO_FORK = 'This ledger is not a fork. Start it with --fork URL.';
const FORMS =
  'Give one of {"addresses": […]}, {"program": ADDRESS, "filters": […]} and {"owner": ADDRESS}, whose token accounts are fetched.';
/** Addresses of one call. */
const MAX_ADDRESSES = 1_000;

export function forkStatus(fork: Fork | undefined): HttpReply {
  return fork === undefined ? restError(404, NO_FORK) : json(200, { ...fork.status() });
}

interface Forked {
  readonly fork: Fork | undefined;
  readonly source: SourceChannel | undefined;
}

/** Answers what the fork has then, and how many accounts of it are new. */
export async function prefetch({ fork, source }: Forked, body: JsonValue | undefined): Promise<HttpReply> {
  if (fork === undefined || source === undefined) return restError(404, NO_FORK);
  const order = orderOf(body);
  if (order === undefined) return restError(400, FORMS);
  const before = fork.status().fetched;
  try {
    await order(fork, source);
  } catch (error) {
    if (error instanceof ForkError || error instanceof SourceError) return restError(502, error.message);
    throw error;
  }
  const status = fork.status();
  return json(200, { ...status, added: status.fetched - before });
}

type Order = (fork: Fork, source: SourceChannel) => Promise<void>;

/** Reads an order; accounts that its results refer to, such as mints, are fetched by the calls that need them. */
function orderOf(body: JsonValue | undefined): Order | undefined {
  if (!isJsonObject(body)) return undefined;
  const names = Object.keys(body).sort().join();
  const [addresses, filters] = [member(body, 'addresses'), member(body, 'filters')];
  const [program, owner] = [addressOf(member(body, 'program')), addressOf(member(body, 'owner'))];
  if (names === 'addresses' && isJsonArray(addresses) && addresses.length <= MAX_ADDRESSES) {
    const all = addresses.flatMap((address) => addressOf(address) ?? []);
    return all.length === addresses.length ? (fork) => fork.touch(all) : undefined;
  }
  if (program !== undefined && (names === 'program' || (names === 'filters,program' && isJsonArray(filters))))
    return async (fork, source) => {
      fork.take(await source.program(program, filters === undefined ? undefined : printJson(filters)));
    };
  if (owner !== undefined && names === 'owner')
    return async (fork, source) => {
      for (const tokens of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) fork.take(await source.tokens(owner, tokens));
    };
  return undefined;
}

export function addressOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && isPublicKey(value) ? value : undefined;
}
