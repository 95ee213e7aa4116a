// Copied requests: which forms a block is offered in, what a real shell makes of the commands, and that no key, and no
// key's variable for a stranger's host, is ever in one. That the scripts run is test/contract/service/copied.test.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import type { CopyForm } from '../../../core/requests/copy/request';
import { readCurl } from '../../../core/requests/curl/read';
import { parseDocument } from '../../../core/requests/document/document';
import { copyOffers } from '../../../core/requests/language/features/copyAs';
import { createLanguageService } from '../../../core/requests/language/service';
import type { EndpointProfile } from '../../../core/service/profiles/profile';

const HOST = 'https://host.example';
const PROFILE: EndpointProfile = {
  name: 'p',
  rpcUrl: `${HOST}/sol`,
  wsUrl: 'wss://host.example/ws/sol',
  grpcUrl: 'https://grpc.example:10000',
};
const ENVIRONMENT = {
  SOLANA_RPC_KEY: 'rpc from env',
  SOLANA_GRPC_KEY: 'grpc from env',
  SOLANA_SWQOS_KEY: 'swqos from env',
};
const NASTY = `### A\n{ "method": "getSlot", "id": "it's \\\\ $HOME \`id\` \\"q\\" \\u2028 é 🎉" }`;

const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });

function offersOf(text: string, profile: EndpointProfile | undefined = PROFILE) {
  const copies = service.copies(parseDocument('file:///a.jsonrpc', 0, text), 0, profile, copyOffers);
  assert.equal(copies.kind, 'offers', JSON.stringify(copies));
  return copies;
}

function textOf(form: CopyForm, text: string, profile: EndpointProfile | undefined = PROFILE): string {
  const written = offersOf(text, profile).offers.find((offer) => offer.form === form)?.written;
  assert.equal(written?.kind, 'text', JSON.stringify(written));
  return written.text;
}

/** The words a real shell passes to the program, standard input first. A shell function replaces the program. */
function words(program: string, command: string): { readonly input: string; readonly args: readonly string[] } {
  const stub = `${program}() { [ -t 0 ] || cat; printf '\\0'; printf '%s\\0' "$@"; }`;
  const [input = '', ...args] = execFileSync('sh', ['-c', `${stub}\n${command}`], {
    encoding: 'utf8',
    input: '',
    env: { ...ENVIRONMENT, PATH: process.env['PATH'] },
  }).split('\0');
  return { input, args: args.slice(0, -1) };
}

const sentBy = (text: string): string => (JSON.parse(text.slice(text.indexOf('{'))) as { readonly id: string }).id;

describe('what a block is offered as', () => {
  const rows: readonly (readonly [string, string, readonly CopyForm[]])[] = [
    ['a request', '### A\n{ "method": "getSlot" }', ['curl', 'kit', 'web3']],
    ['a subscription', '### A\n{ "method": "slotSubscribe" }', ['kit', 'web3', 'wscat', 'websocat']],
    ['a call over gRPC', '### A\nGRPC geyser.Geyser/GetSlot\n{}', ['grpcurl']],
    [
      'a transaction with priority',
      '### A\nSWQOS\n{ "method": "sendTransaction", "params": ["a"] }',
      ['curl', 'kit', 'web3'],
    ],
  ];
  for (const [what, text, forms] of rows)
    test(`${what}: ${forms.join(', ')}`, () =>
      assert.deepEqual(
        offersOf(text).offers.map(({ form }) => form),
        forms,
      ));

  test('a value that only a run knows is reported, and left in the text', () => {
    const copies = offersOf('### A\n{ "method": "getBalance", "params": ["{{$wallet}}"] }');
    assert.deepEqual(copies.open, ['{{$wallet}}']);
  });

  test('a variable is filled in with every digit', () => {
    const block =
      '### A\n@limit = 18446744073709551615\n{ "method": "getSlot", "params": [{ "minContextSlot": {{limit}} }] }';
    assert.match(textOf('curl', block), /"minContextSlot":18446744073709551615\}/);
    assert.match(textOf('kit', block), /minContextSlot: 18446744073709551615n/);
  });

  test('a client that cannot say it gives the reason', () => {
    const { offers } = offersOf('### A\n{ "method": "blockSubscribe", "params": ["all"] }');
    const web3 = offers.find(({ form }) => form === 'web3')?.written;
    assert.equal(web3?.kind, 'refused');
    assert.match(web3.reason, /blockSubscribe/);
  });

  test('a request that is asked without a key is copied without one', () => {
    const block = '### A\n# @auth none\n{ "method": "getSlot" }';
    for (const form of ['curl', 'kit', 'web3'] as const)
      assert.doesNotMatch(textOf(form, block), /SOLANA_|Authorization/);
    const at = (rpcUrl: string): EndpointProfile => ({ name: 'p', rpcUrl, auth: { rpc: 'path' } });
    const inQuery = textOf('curl', block, at(`${HOST}/sol?api-key={key}&slot=1`));
    assert.match(inQuery, /'https:\/\/host\.example\/sol\?slot=1'/);
    const copies = service.copies(parseDocument('file:///a.jsonrpc', 0, block), 0, at(`${HOST}/v2/{key}`), copyOffers);
    assert.ok(copies.kind === 'refused' && /cannot be asked without/.test(copies.reason), JSON.stringify(copies));
  });

  test('a member named __proto__ stays a member', () => {
    const text = textOf('kit', '### A\n{ "method": "getSlot", "params": [{ "__proto__": 1 }] }');
    assert.match(text, /\['__proto__'\]: 1/);
  });
});

describe('commands in a real shell', () => {
  test('curl gets the exact body, and can be pasted back', () => {
    const text = textOf('curl', NASTY);
    const { args } = words('curl', text);
    assert.equal(sentBy(args.at(-1) ?? ''), sentBy(NASTY));
    assert.ok(args.includes('Authorization: Bearer rpc from env'));
    const pasted = readCurl(
      textOf('curl', '### A\n{ "method": "getSlot", "params": [{ "minContextSlot": 18446744073709551615 }] }'),
    );
    assert.ok(pasted.kind === 'block' && pasted.text.includes('18446744073709551615'));
  });

  test('a key travels as the profile says', () => {
    const urlOf = (auth: EndpointProfile['auth'], rpcUrl: string): readonly string[] =>
      words('curl', textOf('curl', NASTY, { ...PROFILE, rpcUrl, ...(auth !== undefined && { auth }) })).args;
    assert.ok(urlOf({ rpc: 'query' }, `${HOST}/sol`).includes(`${HOST}/sol?api_key=rpc from env`));
    assert.ok(urlOf({ rpc: 'query' }, `${HOST}/sol?a=b`).includes(`${HOST}/sol?a=b&api_key=rpc from env`));
    assert.ok(urlOf({ rpc: 'header:X-$Key' }, `${HOST}/sol`).includes('X-$Key: rpc from env'));
    assert.ok(urlOf({ rpc: 'path' }, `${HOST}/{key}/x`).includes(`${HOST}/rpc from env/x`));
    assert.ok(!textOf('curl', NASTY, { ...PROFILE, auth: { rpc: 'none' } }).includes('_KEY'));
  });

  const SUBSCRIBE = NASTY.replace('getSlot', 'slotSubscribe');

  test('wscat connects with the key and sends the exact body', () => {
    const { args } = words('wscat', textOf('wscat', SUBSCRIBE));
    assert.deepEqual(args.slice(0, 4), [
      '--connect',
      'wss://host.example/ws/sol',
      '--header',
      'Authorization: Bearer rpc from env',
    ]);
    assert.equal(sentBy(args.at(-1) ?? ''), sentBy(SUBSCRIBE));
  });

  test('websocat gets the exact body as one line of its input', () => {
    const { input, args } = words('websocat', textOf('websocat', SUBSCRIBE));
    assert.equal(input.split('\n').length, 2);
    assert.equal(sentBy(input), sentBy(SUBSCRIBE));
    assert.deepEqual(args.slice(2), ['--header=Authorization: Bearer rpc from env', 'wss://host.example/ws/sol']);
  });

  test('grpcurl gets the message, the metadata and the call', () => {
    const block = `### A\nGRPC geyser.Geyser/IsBlockhashValid\n{ "blockhash": "it's $HOME" }`;
    const { args } = words('grpcurl', textOf('grpcurl', block));
    assert.deepEqual(args.slice(-2), ['grpc.example:10000', 'geyser.Geyser/IsBlockhashValid']);
    assert.ok(args.includes('Authorization: Bearer grpc from env'));
    assert.equal(args[args.indexOf('-d') + 1], `{"blockhash":"it's $HOME"}`);
    assert.ok(!args.includes('-plaintext'));
  });

  test('a stream over gRPC keeps its request open, without TLS where the address says so', () => {
    const block = '### A\nGRPC geyser.Geyser/Subscribe\n{ "slots": { "it\'s": {} } }';
    const { input, args } = words(
      'grpcurl',
      textOf('grpcurl', block, { ...PROFILE, grpcUrl: 'http://127.0.0.1:10000' }),
    );
    assert.equal(input, `{"slots":{"it's":{}}}`);
    assert.equal(args[args.indexOf('-d') + 1], '@');
    assert.ok(args.includes('-plaintext'));
  });
});

describe('keys', () => {
  const KEY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';

  test('a request that holds one is not copied', () => {
    for (const text of [
      `### A\nPOST ${HOST}/sol?api_key=${KEY}\n\n{ "method": "getSlot" }`,
      `### A\nPOST ${HOST}/sol\nAuthorization: Bearer ${KEY}\n\n{ "method": "getSlot" }`,
    ]) {
      const copies = service.copies(parseDocument('file:///a.jsonrpc', 0, text), 0, PROFILE, copyOffers);
      assert.equal(copies.kind, 'refused');
      assert.ok(!copies.reason.includes(KEY));
    }
  });

  test('no variable of a key goes to a host that is not the endpoint', () => {
    for (const form of ['curl', 'kit', 'web3'] as const)
      assert.doesNotMatch(textOf(form, '### A\nPOST https://other.example/sol\n\n{ "method": "getSlot" }'), /_KEY/);
  });

  test('a socket whose key goes in a custom header is not offered to clients without headers', () => {
    const { offers } = offersOf('### A\n{ "method": "slotSubscribe" }', { ...PROFILE, auth: { ws: 'header:x-token' } });
    const refusals = offers.filter(({ written }) => written.kind === 'refused').map(({ form }) => form);
    assert.deepEqual(refusals, ['kit', 'web3']);
  });
});
