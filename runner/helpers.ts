// Helpers that need the outside: files, the environment, the wallet. They are fetched before a request is filled in; a
// transaction is built and signed here, once per request, and sent again unchanged when the request is repeated.
import { argumentText, NoValue } from '../core/run/evaluate';
import { lookUp } from '../core/run/answer';
import { encodeBase64 } from '../core/values/encoding/base64';
import { attachSignature, memoMessage, transferMessage } from '../core/values/solana/message';
import { integerOf } from '../core/values/json/json';
import { readEnvironment } from './environment';
import { abortable } from './wait';
import type { Analysis, HelperUse } from '../core/run/analyse';
import type { Helper } from '../core/run/references';
import type { World } from '../core/run/evaluate';
import type { Home } from '../core/document/evaluate';
import type { ServiceError } from '../core/errors';
import type { PreparedRequest } from '../core/run/model';
import type { JsonValue } from '../core/values/json/json';
import type { Built } from '../core/values/solana/message';
import type { RunPorts } from './ports';

/** A helper failed for a reason the service or the wallet gave. */
export class HelperFailed extends Error {
  constructor(readonly error: ServiceError) {
    super(error.message);
    this.name = 'HelperFailed';
  }
}

export interface HelperContext {
  readonly ports: RunPorts;
  readonly world: World;
  readonly endpoint: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Of the blockhash that a transaction built here is signed with. */
  readonly commitment: () => 'confirmed' | 'finalized';
  /** Told the last block height at which a transaction built here can land. */
  readonly onBlockhash?: (lastValidBlockHeight: bigint) => void;
}

/** Same helper, same arguments, same file: one value per request. */
export function helperKey(helper: Helper, home: Home): string {
  return [home.scope.document.uri, helper.name, ...helper.args.map((arg) => arg.text)].join('\0');
}

/** The values of a request's helpers that need the outside, by helperKey. Throws NoValue, HelperFailed, Cancelled. */
export async function fetchHelpers(
  helpers: Analysis['helpers'],
  context: HelperContext,
): Promise<ReadonlyMap<string, JsonValue>> {
  const values = new Map<string, JsonValue>();
  for (const use of helpers) {
    const key = helperKey(use.helper, use.home);
    if (values.has(key)) continue;
    const value = await fetchHelper(use, context);
    if (value !== undefined) values.set(key, value);
  }
  return values;
}

async function fetchHelper({ helper, home, span }: HelperUse, context: HelperContext): Promise<JsonValue | undefined> {
  const [first = '', second = ''] = helper.args.map((arg) => arg.text);
  const { ports, world, signal, endpoint } = context;
  switch (helper.name) {
    case '$file':
      return readFileHelper(first, home, ports, signal);
    case '$processEnv':
      return readEnvironment(first, ports);
    case '$wallet':
      return walletAddress(endpoint, context);
    case '$transfer': {
      const from = await walletAddress(endpoint, context);
      const to = first === '$wallet' ? from : argumentText(first, home, world);
      const lamports = lamportsOf(second === '' ? '' : argumentText(second, home, world));
      const blockhash = await freshBlockhash(context);
      return signed(transferMessage({ from, to, lamports, blockhash }), context);
    }
    case '$memo': {
      const from = await walletAddress(endpoint, context);
      return signed(memoMessage({ from, text: first, blockhash: await freshBlockhash(context) }), context);
    }
    default:
      return (await import('./solanaHelpers')).solanaHelper({ helper, home, span }, context);
  }
}

/** `{{$file path}}`: the text without one trailing line break. */
export async function readFileHelper(
  path: string,
  home: Home,
  ports: Pick<RunPorts, 'files'>,
  signal: AbortSignal,
): Promise<string> {
  const read = await abortable(ports.files.read(path, home.scope.document.uri, 'value'), signal);
  if (!read.ok) throw new NoValue(read.error.message);
  return read.value.replace(/\r?\n$/, '');
}

/** Helpers that need nothing fetched: a new value each time they are met. */
export function instantHelper(helper: Helper, ports: RunPorts): JsonValue {
  const [first = '', second = ''] = helper.args.map((arg) => arg.text);
  switch (helper.name) {
    case '$guid':
      return ports.random.uuid();
    case '$timestamp':
      return ports.clock.unixSeconds();
    case '$randomInt':
      return randomInteger(Number(first), Number(second), ports);
    default:
      throw new NoValue(`There is no helper ${helper.name}.`);
  }
}

function randomInteger(min: number, max: number, ports: RunPorts): number {
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || max < min) {
    throw new NoValue('$randomInt takes two integers, the smaller one first, within 2^53.');
  }
  return ports.random.integer(min, max);
}

function lamportsOf(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw new NoValue(`"${text.slice(0, 40)}" is no amount of lamports.`);
  return BigInt(text);
}

/** The address of the endpoint's wallet. Throws HelperFailed, Cancelled. */
export async function walletAddress(endpoint: string | undefined, { ports, signal }: HelperContext): Promise<string> {
  const address = await abortable(ports.wallet.address(endpoint), signal);
  if (!address.ok) throw new HelperFailed(address.error);
  return address.value;
}

/** The signature of the endpoint's wallet; whether it may sign is the port's to decide. Throws HelperFailed, Cancelled. */
export async function walletSignature(
  message: Uint8Array,
  { ports, endpoint, signal }: HelperContext,
): Promise<Uint8Array> {
  const signature = await abortable(ports.wallet.sign(endpoint, message), signal);
  if (!signature.ok) throw new HelperFailed(signature.error);
  return signature.value;
}

async function signed(built: Built, context: HelperContext): Promise<string> {
  if (!built.ok) throw new NoValue(`The transaction cannot be built: ${built.reason}.`);
  return encodeBase64(attachSignature(built.message, await walletSignature(built.message, context)));
}

/** Asks the endpoint, beside the requests of the file. `params`: as JSON. Throws HelperFailed, Cancelled. */
export async function ask(method: string, params: string, context: HelperContext): Promise<JsonValue | undefined> {
  const { ports, endpoint, timeoutMs, signal } = context;
  const request: PreparedRequest = {
    transport: 'POST',
    method,
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
    ids: ['1'],
    isBatch: false,
    headers: [],
    ...(endpoint === undefined ? {} : { endpoint }),
    timeoutMs,
  };
  const answer = await abortable(ports.send(request, signal), signal);
  if (!answer.ok) throw new HelperFailed(answer.error);
  if (answer.value.error !== undefined) throw new HelperFailed(answer.value.error);
  const { body } = answer.value;
  return body.kind === 'text' ? body.value : undefined;
}

/** A blockhash for a transaction that is sent now. Throws NoValue, HelperFailed, Cancelled. */
export async function freshBlockhash(context: HelperContext): Promise<string> {
  const answer = await ask('getLatestBlockhash', `[{"commitment":"${context.commitment()}"}]`, context);
  const value = lookUp(answer, ['result', 'value']);
  const blockhash = lookUp(value, ['blockhash']);
  const lastValid = integerOf(lookUp(value, ['lastValidBlockHeight']));
  if (lastValid !== undefined) context.onBlockhash?.(lastValid);
  if (typeof blockhash !== 'string') throw new NoValue('The endpoint gave no blockhash to sign with.');
  return blockhash;
}
