// System program instructions as `jsonParsed` shows them.
import { pick, type ParsedCursor, type ParsedInstruction, type ReadInstruction } from './parsedCursor';

/** By instruction number. */
const SYSTEM: readonly ReadInstruction[] = [
  (c) => ({
    type: 'createAccount',
    info: { source: c.account(0), newAccount: c.account(1), lamports: c.u64(), space: c.u64(), owner: c.key() },
  }),
  (c) => ({ type: 'assign', info: { account: c.account(0), owner: c.key() } }),
  (c) => ({ type: 'transfer', info: { source: c.account(0), destination: c.account(1), lamports: c.u64() } }),
  (c) => ({
    type: 'createAccountWithSeed',
    info: {
      source: c.account(0),
      newAccount: c.account(1),
      base: c.key(),
      seed: c.longText(),
      lamports: c.u64(),
      space: c.u64(),
      owner: c.key(),
    },
  }),
  (c) => ({
    type: 'advanceNonce',
    info: { nonceAccount: c.account(0), recentBlockhashesSysvar: c.account(1), nonceAuthority: c.account(2) },
  }),
  (c) => ({
    type: 'withdrawFromNonce',
    info: {
      nonceAccount: c.account(0),
      destination: c.account(1),
      recentBlockhashesSysvar: c.account(2),
      rentSysvar: c.account(3),
      nonceAuthority: c.account(4),
      lamports: c.u64(),
    },
  }),
  (c) => ({
    type: 'initializeNonce',
    info: {
      nonceAccount: c.account(0),
      recentBlockhashesSysvar: c.account(1),
      rentSysvar: c.account(2),
      nonceAuthority: c.key(),
    },
  }),
  (c) => ({
    type: 'authorizeNonce',
    info: { nonceAccount: c.account(0), nonceAuthority: c.account(1), newAuthorized: c.key() },
  }),
  (c) => ({ type: 'allocate', info: { account: c.account(0), space: c.u64() } }),
  (c) => ({
    type: 'allocateWithSeed',
    info: { account: c.account(0), base: c.key(), seed: c.longText(), space: c.u64(), owner: c.key() },
  }),
  (c) => ({
    type: 'assignWithSeed',
    info: { account: c.account(0), base: c.key(), seed: c.longText(), owner: c.key() },
  }),
  (c) => ({
    type: 'transferWithSeed',
    info: {
      source: c.account(0),
      sourceBase: c.account(1),
      destination: c.account(2),
      lamports: c.u64(),
      sourceSeed: c.longText(),
      sourceOwner: c.key(),
    },
  }),
  (c) => ({ type: 'upgradeNonce', info: { nonceAccount: c.account(0) } }),
  (c) => ({
    type: 'createAccountAllowPrefund',
    info: {
      newAccount: c.account(0),
      ...(c.accounts[1] === undefined ? {} : { source: c.accounts[1] }),
      lamports: c.u64(),
      space: c.u64(),
      owner: c.key(),
    },
  }),
];

export function parseSystem(cursor: ParsedCursor): ParsedInstruction {
  return pick(SYSTEM, cursor.u32(), cursor);
}
