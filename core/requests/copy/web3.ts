// A request as a script for @solana/web3.js (version 1). Uses Connection's function for the call if it has one; otherwise
// passes the call unchanged to Connection's own request function.
import type { ValueSpec } from '../methods/types';
import { isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../solana/json/json';
import { inUrl } from './kit';
import { hasLargeIntegers, literal, javascriptString, urlLiteral, type Dialect } from './literal';
import { headerOf, refused, type CopyCall, type CopyRequest, type CopiedRequest } from './request';
import { headerMembers, importLine, printedCalls, script } from './script';
import { CONNECTION_CALLS, CONNECTION_LISTENERS, type ConnectionCall } from './web3Calls';

const PACKAGE = '@solana/web3.js';

export function writeWeb3(request: CopyRequest): CopiedRequest {
  if (request.calls.some(({ params }) => hasLargeIntegers(params)))
    return refused('@solana/web3.js rounds integers beyond 2^53. Copy as curl or @solana/kit.');
  if (request.calls.some(({ params }) => params !== undefined && !isJsonArray(params)))
    return refused('@solana/web3.js passes parameters by position, and these go by name.');
  return request.transport === 'WS' ? listener(request) : requests(request);
}

const AS_TEXT: Dialect = { pubkey: javascriptString, signature: javascriptString, large: (digits) => digits };

/** Addresses as the client's own class. `used` gathers the imports; `misfit` is called for a text that is not an address. */
function withKeys(used: Set<string>, misfit: () => void): Dialect {
  return {
    ...AS_TEXT,
    misfit,
    pubkey(text) {
      used.add('PublicKey');
      return `new PublicKey(${javascriptString(text)})`;
    },
  };
}

function requests(request: CopyRequest): CopiedRequest {
  const used = new Set(['Connection']);
  const printed = printedCalls(request.calls, (call) => `connection.${callText(call, used)}`);
  const headers = headerMembers(request);
  const url = urlLiteral(request.url, request.keys);
  return {
    kind: 'text',
    text: script([
      importLine(used, PACKAGE),
      '',
      ...(headers === undefined
        ? [`const connection = new Connection(${url});`]
        : [`const connection = new Connection(${url}, {`, `  httpHeaders: ${headers},`, '});']),
      '',
      ...printed,
    ]),
  };
}

function callText(call: CopyCall, used: Set<string>): string {
  const params = isJsonArray(call.params) ? call.params : [];
  for (const form of CONNECTION_CALLS[call.method] ?? []) {
    const text = formText(form, call, params, used);
    if (text !== undefined) return text;
  }
  const values = params.map((value) => literal(value, undefined, AS_TEXT)).join(', ');
  return `_rpcRequest(${javascriptString(call.method)}, [${values}])`;
}

/** The call in this form; undefined where the form would say something else. */
function formText(
  form: ConnectionCall,
  call: CopyCall,
  params: readonly JsonValue[],
  used: Set<string>,
): string | undefined {
  const config = params[form.args];
  if (params.length > form.args + 1 || !takesConfig(form, config)) return undefined;
  const args = argsText(params.slice(0, form.args), specsOf(call), used);
  if (args === undefined) return undefined;
  const last = isJsonObject(config) ? configText(form, config) : undefined;
  return `${form.name}(${[...args, ...(last === undefined ? [] : [last])].join(', ')})`;
}

const specsOf = ({ record }: CopyCall): readonly ValueSpec[] => record?.params.map(({ spec }) => spec) ?? [];

function argsText(
  params: readonly JsonValue[],
  specs: readonly ValueSpec[],
  used: Set<string>,
): readonly string[] | undefined {
  const names = new Set<string>();
  let fits = true;
  const dialect = withKeys(names, () => (fits = false));
  const args = params.map((value, index) => {
    const spec = specs[index];
    // A config that moved forward, because an optional parameter before it was left out.
    if (value === null || (isJsonObject(value) && spec?.kind !== 'object')) fits = false;
    return literal(value, spec, dialect);
  });
  if (!fits) return undefined;
  names.forEach((name) => used.add(name));
  return args;
}

function takesConfig(
  { config: known = [], encoding, encodingMayBeLeftOut }: ConnectionCall,
  given?: JsonValue,
): boolean {
  const asked = member(given, 'encoding');
  if (given !== undefined && !isJsonObject(given)) return false;
  if (encoding === undefined ? asked !== undefined : asked !== encoding) {
    if (asked !== undefined || encodingMayBeLeftOut !== true) return false;
  }
  return Object.entries(given ?? {}).every(
    ([name, value]) => name === 'encoding' || (known.includes(name) && value !== null && isTaken(name, value)),
  );
}

/** The client looks into filters, and knows those that are objects; it cannot read a block of signatures alone. */
function isTaken(name: string, value: JsonValue): boolean {
  if (name === 'filters') return isJsonArray(value) && value.every(isJsonObject);
  return name !== 'transactionDetails' || value !== 'signatures';
}

/** The config without the function's own encoding; undefined if nothing is left. */
function configText({ bareCommitment }: { readonly bareCommitment?: true }, config: JsonObject): string | undefined {
  const rest = Object.fromEntries(Object.entries(config).filter(([name]) => name !== 'encoding'));
  return wordOrObject(rest, bareCommitment === true);
}

function wordOrObject(config: JsonObject, isBare: boolean): string | undefined {
  const commitment = member(config, 'commitment');
  if (isBare) return typeof commitment === 'string' ? javascriptString(commitment) : undefined;
  return Object.keys(config).length === 0 ? undefined : literal(config, undefined, AS_TEXT);
}

function listener({ calls, keys, url, httpUrl }: CopyRequest): CopiedRequest {
  const [call] = calls;
  const form = call === undefined ? undefined : CONNECTION_LISTENERS[call.method];
  if (call === undefined || form === undefined || calls.length > 1)
    return refused(`@solana/web3.js has no function for ${call?.method ?? 'this'} over a WebSocket.`);
  if (keys.some(({ auth }) => headerOf(auth) !== undefined && auth !== 'bearer'))
    return refused('@solana/web3.js sends no headers with a WebSocket, and this endpoint wants its key in one.');
  const params = isJsonArray(call.params) ? call.params : [];
  const config = params[form.args] ?? {};
  const used = new Set(['Connection']);
  const mentioned = mentionIn(params[0]);
  const args =
    mentioned === undefined
      ? argsText(params.slice(0, form.args), specsOf(call), used)
      : argsText([mentioned], [{ kind: 'pubkey' }], used);
  const isKnown =
    isJsonObject(config) &&
    Object.entries(config).every(([name, value]) => form.config?.includes(name) === true && isTaken(name, value));
  if (args === undefined || !isKnown || params.length > form.args + 1)
    return refused(`@solana/web3.js cannot say all that this ${call.method} says. Copy as @solana/kit.`);
  const last = wordOrObject(config, form.bareCommitment === true);
  const print = '(...notification) => console.dir(notification, { depth: null })';
  return {
    kind: 'text',
    text: script([
      importLine(used, PACKAGE),
      '',
      `const connection = new Connection(${javascriptString(httpUrl ?? url.replace(/^ws/, 'http'))}, {`,
      `  wsEndpoint: ${urlLiteral(url, inUrl(keys))},`,
      '});',
      '',
      `connection.${form.name}(${[...args, print, ...(last === undefined ? [] : [last])].join(', ')});`,
    ]),
  };
}

/** The address in `{ mentions: [address] }`: Connection takes it alone. */
function mentionIn(value: JsonValue | undefined): JsonValue | undefined {
  const mentions = member(value, 'mentions');
  return isJsonArray(mentions) ? mentions[0] : undefined;
}
