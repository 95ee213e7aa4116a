// proto3 JSON of a message and its bytes, by its description. Loaded with the transports, never by an editor feature.
import {
  ScalarType,
  fromJson,
  toBinary,
  toJson,
  type DescField,
  type DescMessage,
  type JsonValue,
} from '@bufbuild/protobuf';
import { decodeProto } from './decode';

/** JSON as the runtime takes it: 64-bit integers as text, so that no digit is lost. */
export type ProtoJson = JsonValue;

/** The bytes of a message written as JSON, in either spelling of its names. Throws where it does not fit. */
export function bytesOfJson(description: DescMessage, json: ProtoJson): Uint8Array {
  return toBinary(description, fromJson(description, json));
}

/** How a field's bytes are written; undefined: as proto3 JSON does, in base64. */
export type WriteBytes = (field: string, base64: string) => string | undefined;

/**
 * A message as JSON. Fields without presence are written also where they hold their default, so that `false`, 0 and the
 * first value of an enum can be looked at. Throws as decodeProto does.
 */
export function jsonOfBytes(description: DescMessage, bytes: Uint8Array, write: WriteBytes): ProtoJson {
  const json = toJson(description, decodeProto(description, bytes), { alwaysEmitImplicit: true });
  rewriteBytes(description, json, write);
  return json;
}

/** Fields of a message that may contain bytes, directly or nested. */
const MARKED = new WeakMap<DescMessage, readonly DescField[]>();

function markedFields(description: DescMessage): readonly DescField[] {
  const known = MARKED.get(description);
  if (known !== undefined) return known;
  // Types of the language itself have a special JSON form.
  const fields = description.fields.filter(
    (field) => isBytes(field) || (field.message !== undefined && !field.message.typeName.startsWith('google.')),
  );
  MARKED.set(description, fields);
  return fields;
}

const isBytes = (field: DescField): boolean => field.scalar === ScalarType.BYTES;

function rewriteBytes(description: DescMessage, json: ProtoJson | undefined, write: WriteBytes): void {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return;
  for (const field of markedFields(description)) {
    const value = json[field.jsonName];
    if (value === undefined) continue;
    const { message } = field;
    if (message === undefined) json[field.jsonName] = rewritten(`${description.typeName}.${field.name}`, value, write);
    else for (const item of itemsOf(field, value)) rewriteBytes(message, item, write);
  }
}

function itemsOf(field: DescField, value: ProtoJson): readonly ProtoJson[] {
  if (Array.isArray(value)) return value;
  return field.fieldKind === 'map' && typeof value === 'object' && value !== null ? Object.values(value) : [value];
}

function rewritten(field: string, value: ProtoJson, write: WriteBytes): ProtoJson {
  if (Array.isArray(value)) return value.map((item) => rewritten(field, item, write));
  return typeof value === 'string' ? (write(field, value) ?? value) : value;
}
