// Messages between a panel's page and the extension: a page sends requests, both send notifications. What a page says is
// `unknown` until it was read; the words it shows come with the first message.

/** A page to the extension. */
export type FromPage =
  /** The page listens. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'ask'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'notify'; readonly body: unknown };

/** The extension to a page. */
export type ToPage =
  /** The answer to `ready`: the page's words in the user's language, and what it shows first. */
  | { readonly kind: 'hello'; readonly words: Words; readonly body: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }
  /** The question could not be read, or its answer failed. */
  | { readonly kind: 'refused'; readonly id: number }
  | { readonly kind: 'notify'; readonly body: unknown };

/** The page's texts by their English, with `{0}` for what is put in. */
export type Words = Readonly<Record<string, string>>;
