// The terminal's commands as targets of kills: `run`, `watch` and `mcp`.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { resultOf, Workspace } from '../../../support/process/cli';
import { filesBelow } from '../../../support/process/leaks';
import { McpClient } from '../../../support/process/mcpClient';
import { isOneAnswer, LARGE_METHOD, startBusyService } from './busyService';
import type { Ends, Life, Scene } from './engine';
import { holds, leftIn, WholeFiles } from './files';

const SMALL = 10;

/** Small answers and a large one, saved over those of the round before, and snapshots of some. */
const REQUESTS = [
  ...Array.from(
    { length: SMALL },
    (_, at) =>
      `### Small ${at}\n{ "method": "getSlot" }\n?? result.items matchesSnapshot\n>>! answers/small${at}.json\n`,
  ),
  `### Large\n{ "method": "${LARGE_METHOD}", "params": ["11111111111111111111111111111111"] }\n>>! answers/large.json\n`,
].join('\n');

/** A folder for a command: `own` is where it works. */
function workIn(folder: string): {
  readonly work: Workspace;
  readonly env: Record<string, string>;
  readonly left: () => readonly string[];
} {
  // oxfmt-ignore
  const work = new Workspace();
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary);
  return { work, env: { TMPDIR: temporary }, left: () => leftIn(work.root, temporary) };
}

export async function openRun(folder: string, ends: Ends): Promise<Scene> {
  const service = await startBusyService();
  const { work, env, left } = workIn(folder);
  work.write('requests.jsonrpc', REQUESTS);
  const files = new WholeFiles();
  const start = (): ChildProcess =>
    work.start(
      [
        ...['run', 'requests.jsonrpc', '--rpc-url', service.rpcUrl, '--auth', 'rpc=none'],
        ...['--junit', 'report.xml', '--update-snapshots', '--parallel', '4'],
      ],
      { env },
    );
  const check = (): readonly string[] => {
    const written = [...filesBelow(work.root)].filter((file) =>
      /\.xml$|\/answers\/[^.]|__snapshots__\/[^.]/.test(file),
    );
    return files.check(written, (text, file) =>
      file.endsWith('.xml')
        ? text.trimEnd().endsWith('</testsuites>')
        : file.includes('__snapshots__')
          ? JSON.parse(text) !== undefined
          : isOneAnswer(text),
    );
  };
  return {
    start: async (round) => {
      service.round = round;
      const underWay = service.requested();
      const child = start();
      const said = resultOf(child);
      return {
        underWay,
        inTheMiddle: async () => {
          await service.most();
          // It is larger than what is held in memory, so its file is there, and no end has come that could remove it.
          await ends.until(() => left().some((file) => file.includes(`-${child.pid}-`)));
        },
        end: async (isPolite) => {
          const ended = await ends.process(child.pid ?? 0, isPolite);
          const { code, stdout, stderr } = await said;
          const failures = [...(ended === 'had ended' ? [] : ended), ...check()];
          // Node itself ends on a signal that comes before the command has begun.
          if (isPolite && code !== null) {
            // Files that an earlier kill left are removed by the next command that needs such a file.
            const own = left().filter((file) => file.includes(`-${child.pid}-`));
            failures.push(...own.map((file) => `left after a polite end: ${file}`));
            if (code !== 0 && !/interrupted|cancelled/i.test(stdout + stderr))
              failures.push(`the interruption was not reported: exit code ${code}, ${stdout.slice(-300)}${stderr.slice(-300)}`); // oxfmt-ignore
          }
          return failures.length === 0 ? ended : failures;
        },
      };
    },
    finish: async () => {
      service.round++;
      const { code, stdout, stderr } = await resultOf(start());
      return [
        ...(code === 0 ? [] : [`a run fails with ${code}: ${stdout.slice(-500)}${stderr.slice(-500)}`]),
        ...check(),
        ...left().map((file) => `left over: ${file}`),
      ];
    },
    close: async () => {
      work.dispose();
      await service.close();
    },
  };
}

/** A stream of a local service that the command starts for itself. */
export async function openWatch(folder: string, ends: Ends): Promise<Scene> {
  const { work, env, left } = workIn(folder);
  work.write('slots.jsonrpc', '### Slots\n# @name slots\nWS\n{ "method": "slotSubscribe" }\n');
  const watch = (...more: string[]): ChildProcess => work.start(['watch', 'slots.jsonrpc#slots', '--local', ...more], { env }); // oxfmt-ignore
  return Promise.resolve({
    start: async () => {
      const child = watch();
      const said = resultOf(child);
      return Promise.resolve({
        underWay: once(child.stdout ?? child, 'data'),
        end: async (isPolite) => {
          const ended = await ends.process(child.pid ?? 0, isPolite);
          const { stdout } = await said;
          // The last line may be half one: the reader of a pipe sees that its writer is gone.
          const lines = stdout.split('\n').slice(0, -1);
          const torn = lines.filter((line) => !holds(() => JSON.parse(line) !== undefined));
          const failures = [...(ended === 'had ended' ? [] : ended), ...torn.map((line) => `half a line: ${line}`)];
          return failures.length === 0 ? ended : failures;
        },
      } satisfies Life);
    },
    finish: async () => {
      const { code, stderr } = await resultOf(watch('--count', '1'));
      return [...(code === 0 ? [] : [`watch fails with ${code}: ${stderr}`]), ...left().map((file) => `left over: ${file}`)]; // oxfmt-ignore
    },
    close: () => Promise.resolve(work.dispose()),
  } satisfies Scene);
}

/** A session that reads a stream of a private local service. */
export async function openMcp(folder: string, ends: Ends): Promise<Scene> {
  const { work, env, left } = workIn(folder);
  const start = (): Promise<McpClient> => McpClient.start({ folder: work.root, env });
  return Promise.resolve({
    start: async () => {
      const client = await start();
      // Requests interrupted by the kill reject instead of hanging.
      const underWay = client.call('run', { method: 'getSlot' }).catch(() => undefined);
      const asked = Promise.allSettled([
        underWay,
        client.call('read_stream', { method: 'slotSubscribe', seconds: 60 }),
      ]);
      return {
        underWay,
        end: async (isPolite) => {
          const ended = await ends.process(client.pid, isPolite);
          let isSettled = false;
          void Promise.all([client.closed, asked]).then(() => (isSettled = true));
          const failures = [...(ended === 'had ended' ? [] : ended)];
          if (!(await ends.until(() => isSettled))) failures.push('the client waits for an answer that cannot come');
          await client.close();
          return failures.length === 0 ? ended : failures;
        },
      };
    },
    finish: async () => {
      const client = await start();
      const { isError } = await client.call('run', { method: 'getSlot' });
      await client.close();
      return [...(isError === true ? ['a call fails'] : []), ...left().map((file) => `left over: ${file}`)];
    },
    close: () => Promise.resolve(work.dispose()),
  } satisfies Scene);
}
