// Finds the curl command in a pasted text and says which shell it is written for: fences, comments and prompts in front of
// it go. Pure.

export type Shell = 'posix' | 'cmd' | 'powershell';

export interface FoundCommand {
  /** From `curl` on, with line feeds alone. */
  readonly text: string;
  readonly shell: Shell;
}

/** A line that may be in front of a command: empty, or a comment that is none itself. */
const PREFACE = /^\s*(?:(?:#|\/\/|REM\s).*)?$/i;
const FENCE = /^\s*(```+|~~~+)[^`]*$/;
/** Prompts, each with the shell that has it. */
const PROMPTS: readonly (readonly [prompt: RegExp, shell: Shell | undefined])[] = [
  [/^PS(?: [^>\n]*)?>\s*/, 'powershell'],
  [/^[A-Za-z]:[^>\n]*>\s*/, 'cmd'],
  [/^(?:\([\w.-]+\)\s*)?[\w.-]+@[\w.-]+[^\s$#%]*\s?[^\s$#%]*[$#%]\s+/, 'posix'],
  [/^[$%>❯➜]\s+/, undefined],
  [/^/, undefined],
];
const CURL = /^curl(?:\.exe)?\s/;

/** Undefined for a text that does not begin with a command of curl. */
export function findCommand(pasted: string): FoundCommand | undefined {
  const lines = pasted.replace(/\r\n?/g, '\n').split('\n');
  let fence: string | undefined;
  let first = 0;
  for (; first < lines.length; first++) {
    const line = lines[first] ?? '';
    const [, opened] = fence === undefined ? (FENCE.exec(line) ?? []) : [];
    if (opened !== undefined) fence = opened;
    else if (!PREFACE.test(line)) break;
  }
  const end = fence === undefined ? -1 : lines.findIndex((line, at) => at > first && line.trim() === fence);
  const [head = '', ...rest] = lines.slice(first, end < 0 ? undefined : end);
  for (const [prompt, shell] of PROMPTS) {
    const found = prompt.exec(head.trimStart());
    const command = head.trimStart().slice(found?.[0].length ?? 0);
    if (found === null || !CURL.test(command)) continue;
    const text = [command, ...(found[0] === '' ? rest : withoutPrompts(rest))].join('\n').trim();
    return { text, shell: shell ?? shellOf(text) };
  }
  return undefined;
}

/** A shell asks for the rest of a command with `>`. */
const withoutPrompts = (lines: readonly string[]): readonly string[] => {
  const written = lines.filter((line) => line.trim() !== '');
  return written.length > 0 && written.every((line) => /^>+\s/.test(line))
    ? lines.map((line) => line.replace(/^>+\s/, ''))
    : lines;
};

function shellOf(text: string): Shell {
  if (/\^[ \t]*\n/.test(text) || text.includes('^"')) return 'cmd';
  if (/ `[ \t]*\n/.test(text) || /^curl\.exe\s[^]*'[[{]+\\"/.test(text)) return 'powershell';
  return 'posix';
}
