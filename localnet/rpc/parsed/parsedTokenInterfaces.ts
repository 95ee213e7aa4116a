// The instructions of token groups and token metadata, which Token-2022 takes besides its own, as `jsonParsed` shows them.
import { createHash } from 'node:crypto';
import { borshText, flag, option, optionalPubkey, u64, type LayoutRow } from '../../../core/solana/layouts/layout';
import { shape } from '../../../core/solana/layouts/shape';
import type { ParsedCursor, ParsedInstruction, ReadInstruction } from './parsedCursor';
import { NotParsed } from './parsedFields';
import { instruction, readValued } from './parsedLayout';

/** Bytes that identify an instruction: the first of the hash of its name. */
const NAME_BYTES = 8;

const METADATA_FIELDS = ['name', 'symbol', 'uri'] as const;

/** One of the three fields, or a key of the owner's choice. */
function fieldOf(c: ParsedCursor): string {
  const number = c.u8();
  if (number === METADATA_FIELDS.length) return c.text(4);
  const field = METADATA_FIELDS[number];
  if (field === undefined) throw new NotParsed();
  return field;
}

const NEW_AUTHORITY: LayoutRow = ['newAuthority', optionalPubkey];
const RANGE = shape('emitTokenMetadata', 'metadata', ['start', option(u64())], ['end', option(u64())]);

const INTERFACES: Readonly<Record<string, ReadInstruction>> = {
  'spl_token_group_interface:initialize_token_group': instruction(
    'initializeTokenGroup',
    'group mint mintAuthority',
    ['updateAuthority', optionalPubkey],
    ['maxSize', u64()],
  ),
  'spl_token_group_interface:update_group_max_size': instruction('updateTokenGroupMaxSize', 'group updateAuthority', [
    'maxSize',
    u64(),
  ]),
  'spl_token_group_interface:update_authority': instruction(
    'updateTokenGroupAuthority',
    'group updateAuthority',
    NEW_AUTHORITY,
  ),
  'spl_token_group_interface:initialize_member': instruction(
    'initializeTokenGroupMember',
    'member memberMint memberMintAuthority group groupUpdateAuthority',
  ),
  'spl_token_metadata_interface:initialize_account': instruction(
    'initializeTokenMetadata',
    'metadata updateAuthority mint mintAuthority',
    ['name', borshText],
    ['symbol', borshText],
    ['uri', borshText],
  ),
  'spl_token_metadata_interface:updating_field': (c) => ({
    type: 'updateTokenMetadataField',
    info: { ...c.named('metadata', 'updateAuthority'), field: fieldOf(c), value: c.text(4) },
  }),
  'spl_token_metadata_interface:remove_key_ix': instruction(
    'removeTokenMetadataKey',
    'metadata updateAuthority',
    ['idempotent', flag],
    ['key', borshText],
  ),
  'spl_token_metadata_interface:update_the_authority': instruction(
    'updateTokenMetadataAuthority',
    'metadata updateAuthority',
    NEW_AUTHORITY,
  ),
  'spl_token_metadata_interface:emitter': (c) => readValued(c, RANGE),
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
