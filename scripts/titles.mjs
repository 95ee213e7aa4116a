// The one rule for titles and messages, and where the product's source says either: CONTRIBUTING.md, "Titles and messages".
// A test applies the rule to the manifest, the lenses, the client's notifications, menus and buttons.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { isTranslation, sourcesOfClient } from './l10n.mjs';

const root = path.join(import.meta.dirname, '..');

/** Words that a title writes small unless they are its first or last. */
const SMALL = new Set('a an and as at by for from in nor of on or the to with'.split(' '));

/** Written small wherever they are: the names of programs. */
const NAMES = new Set(['curl']);

/** The fault in the title of an action; undefined if it is in Title Case. @param {string} title */
export function titleFault(title) {
  if (/[.:?]$/.test(title)) return 'ends like a sentence';
  const words = wordsOf(title);
  const wrong = words.find((word, at) => {
    const isInside = at > 0 && at < words.length - 1;
    if (NAMES.has(word)) return false;
    return isInside && SMALL.has(word.toLowerCase()) ? /^[A-Z]/.test(word) : /^[a-z]/.test(word);
  });
  return wrong === undefined ? undefined : `"${wrong}"`;
}

/** The fault in the message of a notification; undefined for a sentence. @param {string} message */
export function messageFault(message) {
  if (/^[a-z]/.test(message)) return 'begins small';
  if (titleFault(message) === undefined && wordsOf(message).length > 1) return 'reads like a title';
  // A value at its end, such as the reason that the service gave, brings its own end.
  return /[.?…}]$/.test(message) ? undefined : 'does not end like a sentence';
}

/** The words of a text, a value or a quoted name as one of them; no icons, nothing in brackets. @param {string} text */
const wordsOf = (text) =>
  text
    .replace(/\$\([\w-]+\)|\([^)]*\)?/g, '')
    .replace(/“[^”]*”?|"[^"]*"?|\{\d+\}/g, 'Value')
    .split(/[^\p{L}\p{N}'’-]+/u)
    .filter((word) => /^[A-Za-z]/.test(word));

/**
 * @typedef {object} Found
 * @property {string} at file:line
 * @property {string} text as it is written in the source
 */

/** Functions that make something pressable: which of their arguments is its title; the next where that is empty. */
const PRESSABLE = new Map([
  ['button', [0]],
  ['lens', [0]],
  ['command', [1]],
  ['step', [3, 0]],
]);

/** Members that hold titles of buttons, as their value or as the names of its members. */
const HOLDERS = new Set(['mend', 'answers']);

const SHOWS = /^show(?:Information|Warning|Error)Message$/;

/** @returns {Promise<{ titles: Found[], messages: Found[] }>} what actions are called, and what notifications say */
export async function spokenTexts() {
  /** @type {Found[]} */
  const titles = [];
  /** @type {Found[]} */
  const messages = [];
  for (const { name, source } of await sourcesWithTexts()) {
    const declared = declarationsOf(source);
    /** @param {Found[]} into @param {import('typescript').Node | undefined} node true unless it is an empty text */
    const collect = (into, node) => {
      const texts = node === undefined ? [] : textsOf(node, declared);
      for (const { text, start } of texts) {
        const { line } = source.getLineAndCharacterOfPosition(start);
        into.push({ at: `${name}:${line + 1}`, text });
      }
      return texts.length === 0 || texts.some(({ text }) => text !== '');
    };
    /** @param {import('typescript').Node} node */
    const visit = (node) => {
      if (ts.isObjectLiteralExpression(node)) {
        const title = memberOf(node, 'title');
        const command = memberOf(node, 'command')?.getText() ?? memberOf(node, 'id')?.getText();
        // A lens without a command says something and does nothing; an id may be a row's.
        const acts =
          memberOf(node, 'command') !== undefined ? command !== "''" : command?.includes('solanaRpc.') === true;
        if (title !== undefined && acts) collect(titles, title);
      }
      if (ts.isPropertyAssignment(node) && HOLDERS.has(node.name.getText())) collect(titles, node.initializer);
      if (ts.isCallExpression(node)) {
        const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
        const [first, ...rest] = node.arguments;
        if (first !== undefined && ts.isIdentifier(called)) {
          PRESSABLE.get(called.text)?.find((at) => collect(titles, node.arguments[at]));
          if (SHOWS.test(called.text)) {
            collect(messages, first);
            for (const each of rest) if (!ts.isObjectLiteralExpression(each)) collect(titles, each);
          }
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { titles, messages };
}

/** The client, and the files outside it that make lenses. */
async function sourcesWithTexts() {
  const lenses = ['core/requests/language/features/structure.ts', 'server/language/lenses.ts'];
  const others = lenses.map(async (name) => {
    const text = await readFile(path.join(root, name), 'utf8');
    return { name, source: ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true) };
  });
  const client = (await sourcesOfClient()).map(({ name, source }) => ({ name: `client/${name}`, source }));
  return [...client, ...(await Promise.all(others))];
}

/** Every variable and function of a file by its name. @param {import('typescript').SourceFile} source */
function declarationsOf(source) {
  /** @type {Map<string, import('typescript').Node[]>} */
  const found = new Map();
  /** @param {import('typescript').Node} node */
  const visit = (node) => {
    const isNamed = (ts.isVariableDeclaration(node) && node.initializer) || ts.isFunctionDeclaration(node);
    if (isNamed && node.name !== undefined) {
      const names = ts.isArrayBindingPattern(node.name) ? node.name.elements : [node.name];
      for (const each of names) found.set(each.getText(), [...(found.get(each.getText()) ?? []), node]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * The texts that an expression may be: what is translated in it, and in the variables that it names.
 * @param {import('typescript').Node} from @param {ReadonlyMap<string, import('typescript').Node[]>} declared
 */
function textsOf(from, declared) {
  /** @type {{ text: string, start: number }[]} */
  const found = [];
  /** @type {Set<import('typescript').Node>} */
  const seen = new Set();
  /** @param {import('typescript').Node} node */
  const visit = (node) => {
    if (seen.has(node)) return;
    seen.add(node);
    if (ts.isCallExpression(node)) {
      const [text] = node.arguments;
      if (isTranslation(node.expression)) {
        if (text !== undefined && ts.isStringLiteralLike(text)) found.push({ text: text.text, start: text.getStart() });
        return;
      }
    }
    // Texts that a value is compared with, or read by, are not shown.
    if (ts.isConditionalExpression(node)) {
      visit(node.whenTrue);
      visit(node.whenFalse);
    } else if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return;
    else if (ts.isStringLiteral(node) && node === from) found.push({ text: node.text, start: node.getStart() });
    else if (ts.isIdentifier(node)) {
      for (const each of declared.get(node.text) ?? []) if (reaches(each, node)) visit(each);
    } else ts.forEachChild(node, visit);
  };
  visit(from);
  return found;
}

/** Whether a name is seen where it is used. @param {import('typescript').Node} declaration @param {import('typescript').Node} use */
function reaches(declaration, use) {
  /** @type {import('typescript').Node | undefined} */
  let scope = declaration.parent;
  while (scope !== undefined && !ts.isBlock(scope) && !ts.isSourceFile(scope)) scope = scope.parent;
  return scope !== undefined && scope.pos <= use.pos && use.end <= scope.end;
}

/** The value of a member, which may be named by a variable alone. @param {import('typescript').ObjectLiteralExpression} object @param {string} name */
function memberOf(object, name) {
  for (const member of object.properties) {
    if (member.name === undefined || !ts.isIdentifier(member.name) || member.name.text !== name) continue;
    if (ts.isPropertyAssignment(member)) return member.initializer;
    if (ts.isShorthandPropertyAssignment(member)) return member.name;
  }
  return undefined;
}
