// Variables of the shell in a pasted command: marked while the command is split into words, written as references in the
// block. Noncharacters of Unicode are the marks: no text has them. Pure.

const OPEN = '\ufdd0';
const NUMBER = '\ufdd1';
const CLOSE = '\ufdd2';
const MARKED = /[\ufdd0\ufdd1]([A-Za-z_]\w*)\ufdd2/g;

/** `$NAME`, `${NAME}` at a place of a text; `$env:NAME` of PowerShell, too. */
const POSIX = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y;
const POWERSHELL = /\$(?:(?:env:)?([A-Za-z_]\w*)|\{(?:env:)?([A-Za-z_]\w*)\})/iy;
/** A name in percent signs; two hexadecimal digits are a character of a URL. */
const CMD = /%(?![0-9A-Fa-f]{2}%)([A-Za-z_]\w*)%/g;

/** A name with the marks around it. */
export const marked = (name: string): string => `${OPEN}${name}${CLOSE}`;

/** A text that holds none of the marks. */
export const withoutMarks = (text: string): string => text.replace(/[\ufdd0-\ufdd2]/g, '\ufffd');

/** The variable of a shell at a place: its marked name, and where it ends. */
export function variableAt(
  text: string,
  at: number,
  shell: 'posix' | 'powershell' = 'posix',
): { readonly text: string; readonly end: number } | undefined {
  const pattern = shell === 'posix' ? POSIX : POWERSHELL;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : { text: marked(found[1] ?? found[2] ?? ''), end: pattern.lastIndex };
}

/** The variables of cmd, which it fills in before it looks at quotes. */
export const markCmd = (text: string): string => text.replace(CMD, (_, name: string) => marked(name));

/** The text as it was written: `$NAME` in place of each marked variable. */
export const asWritten = (text: string): string => text.replace(MARKED, (_, name: string) => `$${name}`);

/** References to the environment in place of the variables. */
export const withReferences = (text: string): string =>
  text.replace(MARKED, (mark, name: string) =>
    mark.startsWith(NUMBER) ? `{{= ${name} }}` : `{{$processEnv ${name}}}`,
  );

/** The names of variables in a text. */
export const namesIn = (text: string): readonly string[] => [...text.matchAll(MARKED)].map(([, name = '']) => name);

/** The values of variables that the text itself assigns, in their places. */
export const filledIn = (text: string, assigned: ReadonlyMap<string, string>): string =>
  assigned.size === 0 ? text : text.replace(MARKED, (mark, name: string) => assigned.get(name) ?? mark);

/** JSON in which variables outside of strings are strings, marked as numbers; and their names. */
export function quotedNumbers(json: string): { readonly text: string; readonly names: readonly string[] } {
  const names = new Set<string>();
  const text = json.replace(
    /"[^"\\]*(?:\\[^][^"\\]*)*"?|\ufdd0([A-Za-z_]\w*)\ufdd2/g,
    (part, name: string | undefined) => {
      if (name === undefined) return part;
      names.add(name);
      return `"${NUMBER}${name}${CLOSE}"`;
    },
  );
  return { text, names: [...names] };
}

const HELD = 'HTTP_REFERENCE_';

/** References of a request file (`{{…}}`) marked as variables, and the text that has them again. */
export function heldReferences(text: string): {
  readonly text: string;
  readonly references: readonly string[];
  readonly restored: (text: string) => string;
} {
  const references: string[] = [];
  const held = withoutMarks(text).replace(/\{\{[^{}\n]*\}\}/g, (all) => marked(`${HELD}${references.push(all) - 1}`));
  const at = (index: string): string => references[Number(index)] ?? '';
  return {
    text: held,
    references,
    restored: (written) =>
      written
        .replace(new RegExp(String.raw`^@${HELD}\d+ = .*\n`, 'gm'), '')
        .replace(new RegExp(String.raw`\{\{(?:\$processEnv |= )${HELD}(\d+) ?\}\}|\$${HELD}(\d+)`, 'g'), (_, a, b) =>
          at(String(a ?? b)),
        ),
  };
}
