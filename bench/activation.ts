// Opens a real editor on a request file again and again and prints, as JSON, what the editor says each activation of the
// packaged extension took: milliseconds to load its code and to call it. Run as a separate process by bench/start.ts.
import { openEditor } from '../test/support/editor/editor';
import type { Workbench } from '../test/support/editor/workbench';

const FILE = 'slot.jsonrpc';

/** Our time in *Show Running Extensions*, once the extension is active. */
async function activationMs({ page }: Workbench): Promise<number> {
  const row = page.locator('.runtime-extensions-editor .extension', { hasText: /^Solana RPC Workbench/ });
  const time = row.locator('.activation-time').filter({ hasText: /\d+ms$/ });
  return Number(/(\d+)ms/.exec((await time.textContent()) ?? '')?.[1]);
}

async function main(rounds: number): Promise<void> {
  // The list shows the slowest first and draws the rows in sight only: a window in which all of them are.
  const size = { width: 1280, height: 3000 };
  const editor = await openEditor({ files: { [FILE]: '### Slot\n{ "method": "getSlot" }\n' }, size });
  const { workbench } = editor;
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      // Each load of the window starts a new extension host.
      if (round > 0) await workbench.reload();
      await workbench.openFile(FILE);
      await workbench.lens('Send').waitFor();
      await workbench.runCommand('Developer: Show Running Extensions');
      times.push(await activationMs(workbench));
      await workbench.closeEditors();
    }
  } finally {
    await editor.close();
  }
  process.stdout.write(JSON.stringify(times));
}

main(Number(process.argv[2])).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
