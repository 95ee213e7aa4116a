// The findings of `check` in one file: the input of its reports.
import type { RequestDocument } from '../../core/requests/document/model';
import type { PlacedProblem } from '../../core/requests/checks/problem';

export interface CheckedFile {
  readonly document: RequestDocument;
  readonly problems: readonly PlacedProblem[];
}
