// Text in snippets of the Language Server Protocol ("Snippet Syntax"), where a dollar sign begins a place to fill in.

/** A text that is inserted as it is. */
export const snippetText = (text: string): string => text.replace(/[\\$}]/g, '\\$&');

/** A tab stop that offers these words, the first of them at once. */
export const snippetChoice = (stop: number, words: readonly string[]): string =>
  `\${${stop}|${words.map((word) => word.replace(/[\\,|]/g, '\\$&')).join(',')}|}`;

/** An escaped character, a tab stop with its word, one with a choice, or one without either. */
const PARTS = /\\([\\$},|])|\$\{\d+:((?:\\.|[^\\}$])*)\}|\$\{\d+\|((?:\\.|[^\\,|])*)(?:,(?:\\.|[^\\|])*)?\|\}|\$\d+/g;

/** A snippet as plain text: each tab stop becomes its word, or the first of its choice. */
export const withoutStops = (snippet: string): string =>
  snippet.replace(
    PARTS,
    (_all, char?: string, word?: string, choice?: string) =>
      char ?? (word ?? choice ?? '').replace(/\\([\\$},|])/g, '$1'),
  );
