// Accounts of the Program Metadata program: the header of a published document, and where the document is.
import { BYTES_UNIT } from '../../layouts/layout';
import type { AccountBytes, Decoded, DecodedField } from '../decoded';
import { readProgramMetadata, type MetadataSource, type ProgramMetadata } from '../idl/programMetadata';
import { flagOf, integerValue, NO_VALUE, pubkeyOf, textValue } from '../layout';

export function decodeProgramMetadata({ data }: AccountBytes): Decoded | undefined {
  const metadata = readProgramMetadata(data);
  return metadata === undefined
    ? undefined
    : { kind: 'programMetadata', title: 'Program metadata', fields: fieldsOf(metadata) };
}

const fieldsOf = (metadata: ProgramMetadata): readonly DecodedField[] => [
  { name: 'program', value: pubkeyOf(metadata.program) },
  { name: 'authority', value: metadata.authority === undefined ? NO_VALUE : pubkeyOf(metadata.authority) },
  { name: 'seed', value: textValue(metadata.seed) },
  { name: 'isMutable', value: flagOf(metadata.isMutable) },
  { name: 'isCanonical', value: flagOf(metadata.isCanonical) },
  { name: 'encoding', value: textValue(metadata.encoding) },
  { name: 'compression', value: textValue(metadata.compression) },
  { name: 'format', value: textValue(metadata.format) },
  ...sourceFields(metadata.source),
];

function sourceFields(source: MetadataSource): readonly DecodedField[] {
  switch (source.kind) {
    case 'direct':
      return [{ name: 'data', value: { kind: 'bytes', bytes: source.bytes } }];
    case 'url':
      return [{ name: 'url', value: textValue(source.url) }];
    case 'external':
      return [
        { name: 'dataAccount', value: pubkeyOf(source.address) },
        { name: 'dataOffset', value: integerValue(source.offset, BYTES_UNIT) },
        { name: 'dataLength', value: source.length === undefined ? NO_VALUE : integerValue(source.length, BYTES_UNIT) },
      ];
  }
}
