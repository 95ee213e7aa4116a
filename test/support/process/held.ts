// Everything that a value holds, private members too, as one text: what a debugger would find.
import { Session, type Runtime } from 'node:inspector';

/** Internal properties that lead from an object to its content, besides its members. */
const INTERNAL = new Set(['[[Entries]]', '[[PromiseResult]]', '[[Target]]', '[[BoundThis]]', '[[BoundArgs]]']);

/** The strings, and the names of members, that are reached from a value; functions and their scopes are left out. */
export function heldBy(value: unknown): string {
  const session = new Session();
  const place = globalThis as { held?: unknown };
  const lines: string[] = [];
  session.connect();
  place.held = { value, seen: new WeakSet() };
  try {
    const left = [objectOf(session, 'held.value')];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      if (one.type === 'string') lines.push(String(one.value));
      if (one.objectId === undefined || one.type === 'function' || !isNew(session, one.objectId)) continue;
      for (const { name, value: inside } of membersOf(session, one.objectId)) {
        lines.push(name);
        if (inside !== undefined) left.push(inside);
      }
    }
  } finally {
    delete place.held;
    session.disconnect();
  }
  return lines.join('\n');
}

type Remote = Runtime.RemoteObject;

interface Member {
  readonly name: string;
  readonly value?: Remote | undefined;
}

/** Calls of this thread's own inspector are answered before they return. */
function ask<T>(post: (answer: (error: Error | null, result: T) => void) => void): T {
  let found: { readonly result: T } | undefined;
  post((error, result) => {
    if (error !== null) throw error;
    found = { result };
  });
  if (found === undefined) throw new Error('The inspector did not answer.');
  return found.result;
}

function objectOf(session: Session, expression: string): Remote {
  return ask<Runtime.EvaluateReturnType>((answer) => session.post('Runtime.evaluate', { expression }, answer)).result;
}

function isNew(session: Session, objectId: string): boolean {
  const functionDeclaration = 'function () { const isNew = !held.seen.has(this); held.seen.add(this); return isNew; }';
  const { result } = ask<Runtime.CallFunctionOnReturnType>((answer) =>
    session.post('Runtime.callFunctionOn', { objectId, functionDeclaration }, answer),
  );
  return result.value === true;
}

function membersOf(session: Session, objectId: string): readonly Member[] {
  // The types do not know private members yet.
  const found = ask<Runtime.GetPropertiesReturnType & { readonly privateProperties?: Runtime.PropertyDescriptor[] }>(
    (answer) => session.post('Runtime.getProperties', { objectId, ownProperties: true }, answer),
  );
  const internal = (found.internalProperties ?? []).filter(({ name }) => INTERNAL.has(name));
  return [...found.result, ...(found.privateProperties ?? []), ...internal];
}
