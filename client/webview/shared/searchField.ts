// The field that a response is searched or filtered by, once the user pauses typing.
import { MAX_NEEDLE } from '../../../protocol/pageLimits';
import { element } from './dom';

export interface SearchFieldOptions {
  readonly placeholder: string;
  readonly label: string;
  readonly pauseMs: number;
  readonly onText: (text: string) => void;
  /** Acts at once; absent: Enter has no effect. */
  readonly onEnter?: (text: string, hasShift: boolean) => void;
}

export function searchField({ placeholder, label, pauseMs, onText, onEnter }: SearchFieldOptions): HTMLInputElement {
  const names = { placeholder, 'aria-label': label };
  const field = element('input', { type: 'search', maxlength: MAX_NEEDLE, spellcheck: 'false', ...names });
  let typing: ReturnType<typeof setTimeout> | undefined;
  field.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => onText(field.value), pauseMs);
  });
  field.addEventListener('keydown', ({ key, shiftKey }) => {
    if (key !== 'Enter' || onEnter === undefined) return;
    clearTimeout(typing);
    onEnter(field.value, shiftKey);
  });
  return field;
}
