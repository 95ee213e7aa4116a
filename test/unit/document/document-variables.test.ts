// Variables: where a name gets its value, imports and circles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCircles } from '../../../core/requests/document/variables/cycles';
import { parseDocument } from '../../../core/requests/document/document';
import { evaluate as evaluateAt, Evaluator, expand } from '../../../core/requests/document/variables/evaluate';
import type { Block, RequestDocument } from '../../../core/requests/document/model';
import { readReference } from '../../../core/requests/document/variables/reference';
import {
  Scope,
  type Evaluation,
  type ImportPort,
  type FileContext,
} from '../../../core/requests/document/variables/variables';
import { JsonNumber, printJson } from '../../../core/solana/json/json';

const HOME = 'file:///project/home.jsonrpc';

/** Imports by plain name, from texts. */
function files(texts: Readonly<Record<string, string>>): ImportPort {
  const documents = new Map(
    Object.entries(texts).map(([path, text]) => [path, parseDocument(`file:///project/${path}`, 0, text)]),
  );
  return { documentOf: (path) => documents.get(path) };
}

interface Home {
  readonly document: RequestDocument;
  readonly scope: Scope;
  readonly block: (title: string) => Block;
}

function home(text: string, surroundings: FileContext = {}): Home {
  const document = parseDocument(HOME, 0, text);
  return {
    document,
    scope: new Scope(document, surroundings),
    block: (title) => {
      const block = document.blocks.find((placed) => placed.block.title.text === title)?.block;
      assert.ok(block);
      return block;
    },
  };
}

function valueOf(result: Evaluation): unknown {
  assert.equal(result.kind, 'known', JSON.stringify(result.kind));
  return result.kind === 'known' ? result.value : undefined;
}

const evaluate = ({ scope, block }: Home, title: string, reference: string): Evaluation =>
  evaluateAt({ scope, block: block(title) }, readReference(reference, 0));

test('--var comes before everything, then the block, the preamble, imports, the profile', () => {
  const text = '# @import shared\n@a = preamble\n@b = preamble\n### x\n@a = block\n{}';
  const surroundings = {
    vars: new Map([['v', 'var']]),
    profile: new Map([
      ['a', 'profile'],
      ['p', 'profile'],
    ]),
    imports: files({ shared: '@b = import\n@c = import\n@p2 = {{p}}\n### y\n@hidden = 1' }),
  };
  const at = home(text, surroundings);
  const names = ['a', 'b', 'c', 'p', 'p2', 'v'];
  assert.deepEqual(
    names.map((name) => valueOf(evaluate(at, 'x', name))),
    ['block', 'preamble', 'import', 'profile', 'profile', 'var'],
  );
  assert.equal(evaluate(at, 'x', 'hidden').kind, 'unresolved');
  const overridden = home(text, { ...surroundings, vars: new Map([['a', 'var']]) });
  assert.equal(valueOf(evaluate(overridden, 'x', 'a')), 'var');
});

test('a name without a path is a prompt, else a variable, else the whole response of a request', () => {
  const at = home('### a\n# @name n\n{}\n### b\n# @prompt n\n@n = 1\n{}\n### c\n@n = 1\n{}\n### d\n{}');
  const prompted = evaluate(at, 'b', 'n');
  assert.equal(prompted.kind === 'unknown' && prompted.waitsFor.kind, 'prompt');
  assert.equal(valueOf(evaluate(at, 'c', 'n')), 1);
  const whole = evaluate(at, 'd', 'n');
  assert.deepEqual(whole.kind === 'unknown' && whole.waitsFor.kind === 'response' && whole.waitsFor.path, []);
});

test('with a path a name is the request, even if a variable has the same name', () => {
  const at = home('@n = 1\n### a\n# @name n\n{}\n### b\n{ "x": "{{n}}", "y": "{{n.result}}" }');
  const read = evaluate(at, 'b', 'n.result');
  assert.equal(read.kind === 'unknown' && read.waitsFor.kind, 'response');
  assert.equal(valueOf(evaluate(at, 'b', 'n')), 1);
});

test('every kind of variable comes before a request of its name', () => {
  const text = '# @import shared\n### a\n# @name i\n{}\n### b\n# @name p\n{}\n### c\n# @name v\n{}\n### x\n{}';
  const at = home(text, {
    vars: new Map([['v', 'var']]),
    profile: new Map([['p', 'profile']]),
    imports: files({ shared: '@i = import\n### far\n# @name far\n{}' }),
  });
  assert.deepEqual(
    ['i', 'p', 'v'].map((name) => valueOf(evaluate(at, 'x', name))),
    ['import', 'profile', 'var'],
  );
  const far = evaluate(at, 'x', 'far');
  assert.equal(far.kind === 'unknown' && far.waitsFor.kind, 'response');
});

test('inside the request a variable of its name does not make a circle', () => {
  const at = home('@wallet = key\n### a\n# @name wallet\n{ "params": ["{{wallet}}"] }');
  assert.equal(findCircles(at.scope).size, 0);
  const circle = home('### a\n# @name wallet\n{ "params": ["{{wallet}}"] }');
  assert.equal(findCircles(circle.scope).size, 1);
});

test('alone a reference keeps its value, elsewhere it becomes text with its digits', () => {
  const at = home('@n = 18446744073709551615\n@o = { "n": "{{n}}", "t": "a{{n}}b", "l": ["\\\\{{n}}"] }\n### x\n{}');
  const value = valueOf(evaluate(at, 'x', 'o'));
  assert.deepEqual(value, { n: new JsonNumber('18446744073709551615'), t: 'a18446744073709551615b', l: ['{{n}}'] });
});

test('a variable has the value that a run sends: bare references and names of members are filled in', () => {
  const at = home('@k = key\n@n = 18446744073709551615\n@o = { "{{k}}": {{n}}, "\\u007b{n}}": 1 }\n### x\n{}');
  const expected = { key: new JsonNumber('18446744073709551615'), '{{n}}': 1 };
  assert.deepEqual(valueOf(evaluate(at, 'x', 'o')), expected);
});

test('a chain of variables is followed to its end', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `@v${index + 1} = {{v${index}}}`);
  const at = home(`@v0 = [1]\n${lines.join('\n')}\n### x\n{}`);
  assert.deepEqual(valueOf(evaluate(at, 'x', 'v100')), [1]);
});

test('a chain of variables that is as long as a file is refused', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `@v${index + 1} = {{v${index}}}`);
  const at = home(`@v0 = [1]\n${lines.join('\n')}\n### x\n{}`);
  const found = evaluate(at, 'x', 'v20000');
  assert.deepEqual(found, { kind: 'unresolved', reason: 'The chain of variables is too long.' });
});

test('a chain that doubles at each step is refused, not built', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `@v${index + 1} = {{v${index}}}{{v${index}}}`);
  const at = home(`@v0 = xxxxxxxxxx\n${lines.join('\n')}\n### x\n{}`);
  assert.equal(evaluate(at, 'x', 'v60').kind, 'unresolved');
});

test('each caller has its own bound: shared by all that is worked out, or for each value', () => {
  const at = home('@a = xxxxxxxx\n@b = -{{a}}\n### x\n{}');
  const place = { scope: at.scope, block: at.block('x') };
  const bound = { units: 20, reason: 'Too much.' };
  const kinds = (per: 'value' | 'evaluator', count: number): string[] => {
    const evaluator = new Evaluator({ ...bound, per }, undefined);
    return Array.from({ length: count }, () => evaluator.expand(place, '{{b}}').kind);
  };
  assert.deepEqual(kinds('value', 3), ['known', 'known', 'known']);
  assert.deepEqual(kinds('evaluator', 2), ['known', 'unresolved']);
});

test('a circle of variables is a cycle', () => {
  const at = home('@a = {{b}}\n@b = x{{a}}\n### x\n{}');
  assert.equal(evaluate(at, 'x', 'a').kind, 'cycle');
});

test('what a run knows completes the value', () => {
  const at = home('@slot = {{first.result}}\n### first\n# @name first\n{}\n### x\n{}');
  assert.equal(evaluate(at, 'x', 'slot').kind, 'unknown');
  const known = expand({ scope: at.scope, block: at.block('x') }, '{{slot}}', (dynamic) =>
    dynamic.kind === 'response' ? { kind: 'value', value: 7 } : undefined,
  );
  assert.equal(printJson(known.kind === 'known' ? known.value : null), '7');
});

test('files that import each other see each other once', () => {
  const imports: ImportPort = {
    documentOf: (path) => (path === 'home' ? circle.document : path === 'other' ? other : undefined),
  };
  const other = parseDocument('file:///project/other.jsonrpc', 0, '# @import home\n@o = {{h}}\n### x');
  const circle: Home = home('# @import other\n@h = 1\n### x\n{}');
  const scope = new Scope(circle.document, { imports });
  assert.equal(valueOf(evaluateAt({ scope, block: circle.block('x') }, readReference('o', 0))), 1);
});

test('the last of two variables of one name counts', () => {
  assert.equal(valueOf(evaluate(home('@a = 1\n@a = 2\n### x\n{}'), 'x', 'a')), 2);
});

test('names of the object prototype are names like any other', () => {
  const at = home('@constructor = 1\n### x\n# @name __proto__\n{}');
  assert.equal(valueOf(evaluate(at, 'x', 'constructor')), 1);
  assert.equal(evaluate(at, 'x', 'toString').kind, 'unresolved');
  assert.equal(evaluate(at, 'x', '__proto__.result').kind, 'unknown');
});

test('braces inside a helper are reported as needless, and only they', () => {
  const reasonOf = (inner: string): string => {
    const reference = readReference(inner, 0);
    assert.ok(reference.kind === 'invalid');
    return reference.reason;
  };
  assert.match(
    reasonOf('$transfer {{shop'),
    /TO LAMPORTS\}\}\. Inside \{\{ \}\}, use variable names without braces\.$/,
  );
  assert.match(reasonOf('$transfer shop'), /TO LAMPORTS\}\}\.$/);
});
