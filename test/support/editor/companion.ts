// Another extension in the editor of a test: what it does there is its own program, in plain JavaScript.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const PUBLISHER = 'rpc-workbench-tests';
const VERSION = '1.0.0';

/**
 * Adds an extension to a folder of installed ones, which `openEditor` loads together with the product. It is active from
 * the start, in Restricted Mode too.
 */
export async function addCompanion(extensions: string, name: string, program: string): Promise<void> {
  const id = `${PUBLISHER}.${name}`;
  const folder = `${id}-${VERSION}`;
  await mkdir(path.join(extensions, folder));
  const manifest = {
    publisher: PUBLISHER,
    name,
    version: VERSION,
    engines: { vscode: '^1.97.0' },
    main: './main.js',
    activationEvents: ['*'],
    extensionKind: ['workspace'],
    capabilities: { untrustedWorkspaces: { supported: true } },
  };
  await writeFile(path.join(extensions, folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(extensions, folder, 'main.js'), program);
  const list = path.join(extensions, 'extensions.json');
  const installed = JSON.parse(await readFile(list, 'utf8')) as readonly object[];
  const location = { $mid: 1, path: path.join(extensions, folder), scheme: 'file' };
  const added = { identifier: { id }, version: VERSION, location, relativeLocation: folder };
  await writeFile(list, JSON.stringify([...installed, added]));
}
