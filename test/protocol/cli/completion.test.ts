// The completion scripts, run by the shells they are for: what each offers for a line that is typed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { COMMANDS } from '../../../cli/options';
import { needShells } from '../../../scripts/shells.mjs';
import { type Terminal, testWorkspace } from '../../support/process/cli';

const PROGRAM = path.join(__dirname, '..', '..', '..', 'dist', 'cli.js');
/** With the command first, which the scripts ask for names. */
const PATH = (): string => `${path.join(work.root, 'bin')}:${process.env['PATH'] ?? ''}`;

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const work = testWorkspace();
let programs: Awaited<ReturnType<typeof needShells>>;

before(async () => {
  programs = await needShells();
  for (const shell of SHELLS) {
    const { code, stdout } = await work.run(['completion', shell]);
    assert.equal(code, 0);
    work.write(`completion.${shell}`, stdout);
  }
  mkdirSync(path.join(work.root, 'files', 'folder'), { recursive: true });
  for (const name of ['one.jsonrpc', 'with space.jsonrpc', 'report.xml']) work.write(path.join('files', name), '');
  work.write(
    path.join('files', 'folder', 'named.jsonrpc'),
    `# @tag all\n### a\n# @name slot\n# @tag fast $(touch${'${IFS}'}hacked) \`touch hacked\`\n{}\n### b\n# @name balance\n{}\n`,
  );
  const endpoints = ['main', 'devnet', '$(touch hacked)', 'two words'].map((name) => ({
    name,
    rpcUrl: 'https://h.example',
  }));
  work.write(path.join('files', 'solana-rpc.json'), JSON.stringify({ endpoints }));
  mkdirSync(path.join(work.root, 'bin'));
  work.write(path.join('bin', 'solana-rpc'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(path.join(work.root, 'bin', 'solana-rpc'), 0o755);
});

/** The completions that a shell offers for a line, without descriptions and its additions to a folder's name. */
async function offered(shell: Shell, line: string): Promise<readonly string[]> {
  const hits = await OFFERED[shell](line);
  return [...new Set(hits.map((hit) => hit.replace(/\/$/, '').replaceAll('\\ ', ' ')))].sort();
}

const inFiles = (program: string, args: readonly string[]): readonly string[] =>
  execFileSync(program, args, {
    cwd: path.join(work.root, 'files'),
    env: { PATH: PATH(), HOME: work.root },
    encoding: 'utf8',
  })
    .split('\n')
    .filter((hit) => hit !== '');

const OFFERED: Readonly<Record<Shell, (line: string) => readonly string[] | Promise<readonly string[]>>> = {
  bash: (line) => {
    // As readline splits it: the = of an option is a separate word.
    const words = line.split(' ').flatMap((word) => word.split(/(?==)|(?<==)/));
    const script =
      `source ../completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _solana_rpc; ` +
      `[ "\${#COMPREPLY[@]}" -eq 0 ] || printf '%s\\n' "\${COMPREPLY[@]}"`;
    return inFiles(programs.bash, ['--norc', '--noprofile', '-c', script, 'bash', ...words]);
  },
  zsh: inZsh,
  fish: (line) =>
    inFiles(programs.fish, ['--no-config', '-c', `source ../completion.fish; complete -C "$argv[1]"`, line]).map(
      (hit) => hit.split('\t')[0] ?? '',
    ),
};

/** A key that completes and shows each match, since zsh does not expose its matches otherwise. */
const CAPTURE = `
autoload -Uz compinit && compinit -u -D
source ../completion.zsh
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local hit hits=()
  builtin compadd -O hits "$@"
  for hit in $hits; do print -r -- "<hit:$hit>"; done
  builtin compadd "$@"
}
capture() { zle complete-word; print -r -- '<done>'; zle kill-whole-line }
zle -N capture
bindkey '^T' capture
unset zle_bracketed_paste
PS1='<ready>'
`;

async function inZsh(line: string): Promise<readonly string[]> {
  work.write('capture.zsh', CAPTURE);
  const terminal: Terminal = work.inTerminal([programs.zsh, '-f', '-i'], { columns: 400, env: { PATH: PATH() } });
  try {
    terminal.type('cd files && source ../capture.zsh\r');
    const ready = await terminal.shows('<ready>');
    terminal.type(`${line}\x14`);
    await terminal.shows('<done>', ready);
    return [...terminal.screen.slice(ready).matchAll(/<hit:(.*?)>/g)].map((match) => match[1] ?? '');
  } finally {
    terminal.type('\x15exit\r');
    await terminal.ended();
  }
}

const commands = Object.keys(COMMANDS);
const dashed = (name: keyof typeof COMMANDS): readonly string[] =>
  [...Object.keys(COMMANDS[name].options), 'help'].map((option) => `--${option}`).sort();

const CASES: readonly (readonly [what: string, line: string, offers: readonly string[]])[] = [
  ['a command by its beginning', 'solana-rpc co', ['completion', 'convert']],
  ['an option by its beginning', 'solana-rpc run --jo', ['--jobs']],
  ['every option of run', 'solana-rpc run --', dashed('run')],
  ['every option of usage', 'solana-rpc usage --', dashed('usage')],
  ['options behind a file', 'solana-rpc check one.jsonrpc --js', ['--json']],
  ['request files and folders', 'solana-rpc run ', ['folder', 'one.jsonrpc', 'with space.jsonrpc']],
  ['a name with a space', 'solana-rpc check wi', ['with space.jsonrpc']],
  ['any file for an option that takes one', 'solana-rpc run --junit re', ['report.xml']],
  ['nothing for what only its writer knows', 'solana-rpc run --timeout ', []],
  ['no name where no file has one', 'solana-rpc run --name ', []],
  ['the names in the files of the line', 'solana-rpc run folder/named.jsonrpc --name ', ['balance', 'slot']],
  ['a name by its beginning', 'solana-rpc run folder/named.jsonrpc --name ba', ['balance']],
  ['the tags, and none that a shell would run', 'solana-rpc run folder/named.jsonrpc --tag ', ['all', 'fast']],
  ['the endpoints', 'solana-rpc run --endpoint ', ['devnet', 'main']],
  ['the endpoints that mcp may be allowed', 'solana-rpc mcp --allow-endpoint m', ['main']],
  ['no file where none is taken', 'solana-rpc usage ', []],
  ['the shells', 'solana-rpc completion ', [...SHELLS].sort()],
];

/** Zsh offers options where no word is taken; fish shows other files behind the request files. */
const isExtra = (shell: Shell, line: string, hit: string): boolean =>
  (shell === 'zsh' && line.endsWith('usage ') && hit.startsWith('--')) ||
  (shell === 'fish' && line.endsWith('run ') && ['report.xml', 'solana-rpc.json'].includes(hit));

for (const shell of SHELLS)
  describe(`${shell} offers`, () => {
    for (const [what, line, offers] of CASES)
      test(what, async () => {
        const hits = await offered(shell, line);
        assert.deepEqual(
          hits.filter((hit) => !isExtra(shell, line, hit)),
          offers,
        );
      });

    test('every command', async () => {
      const hits = await offered(shell, 'solana-rpc ');
      assert.deepEqual(
        hits.filter((hit) => !hit.startsWith('-')),
        [...commands].sort(),
      );
    });
  });

test('bash completes a line that is typed, and a value behind an equals sign', async () => {
  const terminal = work.inTerminal([programs.bash, '--norc', '--noprofile', '-i'], { env: { PS1: '<ready>' } });
  terminal.type('cd files; source ../completion.bash\r');
  await terminal.shows('<ready>');
  terminal.type('solana-rpc run --jun\t');
  const at = await terminal.shows('--junit ');
  terminal.type('rep\t');
  await terminal.shows('report.xml', at);
  terminal.type('\x15solana-rpc run --junit=rep\t');
  await terminal.shows('--junit=report.xml', at);
  terminal.type('\x15exit\r');
  assert.equal(await terminal.ended(), 0);
});

test('no shell runs the content of a file', () => {
  for (const folder of ['files', '.']) assert.equal(existsSync(path.join(work.root, folder, 'hacked')), false);
});

test('another shell is refused with those there are', async () => {
  const { code, stderr } = await work.run(['completion', 'tcsh']);
  assert.equal(code, 1);
  assert.match(stderr, /bash, zsh, fish/);
});
