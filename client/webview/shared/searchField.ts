// The field that something is searched or filtered by, once the user pauses typing.
import { element } from './dom';

export interface SearchFieldOptions {
  readonly placeholder: string;
  readonly label: string;
  /** UTF-16 units. */
  readonly longest: number;
  readonly pauseMs: number;
  readonly onText: (text: string) => void;
  /** Acts at once; absent: Enter has no effect. */
  readonly onEnter?: (text: string, hasShift: boolean) => void;
}

export function searchField({
  placeholder,
  label,
  longest,
  pauseMs,
  onText,
  onEnter,
}: SearchFieldOptions): HTMLInputElement {
  const names = { placeholder, 'aria-label': label };
  const field = element('input', { type: 'search', maxlength: longest, spellcheck: 'false', ...names });
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
