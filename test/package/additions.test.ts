// The additions that CONTRIBUTING.md describes, carried out on a copy of the sources: the rows and files that it names are
// enough for everything that derives from them.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { build } from 'esbuild';
import ts from 'typescript';

const root = path.join(__dirname, '..', '..');
const ROOMS = 'cli client core localnet net process proto protocol runner server'.split(' ');
const FILES = ['ARCHITECTURE.md', 'package.json', 'package.nls.json', 'tsconfig.json'];
const SCRIPTS = ['docs.mjs', 'directions.mjs', 'settings.mjs'].map((name) => `scripts/${name}`);

/** Text that goes into a file of the sources before other text of it. */
interface Row {
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

/** By the section of CONTRIBUTING.md that names the files. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'Add an option of the local service': [
    {
      file: 'process/localnetOptions/table.ts',
      before: '  instant: {\n',
      text: "  'example-ms': { value: 'N', bounds: [0, 9], default: 4, text: 'milliseconds between two answers' },\n",
    },
  ],
  'Add a command': [
    {
      file: 'cli/options.ts',
      before: '  completion: {\n',
      text: "  greet: { usage: 'greet NAME', text: 'greet somebody', words: ['Ada'], options: { twice: { text: 'two times' } } },\n",
    },
    {
      file: 'cli/options.ts',
      before: '      quiet: {',
      text: "      brief: { text: 'print one line for each file' },\n",
    },
    {
      file: 'cli/main.ts',
      before: '  completion: async',
      text: "  greet: async (args) => (await import('./greet')).greetCommand(args),\n",
    },
  ],
  'Add a setting': [
    {
      file: 'protocol/settings.ts',
      before: "  'inlayHints.defaults': {\n",
      text: "  'inlayHints.fees': { scope: 'window', isRestricted: true, type: 'boolean', default: true, order: 6, text: 'Show fees.' },\n",
    },
    {
      file: 'protocol/settings.ts',
      before: '  schemas: {\n',
      text: "  'response.wrap': { scope: 'window', type: 'string', choices: { off: 'Never.', on: 'Always.' }, default: 'off', order: 3, text: 'Wrap long lines.' },\n",
    },
  ],
  'Add a stream verb': [
    {
      file: 'protocol/streams.ts',
      before: '  stopExport: new CheckedRequest',
      text: "  markStream: new CheckedRequest<StreamParams, StreamResult>('solanaRpc/markStream', { id: 'string' }),\n",
    },
    {
      file: 'server/streams/worker.ts',
      before: '  stopExport: ofStream',
      text: '  markStream: ofStream(() => done),\n',
    },
  ],
};

const GREET = `import { EXIT, type ExitCode } from './exit';
import { readArguments } from './options';
export async function greetCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('greet', args);
  process.stdout.write(\`Hello \${given.words.join(' ')}\\n\`.repeat(given.flag('twice') ? 2 : 1));
  return EXIT.ok;
}
`;

/** Uses of the additions, with the types that they should have. */
const USES = `import { setting } from './client/shared/settings';
import type { Stream } from './client/streams/stream';
import type { Options } from './localnet/optionTypes';
import type { ServerSettings } from './protocol/settings';
export const pause = (options: Options): number => options.exampleMs;
export const fees = (settings: ServerSettings): boolean => settings['inlayHints.fees'];
export const wrap = (): 'off' | 'on' => setting('response.wrap');
export const marked = async (stream: Stream): Promise<'done' | 'refused' | 'gone'> =>
  (await stream.ask('markStream', {})).kind;
`;
/** Its handler is what the compiler asks for. */
const WORKER = 'server/streams/worker.ts';

let folder: string;
const contentOf = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8');

async function add({ file, before: place, text }: Row): Promise<void> {
  const content = await contentOf(file);
  assert.equal(content.split(place).length, 2, `${file} has this once: ${place}`);
  await writeFile(
    path.join(folder, file),
    content.replace(place, () => text + place),
  );
}

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'solana-rpc-additions-'));
  await mkdir(path.join(folder, 'scripts'));
  for (const name of [...ROOMS, 'docs', ...FILES, ...SCRIPTS])
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  for (const row of Object.values(ROWS).flat()) if (row.file !== WORKER) await add(row);
  await writeFile(path.join(folder, 'cli', 'greet.ts'), GREET);
  await writeFile(path.join(folder, 'uses.ts'), USES);
  execFileSync(process.execPath, ['scripts/docs.mjs'], { cwd: folder });
  await build({
    entryPoints: ['cli/main.ts', 'localnet/options.ts'].map((file) => path.join(folder, file)),
    outdir: path.join(folder, 'out'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
});

after(() => rm(folder, { recursive: true, force: true }));

/** Checks files of the copy; the worker as it is now, all others as they were first. */
function compiler(): (...files: readonly string[]) => string {
  const { config } = ts.readConfigFile(path.join(folder, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config?: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ['uses.ts'] }, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const parsed = new Map<string, ts.SourceFile | undefined>();
  // The types of other packages are in none of the checked lines.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      /^\.|^vscode(-jsonrpc)?$/.test(text)
        ? ts.resolveModuleName(text, from, options, host)
        : { resolvedModule: undefined },
    );
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...more) => {
    if (!parsed.has(name) || name.endsWith(WORKER)) parsed.set(name, read(name, ...more));
    return parsed.get(name);
  };
  const roots = [WORKER, 'uses.ts', 'cli/greet.ts'].map((file) => path.join(folder, file));
  let program: ts.Program | undefined;
  return (...files) => {
    const checked = (program = ts.createProgram(roots, options, host, program));
    return files
      .flatMap((file) => checked.getSemanticDiagnostics(checked.getSourceFile(path.join(folder, file))))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .join('\n');
  };
}

const terminal = (...words: readonly string[]): string =>
  spawnSync(process.execPath, [path.join(folder, 'out', 'cli', 'main.cjs'), ...words], { encoding: 'utf8' }).stdout;

for (const [section, rows] of Object.entries(ROWS))
  test(`“${section}” of CONTRIBUTING.md names the files of its rows`, async () => {
    const text = await readFile(path.join(root, 'CONTRIBUTING.md'), 'utf8');
    const [, named = ''] = text.split(`## ${section}\n`);
    for (const { file } of rows) assert.ok(named.split('\n## ')[0]?.includes(`\`${file}\``), file);
  });

test('the compiler asks for the handler of a verb, and finds nothing once all rows are there', async () => {
  const check = compiler();
  assert.match(check(WORKER), /'markStream' is missing/);
  for (const row of Object.values(ROWS).flat()) if (row.file === WORKER) await add(row);
  assert.equal(check(WORKER, 'uses.ts', 'cli/greet.ts'), '');
});

describe('an option of the local service', () => {
  test('is read by the service', () => {
    const { readOptions, helpText } = createRequire(__filename)(
      path.join(folder, 'out', 'localnet', 'options.cjs'),
    ) as {
      readonly readOptions: (args: readonly string[]) => { readonly options?: unknown; readonly message?: string };
      readonly helpText: () => string;
    };
    const pauseOf = (...args: readonly string[]): unknown =>
      Reflect.get(Object(readOptions(args).options), 'exampleMs');
    assert.deepEqual([pauseOf(), pauseOf('--example-ms', '7')], [4, 7]);
    assert.match(readOptions(['--example-ms', '10']).message ?? '', /^--example-ms: not allowed/);
    assert.match(helpText(), /^ {2}--example-ms N +milliseconds between two answers/m);
  });

  test('is in the help and the completion of the terminal, and in the docs', async () => {
    assert.match(terminal('localnet', '--help'), /^ {2}--example-ms N +milliseconds between two answers/m);
    assert.match(terminal('completion', 'bash'), /^ {4}localnet\) words=".* --example-ms /m);
    assert.match(await contentOf('docs/local-service.md'), /^\| `--example-ms N` \| milliseconds between two answers/m);
  });
});

describe('a command of the terminal', () => {
  test('runs, and is in help and completion', () => {
    assert.equal(terminal('greet', 'Ada', '--twice'), 'Hello Ada\nHello Ada\n');
    assert.match(terminal('--help'), /^ {2}greet NAME +greet somebody$/m);
    assert.match(terminal('greet', '--help'), /^ {2}--twice +two times$/m);
    assert.match(terminal('completion', 'fish'), /-a greet\b.*greet somebody/);
  });

  test('has its options in help, completion and docs', async () => {
    assert.match(terminal('run', '--help'), /^ {2}--brief +print one line for each file$/m);
    assert.match(terminal('completion', 'zsh'), /--brief\[print one line for each file\]/);
    assert.match(await contentOf('docs/cli.md'), /^\| `--brief` \| print one line for each file \|$/m);
  });
});

test('a setting is in package.json with its texts', async () => {
  const { contributes, capabilities } = JSON.parse(await contentOf('package.json')) as {
    readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, unknown>> } };
    readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  };
  const { properties } = contributes.configuration;
  assert.deepEqual(properties['solanaRpc.inlayHints.fees'], {
    scope: 'window',
    type: 'boolean',
    default: true,
    order: 6,
    markdownDescription: '%setting.inlayHints.fees%',
  });
  assert.deepEqual(properties['solanaRpc.response.wrap'], {
    scope: 'window',
    type: 'string',
    default: 'off',
    enum: ['off', 'on'],
    enumDescriptions: ['%setting.response.wrap.off%', '%setting.response.wrap.on%'],
    order: 3,
    markdownDescription: '%setting.response.wrap%',
  });
  const { restrictedConfigurations: restricted } = capabilities.untrustedWorkspaces;
  assert.ok(restricted.includes('solanaRpc.inlayHints.fees') && !restricted.includes('solanaRpc.response.wrap'));
  const texts = JSON.parse(await contentOf('package.nls.json')) as Readonly<Record<string, string>>;
  assert.equal(texts['setting.inlayHints.fees'], 'Show fees.');
  assert.equal(texts['setting.response.wrap.on'], 'Always.');
});

test('the generators find this checkout as they would write it', () => {
  execFileSync(process.execPath, ['scripts/docs.mjs', '--check'], { cwd: root });
});
