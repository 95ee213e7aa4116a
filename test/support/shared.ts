// Values that the tests of a file, or of a `describe`, share: made before them and removed after them.
//
//   const local = shared(() => startTestLedger(), (made) => made.stop());
//
// They are constants of the file; their members can be read in its tests and hooks, and not before.
import { after, before } from 'node:test';

let turn: Promise<unknown> = Promise.resolve();

/** Works before the tests of the file or `describe` that this is called in, once all that was shared earlier is there. */
export function prepare(work: () => unknown): void {
  // Hooks of a file start together: this one waits for those before it.
  before(async () => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    await done;
  });
}

/** Makes a value before the tests of the file or `describe` that this is called in, and removes it after them. */
export function shared<T extends object>(make: () => T | Promise<T>, remove: (made: T) => unknown): T {
  let made: T | undefined;
  prepare(async () => {
    made = await make();
  });
  after(async () => {
    if (made !== undefined) await remove(made);
  });
  return later(() => {
    if (made === undefined) throw new Error('Shared values are there in tests and hooks only.');
    return made;
  });
}

/** A substitute for an object that is not there yet: reads it whenever a member is read. */
export const later = <T extends object>(read: () => T): T =>
  new Proxy({} as T, {
    get: (_, name) => {
      const now = read();
      const value: unknown = Reflect.get(now, name);
      return typeof value === 'function' ? (value.bind(now) as unknown) : value;
    },
    ownKeys: () => Reflect.ownKeys(read()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(read(), name),
  });
