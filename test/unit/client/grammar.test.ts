// The colours of a request file: what each piece of text is called for themes.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { loadGrammar, type Token } from '../../support/data/grammar';

let tokenize: (text: string) => readonly (readonly Token[])[];
before(async () => {
  tokenize = await loadGrammar();
});

/** The innermost scope of the first token of the last line that reads exactly `text`. */
function scopeOf(source: string, text: string): string {
  const line = tokenize(source).at(-1) ?? [];
  const token = line.find((candidate) => candidate.text.trim() === text);
  assert.ok(token, `no token ${text} in ${JSON.stringify(line.map((candidate) => candidate.text))}`);
  return token.scopes.at(-1) ?? '';
}

/** [source: its last line is looked at, token, innermost scope] */
const ROWS: readonly (readonly [string, string, string])[] = [
  ['### Balance of a wallet', '###', 'punctuation.definition.heading.jsonrpc'],
  ['### Balance of a wallet', 'Balance of a wallet', 'entity.name.section.jsonrpc'],
  ['# a comment', '#', 'punctuation.definition.comment.jsonrpc'],
  ['  // a comment', 'a comment', 'comment.line.jsonrpc'],
  ['# @name balance', '@name', 'keyword.other.directive.jsonrpc'],
  ['# @name balance', 'balance', 'entity.name.function.jsonrpc'],
  ['//@name balance', 'balance', 'entity.name.function.jsonrpc'],
  ['# @note sends a {{what}} transaction', 'what', 'variable.other.readwrite.jsonrpc'],
  ['# @prompt amount How much?', 'amount', 'variable.other.readwrite.jsonrpc'],
  ['# @until 5 messages or 10s', '5', 'constant.numeric.json'],
  ['# @until 5 messages or 10s', 'messages', 'keyword.control.jsonrpc'],
  ['# @until 5 messages or 10s', 's', 'keyword.other.unit.jsonrpc'],
  ['# @retry 20 every 500ms while result == null', 'while', 'keyword.control.jsonrpc'],
  ['# @retry 20 every 500ms while result == null', 'result', 'variable.language.jsonrpc'],
  ['# @retry 20 every 500ms while result == null', 'null', 'constant.language.json'],
  ['# @disabled', '@disabled', 'keyword.other.directive.jsonrpc'],
  ['@wallet = 9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g', 'wallet', 'variable.other.readwrite.jsonrpc'],
  [
    '@wallet = 9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g',
    '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g',
    'string.unquoted.jsonrpc',
  ],
  ['@system = 11111111111111111111111111111111', '11111111111111111111111111111111', 'constant.numeric.json'],
  ['@c = { "commitment": "confirmed" }', 'commitment', 'support.type.property-name.json'],
  ['@c = { "commitment": "confirmed" }', 'confirmed', 'string.quoted.double.json'],
  ['POST https://{{host}}/sol', 'POST', 'keyword.control.transport.jsonrpc'],
  ['POST https://{{host}}/sol', 'https://', 'string.unquoted.url.jsonrpc'],
  ['POST https://{{host}}/sol', 'host', 'variable.other.readwrite.jsonrpc'],
  ['WS', 'WS', 'keyword.control.transport.jsonrpc'],
  ['GRPC geyser.Geyser/Subscribe', 'geyser.Geyser', 'entity.name.type.jsonrpc'],
  ['GRPC geyser.Geyser/Subscribe', 'Subscribe', 'entity.name.function.method.jsonrpc'],
  ['GRPC http://127.0.0.1:10000/geyser.Geyser/GetSlot', 'http://127.0.0.1:10000', 'string.unquoted.url.jsonrpc'],
  ['x-client: {{who}}', 'x-client', 'entity.other.attribute-name.header.jsonrpc'],
  ['x-client: {{who}}', 'who', 'variable.other.readwrite.jsonrpc'],
  ['?? result.value >= 5000', '??', 'keyword.other.assertion.jsonrpc'],
  ['?? result.value >= 5000', 'result', 'variable.language.jsonrpc'],
  ['?? result.value >= 5000', 'value', 'variable.other.property.jsonrpc'],
  ['?? result.value >= 5000', '>=', 'keyword.operator.comparison.jsonrpc'],
  ['?? result.value >= 5000', '5000', 'constant.numeric.json'],
  ['?? messages.length length 3', 'length', 'variable.other.property.jsonrpc'],
  ['?? [2].result.value.blockhash isString', '2', 'constant.numeric.jsonrpc'],
  ['?? [2].result.value.blockhash isString', 'isString', 'keyword.operator.expression.jsonrpc'],
  ['?? result["solana core"] == "x"', 'solana core', 'string.quoted.double.json'],
  ['?? duration < 500ms', '500', 'constant.numeric.jsonrpc'],
  ['?? messages[0].context.slot >= {{warm[1].result}}', 'warm', 'variable.other.readwrite.jsonrpc'],
  ['>> ! out/{{name}}.json', '!', 'keyword.operator.redirect.jsonrpc'],
  ['>> out.json', 'out.json', 'string.unquoted.path.jsonrpc'],
  ['{ "method": "getSlot" }', 'method', 'support.type.property-name.json'],
  ['{ "method": "getSlot" }', 'getSlot', 'support.function.method.jsonrpc'],
  ['[{ "id": 1, "method": "getSlot" }]', '1', 'constant.numeric.json'],
  ['{ "params": ["{{wallet}}", null] }', 'wallet', 'variable.other.readwrite.jsonrpc'],
  ['{ "params": ["{{wallet}}", null] }', 'null', 'constant.language.json'],
  ['{ "params": [{{wallet}}] }', 'wallet', 'variable.other.readwrite.jsonrpc'],
  ['{ "params": ["{{land.result[0].x}}"] }', 'x', 'variable.other.property.jsonrpc'],
  ['{ "params": ["{{$file ./transfer.b64}}"] }', '$file', 'support.function.jsonrpc'],
  ['{ "params": ["{{$file ./transfer.b64}}"] }', './transfer.b64', 'string.unquoted.jsonrpc'],
  ['{ "params": ["{{$randomInt 1 9}}"] }', '9', 'constant.numeric.json'],
  ['{ "params": ["\\\\{{text}}"] }', '\\\\{{', 'constant.character.escape.jsonrpc'],
  ['{ "params": ["a\\nb"] }', '\\n', 'constant.character.escape.json'],
  ['{ "a": 1 } // never sent', 'never sent', 'comment.line.double-slash.json'],
  ['{ "a": /* why */ 1 }', 'why', 'comment.block.json'],
  ['{ "url": "https://host" }', 'https://host', 'string.quoted.double.json'],
  ['{ "a": {\n  "b": [1,\n### Next', 'Next', 'entity.name.section.jsonrpc'],
  ['### One\n{ "a": {\n### Two\n?? status == 200', 'status', 'variable.language.jsonrpc'],
  ['### One\n{ "a": 1 }\n?? error.code == -32602', '-32602', 'constant.numeric.json'],
];

describe('grammar', () => {
  for (const [source, text, scope] of ROWS)
    test(`calls ${text} in ${JSON.stringify(source)} ${scope}`, () => {
      assert.equal(scopeOf(source, text), scope);
    });

  test('gives every character of a line to exactly one token', () => {
    for (const [source] of ROWS)
      for (const [index, line] of tokenize(source).entries())
        assert.equal(line.map((token) => token.text).join(''), source.split('\n')[index]);
  });

  test('leaves no bracket of a broken body open in the next block', () => {
    const lines = tokenize('### One\n{ "a": [ { "b": "{{x\n### Two\n# @name two\n{ "method": "getSlot" }');
    assert.deepEqual(
      lines.at(-1)?.map((token) => token.scopes.length > 0 && token.scopes[0]),
      lines.at(-1)?.map(() => 'meta.structure.dictionary.json'),
    );
  });
});
