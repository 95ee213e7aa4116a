// SPL Token and Token-2022 instructions as `jsonParsed` shows them: those outside any family, and the family of the
// others.
import { pick, NotParsed, ParsedCursor, type Info, type ParsedInstruction, type ReadInstruction } from './parsedCursor';
import {
  parseConfidentialMintBurn,
  parseConfidentialTransfer,
  parseConfidentialTransferFee,
} from './parsedConfidential';
import {
  parseCpiGuard,
  parseDefaultAccountState,
  parseInterestBearing,
  parseMemoTransfer,
  parsePausable,
  parsePermissionedBurn,
  parsePointer,
  parseScaledUiAmount,
  parseTransferFee,
} from './parsedTokenExtensions';
import { parseTokenInterface } from './parsedTokenInterfaces';
import { EXTENSION_TYPES } from './parsedExtensions';
import { checkedAmount, plainAmount, signer } from './parsedTokenParts';

/** By number, those of Token-2022 after the first four; each stands for a mint unless it is one of an account. */
const AUTHORITIES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
  'permissionedBurn',
] as const;
const OF_AN_ACCOUNT: ReadonlySet<string> = new Set(['accountOwner', 'closeAccount']);

function initializeMint(type: string, withRent: boolean): ReadInstruction {
  return (c) => {
    const [decimals, mintAuthority, freezeAuthority] = [c.u8(), c.key(), c.rest === 0 ? null : c.optionalKey()];
    return {
      type,
      info: {
        mint: c.account(0),
        decimals,
        mintAuthority,
        ...(withRent ? { rentSysvar: c.account(1) } : {}),
        ...(freezeAuthority === null ? {} : { freezeAuthority }),
      },
    };
  };
}

function initializeAccount(type: string, ownerInData: boolean, withRent: boolean): ReadInstruction {
  return (c) => ({
    type,
    info: {
      account: c.account(0),
      mint: c.account(1),
      owner: ownerInData ? c.key() : c.account(2),
      ...(withRent ? { rentSysvar: c.account(ownerInData ? 2 : 3) } : {}),
    },
  });
}

function initializeMultisig(type: string, firstSigner: number): ReadInstruction {
  return (c) => ({
    type,
    info: {
      multisig: c.account(0),
      ...(firstSigner === 2 ? { rentSysvar: c.account(1) } : {}),
      signers: c.accounts.slice(firstSigner),
      m: c.u8(),
    },
  });
}

/** An instruction on an account and a mint, signed by an authority. */
const accountMintAuthority =
  (
    type: string,
    name: string,
    amount?: (c: ParsedCursor) => Info,
    first: 'account' | 'mint' = 'account',
  ): ReadInstruction =>
  (c) => ({
    type,
    info: {
      [first]: c.account(0),
      [first === 'account' ? 'mint' : 'account']: c.account(1),
      ...amount?.(c),
      ...signer(c, 2, name),
    },
  });

const TOKEN: readonly ReadInstruction[] = [
  initializeMint('initializeMint', true),
  initializeAccount('initializeAccount', false, true),
  initializeMultisig('initializeMultisig', 2),
  (c) => ({
    type: 'transfer',
    info: { source: c.account(0), destination: c.account(1), ...plainAmount(c), ...signer(c, 2, 'authority') },
  }),
  (c) => ({
    type: 'approve',
    info: { source: c.account(0), delegate: c.account(1), ...plainAmount(c), ...signer(c, 2, 'owner') },
  }),
  (c) => ({ type: 'revoke', info: { source: c.account(0), ...signer(c, 1, 'owner') } }),
  setAuthority,
  accountMintAuthority('mintTo', 'mintAuthority', plainAmount, 'mint'),
  accountMintAuthority('burn', 'authority', plainAmount),
  (c) => ({
    type: 'closeAccount',
    info: { account: c.account(0), destination: c.account(1), ...signer(c, 2, 'owner') },
  }),
  accountMintAuthority('freezeAccount', 'freezeAuthority'),
  accountMintAuthority('thawAccount', 'freezeAuthority'),
  (c) => ({
    type: 'transferChecked',
    info: {
      source: c.account(0),
      mint: c.account(1),
      destination: c.account(2),
      ...checkedAmount(c),
      ...signer(c, 3, 'authority'),
    },
  }),
  (c) => ({
    type: 'approveChecked',
    info: {
      source: c.account(0),
      mint: c.account(1),
      delegate: c.account(2),
      ...checkedAmount(c),
      ...signer(c, 3, 'owner'),
    },
  }),
  accountMintAuthority('mintToChecked', 'mintAuthority', checkedAmount, 'mint'),
  accountMintAuthority('burnChecked', 'authority', checkedAmount),
  initializeAccount('initializeAccount2', true, true),
  (c) => ({ type: 'syncNative', info: { account: c.account(0) } }),
  initializeAccount('initializeAccount3', true, false),
  initializeMultisig('initializeMultisig2', 1),
  initializeMint('initializeMint2', false),
  (c) => ({ type: 'getAccountDataSize', info: { ...c.named('mint'), ...extensionTypes(c, true) } }),
  (c) => ({ type: 'initializeImmutableOwner', info: { account: c.account(0) } }),
  (c) => ({ type: 'amountToUiAmount', info: { mint: c.account(0), ...plainAmount(c) } }),
  (c) => ({ type: 'uiAmountToAmount', info: { mint: c.account(0), uiAmount: c.text() } }),
  (c) => ({
    type: 'initializeMintCloseAuthority',
    info: { mint: c.account(0), newAuthority: c.optionalKey() },
  }),
  parseTransferFee,
  parseConfidentialTransfer,
  parseDefaultAccountState,
  (c) => ({
    type: 'reallocate',
    info: { ...c.named('account', 'payer', 'systemProgram'), ...extensionTypes(c), ...signer(c, 3, 'owner') },
  }),
  parseMemoTransfer,
  (c) => ({ type: 'createNativeMint', info: c.named('payer', 'nativeMint', 'systemProgram') }),
  (c) => ({ type: 'initializeNonTransferableMint', info: c.named('mint') }),
  parseInterestBearing,
  parseCpiGuard,
  (c) => ({ type: 'initializePermanentDelegate', info: { ...c.named('mint'), delegate: c.key() } }),
  parsePointer('TransferHook', 'programId'),
  parseConfidentialTransferFee,
  (c) => ({
    type: 'withdrawExcessLamports',
    info: { ...c.named('source', 'destination'), ...signer(c, 2, 'authority') },
  }),
  parsePointer('MetadataPointer', 'metadataAddress'),
  parsePointer('GroupPointer', 'groupAddress'),
  parsePointer('GroupMemberPointer', 'memberAddress'),
  parseConfidentialMintBurn,
  parseScaledUiAmount,
  parsePausable,
  (c) => {
    const amount = c.option(() => c.u64());
    return {
      type: 'unwrapLamports',
      info: {
        ...c.named('source', 'destination'),
        ...(amount === null ? {} : { amount: amount.toString() }),
        ...signer(c, 2, 'authority'),
      },
    };
  },
  parsePermissionedBurn,
];

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

function setAuthority(c: ParsedCursor): ParsedInstruction {
  const authorityType = AUTHORITIES[c.u8()];
  if (authorityType === undefined) throw new NotParsed();
  const subject = OF_AN_ACCOUNT.has(authorityType) ? 'account' : 'mint';
  return {
    type: 'setAuthority',
    info: {
      [subject]: c.account(0),
      authorityType,
      newAuthority: c.optionalKey(),
      ...signer(c, 1, 'authority'),
    },
  };
}

const parseSingle = (cursor: ParsedCursor, number: number): ParsedInstruction => pick(TOKEN, number, cursor);

/** Groups and metadata have separate interfaces, identified by eight bytes instead of one. */
export function parseToken(cursor: ParsedCursor): ParsedInstruction {
  const other = parseTokenInterface(cursor);
  if (other !== undefined) return other;
  const number = cursor.u8();
  return number === BATCH ? parseBatch(cursor) : parseSingle(cursor, number);
}
