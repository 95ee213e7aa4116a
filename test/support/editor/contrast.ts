// The contrast of two colours on the screen, as defined by WCAG 2.
import type { Locator } from 'playwright-core';

/** The parts of the page's window that are used. */
interface Styles {
  getComputedStyle(element: unknown): { readonly color: string; readonly backgroundColor: string };
}

/** The colour that an element has in the page, as `rgb(…)`. */
export const colorOf = (element: Locator, property: 'color' | 'backgroundColor'): Promise<string> =>
  element.evaluate((shown, name) => (globalThis as unknown as Styles).getComputedStyle(shown)[name], property);

/** From 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Throws for a colour with which nothing can be compared, a transparent one. */
function luminance(color: string): number {
  const [red, green, blue, alpha = 1] = [...color.matchAll(/[\d.]+/g)].map(Number);
  if (red === undefined || green === undefined || blue === undefined || alpha < 1)
    throw new Error(`No opaque colour: ${color}`);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
