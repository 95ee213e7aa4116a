// Command lines in a `.http` file: those of curl become requests as pasted ones do, of other tools it is said. Pure.
import { readMarked } from '../curl/read';
import { commandWord } from '../curl/shells';
import { heldReferences } from '../curl/variables';
import type { HttpLine } from './lines';

const OTHERS =
  /^(wget2?|https?|xhs?|grpcurl|wscat|websocat|Invoke-(?:RestMethod|WebRequest)|irm|iwr)(?:\.exe)?\s+(?=[-\w:'"/{$])/i;
const NAMES: Readonly<Record<string, string>> = { http: 'HTTPie', https: 'HTTPie' };

/** Whether a line begins a command of a tool that is not read here. */
export const beginsOtherCommand = (line: string): boolean => commandWord(line, OTHERS) !== undefined;

export type ConvertedCommand =
  | {
      readonly kind: 'block';
      /** The method of the body. */
      readonly method: string;
      /** From the request line on, `{{…}}` as it was written. */
      readonly lines: readonly string[];
      /** Sentences on what was left out. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

export function convertHttpCommand({ text }: HttpLine): ConvertedCommand {
  const other = commandWord(text.split('\n', 1)[0] ?? '', OTHERS);
  if (other !== undefined) {
    const name = NAMES[other.toLowerCase()] ?? other;
    const reason = `A command of ${name} is not read here: write POST with the URL, and the body below. It was left out.`;
    return { kind: 'refused', reason };
  }
  const held = heldReferences(text);
  const pasted = readMarked(held.text);
  if (pasted.kind === 'refused') return { kind: 'refused', reason: `The curl command was left out: ${pasted.reason}` };
  const written = held.restored(pasted.text);
  const [, ...lines] = written.trimEnd().split('\n');
  const lost = held.references.filter((reference) => !written.includes(reference));
  const omitted = [...pasted.omitted.map(held.restored), ...lost];
  return {
    kind: 'block',
    method: pasted.method,
    lines,
    notes: [
      ...(pasted.keys.length > 0
        ? ['The key in the command was left out: add it with Add Key, for its endpoint.']
        : []),
      ...(omitted.length > 0 ? [`Left out of the command: ${[...new Set(omitted)].join(', ')}.`] : []),
    ],
  };
}
