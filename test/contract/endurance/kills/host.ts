// The extension host of the real editor as a target of kills: with it end the language server and the local service that it
// started. The editor starts another host in the same window, as it does for people; at the end the window is loaded again.
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addCompanion } from '../../../support/editor/companion';
import { openEditor } from '../../../support/editor/editor';
import { statusSays } from '../../../support/editor/statusMessages';
import { filesBelow } from '../../../support/process/leaks';
import { descendantsOf, type Seen } from '../../../support/process/processes';
import { LARGE_METHOD, startBusyService } from './busyService';
import { until, type Ends, type Scene } from './engine';
import { WholeFiles } from './files';
import { driver } from './hostDriver';

/** Each names its endpoint: a local service that starts becomes the one in use. */
const REQUESTS = [
  '### Slot\n# @endpoint kept\n{ "method": "getSlot" }\n',
  `### Large\n# @endpoint kept\n{ "method": "${LARGE_METHOD}", "params": ["11111111111111111111111111111111"] }\n`,
  '### Local\n# @endpoint local\n{ "method": "getSlot" }\n',
].join('\n');
const SLOTS = '### Every slot\n# @endpoint local\n{ "method": "slotSubscribe" }\n';
/** Of the large answer. Bytes. */
const LARGE = 1_000_000;
const KEY = 'k3yThatIsNeverLost0123';

/** Processes of the editor that run such a program. */
const running = (program: string): readonly Seen[] =>
  descendantsOf(process.pid).filter(({ cmdline }) => cmdline.includes(program));
const HOST = '--type=extensionHost';
/** As long as a host may need to work, on a machine that is busy with much else. ms */
const PATIENCE_MS = 120_000;
/** As long as the editor may need to start one without a question. ms */
const BY_ITSELF_MS = 1_000;

/** An empty file takes the number of a run for its answer, which may never come. A later start removes it. */
const isTaken = (file: string): boolean => file.endsWith('.meta.json') && statSync(file).size === 0;

export async function openHost(folder: string, ends: Ends): Promise<Scene> {
  const service = await startBusyService(LARGE);
  const go = path.join(folder, 'go');
  const editor = await openEditor({
    files: { 'requests.jsonrpc': REQUESTS, 'slots.jsonrpc': SLOTS },
    settings: {
      'solanaRpc.endpoints': [{ name: 'kept', rpcUrl: service.rpcUrl }],
      'solanaRpc.endpoint': 'kept',
      // Of the editor's own extensions only those start that are needed.
      'git.enabled': false,
    },
    env: { TMPDIR: folder },
    size: { width: 800, height: 500 },
    beside: (extensions) => addCompanion(extensions, 'driver', driver(go)),
  });
  const { workbench } = editor;
  await workbench.openContainer('Solana RPC');
  await workbench.runCommand('Solana RPC: Add Key');
  await workbench.quickInput.pick('RPC key');
  await workbench.quickInput.answer('main');
  await workbench.page.getByText(/^It is kept in the editor’s secret storage/).waitFor();
  await statusSays(workbench, /RPC key stored for/, () => workbench.quickInput.answer(KEY));
  writeFileSync(go, '');
  // By its own command the editor writes what it knows of the window before it reloads, which else it does once a minute.
  const idle = running(HOST)[0]?.pid;
  await workbench.reload();

  const restart = workbench.page
    .locator('.notifications-center')
    .getByRole('button', { name: /^Restart/ })
    .last();
  /** Shows and hides the editor's notifications, regardless of the focus. */
  const bell = workbench.statusItem(/Notifications?$/);
  /** Where no local service runs, a host asks for it, in front of all that is clicked here. The question outlives the host. */
  const question = workbench.dialog('The local service is not running.');
  /** For a look. Of two that ask, the second shows once the first is answered. */
  const answerQuestion = async (button: 'Cancel' | 'Start Local Service'): Promise<void> => {
    if (await question.isVisible()) await question.getByRole('button', { name: button, exact: true }).click();
  };
  /** The editor restarts the host by itself; after a few such ends, only on request. Throws, with what it shows, where none comes. */
  const hostAfter = (last: number | undefined): Promise<number> =>
    workbench.until('an extension host runs', async () => {
      const other = (): number | undefined => running(HOST).find(({ pid }) => pid !== last)?.pid;
      if (await until(() => other() !== undefined, BY_ITSELF_MS)) return other();
      await answerQuestion('Cancel');
      if (!(await restart.isVisible())) await bell.click();
      if (await workbench.comes(restart)) await restart.click();
      return undefined;
    });
  let [lives, worked] = [0, 0];
  let last = idle;
  const checked = (): readonly string[] => {
    const responses = [...filesBelow(editor.profileFolder)].filter(
      (file) => /responses.[0-9a-f]+-\d+\.(?:json|meta\.json|full|index)$/.test(file) && !isTaken(file),
    );
    const authorizations = [...service.authorizations].filter((value) => value !== `Bearer ${KEY}`);
    return [
      ...new WholeFiles().check(responses, (text) => JSON.parse(text) !== undefined),
      ...authorizations.map((value) => `the stored key is not what a request carried: ${value}`),
    ];
  };
  return {
    start: async (round) => {
      service.round = round;
      const underWay = service.requested();
      const host = await hostAfter(last);
      lives++;
      void underWay.then(() => worked++);
      return {
        underWay,
        end: async (isPolite) => {
          last = host;
          const ended = await ends.process(host, isPolite);
          return [...(ended === 'had ended' ? [] : ended), ...checked()];
        },
      };
    },
    finish: async () => {
      const underWay = service.requested().then(() => true);
      await workbench.page.reload();
      await workbench.ready();
      let isWorking = false;
      void underWay.then(() => (isWorking = true));
      const failures = (await until(() => isWorking, PATIENCE_MS)) ? [] : ['the window sends nothing any more'];
      await workbench.until('the tab of the requests is clicked', async () => {
        // After Cancel the next request would ask again.
        await answerQuestion('Start Local Service');
        await workbench.tab('requests.jsonrpc').first().click();
        return true;
      });
      await workbench.lens('Send').first().waitFor();
      // A host at work removes old responses while they are looked at.
      for (const { pid } of running(HOST)) await ends.process(pid, true);
      // Kills that all came before any work had started would prove nothing.
      if (worked * 2 < lives) failures.push(`only ${worked} of ${lives} hosts started their work`);
      return [...failures, ...checked()];
    },
    close: async () => {
      await editor.close();
      await service.close();
    },
  };
}
