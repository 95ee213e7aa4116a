// Names from documents in snippets of completion: an editor inserts each as it is written.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { createLanguageService } from '../../../core/requests/language/service';
import { MethodTable, STANDARD_METHODS } from '../../../core/requests/methods';
import { readOpenRpc } from '../../../core/requests/methods/openrpc';
import { snippetChoice, snippetText, withoutStops } from '../../../core/requests/snippet';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { programsOf } from '../../../core/solana/decode/idl/registry';
import { marked } from './markers';

const NAMES: readonly string[] = ['a$1', '${1:x}', '${HOME}', 'a}b', 'a\\b', '\\$', 'a"b', '$', 'a,b|c'];

/** Inserts as an editor does ("Snippet Syntax" of the Language Server Protocol); an unset variable inserts nothing. */
function inserted(snippet: string): string {
  let text = '';
  let at = 0;
  const until = (ends: string, escapes: string): string => {
    let word = '';
    for (; at < snippet.length && !ends.includes(snippet.charAt(at)); at++) {
      if (snippet.charAt(at) === '\\' && escapes.includes(snippet.charAt(at + 1))) at++;
      word += snippet.charAt(at);
    }
    return word;
  };
  while (at < snippet.length) {
    text += until('$', '\\$}');
    const found = /^\$(?:\d+|[A-Za-z_]\w*|\{(?:\d+|[A-Za-z_]\w*)(?:\}|([:|])))/.exec(snippet.slice(at));
    if (found === null) {
      text += snippet.charAt(at++);
      continue;
    }
    at += found[0].length;
    if (found[1] === ':') text += until('}', '\\$}');
    if (found[1] === '|') {
      text += until(',|', '\\,|');
      at = snippet.indexOf('|}', at) + 1;
    }
    if (found[1] !== undefined) at++;
  }
  return text;
}

describe('a snippet', () => {
  for (const name of NAMES)
    test(`inserts a text as it is: ${name}`, () => {
      for (const made of [
        snippetText(name),
        `\${1:${snippetText(name)}}`,
        snippetChoice(1, [name, 'other']),
        snippetChoice(1, [name]),
      ]) {
        assert.equal(inserted(`<${made}> $2`), `<${name}> `);
        assert.equal(withoutStops(`<${made}> $2`), `<${name}> `);
      }
    });
});

/** Texts that the items of a place insert, by label. */
function insertedAt(methods: MethodTable, source: string): ReadonlyMap<string, string> {
  const service = createLanguageService({ surroundings: () => ({ methods }), log: (message) => assert.fail(message) });
  const { document, cursor } = marked(source);
  return new Map(
    service.completion(document, cursor).map(({ label, textEdit, insertTextFormat }) => {
      const text = textEdit?.newText ?? '';
      return [label, insertTextFormat === 2 ? inserted(text) : text];
    }),
  );
}

describe('an IDL', () => {
  const IDL = path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json');
  interface Instruction {
    readonly name: string;
    readonly args: readonly object[];
    readonly accounts: readonly object[];
  }
  const written = JSON.parse(readFileSync(IDL, 'utf8')) as { readonly instructions: readonly Instruction[] };
  const { idl } = readIdl(
    JSON.stringify({
      ...written,
      instructions: written.instructions.map((one) => ({
        ...one,
        args: NAMES.map((name) => ({ name, type: 'u64' })),
        accounts: NAMES.map((name) => ({ name })),
      })),
    }),
  );
  assert.ok(idl);
  const methods = STANDARD_METHODS.withPrograms(programsOf([{ idl }]));
  const call = (inside: string): string =>
    `### x\n{ "method": "sendTransaction", "params": [{ "$transaction": { "instructions": [{ "program": "counter", "instruction": "increment", ${inside} }] } }] }\n`;

  test('names arguments and accounts as they are written', () => {
    for (const [place, value] of [
      ['args', '0'],
      ['accounts', '""'],
    ]) {
      const found = insertedAt(methods, call(`"${place}": { ‸ }`));
      for (const name of NAMES) assert.equal(found.get(name), `${JSON.stringify(name)}: ${value}`);
    }
  });
});

describe('an OpenRPC document', () => {
  const enumeration = ['a,b', 'c'];
  const params = [
    { name: '$1', required: true, schema: { type: 'string' } },
    { name: 'kind', required: true, schema: { enum: enumeration } },
  ];
  const document = { openrpc: '1.0.0', methods: [{ name: 'm', paramStructure: 'by-name', params }] };
  const methods = new MethodTable(readOpenRpc(JSON.stringify(document), 'x').methods);

  test('names parameters and values as they are written', () => {
    const found = insertedAt(methods, '### x\n{ "method": "m", "params": ‸ }\n');
    assert.deepEqual(JSON.parse(found.get('params') ?? ''), { $1: 'string', kind: 'a,b' });
  });
});
