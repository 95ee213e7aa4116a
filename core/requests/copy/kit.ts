// A request as a script for @solana/kit. The client is put together without its defaults, so that the request is sent
// unchanged: no commitment is added to it.
import { isJsonArray } from '../../solana/json/json';
import { hasLargeIntegers, literal, javascriptString, urlLiteral, type Dialect } from './literal';
import { headerOf, refused, type CopyCall, type CopyRequest, type CopiedRequest } from './request';
import { headerMembers, importLine, printedCalls, script } from './script';

const PACKAGE = '@solana/kit';

export function writeKit(request: CopyRequest): CopiedRequest {
  const { calls, transport } = request;
  if (calls.some(({ params }) => params !== undefined && !isJsonArray(params)))
    return refused('@solana/kit passes parameters by position, and these go by name.');
  return transport === 'WS' ? subscription(request) : requests(request);
}

/** Functions of the client that an address or a signature goes through; `used` gathers their names. */
const dialectOf = (used: Set<string>): Dialect => ({
  pubkey: (text) => through(used, 'address', text),
  signature: (text) => through(used, 'signature', text),
  large: (digits) => `${digits}n`,
});

function through(used: Set<string>, name: string, text: string): string {
  used.add(name);
  return `${name}(${javascriptString(text)})`;
}

function requests(request: CopyRequest): CopiedRequest {
  // The typed interface would round integers beyond 2^53; the plain one writes every digit.
  const isPlain = request.calls.some(({ params }) => hasLargeIntegers(params));
  const api = isPlain ? 'createJsonRpcApi' : 'createSolanaRpcApi';
  const used = new Set(['createDefaultRpcTransport', 'createRpc', api]);
  const printed = printedCalls(request.calls, (call) => `rpc.${call.method}(${paramsOf(call, used)}).send()`);
  const headers = headerMembers(request);
  return {
    kind: 'text',
    text: script([
      importLine(used, PACKAGE),
      '',
      'const rpc = createRpc({',
      isPlain
        ? '  // Writes integers beyond 2^53 with every digit.'
        : '  // Adds nothing to a request, no commitment either.',
      `  api: ${api}(),`,
      '  transport: createDefaultRpcTransport({',
      `    url: ${urlLiteral(request.url, request.keys)},`,
      ...(headers === undefined ? [] : [`    headers: ${headers},`]),
      '  }),',
      '});',
      '',
      ...printed,
    ]),
  };
}

function subscription({ calls, keys, url }: CopyRequest): CopiedRequest {
  const [call] = calls;
  if (call === undefined || calls.length > 1 || call.record?.subscription === undefined)
    return refused('@solana/kit opens a WebSocket for a single subscription only.');
  if (hasLargeIntegers(call.params)) return refused('@solana/kit rounds integers beyond 2^53 in subscriptions.');
  if (keys.some(({ auth }) => headerOf(auth) !== undefined && auth !== 'bearer'))
    return refused('@solana/kit sends no headers with a WebSocket, and this endpoint wants its key in one.');
  const used = new Set([
    'createDefaultRpcSubscriptionsTransport',
    'createDefaultSolanaRpcSubscriptionsChannelCreator',
    'createSolanaRpcSubscriptionsApi_UNSTABLE',
    'createSubscriptionRpc',
  ]);
  const subscribe = `rpcSubscriptions.${call.method.replace(/Subscribe$/, 'Notifications')}(${paramsOf(call, used)})`;
  return {
    kind: 'text',
    text: script([
      importLine(used, PACKAGE),
      '',
      'const rpcSubscriptions = createSubscriptionRpc({',
      '  // Adds nothing to a subscription, no commitment either.',
      '  api: createSolanaRpcSubscriptionsApi_UNSTABLE(),',
      '  transport: createDefaultRpcSubscriptionsTransport({',
      '    createChannel: createDefaultSolanaRpcSubscriptionsChannelCreator({',
      `      url: ${urlLiteral(url, inUrl(keys))},`,
      '    }),',
      '  }),',
      '});',
      '',
      'const stop = new AbortController();',
      `const notifications = await ${subscribe}.subscribe({ abortSignal: stop.signal });`,
      'for await (const notification of notifications) console.dir(notification, { depth: null });',
    ]),
  };
}

/** A WebSocket of a browser's kind has no headers: the key that would go in one goes in the query. */
export const inUrl = (keys: CopyRequest['keys']): CopyRequest['keys'] =>
  keys.map((key) => (key.auth === 'bearer' ? { ...key, auth: 'query' } : key));

function paramsOf({ record, params }: CopyCall, used: Set<string>): string {
  const specs = record?.params ?? [];
  const values = isJsonArray(params) ? params : [];
  return values.map((value, index) => literal(value, specs[index]?.spec, dialectOf(used))).join(', ');
}
