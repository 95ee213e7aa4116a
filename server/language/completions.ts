// Completion lists whose texts are sent one by one, when the editor shows an item: the words on every method make most of
// a list, and one of them is read. Remembers the latest list alone.
import type { CompletionItem } from 'vscode-languageserver-types';

/** Data that identifies an item for its resolution. */
interface Mark {
  readonly list: number;
  readonly index: number;
}

export class Completions {
  #list = 0;
  #latest: readonly CompletionItem[] = [];

  /** The items without their documentation. */
  brief(items: readonly CompletionItem[]): CompletionItem[] {
    this.#latest = items;
    const list = ++this.#list;
    return items.map((item, index) => {
      const { documentation, ...rest } = item;
      return documentation === undefined ? rest : { ...rest, data: { list, index } satisfies Mark };
    });
  }

  /** An item of the latest list with its documentation; any other as it is. */
  resolve(item: CompletionItem): CompletionItem {
    const mark = item.data as Partial<Mark> | undefined;
    const documentation = mark?.list === this.#list ? this.#latest[mark.index ?? -1]?.documentation : undefined;
    return documentation === undefined ? item : { ...item, documentation };
  }
}
