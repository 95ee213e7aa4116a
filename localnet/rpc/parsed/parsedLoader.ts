// Accounts of the upgradeable loader, and the instructions of both BPF loaders, as `jsonParsed` shows them.
import { WireText, type WireJson } from '../../api';
import { pick, type ParsedCursor, type Info, type ParsedInstruction, type ReadInstruction } from './parsedCursor';
import { Fields, NotParsed } from './parsedFields';

/** Bytes that are turned into base64 at once: a program is megabytes long. A multiple of three. */
const BASE64_PIECE = 96 * 1024;

export interface ParsedLoaderAccount {
  readonly type: string;
  readonly info?: WireJson;
}

/** Without an authority its 32 bytes still precede the code, and are shown with it. */
export function parseLoaderAccount(data: Uint8Array): ParsedLoaderAccount {
  const fields = new Fields(data);
  switch (fields.u32()) {
    case 0:
      return { type: 'uninitialized' };
    case 1: {
      const authority = fields.optionalKey();
      return { type: 'buffer', info: { authority, data: rest(fields) } };
    }
    case 2:
      return { type: 'program', info: { programData: fields.key() } };
    case 3: {
      const [slot, authority] = [fields.u64(), fields.optionalKey()];
      return { type: 'programData', info: { slot, authority, data: rest(fields) } };
    }
    default:
      throw new NotParsed();
  }
}

function rest(fields: Fields): WireJson {
  const bytes = fields.bytes(fields.rest);
  const text = new WireText(function* () {
    for (let at = 0; at < bytes.length; at += BASE64_PIECE)
      yield Buffer.from(bytes.subarray(at, at + BASE64_PIECE)).toString('base64');
  });
  return [text, 'base64'];
}

/** {offset, bytes}: the bytes in base64. */
function written(c: ParsedCursor): Info {
  const offset = c.u32();
  const length = c.u64();
  if (length > BigInt(c.rest)) throw new NotParsed();
  return { offset, bytes: c.base64(Number(length)) };
}

const LOADER: readonly ReadInstruction[] = [
  (c) => ({ type: 'write', info: { ...written(c), ...c.named('account') } }),
  (c) => {
    c.account(1);
    return { type: 'finalize', info: c.named('account') };
  },
];

/** The account at a place, null where the instruction names fewer. */
const orNull = (c: ParsedCursor, index: number): string | null => c.accounts[index] ?? null;

const UPGRADEABLE: readonly ReadInstruction[] = [
  (c) => ({
    type: 'initializeBuffer',
    info: c.accounts.length > 1 ? c.named('account', 'authority') : c.named('account'),
  }),
  (c) => ({ type: 'write', info: { ...written(c), ...c.named('account', 'authority') } }),
  (c) => ({
    type: 'deployWithMaxDataLen',
    info: {
      maxDataLen: c.u64(),
      ...c.named(
        'payerAccount',
        'programDataAccount',
        'programAccount',
        'bufferAccount',
        'rentSysvar',
        'clockSysvar',
        'systemProgram',
        'authority',
      ),
    },
  }),
  (c) => ({
    type: 'upgrade',
    info: c.named(
      'programDataAccount',
      'programAccount',
      'bufferAccount',
      'spillAccount',
      'rentSysvar',
      'clockSysvar',
      'authority',
    ),
  }),
  (c) => ({ type: 'setAuthority', info: { ...c.named('account', 'authority'), newAuthority: orNull(c, 2) } }),
  (c) => ({ type: 'close', info: { ...c.named('account', 'recipient', 'authority'), programAccount: orNull(c, 3) } }),
  (c) => ({
    type: 'extendProgram',
    info: {
      additionalBytes: c.u32(),
      ...c.named('programDataAccount', 'programAccount'),
      systemProgram: orNull(c, 2),
      payerAccount: orNull(c, 3),
    },
  }),
  (c) => ({ type: 'setAuthorityChecked', info: c.named('account', 'authority', 'newAuthority') }),
  (c) => ({ type: 'migrate', info: c.named('programDataAccount', 'programAccount', 'authority') }),
  (c) => ({
    type: 'extendProgramChecked',
    info: {
      additionalBytes: c.u32(),
      ...c.named('programDataAccount', 'programAccount', 'authority'),
      systemProgram: orNull(c, 3),
      payerAccount: orNull(c, 4),
    },
  }),
];

export const parseLoader = (cursor: ParsedCursor): ParsedInstruction => pick(LOADER, cursor.u32(), cursor);

export const parseUpgradeableLoader = (cursor: ParsedCursor): ParsedInstruction =>
  pick(UPGRADEABLE, cursor.u32(), cursor);
