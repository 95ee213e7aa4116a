// Lines of text of which only those in view exist, however many there are.
import { span } from '../shared/dom';
import { VirtualList } from '../shared/virtualList';

/** Pixels. */
export const LINE_HEIGHT = 20;

export class LineList {
  readonly #list: VirtualList;
  #lines: readonly string[] = [];

  /** `place`: as `PagePlace` keeps its scroll position. */
  constructor(label: string, place: string) {
    this.#list = new VirtualList({
      label,
      rowHeight: LINE_HEIGHT,
      draw: (row, index) => row.append(span('mono', this.#lines[index])),
    });
    this.element.dataset['place'] = place;
  }

  get element(): HTMLElement {
    return this.#list.element;
  }

  show(lines: readonly string[]): void {
    this.#lines = lines;
    this.#list.setCount(lines.length);
  }
}
