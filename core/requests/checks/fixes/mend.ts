// Parts of quick fixes: edits within a block, and ways to mend a problem. Types only.
import type { Position, Span } from '../../document/model';

/** Replaces a span of the block. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** A way to mend a problem: what the editor shows, and the edits within the block. */
export interface Mend {
  readonly title: string;
  /** For more than an edit: a command of the client, called with the file, the range and the edits, never the text. */
  readonly command?: string;
  readonly edits: readonly Edit[];
  /** A text to add elsewhere in the file. */
  readonly elsewhere?: { readonly at: Position; readonly text: string };
}
