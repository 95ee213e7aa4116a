// Members that an object has twice. A parsed value cannot show them: the text has more of them than the value.
import type { Node } from 'jsonc-parser';
import type { Body, Problem } from '../document/model';
import { isJsonArray, isJsonObject, type JsonValue } from '../../solana/json/json';
import { nodesIn, nodeSpan, spanWithout } from '../document/call';
import { problem } from './problem';

/**
 * False where no object of `text` has a member twice. Counts colons: each member has one, and a string with one in it is
 * rare, so that the tree is hardly ever built for nothing.
 */
export function mayHoldDuplicates(text: string, value: JsonValue): boolean {
  let left = membersIn(value);
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) if (--left < 0) return true;
  return false;
}

function membersIn(value: JsonValue): number {
  let count = 0;
  if (isJsonArray(value)) {
    for (const item of value) count += membersIn(item);
  } else if (isJsonObject(value)) {
    for (const name in value) count += 1 + membersIn(value[name] ?? null);
  }
  return count;
}

/** The second and every later member of a name, in the order of the text. */
export function duplicatesIn(body: Body): Problem[] {
  const value = body.value();
  if (value === undefined || !mayHoldDuplicates(body.text, value)) return [];
  return [...nodesIn(body.tree())].flatMap((node) => (node.type === 'object' ? inObject(node) : []));
}

function inObject({ children = [] }: Node): Problem[] {
  const seen = new Map<unknown, number>();
  return children.flatMap((property, index) => {
    const key = property.children?.[0];
    const name: unknown = key?.value;
    const earlier = seen.get(name);
    seen.set(name, index);
    // The name of a member that is a variable may turn out to be any.
    if (key === undefined || earlier === undefined || String(name).includes('{{')) return [];
    const message = `The object has ${JSON.stringify(name)} already: the last one counts here, and elsewhere the first may.`;
    const choices = [
      { title: 'Remove the earlier one', edits: [{ span: spanWithout(children, earlier), text: '' }] },
      { title: 'Remove this one', edits: [{ span: spanWithout(children, index), text: '' }] },
    ];
    return [problem('duplicate-member', message, nodeSpan(key), { kind: 'edits', choices })];
  });
}
