// Nodes of Codama documents for tests, written from the specification and never by the reader under test.
import assert from 'node:assert/strict';
import { decodeAccount } from '../../../core/solana/decode/decode';
import type { Idl } from '../../../core/solana/decode/idl/model';
import { readIdl, type ReadIdl } from '../../../core/solana/decode/idl/read';
import { programsOf } from '../../../core/solana/decode/idl/registry';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { texts } from './decoded';
import { keyOf, layOut, type Part } from './layouts';

/** A node of a Codama document. */
export type Node = Readonly<Record<string, unknown>> & { readonly kind: string };

/** The program of every document here, base58. */
export const CODAMA_PROGRAM = encodeBase58(keyOf(0x31));

export const number = (format: string, endian = 'le'): Node => ({ kind: 'numberTypeNode', format, endian });
export const field = (name: string, type: Node, more: object = {}): Node => ({
  kind: 'structFieldTypeNode',
  name,
  docs: [],
  type,
  ...more,
});
export const argument = (name: string, type: Node, more: object = {}): Node => ({
  ...field(name, type, more),
  kind: 'instructionArgumentNode',
});
export const struct = (...fields: readonly Node[]): Node => ({ kind: 'structTypeNode', fields });
export const tuple = (...items: readonly Node[]): Node => ({ kind: 'tupleTypeNode', items });
export const bytes: Node = { kind: 'bytesTypeNode' };
export const publicKey: Node = { kind: 'publicKeyTypeNode' };
export const text = (encoding = 'utf8'): Node => ({ kind: 'stringTypeNode', encoding });
export const boolean = (size = number('u8')): Node => ({ kind: 'booleanTypeNode', size });
export const fixed = (size: number, type: Node): Node => ({ kind: 'fixedSizeTypeNode', size, type });
export const sized = (type: Node, prefix = number('u32')): Node => ({ kind: 'sizePrefixTypeNode', type, prefix });
export const sentinel = (type: Node, end: Node): Node => ({ kind: 'sentinelTypeNode', type, sentinel: end });
export const option = (item: Node, more: object = {}): Node => ({
  kind: 'optionTypeNode',
  fixed: false,
  item,
  prefix: number('u8'),
  ...more,
});
export const zeroable = (item: Node, more: object = {}): Node => ({ kind: 'zeroableOptionTypeNode', item, ...more });
export const remainderOption = (item: Node): Node => ({ kind: 'remainderOptionTypeNode', item });
export const fixedCount = (value: number): Node => ({ kind: 'fixedCountNode', value });
export const prefixedCount = (prefix = number('u32')): Node => ({ kind: 'prefixedCountNode', prefix });
export const remainderCount: Node = { kind: 'remainderCountNode' };
export const array = (item: Node, count = prefixedCount()): Node => ({ kind: 'arrayTypeNode', item, count });
export const set = (item: Node, count = prefixedCount()): Node => ({ kind: 'setTypeNode', item, count });
export const map = (key: Node, value: Node, count = prefixedCount()): Node => ({
  kind: 'mapTypeNode',
  key,
  value,
  count,
});
export const enumOf = (variants: readonly Node[], size = number('u8')): Node => ({
  kind: 'enumTypeNode',
  variants,
  size,
});
export const emptyVariant = (name: string, more: object = {}): Node => ({
  kind: 'enumEmptyVariantTypeNode',
  name,
  ...more,
});
export const structVariant = (name: string, ...fields: readonly Node[]): Node => ({
  kind: 'enumStructVariantTypeNode',
  name,
  struct: struct(...fields),
});
export const tupleVariant = (name: string, ...items: readonly Node[]): Node => ({
  kind: 'enumTupleVariantTypeNode',
  name,
  tuple: tuple(...items),
});
export const constant = (type: Node, value: Node): Node => ({ kind: 'constantValueNode', type, value });
export const numberValue = (value: number): Node => ({ kind: 'numberValueNode', number: value });
export const bytesValue = (data: string, encoding = 'base16'): Node => ({ kind: 'bytesValueNode', data, encoding });
export const byteConstant = (value: number): Node => constant(number('u8'), numberValue(value));
export const hiddenPrefix = (type: Node, ...prefix: readonly Node[]): Node => ({
  kind: 'hiddenPrefixTypeNode',
  type,
  prefix,
});
export const hiddenSuffix = (type: Node, ...suffix: readonly Node[]): Node => ({
  kind: 'hiddenSuffixTypeNode',
  type,
  suffix,
});
export const preOffset = (offset: number, strategy: string, type: Node): Node => ({
  kind: 'preOffsetTypeNode',
  offset,
  strategy,
  type,
});
export const postOffset = (offset: number, strategy: string, type: Node): Node => ({
  ...preOffset(offset, strategy, type),
  kind: 'postOffsetTypeNode',
});
export const link = (name: string, program?: string): Node => ({
  kind: 'definedTypeLinkNode',
  name,
  ...(program === undefined ? {} : { program: { kind: 'programLinkNode', name: program } }),
});
export const definedType = (name: string, type: Node): Node => ({ kind: 'definedTypeNode', name, docs: [], type });
export const byField = (name: string, offset: number): Node => ({ kind: 'fieldDiscriminatorNode', name, offset });
export const byConstant = (offset: number, value: Node): Node => ({
  kind: 'constantDiscriminatorNode',
  offset,
  constant: value,
});
export const bySize = (size: number): Node => ({ kind: 'sizeDiscriminatorNode', size });
export const account = (name: string, data: Node, discriminators: readonly Node[] = []): Node => ({
  kind: 'accountNode',
  name,
  data,
  discriminators,
});

/** A document as tools before nodes 1.10 wrote it, with every list. */
export const root = (program: object, ...additionalPrograms: readonly object[]): Node => ({
  kind: 'rootNode',
  standard: 'codama',
  version: '1.6.0',
  program: programNode({ name: 'demo', publicKey: CODAMA_PROGRAM, ...program }),
  additionalPrograms: additionalPrograms.map(programNode),
});

const programNode = (program: object): Node => ({
  kind: 'programNode',
  version: '1.0.0',
  accounts: [],
  instructions: [],
  definedTypes: [],
  pdas: [],
  errors: [],
  ...program,
});

/** A document with the one account `state`, known by its first byte 7, whose one field `value` has the type. */
export const stateOf = (type: Node, ...definedTypes: readonly Node[]): Node =>
  root({
    definedTypes,
    accounts: [
      account('state', hiddenPrefix(struct(field('value', type)), byteConstant(7)), [byConstant(0, byteConstant(7))]),
    ],
  });

export const readCodamaDocument = (document: unknown): ReadIdl => readIdl(JSON.stringify(document));

/** The IDL of a document that has no problems. */
export function idlOf(document: unknown): Idl {
  const { idl, problems } = readCodamaDocument(document);
  assert.deepEqual(problems, []);
  assert.ok(idl);
  return idl;
}

/** The fields of the document's account in the data, as texts; `undefined` if it cannot be decoded. */
export function fieldsOf(document: unknown, ...parts: readonly Part[]): Record<string, string> | undefined {
  const { idl } = readCodamaDocument(document);
  assert.ok(idl);
  const data = layOut(...parts);
  const decoded = decodeAccount(
    { owner: CODAMA_PROGRAM, lamports: 1n, data, executable: false },
    programsOf([{ idl }]),
  );
  return decoded === undefined ? undefined : texts(decoded.fields);
}
