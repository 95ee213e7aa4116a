// `--watch`: what happens to a file between its reading and the end of the round starts another round, and so does a
// file that was missing and appears; what the round writes itself does not.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { EXIT, UsageError } from '../../../cli/exit';
import { createFilePort, followed, loadFiles } from '../../../cli/session/files';
import { givenFiles } from '../../../cli/session/given';
import { keepRunning } from '../../../cli/session/watching';
import { waiting } from '../../support/waiting';
import type { ReadFiles } from '../../../cli/session/readFiles';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'watching-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const write = (name: string, text = '### Slot\n{ "method": "getSlot" }\n'): void => writeFileSync(at(name), text);

interface Step {
  readonly round: (read: ReadFiles) => unknown;
  /** Once it watches. */
  readonly then?: () => void;
}

/** Takes the steps, one a round; the names of the files whose change began the next. The round after the last step ends it. */
async function changesOf(...steps: readonly Step[]): Promise<readonly string[]> {
  const end = new AbortController();
  const changes: string[] = [];
  const left = [...steps];
  let then: Step['then'];
  const written = mock.method(process.stderr, 'write', (text: string) => {
    changes.push(...(/[^/]+(?= changed\.\n)/.exec(text) ?? []));
    if (text.includes('Ctrl+C ends.')) then?.();
    return true;
  });
  try {
    const run = keepRunning(async (_, read) => {
      const step = left.shift();
      then = step?.then;
      if (step === undefined) end.abort();
      else await step.round(read);
      return EXIT.ok;
    }, end.signal);
    assert.equal(await waiting('a round after the last step', () => run), EXIT.interrupted);
  } finally {
    written.mock.restore();
  }
  return changes;
}

/** As `run` and `check` read them. */
async function load(read: ReadFiles, ...words: readonly string[]): Promise<void> {
  await loadFiles(await givenFiles(words.map(at), process.stdin, read), folder, { read });
}

test('a file that is removed during the round is seen, and seen again when it comes back', async () => {
  write('a.jsonrpc', '# @import b.jsonrpc\n');
  write('b.jsonrpc');
  const changes = await changesOf(
    {
      round: async (read) => {
        await load(read, 'a.jsonrpc');
        rmSync(at('b.jsonrpc'));
      },
    },
    { round: (read) => load(read, 'a.jsonrpc'), then: () => write('b.jsonrpc') },
  );
  assert.deepEqual(changes, ['b.jsonrpc', 'b.jsonrpc']);
});

test('an older file that takes the place of one during the round is seen', async () => {
  write('a.jsonrpc');
  write('older');
  utimesSync(at('older'), new Date(0), new Date(0));
  const round = async (read: ReadFiles): Promise<void> => {
    await load(read, 'a.jsonrpc');
    renameSync(at('older'), at('a.jsonrpc'));
  };
  assert.deepEqual(await changesOf({ round }), ['a.jsonrpc']);
});

test('a file that changes between two readings of one round is seen', async () => {
  write('a.jsonrpc');
  const round = async (read: ReadFiles): Promise<void> => {
    await load(read, 'a.jsonrpc');
    write('a.jsonrpc', '### Other\n');
    await load(read, 'a.jsonrpc');
  };
  assert.deepEqual(await changesOf({ round }), ['a.jsonrpc']);
});

test('a response that the round reads and saves does not start it again', async () => {
  for (const name of ['first.json', 'last.json', 'b.json']) write(name, '{}');
  mkdirSync(at('real'));
  write('real/linked.json', '{}');
  symlinkSync(at('real'), at('link'));
  const round = async (read: ReadFiles): Promise<void> => {
    const files = followed(createFilePort(folder), read);
    const [get, save] = [
      (name: string) => files.read(name, at('a.jsonrpc'), 'value'),
      (name: string) => files.write(name, at('a.jsonrpc'), '{"result":1}', true),
    ];
    const done = [
      ...[await get('first.json'), await get('real/linked.json'), await get('none.json')],
      ...[await save('first.json'), await save('link/linked.json'), await save('none.json'), await save('last.json')],
      ...[await get('last.json'), await get('b.json')],
    ];
    assert.deepEqual(
      done.map(({ ok }) => ok),
      [true, true, false, true, true, true, true, true, true],
    );
    write('b.json', '{"changed":true}');
  };
  assert.deepEqual(await changesOf({ round }), ['b.json']);
});

test('a saved response that is moved to the place of a file is a change of that', async () => {
  write('value.json', '{}');
  const round = async (read: ReadFiles): Promise<void> => {
    const files = followed(createFilePort(folder), read);
    await files.read('value.json', at('a.jsonrpc'), 'value');
    await files.write('saved.json', at('a.jsonrpc'), '{"result":1}', true);
  };
  const changes = await changesOf({ round, then: () => renameSync(at('saved.json'), at('value.json')) });
  assert.deepEqual(changes, ['value.json']);
});

test('a response that is not saved does not count: the file in its place is read again', async () => {
  write('value.json', '{}');
  const round = async (read: ReadFiles): Promise<void> => {
    const files = followed(createFilePort(folder), read);
    await files.read('value.json', at('a.jsonrpc'), 'value');
    write('value.json', '{"changed":true}');
    assert.equal((await files.write('value.json', at('a.jsonrpc'), '{"result":1}', false)).ok, false);
  };
  assert.deepEqual(await changesOf({ round }), ['value.json']);
});

test('a file that the round did not find is seen when it appears, also in a folder that appears', async () => {
  write('a.jsonrpc', '# @import b.jsonrpc\n# @import deep/er/c.jsonrpc\n');
  const appear = (): void => {
    mkdirSync(at('deep/er'), { recursive: true });
    write('deep/er/c.jsonrpc');
  };
  const changes = await changesOf(
    {
      round: async (read) => {
        await load(read, 'a.jsonrpc');
        write('b.jsonrpc');
      },
    },
    { round: (read) => load(read, 'a.jsonrpc'), then: appear },
  );
  assert.deepEqual(changes, ['b.jsonrpc', 'c.jsonrpc']);
});

test('a folder that is moved away takes its files with it', async () => {
  write('a.jsonrpc', '# @import lib/b.jsonrpc\n');
  mkdirSync(at('lib'));
  write('lib/b.jsonrpc');
  const changes = await changesOf(
    { round: (read) => load(read, 'a.jsonrpc'), then: () => renameSync(at('lib'), at('away')) },
    { round: (read) => load(read, 'a.jsonrpc'), then: () => renameSync(at('away'), at('lib')) },
  );
  assert.deepEqual(changes, ['b.jsonrpc', 'b.jsonrpc']);
});

test('a request file that appears in a folder, or fits a pattern, is seen, and no other one', async () => {
  write('a1.jsonrpc');
  write('b.jsonrpc');
  const changes = await changesOf(
    {
      round: async (read) => {
        await load(read, 'a*.jsonrpc');
        write('c.jsonrpc');
        write('a2.jsonrpc');
      },
    },
    {
      round: async (read) => {
        await load(read, '.');
        write('d.txt');
        write('d.jsonrpc');
      },
    },
    { round: (read) => load(read, '.'), then: () => write('e.jsonrpc') },
  );
  assert.deepEqual(changes, ['a2.jsonrpc', 'd.jsonrpc', 'e.jsonrpc']);
});

test('the only request file of a folder is seen when it comes back', async () => {
  write('a.jsonrpc');
  mkdirSync(at('sub'));
  write('sub/only.jsonrpc');
  const changes = await changesOf(
    { round: (read) => load(read, '.'), then: () => renameSync(at('sub/only.jsonrpc'), at('away')) },
    {
      round: async (read) => {
        await load(read, '.');
        renameSync(at('away'), at('sub/only.jsonrpc'));
      },
    },
    { round: (read) => load(read, '.'), then: () => renameSync(at('sub'), at('.away')) },
    { round: (read) => load(read, '.'), then: () => renameSync(at('.away'), at('sub')) },
  );
  assert.deepEqual(changes, Array(4).fill('only.jsonrpc'));
});

test('a round that could not read everything is started again by what the one before it read', async () => {
  write('a.jsonrpc');
  write('b.jsonrpc');
  const changes = await changesOf(
    {
      round: async (read) => {
        await load(read, 'a.jsonrpc', 'b.jsonrpc');
        rmSync(at('a.jsonrpc'));
      },
    },
    // It goes no further than to the first file.
    { round: (read) => load(read, 'a.jsonrpc', 'b.jsonrpc'), then: () => write('b.jsonrpc', '### Other\n') },
    {
      round: () => {
        throw new UsageError('Nothing was read.');
      },
      then: () => write('a.jsonrpc'),
    },
  );
  assert.deepEqual(changes, ['a.jsonrpc', 'b.jsonrpc', 'a.jsonrpc']);
});
