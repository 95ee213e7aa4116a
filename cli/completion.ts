// `solana-rpc completion`: scripts that complete commands, options, files and the words that options take, made from the
// tables of options.ts. The scripts are the same on every machine and ask this command for names out of the files at hand;
// nothing is asked of the network.
import { EXIT, UsageError, type ExitCode } from './exit';
import { COMMANDS, readArguments, type Command, type Option } from './options';

const SHELLS = { bash, zsh, fish } as const;

export async function completionCommand(args: readonly string[]): Promise<ExitCode> {
  const [first, ...line] = args;
  // The scripts pass the words of a line that is being typed: its options do not belong to this command.
  if (first === 'values') {
    const { printValues } = await import('./session/values');
    return printValues(line);
  }
  const [shell, ...more] = readArguments('completion', args).words;
  if (shell === undefined || more.length > 0 || !isShell(shell))
    throw new UsageError(`Which shell? One of: ${Object.keys(SHELLS).join(', ')}.`);
  process.stdout.write(SHELLS[shell]());
  return EXIT.ok;
}

const isShell = (name: string): name is keyof typeof SHELLS => Object.hasOwn(SHELLS, name);

type Words = NonNullable<Command['words']> | 'nothing';

interface Row {
  readonly name: string;
  readonly text: string;
  readonly words: Words;
  readonly options: readonly NamedOption[];
}

interface NamedOption extends Option {
  readonly name: string;
}

const HELP: NamedOption = { name: 'help', text: 'show the options' };
const VERSION: NamedOption = { name: 'version', text: 'show the version' };

const rows = (): readonly Row[] =>
  Object.entries<Command>(COMMANDS).map(([name, { text, words = 'nothing' as const, options }]) => ({
    name,
    text,
    words,
    options: [...Object.entries(options).map(([option, about]) => ({ name: option, ...about })), HELP],
  }));

const takesFile = ({ value }: Option): boolean => value === 'FILE' || value === 'DIR';
const takesName = ({ isNamed }: Option): boolean => isNamed === true;

/** Names of options that take a value, each once. */
function optionsWith(test: (option: Option) => boolean): readonly string[] {
  const options = rows().flatMap((row) => row.options);
  return [...new Set(options.filter((option) => option.value !== undefined && test(option)).map(({ name }) => name))];
}

function bash(): string {
  const dashed = (names: readonly string[]): string => names.map((name) => `--${name}`).join('|');
  const cases = rows().map(({ name, options, words }) => {
    const all = [...options.map((option) => `--${option.name}`), ...(typeof words === 'string' ? [] : words)];
    const files = words === 'requests' ? ' files=1' : words === 'files' ? ' files=2' : '';
    return `    ${name}) words="${all.join(' ')}"${files} ;;`;
  });
  const commands = rows().map(({ name }) => name);
  return `# solana-rpc completion for bash:  source <(solana-rpc completion bash)
_solana_rpc() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" words="" files="" line
  COMPREPLY=()
  # Bash splits --option=value at the =.
  if [ "$word" = "=" ]; then word=""
  elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.join(' ')} --help --version"; files=""; fi
  case "$before" in
    ${dashed(optionsWith(takesFile))}) words="" files=2 ;;
    ${dashed(optionsWith(takesName))})
      # No word of a file goes through the shell: the names are compared as they are.
      while IFS= read -r line; do case "$line" in "$word"*) COMPREPLY+=("$line") ;; esac; done < <(
        "\${COMP_WORDS[0]}" completion values "\${before#--}" "\${COMP_WORDS[@]:2}" 2>/dev/null </dev/null
      )
      return ;;
    ${dashed(optionsWith((option) => !takesFile(option) && !takesName(option)))}) words="" files="" ;;
  esac
  case "$word" in -*) files="" ;; *) [ -n "$word" ] || words="$(_solana_rpc_plain $words)" ;; esac
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    compgen -W "$words" -- "$word"
    case "$files" in
      1) compgen -f -X '!*.jsonrpc' -- "$word"; compgen -d -- "$word" ;;
      2) compgen -f -- "$word" ;;
    esac
  )
}
# Options are offered once a dash is there.
_solana_rpc_plain() {
  local word
  for word in "$@"; do case "$word" in -*) ;; *) printf '%s ' "$word" ;; esac; done
}
complete -o filenames -F _solana_rpc solana-rpc
`;
}

/** For single quotes, and without the brackets that end a description in zsh. */
const quoted = (text: string): string =>
  text.replaceAll("'", '’').replaceAll('\\', '/').replaceAll('[', '(').replaceAll(']', ')');

function zsh(): string {
  const commands = rows().map(({ name, text }) => `    '${name}:${quoted(text)}'`);
  const value = (option: NamedOption): string =>
    option.value === undefined
      ? ''
      : `:${option.value}:${takesFile(option) ? '_files' : takesName(option) ? ` _solana_rpc_names ${option.name}` : ' '}`;
  const optionOf = (option: NamedOption): string =>
    `'${option.multiple === true ? '*' : ''}--${option.name}${option.value === undefined ? '' : '='}` +
    `[${quoted(option.text)}]${value(option)}'`;
  const wordsOf = (words: Words): readonly string[] => {
    if (words === 'nothing') return [];
    if (words === 'files') return [`'*:file:_files'`];
    return [words === 'requests' ? `'*:requests:_files -g "*.jsonrpc"'` : `'1:word:(${words.join(' ')})'`];
  };
  const cases = rows().map(({ name, options, words }) => {
    const specs = [...options.map(optionOf), ...wordsOf(words)];
    return `    ${name}) _arguments ${specs.join(' \\\n      ')} ;;`;
  });
  return `#compdef solana-rpc
# solana-rpc completion for zsh:  solana-rpc completion zsh > "\${fpath[1]}/_solana-rpc"
_solana_rpc_names() {
  local -a names=("\${(@f)$(solana-rpc completion values "$1" "\${(@)words[2,-1]}" 2>/dev/null </dev/null)}")
  names=(\${names:#})
  compadd -a names
}
_solana_rpc() {
  local -a commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[${HELP.text}]' '--version[${VERSION.text}]'
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
  const first = 'complete -c solana-rpc -n __fish_use_subcommand';
  const lines = rows().flatMap(({ name, text, options, words }) => {
    const start = `complete -c solana-rpc -n '__fish_seen_subcommand_from ${name}'`;
    const wordsLine = {
      requests: `${start} -k -x -a '(__fish_complete_suffix .jsonrpc)'`,
      files: `${start} -F`,
      nothing: `${start} -f`,
    };
    return [
      `${first} -f -a ${name} -d '${quoted(text)}'`,
      typeof words === 'string' ? wordsLine[words] : `${start} -f -a '${words.join(' ')}'`,
      ...options.map((option) => {
        const names = takesName(option) ? ` -a '(_solana_rpc_names ${option.name})'` : '';
        const more = option.value === undefined ? '' : takesFile(option) ? ' -r -F' : ` -x${names}`;
        return `${start} -l ${option.name}${more} -d '${quoted(option.text)}'`;
      }),
    ];
  });
  const general = [HELP, VERSION].map(({ name, text }) => `${first} -f -l ${name} -d '${text}'`);
  return `# solana-rpc completion for fish:  solana-rpc completion fish | source
function _solana_rpc_names
  solana-rpc completion values $argv[1] (commandline -opc)[3..-1] 2>/dev/null </dev/null
end
${[...general, ...lines].join('\n')}
`;
}
