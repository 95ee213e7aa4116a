// Writes what is generated from tables: pages of docs/ from core, tables of options in docs/cli.md and
// docs/local-service.md, the kinds of faults there, the directions in ARCHITECTURE.md, and the settings in package.json and
// package.nls.json. `--check` only compares and fails if one is out of date.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { directionsTable } from './directions.mjs';
import { withSettings, withSettingTexts } from './settings.mjs';

const root = path.join(import.meta.dirname, '..');
const PAGES = [
  { page: 'methods.md', module: 'core/requests/methods/reference.ts', make: 'methodsReference' },
  { page: 'packs.md', module: 'core/requests/methods/reference.ts', make: 'packsReference' },
  { page: 'streams.md', module: 'core/service/streams/reference.ts', make: 'streamsReference' },
  { page: 'providers.md', module: 'core/service/providers/reference.ts', make: 'providersReference' },
  { page: 'diagnostics.md', module: 'core/requests/diagnostics/reference.ts', make: 'diagnosticsReference' },
];

for (const { page, module, make } of PAGES) await put(path.join('docs', page), (await load(module))[make]());

const { COMMANDS } = await load('cli/options.ts');
const localService = await readFile(path.join(root, 'docs/local-service.md'), 'utf8');
const { withFaultKinds } = await load('localnet/faults/reference.ts');
await put('docs/local-service.md', withOptions(withFaultKinds(localService)));
await put('docs/cli.md', withOptions(await readFile(path.join(root, 'docs/cli.md'), 'utf8')));

const architecture = await readFile(path.join(root, 'ARCHITECTURE.md'), 'utf8');
const tableAt = architecture.indexOf('| Folder | Other rooms');
const tableEnd = architecture.indexOf('\n\n', tableAt);
await put('ARCHITECTURE.md', architecture.slice(0, tableAt) + directionsTable() + architecture.slice(tableEnd));

const { SERVER_SETTINGS, CLIENT_SETTINGS } = await load('protocol/settings.ts');
const settings = { ...SERVER_SETTINGS, ...CLIENT_SETTINGS };
await put('package.json', withSettings(await readFile(path.join(root, 'package.json'), 'utf8'), settings));
await put('package.nls.json', withSettingTexts(await readFile(path.join(root, 'package.nls.json'), 'utf8'), settings));

/** The page with every table of a command's options, by the first cell of its head. @param {string} page */
function withOptions(page) {
  return page.replace(/^(\| Option of (\w+) \| Meaning \|\n\|---\|---\|\n)(?:\|.*\n)*/gm, (_, head, command) => {
    const rows = Object.entries(COMMANDS[command].options).map(([name, { value, aliases = [], multiple, text }]) => {
      const usage = [`--${name}${value === undefined ? '' : ` ${value}`}`, ...aliases]
        .map((one) => `\`${one}\``)
        .join(', ');
      const meaning = text
        .replace(/--[a-z][a-z-]*|\b(?!gRPC)[a-z]{1,24}[A-Z]\w*|__\w+__|\{\{[^{}]*\}\}|@[a-z]+/g, '`$&`')
        .replaceAll('|', '\\|');
      return `| ${usage} | ${meaning}${multiple === true ? '; repeatable' : ''} |\n`;
    });
    return head + rows.join('');
  });
}

/** @param {string} module from the root */
async function load(module) {
  const bundle = await build({
    entryPoints: [path.join(root, module)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const source = Buffer.from(bundle.outputFiles[0]?.contents ?? []).toString('base64');
  return import(`data:text/javascript;base64,${source}`);
}

/** @param {string} name from the root @param {string} text */
async function put(name, text) {
  const file = path.join(root, name);
  if (!process.argv.includes('--check')) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return;
  }
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present === text) return;
  process.stderr.write(`${name} is out of date: run node scripts/docs.mjs\n`);
  process.exitCode = 1;
}
