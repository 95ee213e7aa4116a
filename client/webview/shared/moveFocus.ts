// Arrow keys within a group of which Tab stops at one element.

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Moves the focus to the element that an arrow key, Home or End leads to from the focused one; returns its index. `edge`: where
 * a step over either end leads to.
 */
export function moveFocus(
  event: KeyboardEvent,
  parts: readonly HTMLElement[],
  edge: 'stop' | 'around',
): number | undefined {
  const at = parts.findIndex((part) => part === document.activeElement);
  const last = parts.length - 1;
  const step = STEPS[event.key];
  const next = step === undefined ? { Home: 0, End: last }[event.key] : at + step;
  if (at < 0 || next === undefined) return undefined;
  event.preventDefault();
  const to = edge === 'stop' ? Math.min(Math.max(next, 0), last) : (next + parts.length) % parts.length;
  parts[to]?.focus();
  return to;
}
