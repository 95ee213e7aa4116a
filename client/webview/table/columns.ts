// The columns of a table on the page: which are shown, how wide they are, and the choice of them. Pure apart from the elements
// it creates.
import type { Column, ColumnPath } from '../../../core/service/response/table';
import { button, div, element, span } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { visible } from '../shared/visible';

/** Columns that are shown before the user chooses. */
const SHOWN = 12;
/** In characters of the editor's font. */
const MIN_WIDTH = 6;
const MAX_WIDTH = 46;

export interface ShownColumn {
  readonly path: ColumnPath;
  readonly name: string;
  readonly isNumber: boolean;
  /** In characters. */
  width: number;
}

export const idOf = (path: ColumnPath): string => JSON.stringify(path);
const nameOf = (path: ColumnPath, value: string): string => visible(path.join('.')) || value;

export class Columns {
  #all: readonly ShownColumn[] = [];
  readonly #hidden = new Set<string>();
  #shown: readonly ShownColumn[] = [];

  get shown(): readonly ShownColumn[] {
    return this.#shown;
  }

  get all(): readonly ShownColumn[] {
    return this.#all;
  }

  get hidden(): readonly ColumnPath[] {
    return this.#all.filter(({ path }) => this.#hidden.has(idOf(path))).map(({ path }) => path);
  }

  /** Takes the columns of a list; `hidden`: what the user took out, undefined where nothing was chosen yet. */
  set(columns: readonly Column[], hidden: readonly ColumnPath[] | undefined, t: PageTranslate): void {
    const widths = new Map(this.#all.map(({ path, width }) => [idOf(path), width]));
    this.#all = columns.map(({ path, isNumber, width }) => ({
      path,
      name: nameOf(path, t('value')),
      isNumber,
      width: widths.get(idOf(path)) ?? Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)) + 3,
    }));
    const out = hidden ?? this.#all.slice(SHOWN).map(({ path }) => path);
    this.#hidden.clear();
    for (const path of out) this.#hidden.add(idOf(path));
    this.#choose();
  }

  toggle(path: ColumnPath, isShown: boolean): void {
    if (isShown) this.#hidden.delete(idOf(path));
    else this.#hidden.add(idOf(path));
    this.#choose();
  }

  showAll(isShown: boolean): void {
    for (const { path } of this.#all) this.toggle(path, isShown);
  }

  #choose(): void {
    const shown = this.#all.filter(({ path }) => !this.#hidden.has(idOf(path)));
    // A table without columns would be no table.
    this.#shown = shown.length > 0 ? shown : this.#all.slice(0, 1);
  }
}

/** Check boxes for all columns, in a box that opens under its button. */
export function columnChoice(columns: Columns, t: PageTranslate, onChange: () => void): HTMLElement {
  const boxes = columns.all.map(({ path, name }) => {
    const box = element('input', { type: 'checkbox' });
    box.checked = columns.shown.some((shown) => shown.path === path);
    box.addEventListener('change', () => {
      columns.toggle(path, box.checked);
      onChange();
    });
    return { box, label: element('label', {}, box, span('mono clipped', name)) };
  });
  const every = (isShown: boolean) => (): void => {
    columns.showAll(isShown);
    for (const { box } of boxes) box.checked = isShown;
    onChange();
  };
  return element(
    'fieldset',
    { class: 'choice' },
    element('legend', { class: 'only-read' }, t('Columns')),
    div('choice-all', button(t('All'), every(true)), button(t('None'), every(false))),
    ...boxes.map(({ label }) => label),
  );
}
