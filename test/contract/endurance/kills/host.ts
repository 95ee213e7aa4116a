// The extension host of the real editor as a target of kills: with it end the language server and the local service that it
// started; the window is loaded again, as it asks a person to do.
import { openEditor, type Editor } from '../../../support/editor/editor';
import { filesBelow } from '../../../support/process/leaks';
import { descendantsOf, type Seen } from '../../../support/process/processes';
import { startBusyService } from './busyService';
import { endProcess, type Scene } from './engine';
import { WholeFiles } from './files';

const REQUESTS = '### Slot\n# @endpoint local\n{ "method": "getSlot" }\n\n### Version\n{ "method": "getVersion" }\n';
const SLOTS = '### Every slot\n# @endpoint local\n{ "method": "slotSubscribe" }\n';

/** Processes of the editor that run such a program. */
const running = (program: string): readonly Seen[] =>
  descendantsOf(process.pid).filter(({ cmdline }) => cmdline.includes(program));
const HOST = '--type=extensionHost';

export async function openHost(folder: string): Promise<Scene> {
  const service = await startBusyService();
  const editor = await openEditor({
    files: { 'requests.jsonrpc': REQUESTS, 'slots.jsonrpc': SLOTS },
    settings: {
      'solanaRpc.endpoints': [{ name: 'kept', rpcUrl: service.rpcUrl }],
      'solanaRpc.endpoint': 'kept',
    },
    env: { TMPDIR: folder },
  });
  const { workbench } = editor;
  await workbench.openContainer('Solana RPC');
  await workbench.runCommand('Solana RPC: Add Key');
  await workbench.quickInput.pick('RPC key');
  await workbench.quickInput.answer('main');
  await workbench.page.getByText('It is kept in the editor’s secret storage').waitFor();
  await workbench.quickInput.answer('k3yThatIsNeverLost0123');
  await workbench.statusItem(/RPC key stored for/).waitFor();
  await hasKey(editor);
  // Opened to stay: a tab in italics makes room for the next.
  for (const name of ['requests.jsonrpc', 'slots.jsonrpc']) {
    await workbench.openFile(name);
    await workbench.tab(name).first().dblclick();
  }
  // The editor writes the state of a window once a minute, and before it reloads by its own command.
  await workbench.reload();
  const checked = (): readonly string[] => {
    const responses = [...filesBelow(editor.profileFolder)].filter((file) =>
      /responses.[0-9a-f]+-\d+\.json$/.test(file),
    );
    return new WholeFiles().check(responses, (text) => JSON.parse(text) !== undefined);
  };
  return {
    start: async () => {
      await workbench.until('the local service runs', async () => {
        // One that ran when the host was killed is started again with the next host.
        if (await workbench.comes(workbench.treeItem('Endpoints', /^local/).first())) return true;
        await workbench.runCommand('Solana RPC: Start Local Service');
        return undefined;
      });
      // By their tabs: the search for files is the host's, and keys go to a stream's page while it has the focus.
      await workbench.tab('slots.jsonrpc').first().click();
      await workbench.lensAction('Watch').first().click();
      await workbench.tab('requests.jsonrpc').first().click();
      await workbench.lensAction('Send').first().click();
      return {
        underWay: Promise.resolve(),
        end: async (isPolite) => {
          const [host] = running(HOST);
          if (host === undefined) return ['there is no extension host'];
          const ended = await endProcess(host.pid, isPolite);
          // The window asks for it, in a box over everything.
          await workbench.page.reload();
          await workbench.ready();
          await workbench.until('a new extension host runs', () =>
            Promise.resolve(running(HOST).some(({ pid }) => pid !== host.pid) ? true : undefined),
          );
          await workbench.openContainer('Solana RPC');
          await hasKey(editor);
          return [...(ended === 'had ended' ? [] : ended), ...checked()];
        },
      };
    },
    finish: async () => {
      await workbench.tab('requests.jsonrpc').first().click();
      await workbench.lens('Send').first().waitFor();
      return checked();
    },
    close: async () => {
      await editor.close();
      await service.close();
    },
  };
}

/** The key that was stored is there: what asks for a key offers it. */
async function hasKey({ workbench }: Editor): Promise<void> {
  await workbench.until('the stored key is offered', async () => {
    await workbench.runCommand('Solana RPC: Rotate Key');
    return workbench.comes(workbench.quickInput.options(/RPC key.*main/).first());
  });
  await workbench.quickInput.close();
}
