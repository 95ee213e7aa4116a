// Elements with their attributes and children. Text is only ever text: nothing here, or in any page, reads HTML.

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined;

/** Creates an element; an attribute that is `false` or undefined is left out, a `true` attribute is empty. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A table whose first cells are headings; its caption is for screen readers. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly (HTMLElement | string)[])[],
): HTMLTableElement {
  return element(
    'table',
    {},
    element('caption', { class: 'only-read' }, caption),
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', { scope: 'col' }, head)))),
    element(
      'tbody',
      {},
      ...rows.map(([first = '', ...cells]) =>
        element('tr', {}, element('th', { scope: 'row' }, first), ...cells.map((cell) => element('td', {}, cell))),
      ),
    ),
  );
}

const SVG = 'http://www.w3.org/2000/svg';

/** The same for drawings. */
export function drawing<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag);
  setAttributes(made, attributes);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

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
