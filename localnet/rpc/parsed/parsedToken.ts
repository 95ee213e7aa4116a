// SPL Token and Token-2022 instructions as `jsonParsed` shows them: those outside any family, and the family of the
// others.
import { TOKEN_2022 } from '../../../core/solana/layouts/tokenPrograms';
import { pick, NotParsed, ParsedCursor, type Info, type ParsedInstruction } from './parsedCursor';
import {
  parseConfidentialMintBurn,
  parseConfidentialTransfer,
  parseConfidentialTransferFee,
} from './parsedConfidential';
import { EXTENSION_READERS } from './parsedTokenExtensions';
import { parseTokenInterface } from './parsedTokenInterfaces';
import { EXTENSION_TYPES } from './parsedExtensions';
import { readersOf, readValued, parsedRows, type ReadShape } from './parsedLayout';
import { signer } from './parsedTokenParts';

/** The authorities of an account; the others are a mint's. */
const OF_AN_ACCOUNT: ReadonlySet<unknown> = new Set(['accountOwner', 'closeAccount']);

const setAuthority: ReadShape = (c, { name, rows }) => {
  const data = parsedRows(c, rows);
  const subject = OF_AN_ACCOUNT.has(data.authorityType) ? 'account' : 'mint';
  return { type: name, info: { [subject]: c.account(0), ...data, ...signer(c, 1, 'authority') } };
};

const initializeMint: ReadShape = (c, { name, roles }) => {
  const [decimals, mintAuthority, freezeAuthority] = [c.u8(), c.key(), c.rest === 0 ? null : c.optionalKey()];
  return {
    type: name,
    info: {
      mint: c.account(0),
      decimals,
      mintAuthority,
      ...(roles.length > 1 ? { rentSysvar: c.account(1) } : {}),
      ...(freezeAuthority === null ? {} : { freezeAuthority }),
    },
  };
};

const initializeMultisig: ReadShape = (c, { name, roles, rows }) => {
  const named = roles.slice(0, -1);
  return {
    type: name,
    info: { ...c.named(...named), signers: c.accounts.slice(named.length), ...parsedRows(c, rows) },
  };
};

const initializeAccount2: ReadShape = (c, { name }) => ({
  type: name,
  info: { ...c.named('account', 'mint'), owner: c.key(), rentSysvar: c.account(2) },
});

const TOKEN = readersOf(TOKEN_2022, {
  initializeMint,
  initializeMint2: initializeMint,
  initializeMultisig,
  initializeMultisig2: initializeMultisig,
  initializeAccount2,
  setAuthority,
  getAccountDataSize: (c, { name }) => ({ type: name, info: { ...c.named('mint'), ...extensionTypes(c, true) } }),
  reallocate: (c, { name }) => ({
    type: name,
    info: { ...c.named('account', 'payer', 'systemProgram'), ...extensionTypes(c), ...signer(c, 3, 'owner') },
  }),
  unwrapLamports: readValued,
  confidentialTransferExtension: parseConfidentialTransfer,
  confidentialTransferFeeExtension: parseConfidentialTransferFee,
  confidentialMintBurnExtension: parseConfidentialMintBurn,
  ...EXTENSION_READERS,
});

/** Several instructions in one: of each the number of accounts and of bytes, then the bytes. */
const BATCH = 255;

function parseBatch(c: ParsedCursor): ParsedInstruction {
  const instructions: Info[] = [];
  let from = 0;
  while (c.rest > 0) {
    const [accounts, length] = [c.u8(), c.u8()];
    if (from + accounts > c.accounts.length) throw new NotParsed();
    const inner = new ParsedCursor(c.bytes(length), c.accounts.slice(from, (from += accounts)), c.line);
    const parsed = parseSingle(inner, inner.u8());
    instructions.push({ ...(parsed.info === undefined ? {} : { info: parsed.info }), type: parsed.type });
  }
  return { type: 'batch', info: { instructions } };
}

/** The names of the extensions whose numbers are left in the data. */
function extensionTypes(c: ParsedCursor, leaveOutNone = false): Info {
  const names: string[] = [];
  while (c.rest > 0) {
    const name = EXTENSION_TYPES[c.u16()];
    if (name === undefined) throw new NotParsed();
    names.push(name);
  }
  return leaveOutNone && names.length === 0 ? {} : { extensionTypes: names };
}

/** A batch within a batch is not run, and not parsed. */
const parseSingle = (cursor: ParsedCursor, number: number): ParsedInstruction =>
  pick(TOKEN, number === BATCH ? -1 : number, cursor);

/** Groups and metadata have separate interfaces, identified by eight bytes instead of one. */
export function parseToken(cursor: ParsedCursor): ParsedInstruction {
  const other = parseTokenInterface(cursor);
  if (other !== undefined) return other;
  const number = cursor.u8();
  return number === BATCH ? parseBatch(cursor) : parseSingle(cursor, number);
}
