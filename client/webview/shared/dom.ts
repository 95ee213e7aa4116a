// Elements with their attributes and children. Text is only ever text: nothing here, or in any page, reads HTML.

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
/** `undefined` and `false` add nothing. */
export type Child = Node | string | undefined | false | readonly Child[];

/** Creates an element; an attribute that is `false` or undefined is left out, a `true` attribute is empty. */
export const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] => completed(document.createElement(tag), attributes, children);

function completed<E extends Element>(made: E, attributes: Attributes, children: readonly Child[]): E {
  setAttributes(made, attributes);
  made.append(...present(children));
  return made;
}

const present = (children: readonly Child[]): (Node | string)[] =>
  children.flatMap((child) => {
    if (child === undefined || child === false) return [];
    return isList(child) ? present(child) : [child];
  });
const isList = (child: Child): child is readonly Child[] => Array.isArray(child);

/** Puts these in the place of an element's children. */
export const fill = (target: Element, ...children: readonly Child[]): void =>
  target.replaceChildren(...present(children));

type Made = (name: string, ...children: readonly Child[]) => HTMLElement;
/** Elements by their class. */
export const div: Made = (name, ...children) => element('div', { class: name }, ...children);
export const span: Made = (name, ...children) => element('span', { class: name }, ...children);
export const paragraph: Made = (name, ...children) => element('p', { class: name }, ...children);

/** A part that is scrolled with the keyboard too. */
export const scrollArea = (name: string, attributes: Attributes, tag: 'div' | 'pre' = 'div'): HTMLElement =>
  element(tag, { class: `${name} scrolls`, tabindex: 0, role: 'group', ...attributes });

/** Fills the page. */
export const showPage = (...parts: readonly HTMLElement[]): void => document.querySelector('#page')?.append(...parts);

/** The tools of a page. */
export const toolbar = (label: string | undefined, ...tools: readonly Child[]): HTMLElement =>
  element('div', { class: 'toolbar', role: 'toolbar', 'aria-label': label }, ...tools);

/** Names with their values; a value that is not a `dd` is put in one. */
export const definitions = (name: string, rows: readonly (readonly [string, Child])[]): HTMLElement =>
  element('dl', { class: name }, rows.map(definition));

export const definition = ([name, value]: readonly [string, Child]): HTMLElement =>
  element(
    'div',
    {},
    element('dt', {}, name),
    value instanceof HTMLElement && value.tagName === 'DD' ? value : element('dd', {}, value),
  );

/** Sentences, one below the other. */
export const bulletList = (label: string, texts: readonly string[]): HTMLElement =>
  element('ul', { class: 'notes', 'aria-label': label }, ...texts.map((text) => element('li', {}, text)));

/** A choice of one of several values. */
export function choice(
  attributes: Attributes,
  entries: readonly ChoiceEntry[] = [],
  onChoose?: (value: string) => void,
  chosen?: string,
): HTMLSelectElement {
  const made = element('select', attributes);
  made.addEventListener('change', () => onChoose?.(made.value));
  setChoices(made, entries, chosen);
  return made;
}
export type ChoiceEntry = readonly [value: string, words: string];

/** Offers other values; `chosen` absent: the first one. */
export const setChoices = (select: HTMLSelectElement, entries: readonly ChoiceEntry[], chosen?: string): void =>
  fill(
    select,
    entries.map(([value, words]) => element('option', { value, selected: value === chosen }, words)),
  );

/** The row of a table's headings. */
export const tableHead = (heads: readonly (HTMLElement | string)[]): HTMLElement => {
  const cells = heads.map((head) => (typeof head === 'string' ? element('th', { scope: 'col' }, head) : head));
  return element('thead', {}, element('tr', {}, ...cells));
};

/** A row whose first cell is its heading. */
export const tableRow = ([first, ...cells]: readonly (HTMLElement | string)[]): HTMLElement =>
  element('tr', {}, element('th', { scope: 'row' }, first), ...cells.map((cell) => element('td', {}, cell)));

/** A table; its caption is for screen readers. */
export const table = (
  caption: string,
  heads: Parameters<typeof tableHead>[0],
  rows: readonly HTMLElement[],
): HTMLTableElement =>
  element(
    'table',
    {},
    element('caption', { class: 'only-read' }, caption),
    tableHead(heads),
    element('tbody', {}, ...rows),
  );

const SVG = 'http://www.w3.org/2000/svg';

/** The same for drawings. */
export const drawing = <K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] => completed(document.createElementNS(SVG, tag), attributes, children);

export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value === undefined || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? '' : String(value));
}

/** A button that looks like the editor's own. */
export function button(label: string, onPress: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onPress);
  return made;
}

/** A button with a sign in the place of words. */
export const iconButton = (sign: string, title: string, onPress: () => void): HTMLButtonElement =>
  button(sign, onPress, { class: 'icon', 'aria-label': title, title });

/** Whether the user wants little motion: the system says so, or the editor's own setting does. */
export function wantsCalm(): boolean {
  return (
    document.body.classList.contains('vscode-reduce-motion') ||
    window.matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}

/**
 * Scrolls a box until a part of it is in its middle. The box alone: what the browser brings into view by itself also scrolls
 * the editor's frames around the page.
 */
export function center(box: Element, part: Element): void {
  const outer = box.getBoundingClientRect();
  const inner = part.getBoundingClientRect();
  box.scrollTop += inner.top - outer.top - (box.clientHeight - inner.height) / 2;
  box.scrollLeft += Math.max(0, inner.right - outer.left - box.clientWidth);
}
