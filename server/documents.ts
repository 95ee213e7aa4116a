// The open files as parsed documents, kept up to date edit by edit. Reads no disk.
import type { TextDocumentContentChangeEvent } from './lsp';
import { applyEdit, parseDocument } from '../core/document/document';
import type { RequestDocument } from '../core/document/model';

export class Documents {
  readonly #open = new Map<string, RequestDocument>();

  get(uri: string): RequestDocument | undefined {
    return this.#open.get(uri);
  }

  all(): readonly RequestDocument[] {
    return [...this.#open.values()];
  }

  open(uri: string, version: number, text: string): RequestDocument {
    const document = parseDocument(uri, version, text);
    this.#open.set(uri, document);
    return document;
  }

  /** Applies the changes of one notification in their order; undefined for a file that is not open. */
  change(
    uri: string,
    version: number,
    changes: readonly TextDocumentContentChangeEvent[],
  ): RequestDocument | undefined {
    let document = this.#open.get(uri);
    if (document === undefined) return undefined;
    for (const change of changes) {
      document =
        'range' in change
          ? applyEdit(document, version, change.range, change.text)
          : parseDocument(uri, version, change.text);
    }
    this.#open.set(uri, document);
    return document;
  }

  close(uri: string): void {
    this.#open.delete(uri);
  }
}
