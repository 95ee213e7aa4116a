// Line ends of a text. Pure.

/** The same lines with LF at each end: CRLF, and CR as LSP counts it, are no part of a line. */
export const withPlainEnds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
