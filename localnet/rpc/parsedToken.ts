// SPL Token and Token-2022 instructions as `jsonParsed` shows them; of Token-2022, those both programs share.
import type { WireJson } from '../api';
import { tokenAmount } from './amount';
import { NotParsed, type Cursor, type ParsedInstruction } from './parsedCursor';

type Info = { readonly [key: string]: WireJson };
type Read = (c: Cursor) => ParsedInstruction;

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
] as const;
const OF_AN_ACCOUNT: ReadonlySet<string> = new Set(['accountOwner', 'closeAccount']);

/** The account at `index` signs alone, or is a multisig whose signers follow it. */
function signer(c: Cursor, index: number, name: string, multisigName = `multisig${capital(name)}`): Info {
  const signers = c.accounts.slice(index + 1);
  return signers.length === 0 ? { [name]: c.account(index) } : { [multisigName]: c.account(index), signers };
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const plainAmount = (c: Cursor): Info => ({ amount: c.u64().toString() });
const checkedAmount = (c: Cursor): Info => {
  const amount = c.u64();
  return { tokenAmount: tokenAmount(amount, c.u8()) };
};

function initializeMint(type: string, withRent: boolean): Read {
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

function initializeAccount(type: string, ownerInData: boolean, withRent: boolean): Read {
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

function initializeMultisig(type: string, firstSigner: number): Read {
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
  (type: string, name: string, amount?: (c: Cursor) => Info, first: 'account' | 'mint' = 'account'): Read =>
  (c) => ({
    type,
    info: {
      [first]: c.account(0),
      [first === 'account' ? 'mint' : 'account']: c.account(1),
      ...amount?.(c),
      ...signer(c, 2, name),
    },
  });

const TOKEN: readonly Read[] = [
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
  (c) => ({ type: 'getAccountDataSize', info: { mint: c.account(0) } }),
  (c) => ({ type: 'initializeImmutableOwner', info: { account: c.account(0) } }),
  (c) => ({ type: 'amountToUiAmount', info: { mint: c.account(0), ...plainAmount(c) } }),
  (c) => ({ type: 'uiAmountToAmount', info: { mint: c.account(0), uiAmount: c.text() } }),
  (c) => ({
    type: 'initializeMintCloseAuthority',
    info: { mint: c.account(0), newAuthority: c.optionalKey() },
  }),
];

function setAuthority(c: Cursor): ParsedInstruction {
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

export function parseToken(cursor: Cursor): ParsedInstruction {
  const read = TOKEN[cursor.u8()];
  if (read === undefined) throw new NotParsed();
  return read(cursor);
}
