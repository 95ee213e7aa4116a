// A decoded value as a tree that opens and closes: names, values, guesses marked as such, changes beside what changed,
// and what can be done with an address. Builds elements once; knows nothing of where values come from.
import type { DetailChange, DetailNode } from '../../../protocol/streams';
import { button, element } from './dom';
import type { Translate } from './extension';
import { shortened } from './format';

export interface DecodedTreeOptions {
  readonly t: Translate;
  readonly changes?: readonly DetailChange[];
  readonly onCopy: (text: string) => void;
  /** Left out where addresses cannot be watched. */
  readonly onWatch?: (address: string) => void;
}

/** Deeper parts begin closed, unless something in them changed. */
const OPEN_DEPTH = 2;
/** Longer values are cut; the JSON under them has the whole. */
const MAX_TEXT = 4_000;
/** Addresses are 32 to 44 characters; what is longer is a signature and has no account. */
const MAX_ADDRESS = 44;

/** The tree of a value; the root itself is a heading for its parts. */
export function decodedTree(root: DetailNode, options: DecodedTreeOptions): HTMLElement {
  const changes = new Map((options.changes ?? []).map((change) => [keyOf(change.path), change]));
  return element('div', { class: 'decoded' }, nodeElement(root, [], 0, changes, options));
}

const keyOf = (path: readonly string[]): string => JSON.stringify(path);

type Changes = ReadonlyMap<string, DetailChange>;

/** `path`: the names above this node, without the root's. */
function nodeElement(
  node: DetailNode,
  path: readonly string[],
  depth: number,
  changes: Changes,
  options: DecodedTreeOptions,
): HTMLElement {
  const change = changes.get(keyOf(path));
  const line = lineOf(node, change, options);
  if (node.parts === undefined || node.parts.length === 0) return element('div', { class: 'decoded-leaf' }, ...line);
  const isChanged = [...changes.values()].some(
    ({ path: changed }) => changed.length > path.length && path.every((name, at) => changed[at] === name),
  );
  const parts = node.parts.map((part) => nodeElement(part, [...path, part.name], depth + 1, changes, options));
  return element(
    'details',
    { open: depth < OPEN_DEPTH || isChanged },
    element('summary', { class: 'decoded-head' }, ...line),
    element('div', { class: 'decoded-parts' }, ...parts),
  );
}

function lineOf(node: DetailNode, change: DetailChange | undefined, options: DecodedTreeOptions): HTMLElement[] {
  const { t } = options;
  const line = [
    element('span', { class: 'decoded-name' }, shortened(node.name)),
    element(
      'span',
      { class: `decoded-text mono${change === undefined ? '' : ' changed'}` },
      shortened(node.text, MAX_TEXT),
    ),
  ];
  if (node.isGuess === true) line.push(element('span', { class: 'decoded-guess quiet' }, t('guess')));
  if (change !== undefined)
    line.push(
      element('span', { class: 'decoded-before' }, t('was {0}', change.before === '' ? '–' : shortened(change.before))),
    );
  if (node.address !== undefined) line.push(...actionsOf(node.address, options));
  return line;
}

function actionsOf(address: string, { t, onCopy, onWatch }: DecodedTreeOptions): HTMLElement[] {
  const actions = [action(t('Copy'), t('Copy {0}', shortened(address)), () => onCopy(address))];
  if (onWatch !== undefined && address.length <= MAX_ADDRESS)
    actions.push(action(t('Watch'), t('Watch account {0}', address), () => onWatch(address)));
  return actions;
}

/** A press on it neither opens nor closes the part it stands in. */
function action(label: string, spoken: string, onPress: () => void): HTMLElement {
  const made = button(label, onPress, { class: 'link', 'aria-label': spoken, title: spoken });
  made.addEventListener('click', (event) => event.preventDefault());
  return made;
}
