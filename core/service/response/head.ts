// Indents the beginning of a response that is too large to show, and names where the rest is. Accepts a text cut
// anywhere; validates nothing.
import { stringEnd } from '../../solana/json/json';

const OPENING = '{[';
const CLOSING = '}]';
const INDENT = '  ';

/** `head`: start of the body as received; `bytes`: size of the whole body. */
export function headDocument(head: string, bytes: number): string {
  const lines = indented(head).split('\n');
  // The last one is cut off.
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  return `${whole.join('\n')}\n\n// ${sentence(bytes)}\n`;
}

const sentence = (bytes: number): string =>
  `This is only the beginning. The whole response has ${(bytes / 1_000_000).toFixed(1)} MB and is kept in a file: ` +
  'the lenses in the first line open it or save it.';

/** The text with a line for each member and item; strings and digits stay as they are. */
function indented(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  const line = (): string => `\n${INDENT.repeat(depth)}`;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = stringEnd(text, at);
      parts.push(text.slice(at, end));
      at = end - 1;
    } else if (OPENING.includes(char)) {
      const next = nextChar(text, at + 1);
      if (CLOSING.includes(text[next] ?? ' ')) {
        parts.push(char, text[next] ?? '');
        at = next;
        continue;
      }
      depth++;
      parts.push(char, line());
    } else if (CLOSING.includes(char)) {
      depth = Math.max(0, depth - 1);
      parts.push(line(), char);
    } else if (char === ',') parts.push(char, line());
    else if (char === ':') parts.push(': ');
    else if (!/\s/.test(char)) parts.push(char);
  }
  return parts.join('');
}

function nextChar(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}
