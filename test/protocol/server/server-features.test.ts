// Every editor feature of the built server at a marked place of a text: "|" is the cursor.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEFAULT_SETTINGS } from '../../../protocol/settings';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';

const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

let server: RunningServer;
let files = 0;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

/** Opens the text without its mark, and sends a request for the mark's position. */
async function ask(source: string, method: string, more: object = {}): Promise<string> {
  const at = source.indexOf('|');
  const text = source.slice(0, at) + source.slice(at + 1);
  const lines = source.slice(0, at).split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  const uri = `file:///requests/feature${files++}.jsonrpc`;
  await server.open(uri, text);
  const whole = { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } };
  const params = {
    textDocument: { uri },
    position,
    positions: [position],
    range: method.endsWith('codeAction') ? { start: position, end: position } : whole,
    context: { diagnostics: [], includeDeclaration: true },
    options: { tabSize: 2, insertSpaces: true },
    ...more,
  };
  return JSON.stringify(await server.connection.sendRequest(method, params));
}

interface Row {
  readonly what: string;
  readonly text: string;
  readonly answer: RegExp;
  readonly more?: object;
}

const call = (method: string, params: string): string => `### a\n{ "method": "${method}", "params": [${params}] }\n`;

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  completion: [
    { what: 'a request line', text: '### a\n|', answer: /"label":"SWQOS"/ },
    { what: 'a gRPC method', text: '### a\nGRPC |', answer: /geyser\.Geyser\/Subscribe/ },
    { what: 'a directive', text: '### a\n# @|', answer: /"label":"until"/ },
    { what: 'an import', text: '# @|\n### a', answer: /"label":"import"/ },
    { what: 'a member of the request', text: '### a\n{ "|" }', answer: /"label":"params"/ },
    {
      what: 'a method, with its parameters',
      text: '### a\n{ "method": "|" }',
      answer: /\\"getBalance\\", \\"params\\"/,
    },
    { what: 'a known address', text: call('getBalance', '|'), answer: new RegExp(TOKEN) },
    { what: 'a config member', text: call('getBalance', `"${KEY}", { | }`), answer: /"label":"minContextSlot"/ },
    {
      what: 'a commitment level',
      text: call('getBalance', `"${KEY}", { "commitment": | }`),
      answer: /"label":"finalized"/,
    },
    { what: 'an enum value', text: call('getLargestAccounts', '{ "filter": | }'), answer: /"label":"circulating"/ },
    {
      what: 'filters by kind of account',
      text: call('getProgramAccounts', `"${TOKEN}", { "filters": [|] }`),
      answer: /Token accounts of an owner/,
    },
    { what: 'a variable', text: '@wallet = 1\n### a\n{ "id": "{{|}}" }', answer: /"label":"wallet"/ },
    { what: 'a helper', text: '### a\n{ "id": "{{|}}" }', answer: /"label":"\$guid"/ },
    {
      what: 'a path of a response',
      text: '### a\n# @name h\n{ "method": "getLatestBlockhash" }\n### b\n{ "id": "{{h.result.value.|}}" }',
      answer: /"label":"blockhash"/,
    },
    { what: 'the path of an assertion', text: `${call('getSlot', '')}?? |`, answer: /"label":"result"/ },
    { what: 'the operator of an assertion', text: `${call('getSlot', '')}?? result |`, answer: /"label":"isNumber"/ },
    { what: 'a member of a gRPC message', text: '### a\nGRPC geyser.Geyser/Subscribe\n{ "|" }', answer: /"slots/ },
  ],
  hover: [
    { what: 'a method', text: '### a\n{ "method": "get|Slot" }', answer: /slot/i },
    { what: 'a known address', text: call('getBalance', `"Token|${TOKEN.slice(5)}"`), answer: /SPL Token/ },
    { what: 'lamports', text: call('requestAirdrop', `"${KEY}", 15|00000000`), answer: /1\.5 SOL/ },
    { what: 'a variable', text: `@w = ${TOKEN}\n### a\n{ "id": "{{|w}}" }`, answer: /SPL Token/ },
    { what: 'a response', text: '### a\n# @name h\n{}\n### b\n{ "id": "{{h.re|sult}}" }', answer: /response of `h`/ },
    { what: 'a directive', text: '### a\n# @re|try 2 every 1s\n{}', answer: /retry/ },
    { what: 'a request line', text: '### a\nSW|QOS\n{}', answer: /SWQoS|priority/i },
  ],
  signatureHelp: [{ what: 'params', text: call('getBalance', `"${KEY}", |`), answer: /"activeParameter":1/ }],
  definition: [
    { what: 'a variable', text: '@w = 1\n### a\n{ "id": "{{|w}}" }', answer: /"line":0,"character":1/ },
    {
      what: 'a request',
      text: '### a\n# @name h\n{}\n### b\n{ "id": "{{h.re|sult}}" }',
      answer: /"line":1,"character":8/,
    },
  ],
  references: [{ what: 'a variable', text: '@|w = 1\n### a\n{ "id": "{{w}}" }', answer: /"line":0.*"line":2/ }],
  documentHighlight: [{ what: 'a variable', text: '@|w = 1\n### a\n{ "id": "{{w}}" }', answer: /"line":2/ }],
  linkedEditingRange: [
    { what: 'a name', text: '@|w = 1\n### a\n{ "id": "{{w}}" }', answer: /"line":0.*"line":2.*wordPattern/ },
    { what: 'a use', text: '@w = 1\n### a\n{ "id": "{{|w}}" }', answer: /^null$/ },
  ],
  rename: [
    {
      what: 'a request',
      text: '### a\n# @name |h\n{}\n### b\n{ "id": "{{h.result}}" }',
      answer: /"newText":"k".*"k"/,
      more: { newName: 'k' },
    },
  ],
  prepareRename: [{ what: 'a request', text: '### a\n# @name |h\n{}', answer: /"line":1,"character":8/ }],
  codeAction: [
    { what: 'the nearest method', text: '### a\n{ "method": "get|Slo" }', answer: /getSlot/ },
    { what: 'quotes for a variable', text: '@w = 1\n### a\n{ "id": {{|w}} }', answer: /"newText":"\\"\{\{w\}\}\\""/ },
  ],
  formatting: [{ what: 'a whole file', text: '@a=1\n### x\n{"id":1}\n|', answer: /"@a = 1"/ }],
  rangeFormatting: [
    {
      what: 'only the lines asked for',
      text: '@a=1\n### x\n# @tag   b\n{ "id": 1 }\n|',
      answer: /^(?!.*@a = 1).*@tag b/,
      more: { range: { start: { line: 2, character: 0 }, end: { line: 2, character: 9 } } },
    },
  ],
  onTypeFormatting: [
    { what: 'a line that was left', text: '@a=1\n|', answer: /"@a = 1"/, more: { ch: '\n' } },
    { what: 'a body that was closed', text: '### x\n{"id":1}|\n', answer: /"newText"/, more: { ch: '}' } },
  ],
  foldingRange: [{ what: 'a block', text: '### a\n{\n  "id": 1\n}\n|', answer: /"startLine":0/ }],
  documentSymbol: [{ what: 'the outline', text: '### First\n{ "method": "getSlot" }\n|', answer: /"name":"First"/ }],
  selectionRange: [
    { what: 'a token and what is around it', text: '### a\n{ "id": |1 }', answer: /"parent":.*"parent":/ },
  ],
  'semanticTokens/full': [{ what: 'a file', text: '### a\n{ "method": "getSlot" }|', answer: /"data":\[\d/ }],
  inlayHint: [
    { what: 'lamports', text: `|${call('requestAirdrop', `"${KEY}", 1500000000`)}`, answer: /1\.5 SOL/ },
    { what: 'addresses', text: `|${call('getBalance', `"${TOKEN}"`)}`, answer: /SPL Token/ },
  ],
  documentLink: [{ what: 'documentation', text: '|### a\n{ "method": "getSlot" }', answer: /https:/ }],
  codeLens: [{ what: 'a request', text: '|### a\n{ "method": "getSlot" }', answer: /Send/ }],
};

for (const [feature, rows] of Object.entries(ROWS))
  describe(feature, () => {
    for (const { what, text, answer, more } of rows)
      test(what, async () => assert.match(await ask(text, `textDocument/${feature}`, more), answer));
  });

describe('inlay hints that are turned off', () => {
  const text = `|${call('requestAirdrop', `"${TOKEN}", 1500000000`)}`;
  const shown = { lamports: /1\.5 SOL/, addresses: /SPL Token/, defaults: /commitment: / } as const;
  for (const off of ['lamports', 'addresses', 'defaults'] as const)
    test(`${off} alone are gone`, async (t) => {
      const settings = { ...DEFAULT_SETTINGS, 'inlayHints.defaults': true, [`inlayHints.${off}`]: false };
      const kept = server;
      server = await startServer({ window: { settings } });
      t.after(async () => {
        await server.stop();
        server = kept;
      });
      const hints = await ask(text, 'textDocument/inlayHint');
      for (const [kind, pattern] of Object.entries(shown))
        if (kind === off) assert.doesNotMatch(hints, pattern);
        else assert.match(hints, pattern);
    });
});
