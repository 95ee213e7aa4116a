// The input of a file's checks: its document, its surroundings, and the files that it names.
import type { RequestDocument } from '../document/model';
import type { RowsReading } from '../document/variables/rows';
import type { FileContext } from '../document/variables/variables';

/** Files that a request file names. */
export interface FilesPort {
  /** The rows of `path`, which `@foreach` in the file `from` (a URI) names, or why not; undefined if not known. */
  rows(path: string, from: string): RowsReading | undefined;
  /** Why `path`, named in the file `from`, cannot be read; undefined where it can, or nobody knows. */
  whyNotRead?(path: string, from: string): string | undefined;
  /** Why a response may not be saved under `path`, named in the file `from`; undefined where it may, or nobody knows. */
  whyNotSaved?(path: string, from: string): string | undefined;
}

export interface FileAnalysis {
  readonly document: RequestDocument;
  readonly surroundings: FileContext;
  readonly files?: FilesPort;
  /** Files that may import this one. */
  readonly others?: readonly RequestDocument[];
}
