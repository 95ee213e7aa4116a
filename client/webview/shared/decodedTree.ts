// A decoded value as a collapsible tree: names, values, guesses marked as such, changes next to the values that changed, and
// the actions for an address. Builds elements once; knows nothing of where values come from.
import type { DetailChange, DetailNode } from '../../../protocol/streams';
import { button, type Child, div, element, span } from './dom';
import type { Extension, PageTranslate } from './extension';
import { oneLineText } from './format';

/** The extension, for a page whose commands have these actions. */
export type TreeExtension = Pick<Extension<never, never, TreeCommand>, 't' | 'send'>;
type TreeCommand =
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'watch'; readonly address: string }
  | { readonly kind: 'fetchIdl'; readonly program: string };

/** Deeper parts begin closed, unless something in them changed. */
const OPEN_DEPTH = 2;
/** Of more parts than these each begins closed: a block's transactions are a list first. */
const MAX_OPEN = 20;
/** Longer values are cut; the JSON under them has the whole. */
const MAX_TEXT = 4_000;
/** Addresses are 32 to 44 characters; what is longer is a signature and has no account. */
const MAX_ADDRESS = 44;

/** The tree of a value; the root itself is a heading for its parts. */
export function decodedTree(
  root: DetailNode,
  extension: TreeExtension,
  changes: readonly DetailChange[] = [],
): HTMLElement {
  const byPath = new Map(changes.map((change) => [keyOf(change.path), change]));
  return div('decoded', nodeElement({ changes: byPath, extension }, root, [], true));
}

const keyOf = (path: readonly string[]): string => JSON.stringify(path);

/** The context shared by all nodes of a tree. */
interface TreeContext {
  /** By the path of what changed. */
  readonly changes: ReadonlyMap<string, DetailChange>;
  readonly extension: TreeExtension;
}

/** `path`: the names from below the root to this node. `isOpen`: whether it begins open. */
function nodeElement(tree: TreeContext, node: DetailNode, path: readonly string[], isOpen: boolean): HTMLElement {
  const { changes, extension } = tree;
  const change = changes.get(keyOf(path));
  const line = lineOf(node, change, extension.t);
  const actions = actionsOf(node, extension);
  if (node.parts === undefined || node.parts.length === 0)
    return div('decoded-leaf', line, actions.length > 0 && span('decoded-links', actions));
  const isChanged = [...changes.values()].some(
    ({ path: changed }) => changed.length > path.length && path.every((name, at) => changed[at] === name),
  );
  const opensParts = isOpen && path.length + 1 < OPEN_DEPTH && node.parts.length <= MAX_OPEN;
  const parts = node.parts.map((part) => nodeElement(tree, part, [...path, part.name], opensParts));
  return element(
    'details',
    { open: isOpen || isChanged },
    element('summary', { class: 'decoded-head' }, line),
    // A button within the part's own would be lost to who hears the page.
    div('decoded-parts', actions.length > 0 && div('decoded-actions', actions), parts),
  );
}

function lineOf({ name, text, isGuess }: DetailNode, change: DetailChange | undefined, t: PageTranslate): Child {
  return [
    span('decoded-name', oneLineText(name)),
    span(`decoded-text mono${change === undefined ? '' : ' changed'}`, oneLineText(text, MAX_TEXT)),
    isGuess === true && span('decoded-guess quiet', t('guess')),
    change !== undefined &&
      span('decoded-before', t('was {0}', change.before === '' ? '–' : oneLineText(change.before))),
  ];
}

function actionsOf({ address, idl: program }: DetailNode, { t, send }: TreeExtension): readonly HTMLElement[] {
  return [
    address !== undefined &&
      button(t('Copy'), () => send({ kind: 'copy', text: address }), spoken(t('Copy {0}', oneLineText(address)))),
    address !== undefined &&
      address.length <= MAX_ADDRESS &&
      button(t('Watch'), () => send({ kind: 'watch', address }), spoken(t('Watch account {0}', address))),
    program !== undefined &&
      button(
        t('Fetch IDL'),
        () => send({ kind: 'fetchIdl', program }),
        spoken(t('Fetch IDL of {0} from the chain', program)),
      ),
  ].filter((action) => action !== false);
}

const spoken = (words: string) => ({ class: 'link', 'aria-label': words, title: words });
