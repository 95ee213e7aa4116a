// The lock of a state file: in every order in which several processes may reach it, one has it, and a lock that a dead process
// left is taken over by exactly one.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, mock, test } from 'node:test';
import { lockFile, takeLock, type LockFiles } from '../../../localnet/state/lock';
import { testFolder } from '../../support/folder';

const LOCK = 'a.state.lock';
const DEAD = 1;

/** Ends a process where it is: its next operation has not happened. */
const PAUSE = new Error('paused');

type Answer = boolean | number | undefined;

/** The history so far: the lock files, and the answers to each process. A schedule continues from a copy. */
interface World {
  readonly locks: ReadonlyMap<string, number>;
  readonly answers: readonly (readonly Answer[])[];
  readonly crashed: readonly number[];
}

type Outcome =
  | { readonly kind: 'paused' }
  | { readonly kind: 'holds' | 'released' }
  | { readonly kind: 'refused'; readonly by: number };

const pidOf = (index: number): number => 100 + index;

/**
 * Lets one process make its next operation: everything before it is answered as it was. `releases` gives the lock back once
 * it has it.
 */
function step(world: World, index: number, releases: boolean): { readonly world: World; readonly outcome: Outcome } {
  const locks = new Map(world.locks);
  const known = world.answers[index] ?? [];
  const answers: Answer[] = [];
  let isPaused = false;
  const operation = <T extends Answer>(make: () => T): T => {
    if (answers.length < known.length) {
      const answer = known[answers.length] as T;
      answers.push(answer);
      return answer;
    }
    // Also what a `finally` would do is still ahead.
    if (isPaused || answers.length > known.length) {
      isPaused = true;
      throw PAUSE;
    }
    const answer = make();
    answers.push(answer);
    return answer;
  };
  const pid = pidOf(index);
  const files: LockFiles = {
    pid,
    create: (lock) => operation(() => !locks.has(lock) && locks.set(lock, pid) === locks),
    holder: (lock) => operation(() => locks.get(lock)),
    replace: (lock) => operation(() => void locks.set(lock, pid)),
    remove: (lock) => operation(() => void locks.delete(lock)),
    isHeld: (_, other) => operation(() => other !== DEAD && !world.crashed.includes(other)),
  };
  const outcome = outcomeOf(files, releases, () => isPaused);
  return { world: { ...world, locks, answers: world.answers.with(index, answers) }, outcome };
}

function outcomeOf(files: LockFiles, releases: boolean, isPaused: () => boolean): Outcome {
  try {
    const release = takeLock(LOCK, files);
    if (!releases) return { kind: 'holds' };
    release();
    return { kind: 'released' };
  } catch (error) {
    if (error === PAUSE || isPaused()) return { kind: 'paused' };
    const by = /in use by process (\d+)/.exec((error as Error).message)?.[1];
    assert.ok(by !== undefined, String(error));
    return { kind: 'refused', by: Number(by) };
  }
}

interface Play {
  readonly locks: ReadonlyMap<string, number>;
  readonly processes: number;
  /** Which processes give the lock back once they have it. */
  readonly releasing?: readonly number[];
  /** How many may be killed, each at any point. */
  readonly kills?: number;
}

/** Every order of operations; `ended` is called with how each process came out. Answers the number of states seen. */
function everyOrder(
  { locks, processes, releasing = [], kills = 0 }: Play,
  ended: (outcomes: readonly Outcome[], world: World) => void,
): number {
  const seen = new Set<string>();
  const visit = (world: World, outcomes: readonly Outcome[]): void => {
    const state = JSON.stringify([[...world.locks].sort(), world.answers, world.crashed, outcomes]);
    if (seen.has(state)) return;
    seen.add(state);
    const isCrashed = (index: number): boolean => world.crashed.includes(pidOf(index));
    const holding = outcomes.filter(({ kind }, index) => kind === 'holds' && !isCrashed(index));
    assert.ok(holding.length <= 1, `two hold it: ${state}`);
    const ready = outcomes.flatMap(({ kind }, index) => (kind === 'paused' && !isCrashed(index) ? [index] : []));
    for (const index of ready) {
      const next = step(world, index, releasing.includes(index));
      visit(next.world, outcomes.with(index, next.outcome));
    }
    if (world.crashed.length < kills)
      for (const index of outcomes.keys())
        if (!isCrashed(index)) visit({ ...world, crashed: [...world.crashed, pidOf(index)] }, outcomes);
    if (ready.length === 0) ended(outcomes, world);
  };
  const nobody = Array.from({ length: processes }, (): readonly Answer[] => []);
  visit(
    { locks, answers: nobody, crashed: [] },
    nobody.map((): Outcome => ({ kind: 'paused' })),
  );
  return seen.size;
}

const LEFT = new Map([[LOCK, DEAD]]);

describe('In every order of their operations,', () => {
  for (const [title, locks] of [
    ['without a lock', new Map<string, number>()],
    ['with the lock of a dead process', LEFT],
    ['with the lock of a process that died while it took over', new Map([...LEFT, [`${LOCK}.next`, DEAD]])],
  ] as const)
    for (const processes of [2, 3])
      test(`${processes} processes ${title}: one has it, the others name a process that runs`, () => {
        const states = everyOrder({ locks, processes }, (outcomes, world) => {
          const winner = outcomes.findIndex(({ kind }) => kind === 'holds');
          assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), [
            'holds',
            ...Array.from({ length: processes - 1 }, () => 'refused'),
          ]);
          assert.deepEqual([...world.locks], [[LOCK, pidOf(winner)]]);
          for (const outcome of outcomes) if (outcome.kind === 'refused') assert.ok(outcome.by >= pidOf(0));
        });
        assert.ok(states > processes);
      });

  test('a process that gives the lock back removes its own alone', () => {
    everyOrder({ locks: LEFT, processes: 3, releasing: [0] }, (outcomes, world) => {
      const winner = outcomes.findIndex(({ kind }) => kind === 'holds');
      assert.deepEqual([...world.locks.values()], winner === -1 ? [] : [pidOf(winner)]);
    });
  });

  test('at any step at which a process is killed, the next one gets the lock if no running process has it', () => {
    everyOrder({ locks: LEFT, processes: 2, kills: 2 }, (outcomes, world) => {
      const holds = outcomes.some(({ kind }, index) => kind === 'holds' && !world.crashed.includes(pidOf(index)));
      let next: World = { ...world, answers: [...world.answers, []] };
      let outcome: Outcome = { kind: 'paused' };
      while (outcome.kind === 'paused') ({ world: next, outcome } = step(next, outcomes.length, false));
      assert.equal(outcome.kind, holds ? 'refused' : 'holds');
    });
  });
});

const noLinks = (): never => {
  throw Object.assign(new Error('link ENOTSUP'), { code: 'ENOTSUP' });
};

describe('On the disk,', () => {
  const folder = testFolder('lock');
  let count = 0;
  const stateWith = (content: string | undefined): string => {
    const state = path.join(folder, `${++count}.state`);
    if (content !== undefined) writeFileSync(`${state}.lock`, content);
    return state;
  };
  const filesOf = (state: string): readonly string[] =>
    readdirSync(folder).filter((name) => name.includes(path.basename(state)));

  test('of several processes that start together on the lock of a dead one, one gets it', async () => {
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const state = stateWith(String(dead));
    const lock = JSON.stringify(path.join(import.meta.dirname, '../../../localnet/state/lock.ts'));
    const script = `
      const { lockFile } = require(${lock});
      process.stdin.once('data', () => {
        try { lockFile(${JSON.stringify(state)}); console.log('holds'); }
        catch (error) { console.log(error.message); }
      });
      process.stdin.once('end', () => process.exit());
      console.log('ready');`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--import', 'tsx', '-e', script], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    const exits = children.map((child) => once(child, 'exit'));
    try {
      const lines = children.map((child) => createInterface(child.stdout)[Symbol.asyncIterator]());
      const next = (): Promise<readonly string[]> =>
        Promise.all(lines.map(async (line) => String((await line.next()).value)));
      await next();
      for (const { stdin } of children) stdin.write('go');
      const said = await next();
      const holder = children[said.indexOf('holds')]?.pid;
      assert.equal(readFileSync(`${state}.lock`, 'utf8'), String(holder));
      for (const line of said) if (line !== 'holds') assert.match(line, /in use by process \d+\. End that service/);
      assert.equal(said.filter((line) => line === 'holds').length, 1);
    } finally {
      for (const child of children) child.stdin.end();
      await Promise.all(exits);
    }
    assert.deepEqual(filesOf(state), []);
  });

  test('the lock of a process of another user is held', () => {
    const state = stateWith('4321');
    const kill = mock.method(process, 'kill', () => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    try {
      assert.throws(() => lockFile(state), /in use by process 4321\. End that service, or choose another file/);
    } finally {
      kill.mock.restore();
    }
    assert.equal(readFileSync(`${state}.lock`, 'utf8'), '4321');
  });

  for (const [what, makeLink] of [
    ['a lock is written elsewhere and is whole as soon as it is there', fs.linkSync],
    ['a lock is made where the file system has no hard links', noLinks],
  ] as const)
    test(what, () => {
      const state = stateWith(undefined);
      const write = mock.method(fs, 'writeFileSync');
      const link = mock.method(fs, 'linkSync', makeLink);
      syncBuiltinESMExports();
      try {
        lockFile(state);
        assert.throws(() => lockFile(state), /in use by process/);
      } finally {
        for (const { mock: mocked } of [write, link]) mocked.restore();
        syncBuiltinESMExports();
      }
      assert.equal(
        write.mock.calls.some(({ arguments: [place] }) => place === `${state}.lock`),
        makeLink === noLinks,
      );
      assert.deepEqual(filesOf(state), [`${path.basename(state)}.lock`]);
    });

  test('the id of this process on a lock that it did not make is that of a process that is gone', () => {
    const state = stateWith(String(process.pid));
    const release = lockFile(state);
    assert.throws(() => lockFile(state), /in use by process/);
    release();
    assert.deepEqual(filesOf(state), []);
  });

  test('a lock that another has made after the user deleted this one stays', () => {
    const state = stateWith(undefined);
    const release = lockFile(state);
    writeFileSync(`${state}.lock`, '4321');
    release();
    assert.equal(readFileSync(`${state}.lock`, 'utf8'), '4321');
  });

  for (const content of ['', 'mine\n', '0', '12 34', '9'.repeat(400)])
    test(`a lock of ${JSON.stringify(content.slice(0, 8))} is refused and stays`, () => {
      const state = stateWith(content);
      assert.throws(() => lockFile(state), /names no process\. If no local service uses the state file, delete it\./);
      assert.equal(readFileSync(`${state}.lock`, 'utf8'), content);
    });
});
