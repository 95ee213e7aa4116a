// The real editor at work, as a subject of the soak: a file is sent again and again next to a stream's panel.
import { openEditor } from '../../../support/editor/editor';
import { descendantsOf } from '../../../support/process/processes';
import type { Soaked } from './soaked';
import type { Subject } from './watch';

const REQUESTS = '### Slot\n# @name slot\n{ "method": "getSlot" }\n?? result > 0\n';
const SLOTS = '### Every slot\n{ "method": "slotSubscribe" }\n';

/** The process of this editor that runs the program. */
const subject = (name: string, program: RegExp): Subject => ({
  name,
  pid: () => descendantsOf(process.pid).find(({ cmdline }) => program.test(cmdline))?.pid,
});

export async function soakEditor(over: AbortSignal): Promise<Soaked> {
  const editor = await openEditor({ files: { 'requests.jsonrpc': REQUESTS, 'slots.jsonrpc': SLOTS } });
  const { workbench } = editor;
  let sent = 0;
  const work = async (): Promise<void> => {
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', /^local, active/).waitFor();
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    await workbench.tab('Every slot').waitFor();
    while (!over.aborted) {
      await workbench.runCommandIn('requests.jsonrpc', 'Solana RPC: Send Request');
      await workbench.waitForText('slot.json', /"result": \d+/);
      sent++;
    }
  };
  return {
    subjects: [
      subject('extension host', /--type=extensionHost/),
      // Those that the soak starts itself lie elsewhere.
      subject('its language server', /extensions.rpc-workbench\.[^ ]*server\.js/),
      subject('its local service', /extensions.rpc-workbench\.[^ ]*localnet\.js/),
    ],
    work: work().catch((error: unknown) => (over.aborted ? undefined : Promise.reject(error as Error))),
    done: () => [`${sent} requests sent in the editor`],
    close: () => editor.close(),
  };
}
