// Runs a TextMate grammar over text as the editor does, line by line, and gives tokens with their scopes.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { OnigScanner, OnigString, loadWASM } from 'vscode-oniguruma';
import { INITIAL, Registry, parseRawGrammar } from 'vscode-textmate';

const root = path.join(__dirname, '..', '..', '..');
const GRAMMAR = path.join(root, 'syntaxes', 'jsonrpc.tmLanguage.json');

export interface Token {
  readonly text: string;
  /** From the outermost to the innermost, without the grammar's own `source.jsonrpc`. */
  readonly scopes: readonly string[];
}

/** A function that gives each line of a text as its tokens. */
export async function loadGrammar(): Promise<(text: string) => readonly (readonly Token[])[]> {
  await loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(await readFile(GRAMMAR, 'utf8'), GRAMMAR),
  });
  const grammar = await registry.loadGrammar('source.jsonrpc');
  if (grammar === null) throw new Error('the grammar does not load');
  return (text) => {
    let stack = INITIAL;
    return text.split('\n').map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
      stack = ruleStack;
      return tokens.map(({ startIndex, endIndex, scopes }) => ({
        text: line.slice(startIndex, endIndex),
        scopes: scopes.slice(1),
      }));
    });
  };
}
