// The instructions of token groups and token metadata, which Token-2022 takes besides its own, as `jsonParsed` shows them.
import { createHash } from 'node:crypto';
import type { ParsedCursor, ParsedInstruction, ReadInstruction } from './parsedCursor';
import { NotParsed } from './parsedFields';
import { unlessNull } from './parsedTokenParts';

/** Bytes that identify an instruction: the first of the hash of its name. */
const NAME_BYTES = 8;

const METADATA_FIELDS = ['name', 'symbol', 'uri'] as const;

/** One of the three fields, or a key of the owner's choice. */
function fieldOf(c: ParsedCursor): string {
  const number = c.u8();
  if (number === METADATA_FIELDS.length) return c.shortText();
  const field = METADATA_FIELDS[number];
  if (field === undefined) throw new NotParsed();
  return field;
}

const INTERFACES: Readonly<Record<string, ReadInstruction>> = {
  'spl_token_group_interface:initialize_token_group': (c) => ({
    type: 'initializeTokenGroup',
    info: { ...c.named('group', 'mint', 'mintAuthority'), updateAuthority: c.nonZeroKey(), maxSize: c.u64() },
  }),
  'spl_token_group_interface:update_group_max_size': (c) => ({
    type: 'updateTokenGroupMaxSize',
    info: { ...c.named('group', 'updateAuthority'), maxSize: c.u64() },
  }),
  'spl_token_group_interface:update_authority': (c) => ({
    type: 'updateTokenGroupAuthority',
    info: { ...c.named('group', 'updateAuthority'), newAuthority: c.nonZeroKey() },
  }),
  'spl_token_group_interface:initialize_member': (c) => ({
    type: 'initializeTokenGroupMember',
    info: c.named('member', 'memberMint', 'memberMintAuthority', 'group', 'groupUpdateAuthority'),
  }),
  'spl_token_metadata_interface:initialize_account': (c) => ({
    type: 'initializeTokenMetadata',
    info: {
      ...c.named('metadata', 'updateAuthority', 'mint', 'mintAuthority'),
      name: c.shortText(),
      symbol: c.shortText(),
      uri: c.shortText(),
    },
  }),
  'spl_token_metadata_interface:updating_field': (c) => ({
    type: 'updateTokenMetadataField',
    info: { ...c.named('metadata', 'updateAuthority'), field: fieldOf(c), value: c.shortText() },
  }),
  'spl_token_metadata_interface:remove_key_ix': (c) => ({
    type: 'removeTokenMetadataKey',
    info: { ...c.named('metadata', 'updateAuthority'), idempotent: c.bool(), key: c.shortText() },
  }),
  'spl_token_metadata_interface:update_the_authority': (c) => ({
    type: 'updateTokenMetadataAuthority',
    info: { ...c.named('metadata', 'updateAuthority'), newAuthority: c.nonZeroKey() },
  }),
  'spl_token_metadata_interface:emitter': (c) => ({
    type: 'emitTokenMetadata',
    info: {
      ...c.named('metadata'),
      ...unlessNull(
        'start',
        c.option(() => c.u64()),
      ),
      ...unlessNull(
        'end',
        c.option(() => c.u64()),
      ),
    },
  }),
};

const BY_BYTES: ReadonlyMap<string, ReadInstruction> = new Map(
  Object.entries(INTERFACES).map(([name, read]) => [
    createHash('sha256').update(name).digest().subarray(0, NAME_BYTES).toString('hex'),
    read,
  ]),
);

/** `undefined`, and nothing read, for an instruction of another interface. */
export function parseTokenInterface(cursor: ParsedCursor): ParsedInstruction | undefined {
  const read = BY_BYTES.get(Buffer.from(cursor.peek(NAME_BYTES)).toString('hex'));
  if (read === undefined) return undefined;
  cursor.bytes(NAME_BYTES);
  return read(cursor);
}
