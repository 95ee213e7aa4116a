// `solana-rpc completion`: scripts that complete commands, options and files, made from the tables of options.ts.
import { EXIT, UsageError, type ExitCode } from './exit';
import { COMMANDS, readArguments } from './options';

const SHELLS = { bash, zsh, fish } as const;

export async function completionCommand(args: readonly string[]): Promise<ExitCode> {
  const [shell, ...more] = readArguments('completion', args).words;
  if (shell === undefined || more.length > 0 || !isShell(shell))
    throw new UsageError(`Which shell? One of: ${Object.keys(SHELLS).join(', ')}.`);
  process.stdout.write(SHELLS[shell]());
  return EXIT.ok;
}

const isShell = (name: string): name is keyof typeof SHELLS => Object.hasOwn(SHELLS, name);

interface Row {
  readonly name: string;
  readonly text: string;
  readonly options: readonly { readonly name: string; readonly value: string | undefined; readonly text: string }[];
}

const rows = (): readonly Row[] =>
  Object.entries(COMMANDS).map(([name, { text, options }]) => ({
    name,
    text,
    options: Object.entries(
      options as Readonly<Record<string, { readonly value?: string; readonly text: string }>>,
    ).map(([option, { value, text: about }]) => ({ name: option, value, text: about })),
  }));

/** Words that follow a command and are no files. */
const WORDS: Readonly<Record<string, string>> = { completion: Object.keys(SHELLS).join(' ') };

function bash(): string {
  const cases = rows().map(({ name, options }) => {
    const words = [...options.map((option) => `--${option.name}`), '--help', ...(WORDS[name]?.split(' ') ?? [])];
    return `    ${name}) words="${words.join(' ')}" ;;`;
  });
  return `# solana-rpc completion for bash:  source <(solana-rpc completion bash)
_solana_rpc() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${rows()
      .map(({ name }) => name)
      .join(' ')} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$(printf '%s\\n' $words | grep -v '^-')" -- "$word") $(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _solana_rpc solana-rpc
`;
}

/** In single quotes, and without what a completion system reads itself. */
const quoted = (text: string): string => text.replace(/['\[\]:\\]/g, ' ');

function zsh(): string {
  const commands = rows().map(({ name, text }) => `    '${name}:${quoted(text)}'`);
  const cases = rows().map(({ name, options }) => {
    const rest = WORDS[name] === undefined ? `'*:file:_files'` : `'1:shell:(${WORDS[name]})'`;
    const lines = options.map(({ name: option, value, text }) =>
      value === undefined ? `'--${option}[${quoted(text)}]'` : `'*--${option}=[${quoted(text)}]:${value}:_files'`,
    );
    return `    ${name}) _arguments ${[...lines, `'--help[show the options]'`, rest].join(' ')} ;;`;
  });
  return `#compdef solana-rpc
# solana-rpc completion for zsh:  solana-rpc completion zsh > "\${fpath[1]}/_solana-rpc"
_solana_rpc() {
  local -a commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_solana-rpc" ]; then _solana_rpc "$@"; else compdef _solana_rpc solana-rpc; fi
`;
}

function fish(): string {
  const lines = rows().flatMap(({ name, text, options }) => [
    `complete -c solana-rpc -n __fish_use_subcommand -f -a ${name} -d '${quoted(text)}'`,
    ...options.map(({ name: option, value, text: about }) => {
      const more = value === undefined ? '' : ' -r';
      return `complete -c solana-rpc -n '__fish_seen_subcommand_from ${name}' -l ${option}${more} -d '${quoted(about)}'`;
    }),
    ...(WORDS[name] === undefined
      ? []
      : [`complete -c solana-rpc -n '__fish_seen_subcommand_from ${name}' -f -a '${WORDS[name]}'`]),
  ]);
  return `# solana-rpc completion for fish:  solana-rpc completion fish | source
${lines.join('\n')}
`;
}
