// Reads a log as the runner of GitHub Actions does: which of its lines are workflow commands, in both of their forms.

export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** The properties of an annotation with a range and a title, in the order in which they are written. */
export const ANNOTATION_PROPERTIES: readonly string[] = ['file', 'line', 'endLine', 'col', 'endColumn', 'title'];

/** The commands that a runner of today obeys. */
const KNOWN = new Set(
  `add-mask add-matcher add-path debug echo endgroup error group notice remove-matcher save-state set-env set-output
  stop-commands warning`.split(/\s+/),
);

const unescaped = (text: string, marks: string): string =>
  text.replace(/%(0D|0A|3A|2C|3B|5D|25)/g, (whole, code: string) => {
    const char = String.fromCharCode(parseInt(code, 16));
    return `\r\n%${marks}`.includes(char) ? char : whole;
  });

/** In the order of the lines; a line ends with CR, LF or both. */
export function commandsIn(log: string): readonly WorkflowCommand[] {
  return log.split(/\r\n|\r|\n/).flatMap((line) => {
    // The runner's comparison of texts passes over what cannot be seen.
    const visible = line.replace(/\p{Cf}|\p{Cc}|[\ufe00-\ufe0f]/gu, '');
    return doubleColon(visible.trimStart()) ?? bracket(visible) ?? [];
  });
}

/** `::name key=value,key=value::data` at the start of a line. */
function doubleColon(line: string): WorkflowCommand | undefined {
  const found = /^::(.*?)::(.*)$/s.exec(line);
  return found === null ? undefined : command(found[1] ?? '', ',', ':,', found[2] ?? '');
}

/** `##[name key=value;key=value]data` anywhere in a line. */
function bracket(line: string): WorkflowCommand | undefined {
  const found = /##\[(.*?)\](.*)$/s.exec(line);
  return found === null ? undefined : command(found[1] ?? '', ';', ';]', found[2] ?? '');
}

function command(head: string, separator: string, marks: string, data: string): WorkflowCommand | undefined {
  const [name = '', ...rest] = head.split(' ');
  if (!KNOWN.has(name.toLowerCase())) return undefined;
  const pairs = rest
    .join(' ')
    .split(separator)
    .filter((pair) => pair.includes('='));
  const properties = Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), unescaped(pair.slice(at + 1), marks)];
    }),
  );
  return { name, properties, data: unescaped(data, marks === ':,' ? '' : marks) };
}

/** Texts that would be commands if they were written as they are. */
export const INJECTIONS: readonly string[] = [
  '::set-output name=a::b',
  '\n::error file=a::b',
  '\r::stop-commands::x',
  '\r\n  ::add-mask::a',
  'text ##[set-output name=a]b',
  'text ##[stop-commands]x',
  'text #\ufe0f#[error]a',
  'text #\u200b#[error]a',
  '\u00a0\u2003::warning::b',
  '\ufe0f::warning::b',
  '\u200b::warning::b',
  '%0A::warning::b',
  ',file=other::warning::b',
  '"\n##[group]g',
];
