// Finds the curl command in a pasted text and says which shell it is written for: fences, comments and prompts in front of
// it go. Pure.
import { withPlainEnds } from '../../solana/common/textFile';
import { readAssignment } from './assignments';
import { splitCmd, splitPowerShell } from './windows';
import { splitWords, type SplitWords } from './words';

export type Shell = 'posix' | 'cmd' | 'powershell';

export interface FoundCommand {
  /** From `curl` on, with line feeds alone. */
  readonly text: string;
  readonly shell: Shell;
  /** Variables that the text in front of the command gives a value. */
  readonly assigned: ReadonlyMap<string, string>;
}

/** A line that may precede a command: empty, or a comment. */
const PREFACE = /^\s*(?:(?:#|\/\/|REM\s).*)?$/i;
const FENCE = /^\s*(`{3,}|~{3,}(?!~))[^`]*$/;
/** Prompts, each with the shell that has it. */
const PROMPTS: readonly (readonly [prompt: RegExp, shell: Shell | undefined])[] = [
  [/^PS(?: [^>\n]*)?>\s*/, 'powershell'],
  [/^[A-Za-z]:[^>\n]*>\s*/, 'cmd'],
  [/^(?:\([\w.-]+\)\s*)?[\w.-]+@[\w.-][^\s$#%]*(?:\s[^\s$#%]+)?\s?[$#%]\s+/, 'posix'],
  [/^\[[\w.-]+@[^\]\n]*\][$#%]\s+/, 'posix'],
  [/^(?:ba|da|z)?sh-[\d.]+[$#%]\s+/, 'posix'],
  [/^~(?:\/[\w./-]*)? ?[$%❯>]\s+/, undefined],
  // A theme of zsh: the folder and the branch behind the arrow.
  [/^➜ +[\w.~/-]+ (?: ?git:\([^)\n]*\) )?(?:✗ )?\s*/, 'posix'],
  [/^[$%>❯➜]\s+/, undefined],
  [/^/, undefined],
];
const CURL = /^curl(?:\.exe)?\s/;

/** Undefined for a text that does not begin with a command of curl. */
export function findCommand(pasted: string): FoundCommand | undefined {
  const lines = withPlainEnds(pasted).split('\n');
  const assigned = new Map<string, string>();
  let fence: string | undefined;
  let first = 0;
  for (; first < lines.length; first++) {
    const assignment = readAssignment(lines, first);
    if (assignment !== undefined) {
      assigned.set(assignment.name, assignment.value);
      first = assignment.last;
      continue;
    }
    const line = lines[first] ?? '';
    const [, opened] = fence === undefined ? (FENCE.exec(line) ?? []) : [];
    if (opened !== undefined) fence = opened;
    else if (!PREFACE.test(line)) break;
  }
  const end = fence === undefined ? -1 : lines.findIndex((line, at) => at > first && line.trim() === fence);
  const [head = '', ...rest] = lines.slice(first, end < 0 ? undefined : end);
  const begun = commandAt(head);
  if (begun === undefined) return undefined;
  const { command, shell } = begun;
  const text = [command, ...withoutPrompts(command, rest)].join('\n').trim();
  return { text, shell: shell ?? shellOf(text), assigned };
}

/** The command on a line, and the prompt in front of it. */
function commandAt(
  line: string,
  begin = CURL,
): { readonly command: string; readonly prompt: string; readonly shell: Shell | undefined } | undefined {
  const text = line.trimStart();
  for (const [pattern, shell] of PROMPTS) {
    const found = pattern.exec(text);
    const command = text.slice(found?.[0].length ?? 0);
    if (found !== null && begin.test(command)) return { command, prompt: found[0], shell };
  }
  return undefined;
}

/** The first word of a command, as far as the line shows it; undefined where none begins that `begin` matches. */
export const commandWord = (line: string, begin: RegExp): string | undefined =>
  begin.exec(commandAt(line, begin)?.command ?? '')?.[1];

/** Whether a line begins a command of curl, as far as the line shows it. */
export const beginsCommand = (line: string): boolean => commandAt(line) !== undefined;

const SPLIT: Readonly<Record<Shell, (text: string) => SplitWords>> = {
  posix: splitWords,
  cmd: splitCmd,
  powershell: splitPowerShell,
};

/** The words of a command, as its shell splits it. */
export const wordsOf = ({ text, shell }: Pick<FoundCommand, 'text' | 'shell'>): SplitWords => SPLIT[shell](text);

/** Whether a text holds a complete command: no quote is open, and its last line is not continued. */
export function isWholeCommand(text: string): boolean {
  const found = findCommand(text);
  if (found === undefined || /[\\^`][ \t]*\n*$/.test(text)) return false;
  return wordsOf(found).kind === 'words';
}

/**
 * How shells ask for the rest of a command: `>`, `>>` of PowerShell, `More?` of cmd, `quote>`, `dquote>` and their like of
 * zsh, which names all that is open.
 */
const CONTINUED = /^(?:(?:[a-z]+(?: [a-z]+)*)?>{1,2}|More\?)(?:\s|$)/;
const GOES_ON = /[\\^`][ \t]*$|<<-?[ \t]*['"\\]?\w/;

/** The rest of a command without the prompts in front of its lines: a line without one is output. */
function withoutPrompts(command: string, lines: readonly string[]): readonly string[] {
  if (!CONTINUED.test(lines[0] ?? '')) return lines;
  if (!GOES_ON.test(command) && wordsOf({ text: command, shell: shellOf(command) }).kind === 'words') return [];
  const end = lines.findIndex((line) => !CONTINUED.test(line));
  return lines.slice(0, end < 0 ? undefined : end).map((line) => line.replace(CONTINUED, ''));
}

function shellOf(text: string): Shell {
  if (/\^[ \t]*\n/.test(text) || text.includes('^"')) return 'cmd';
  if (/ `[ \t]*\n|\$\{?env:|@['"][ \t]*\n/i.test(text) || /^curl\.exe\s[^]*(?:'[[{]+\\"|\s\$\w)/.test(text))
    return 'powershell';
  if (!text.includes("'") && /"[^"]*%[A-Za-z_]\w+%/.test(text)) return 'cmd';
  return 'posix';
}
