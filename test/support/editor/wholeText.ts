// Texts to find things by: a part of a text would also find longer ones.

/** The text as a part of a regular expression. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * For `hasText`, which finds a string in any longer text: the whole text, apart from spaces around it. A regular expression
 * stays, and has its own `^` or `$`.
 */
export const wholeText = (text: string | RegExp): RegExp =>
  typeof text === 'string' ? new RegExp(`^\\s*${escaped(text).replaceAll(' ', '\\s')}\\s*$`) : text;
