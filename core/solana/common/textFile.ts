// Text of a file: byte order marks and line ends. Pure.

const BYTE_ORDER_MARK = 0xfeff;

/** A file's text without the byte order marks it begins with, which have no position. */
export function withoutMark(text: string): string {
  let start = 0;
  while (text.charCodeAt(start) === BYTE_ORDER_MARK) start++;
  return text.slice(start);
}

/** The same lines with LF at each end: CRLF, and CR as LSP counts it, are no part of a line. */
export const withPlainEnds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
