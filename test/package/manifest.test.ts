// The manifest: its names stay the same, and all of its texts are in package.nls.json.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { CLIENT_SETTINGS, SERVER_SETTINGS, type Setting } from '../../protocol/settings';
import { IDL_PLACES } from '../../runner/idlFiles';
import { withSettings, withSettingTexts } from '../../scripts/settings.mjs';

const root = path.join(__dirname, '..', '..');

interface Manifest {
  readonly publisher: string;
  readonly displayName: string;
  readonly description: string;
  readonly license: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly galleryBanner: { readonly color: string; readonly theme: string };
  readonly repository: { readonly url: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly qna: string;
  readonly pricing: string;
  readonly name: string;
  readonly main: string;
  readonly icon: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: { readonly vscode: string; readonly node: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly activationEvents?: readonly string[];
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string };
  };
  readonly contributes: {
    readonly languages: readonly {
      readonly id: string;
      readonly extensions: readonly string[];
      readonly configuration: string;
    }[];
    readonly grammars: readonly { readonly scopeName: string; readonly path: string }[];
    readonly commands?: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
      readonly icon?: string;
    }[];
    readonly keybindings?: readonly { readonly command: string; readonly when?: string }[];
    readonly menus?: Readonly<
      Record<string, readonly { readonly command?: string; readonly when?: string; readonly group?: string }[]>
    >;
    readonly viewsContainers?: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly views?: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

const text = readFileSync(path.join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const commands = contributes.commands ?? [];
const SETTINGS: Readonly<Record<string, Setting>> = { ...SERVER_SETTINGS, ...CLIENT_SETTINGS };
const views = Object.values(contributes.views ?? {})
  .flat()
  .map(({ id }) => id);
const client = sourcesOf('client').join('\n');
const nls = readFileSync(path.join(root, 'package.nls.json'), 'utf8');

/** The commands that documents and other people's key bindings rely on. */
const COMMANDS = new Set(
  `send sendAll rerun cancel watch copyAs copyValue showHistory clearHistory diffWithPrevious compareEndpoints openTable openInFull
  decodeAccounts explainTransaction saveResponse pasteCurl convertHttp simulate watchAccount watchWallet fetchIdl stopStream reopenStream exportStream addEndpoint editEndpoint
  removeEndpoint switchEndpoint useEndpoint checkEndpoint forkEndpoint addKey rotateKey removeKey testKey chooseKey renameKey showKeyEnd refreshUsage setUsageRange openUsageReport
  exportUsage addUsageKey removeUsageKey startLocalService stopLocalService restartLocalService openDashboard restartServer fetchIdl newWallet airdrop moveSecret moveSettingsKeys showLog
  openWalkthrough startTour endTour openSample openExample newRequestFile sendSample browseResponse compareResponses showExchange
    sendFromHistory updateSnapshot goToRequest removeResponse removeStream replayTransaction
    replayCase`
    .split(/\s+/)
    .map((name) => `solanaRpc.${name}`),
);
/** The Marketplace's own list ("Extension manifest", categories). */
const CATEGORIES = new Set(['Programming Languages', 'Testing', 'Visualization', 'Other']);
const VIEWS = new Set(['tour', 'keys', 'streams', 'usage', 'history'].map((name) => `solanaRpc.${name}`));

describe('manifest', () => {
  test('keeps the names of the package', () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, 'rpc-workbench.solana-rpc-workbench');
    assert.equal(manifest.main, './dist/client.js');
    assert.deepEqual(manifest.bin, { 'solana-rpc': './dist/cli.js' });
    assert.equal(manifest.engines.node, '>=20.19.0');
    assert.deepEqual(manifest.extensionKind, ['workspace']);
  });

  test('has everything that the pages of the Marketplace and of Open VSX show', () => {
    const { displayName, description, license, categories, keywords, galleryBanner } = manifest;
    assert.ok(displayName !== '' && displayName.length <= 50);
    assert.ok(description.length > 40 && description.length <= 150 && description.endsWith('.'));
    assert.match(readFileSync(path.join(root, 'LICENSE'), 'utf8'), new RegExp(`^${license} License`));
    for (const category of categories) assert.ok(CATEGORIES.has(category), category);
    assert.ok(keywords.length >= 5 && keywords.length <= 30);
    assert.equal(new Set(keywords).size, keywords.length);
    for (const keyword of keywords) assert.match(keyword, /^[a-z][a-z -]{1,24}$/);
    assert.match(galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.equal(galleryBanner.theme, 'dark');
    // The banner is the ground of the icon.
    assert.ok(readFileSync(path.join(root, 'media', 'icon.svg'), 'utf8').includes(galleryBanner.color));
    assert.equal(manifest.qna, 'marketplace');
    assert.equal(manifest.pricing, 'Free');
    assert.ok(!('badges' in manifest));
  });

  test('links to pages of its repository', () => {
    const page = manifest.repository.url.replace(/\.git$/, '');
    assert.match(page, new RegExp(`^https://github\\.com/${manifest.publisher}/${manifest.name}$`));
    assert.equal(manifest.homepage, `${page}#readme`);
    assert.equal(manifest.bugs.url, `${page}/issues`);
  });

  test('has an icon of at least 128 by 128 pixels, as PNG', () => {
    const icon = readFileSync(path.join(root, manifest.icon));
    assert.equal(icon.subarray(1, 4).toString(), 'PNG');
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(20) >= 128);
  });

  test('pins the types of VS Code to the lowest release it runs on, and every package to one version', () => {
    assert.equal(`^${manifest.devDependencies['@types/vscode'] ?? ''}`, manifest.engines.vscode);
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
  });

  test('contributes the language jsonrpc with its grammar, configuration and icon', () => {
    assert.deepEqual(
      contributes.languages.map(({ id, extensions }) => ({ id, extensions })),
      [{ id: 'jsonrpc', extensions: ['.jsonrpc'] }],
    );
    assert.deepEqual(
      contributes.grammars.map(({ scopeName }) => scopeName),
      ['source.jsonrpc'],
    );
    for (const file of [manifest.icon, contributes.languages[0]?.configuration, contributes.grammars[0]?.path])
      assert.ok(existsSync(path.join(root, file ?? '')), file);
  });

  test('is limited in an untrusted workspace and wakes for nothing in general', () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
    for (const event of manifest.activationEvents ?? [])
      assert.match(event, /^(onFileSystem|onWebviewPanel|onView|onCommand|onLanguageModelTool):/);
  });

  test('contributes commands under names that stay, all in one category', () => {
    for (const { command, category, title } of commands) {
      assert.ok(COMMANDS.has(command), command);
      assert.ok(title !== '', command);
      assert.ok(category === 'Solana RPC' || category === '%category%', command);
    }
  });

  test('puts only its own contributed commands into menus and key bindings', () => {
    const known = new Set(commands.map(({ command }) => command));
    const used = [...Object.values(contributes.menus ?? {}).flat(), ...(contributes.keybindings ?? [])];
    for (const { command } of used) if (command?.startsWith('solanaRpc.')) assert.ok(known.has(command), command);
  });

  test('lets no single click end a key, and gives rotation a distinct icon', () => {
    const inline = Object.values(contributes.menus ?? {})
      .flat()
      .filter(({ group }) => /^(inline|navigation)/.test(group ?? ''));
    const ofKeys = inline.filter(
      ({ command, when }) => /^solanaRpc\.(rotate|remove)Key$/.test(command ?? '') && !when?.includes('keyRemoved'),
    );
    assert.deepEqual(ofKeys, []);
    const icons = commands
      .filter(({ command }) => /(rotateKey|refreshUsage|testKey)$/.test(command))
      .map(({ icon }) => icon);
    assert.equal(new Set(icons).size, 3);
    // Spinning icons mean a refresh; rotation replaces a key.
    assert.doesNotMatch(
      String(commands.find(({ command }) => command === 'solanaRpc.rotateKey')?.icon),
      /sync|refresh/,
    );
  });

  test('offers every inline button of a row in its menu, too', () => {
    const rows = contributes.menus?.['view/item/context'] ?? [];
    const isButton = (group: string | undefined): boolean => /^inline/.test(group ?? '');
    const ofMenus = rows.filter(({ group }) => !isButton(group));
    const buttons = rows.filter(({ group }) => isButton(group));
    assert.ok(buttons.length > 10);
    for (const { command, when } of buttons)
      assert.ok(
        ofMenus.some((one) => one.command === command && one.when === when),
        `${command} when ${when}`,
      );
  });

  test('binds keys in its own editors only', () => {
    for (const { command, when } of contributes.keybindings ?? [])
      assert.match(when ?? '', /editorLangId == '?jsonrpc'?|resourceLangId == '?jsonrpc'?/, command);
  });

  test('keeps the names of views', () => {
    for (const { id } of Object.values(contributes.views ?? {}).flat()) assert.ok(VIEWS.has(id), id);
    for (const { id } of Object.values(contributes.viewsContainers ?? {}).flat()) assert.equal(id, 'solanaRpc');
  });

  test('has the settings of the tables and their texts, as npm run docs writes them', () => {
    assert.equal(withSettings(text, SETTINGS), text);
    assert.equal(withSettingTexts(nls, SETTINGS), nls);
  });

  test('has fewer than 20 settings, and every one that the documents name', () => {
    assert.ok(Object.keys(SETTINGS).length < 20);
    const pages = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const named = pages.flatMap((page) => [
      ...readFileSync(path.join(root, 'docs', page), 'utf8').matchAll(/setting `solanaRpc\.([\w.]+\w)`/g),
    ]);
    assert.ok(named.length > 2);
    for (const [, name = ''] of named) assert.ok(Object.hasOwn(SETTINGS, name), name);
  });

  test('has every text in package.nls.json and no text there that it does not use', () => {
    const used = new Set([...text.matchAll(/"%([\w.-]+)%"/g)].map((match) => match[1] ?? ''));
    const file = path.join(root, 'package.nls.json');
    const texts = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  test('links only to commands that it contributes', () => {
    const known = new Set(commands.map(({ command }) => command));
    const linked = [...nls.matchAll(/\(command:(solanaRpc\.\w+)/g)].map((match) => match[1] ?? '');
    assert.ok(linked.length > 0);
    assert.deepEqual(
      linked.filter((command) => !known.has(command)),
      [],
    );
  });

  test('asks in conditions only for what the code sets', () => {
    const asked = new Set(
      [...text.matchAll(/(?<!onWebviewPanel:)\b(solanaRpc\.\w+)(?= ?(?:==|!=|=~|&&|"))/g)].map(
        (match) => match[1] ?? '',
      ),
    );
    const panels = (manifest.activationEvents ?? []).map((event) => event.replace(/^\w+:/, ''));
    const own = new Set([
      ...commands.map(({ command }) => command),
      ...Object.keys(SETTINGS).map((name) => `solanaRpc.${name}`),
      ...views,
      ...panels,
    ]);
    /** Set by its whole name, in the table of lists, or by a member of the table that `solanaRpc.${name}` is made of. */
    const setsLists = /for \(const \[key, fits\] of LISTS\)\s+setContext\(\s*key,/.test(client);
    const isSet = (key: string): boolean =>
      new RegExp(`(?:'setContext',\\s*|\\bset(?:Context)?\\()'${key}'`).test(client) ||
      (setsLists && client.includes(`['${key}', ({ `)) ||
      (client.includes('setContext(`solanaRpc.${name}`') &&
        new RegExp(`^\\s+${key.replace('solanaRpc.', '')}: .*'none'`, 'm').test(client));
    for (const key of asked) if (!own.has(key)) assert.ok(isSet(key), `${key} is set`);
  });
});

describe('manifest and code', () => {
  test('every setting is read, by the functions that know its type', () => {
    const READ = /\b(?:setting|ownSetting|ownValue)\('([\w.]+)'\)/g;
    const read = new Set([...client.matchAll(READ)].map(([, name]) => name));
    /** Read by vscode-languageclient, by the id of the client. */
    const byClient = 'trace.server';
    assert.deepEqual(
      Object.keys(CLIENT_SETTINGS).filter((name) => name !== byClient && !read.has(name)),
      [],
    );
    assert.match(client, /class (\w+) extends LanguageClient\b[^]*new \1\('solanaRpc',/);
    assert.equal(client.match(/getConfiguration\('solanaRpc/g)?.length, 1);
  });

  test('the default places of IDLs are those of the terminal', () => {
    assert.deepEqual(CLIENT_SETTINGS.idls.default, IDL_PLACES);
  });

  test('every view is filled', () => {
    assert.ok(views.length > 0);
    for (const view of views)
      assert.match(client, new RegExp(`(?:createTreeView|registerTreeDataProvider|ViewProvider)\\('${view}'`), view);
  });

  test('a window that is not trusted ignores every setting of its workspace that reaches the network or reads a file', () => {
    for (const name of [
      'endpoints',
      'endpoint',
      'allowedEnvironment',
      'wallets',
      'limits.respectPlan',
      'schemas',
      'idls',
    ])
      assert.equal(SETTINGS[name]?.isRestricted, true, name);
  });

  for (const name of ['endpoints', 'wallets', 'allowedEnvironment', 'explorer'])
    test(`${name} are those of the user: a workspace has no value for them`, () => {
      assert.equal(SETTINGS[name]?.scope, 'application');
    });
});

describe('pages', () => {
  test('a page loads our own bundles alone, and sends no form', () => {
    const options = [...client.matchAll(/enableScripts: true.*/g)].map(([line]) => line);
    assert.deepEqual(options, ['enableScripts: true, localResourceRoots: [folder], enableForms: false };']);
    assert.match(client, /const folder = vscode\.Uri\.joinPath\(options\.extensionUri, 'dist', 'webview'\);/);
  });
});

/** The texts of every source file of a room. */
function sourcesOf(room: string): readonly string[] {
  return readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(root, room, name), 'utf8'));
}
