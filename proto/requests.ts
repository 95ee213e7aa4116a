// The shapes of the gRPC service's requests, without the protobuf runtime: its descriptors cost more to build than the
// rest of the language server, and checking a text needs only names and types.
import { REQUESTS } from './gen/requests';
import type { FieldRow } from './requestTable';

/** The type of one value of a field. `description` is undefined for a message of the language itself (`google.*`). */
export type ValueType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'enum'; readonly description: EnumDescription }
  | { readonly kind: 'message'; readonly name: string; readonly description: MessageDescription | undefined };

export interface EnumDescription {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly number: number }[];
}

export interface FieldDescription {
  /** As in the .proto: `from_slot`. */
  readonly name: string;
  /** As in JSON: `fromSlot`. */
  readonly jsonName: string;
  readonly number: number;
  readonly many: 'no' | 'list' | 'map';
  /** The type of the field, or of each of its items. */
  readonly type: ValueType;
  /** The name of the group of which one field alone may be set. */
  readonly oneof: string | undefined;
  readonly parent: MessageDescription;
}

export interface MessageDescription {
  /** `SubscribeRequest`. */
  readonly name: string;
  /** `geyser.SubscribeRequest`. */
  readonly typeName: string;
  readonly fields: readonly FieldDescription[];
}

const described = new Map<string, MessageDescription>();

/** The message that a call of the service takes; undefined for an unknown name. */
export function requestOf(method: string): MessageDescription | undefined {
  return Object.hasOwn(REQUESTS.methods, method) ? messageNamed(REQUESTS.methods[method] ?? '') : undefined;
}

/** Whether a call of the service answers with a stream of messages. */
export const isStreamingCall = (method: string): boolean => REQUESTS.streams.includes(method);

/** A message by its whole name; described when it is first asked for. */
function messageNamed(typeName: string): MessageDescription | undefined {
  const known = described.get(typeName);
  const rows = REQUESTS.messages[typeName];
  if (known !== undefined || rows === undefined) return known;
  const fields: FieldDescription[] = [];
  const message: MessageDescription = { name: shortName(typeName), typeName, fields };
  // Before its fields: a message may hold itself.
  described.set(typeName, message);
  for (const [name, row] of Object.entries(rows))
    fields.push({
      name,
      jsonName: row.jsonName,
      number: row.number,
      many: row.many === 'list' || row.many === 'map' ? row.many : 'no',
      type: typeOf(row),
      oneof: row.oneof,
      parent: message,
    });
  return message;
}

function typeOf(row: FieldRow): ValueType {
  if (row.message !== undefined)
    return { kind: 'message', name: shortName(row.message), description: messageNamed(row.message) };
  if (row.enum === undefined) return { kind: 'scalar', name: row.scalar ?? 'string' };
  const values = Object.entries(REQUESTS.enums[row.enum] ?? {}).map(([name, number]) => ({ name, number }));
  return { kind: 'enum', description: { name: shortName(row.enum), values } };
}

const shortName = (typeName: string): string => typeName.slice(typeName.lastIndexOf('.') + 1);
