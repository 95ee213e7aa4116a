// Helpers that need the outside: files, the environment, the wallet. They are fetched before a request is filled in; a
// transaction is built and signed here, once per request, and sent again unchanged when the request is repeated.
import { argumentText, NoValue } from '../core/requests/run/evaluate';
import { isWalletKey, keypairRefusal } from '../core/requests/tools/wallet';
import { encodeBase64 } from '../core/solana/encoding/base64';
import { attachSignature, memoMessage, transferMessage } from '../core/solana/wire/message';
import { NO_BLOCKHASH } from '../core/solana/wire/messageWriter';
import { readEnvironment } from './environment';
import { agreedByWallets, walletAddress, type HelperContext } from './outside';
import { abortable } from './wait';
import type { RunAnalysis, HelperUse } from '../core/requests/run/analyse';
import type { Helper } from '../core/requests/run/references';
import type { Home } from '../core/requests/document/variables/evaluate';
import type { JsonValue } from '../core/solana/json/json';
import type { Built } from '../core/solana/wire/message';
import type { RunPorts } from './ports';

/** Same helper, same arguments, same file: one value per request. */
export function helperKey(helper: Helper, home: Home): string {
  return [home.scope.document.uri, helper.name, ...helper.args.map((arg) => arg.text)].join('\0');
}

/** The values of a request's helpers that need the outside, by helperKey. Throws NoValue, HelperFailed, Cancelled. */
export async function fetchHelpers(
  helpers: RunAnalysis['helpers'],
  context: HelperContext,
): Promise<ReadonlyMap<string, JsonValue>> {
  const values = new Map<string, JsonValue>();
  const agreed = new Map<string, Late>();
  for (const use of helpers) {
    const key = helperKey(use.helper, use.home);
    if (values.has(key) || agreed.has(key)) continue;
    const value = await fetchHelper(use, context);
    if (typeof value === 'function') agreed.set(key, value);
    else if (value !== undefined) values.set(key, value);
  }
  for (const [key, finish] of agreed) values.set(key, await finish());
  return values;
}

/** A value that has a blockhash, which is read after the questions about all others. */
type Late = () => Promise<string>;

async function fetchHelper(
  { helper, home, span }: HelperUse,
  context: HelperContext,
): Promise<JsonValue | Late | undefined> {
  const [first = '', second = ''] = helper.args.map((arg) => arg.text);
  const { ports, world, signal } = context;
  switch (helper.name) {
    case '$file':
      return readFileHelper(first, home, ports, signal);
    case '$processEnv':
      return readEnvironment(first, ports);
    case '$wallet':
      return walletAddress(context, first === '' ? undefined : first);
    case '$transfer': {
      const from = await walletAddress(context);
      const to = first === '$wallet' ? from : argumentText(first, home, world);
      const lamports = lamportsOf(second === '' ? '' : argumentText(second, home, world));
      return signed(transferMessage({ from, to, lamports, blockhash: NO_BLOCKHASH }), context);
    }
    case '$memo': {
      const from = await walletAddress(context);
      return signed(memoMessage({ from, text: first, blockhash: NO_BLOCKHASH }), context);
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
  if (isWalletKey(read.value.trim())) throw new NoValue(keypairRefusal(path));
  return read.value.replace(/\r?\n$/, '');
}

/** Helpers that fetch nothing: a new value each time they occur. */
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
  if (!/^\d{1,20}$/.test(text)) throw new NoValue(`"${text.slice(0, 40)}" is not an amount of lamports.`);
  return BigInt(text);
}

async function signed(built: Built, context: HelperContext): Promise<Late> {
  if (!built.ok) throw new NoValue(`The transaction cannot be built: ${built.reason}.`);
  const finish = await agreedByWallets(built.message, [undefined], context);
  return async () => {
    const { message, signatures } = await finish();
    const [signature] = signatures;
    if (signature === undefined) throw new NoValue('The wallet gave no signature.');
    return encodeBase64(attachSignature(message, signature));
  };
}
