// A decoded value as a collapsible tree: names, values, guesses marked as such, changes next to the values that changed, and
// the actions for an address. Builds elements once; knows nothing of where values come from.
import type { DetailChange, DetailNode } from '../../../protocol/streams';
import { button, element } from './dom';
import type { PageTranslate } from './extension';
import { cutText } from './format';

export interface DecodedTreeOptions {
  readonly t: PageTranslate;
  readonly changes?: readonly DetailChange[];
  readonly onCopy: (text: string) => void;
  /** Left out where addresses cannot be watched. */
  readonly onWatch?: (address: string) => void;
  /** Left out where no IDL can be fetched. */
  readonly onFetchIdl?: (program: string) => void;
}

/** Deeper parts begin closed, unless something in them changed. */
const OPEN_DEPTH = 2;
/** Of more parts than these each begins closed: a block's transactions are a list first. */
const MAX_OPEN = 20;
/** Longer values are cut; the JSON under them has the whole. */
const MAX_TEXT = 4_000;
/** Addresses are 32 to 44 characters; what is longer is a signature and has no account. */
const MAX_ADDRESS = 44;

/** The tree of a value; the root itself is a heading for its parts. */
export function decodedTree(root: DetailNode, options: DecodedTreeOptions): HTMLElement {
  const changes = new Map((options.changes ?? []).map((change) => [keyOf(change.path), change]));
  return element('div', { class: 'decoded' }, nodeElement({ changes, options }, root, [], true));
}

const keyOf = (path: readonly string[]): string => JSON.stringify(path);

/** The context shared by all nodes of a tree. */
interface TreeContext {
  /** By the path of what changed. */
  readonly changes: ReadonlyMap<string, DetailChange>;
  readonly options: DecodedTreeOptions;
}

/** `path`: the names from below the root to this node. `isOpen`: whether it begins open. */
function nodeElement(tree: TreeContext, node: DetailNode, path: readonly string[], isOpen: boolean): HTMLElement {
  const { changes, options } = tree;
  const change = changes.get(keyOf(path));
  const line = lineOf(node, change, options);
  const actions = actionsOf(node, options);
  if (node.parts === undefined || node.parts.length === 0)
    return element('div', { class: 'decoded-leaf' }, ...line, ...together('span', 'decoded-links', actions));
  const isChanged = [...changes.values()].some(
    ({ path: changed }) => changed.length > path.length && path.every((name, at) => changed[at] === name),
  );
  const opensParts = isOpen && path.length + 1 < OPEN_DEPTH && node.parts.length <= MAX_OPEN;
  const parts = node.parts.map((part) => nodeElement(tree, part, [...path, part.name], opensParts));
  return element(
    'details',
    { open: isOpen || isChanged },
    element('summary', { class: 'decoded-head' }, ...line),
    // A button within the part's own would be lost to who hears the page.
    element('div', { class: 'decoded-parts' }, ...together('div', 'decoded-actions', actions), ...parts),
  );
}

function lineOf(node: DetailNode, change: DetailChange | undefined, options: DecodedTreeOptions): HTMLElement[] {
  const { t } = options;
  const line = [
    element('span', { class: 'decoded-name' }, cutText(node.name)),
    element(
      'span',
      { class: `decoded-text mono${change === undefined ? '' : ' changed'}` },
      cutText(node.text, MAX_TEXT),
    ),
  ];
  if (node.isGuess === true) line.push(element('span', { class: 'decoded-guess quiet' }, t('guess')));
  if (change !== undefined)
    line.push(
      element('span', { class: 'decoded-before' }, t('was {0}', change.before === '' ? '–' : cutText(change.before))),
    );
  return line;
}

function actionsOf({ address, idl: program }: DetailNode, options: DecodedTreeOptions): HTMLElement[] {
  const { t, onCopy, onWatch, onFetchIdl } = options;
  const actions: HTMLElement[] = [];
  if (address !== undefined)
    actions.push(button(t('Copy'), () => onCopy(address), spoken(t('Copy {0}', cutText(address)))));
  if (address !== undefined && onWatch !== undefined && address.length <= MAX_ADDRESS)
    actions.push(button(t('Watch'), () => onWatch(address), spoken(t('Watch account {0}', address))));
  if (program !== undefined && onFetchIdl !== undefined) {
    const words = spoken(t('Fetch IDL of {0} from the chain', program));
    actions.push(button(t('Fetch IDL'), () => onFetchIdl(program), words));
  }
  return actions;
}

/** Actions in one element; none for a node without any, as most are. */
const together = (tag: 'div' | 'span', name: string, actions: readonly HTMLElement[]): readonly HTMLElement[] =>
  actions.length === 0 ? [] : [element(tag, { class: name }, ...actions)];

const spoken = (words: string) => ({ class: 'link', 'aria-label': words, title: words });
