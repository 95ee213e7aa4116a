// Messages between a panel's page and the extension: a page sends requests, both send notifications. A page's messages
// are `unknown` until they are checked; the texts it shows are in the first message to it.
import { anything, count, kinds, type ReadBy } from './shapes';

/** A page to the extension; `ready`: the page listens. */
export const fromPage = kinds({ ready: {}, ask: { id: count, body: anything }, notify: { body: anything } });
export type FromPage = ReadBy<typeof fromPage>;

/** The extension to a page. */
export type ToPage =
  /** The answer to `ready`: the page's texts in the user's language, and its initial data. */
  | { readonly kind: 'hello'; readonly words: Words; readonly body: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }
  /** The question could not be read, or its answer failed. */
  | { readonly kind: 'refused'; readonly id: number }
  | { readonly kind: 'notify'; readonly body: unknown };

/** The page's texts by their English originals, with `{0}` for values. */
export type Words = Readonly<Record<string, string>>;
