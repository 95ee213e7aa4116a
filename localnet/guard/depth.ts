// Refuses JSON nested so deep that reading it would overflow a stack; one pass over the text, before it is parsed.

/** Deeper than any request of Solana's API: a batch, its request, params, config, filters, a filter, its object. */
export const MAX_JSON_DEPTH = 64;

export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
