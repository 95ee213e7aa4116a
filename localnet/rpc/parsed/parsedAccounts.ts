// Accounts the node can explain (`jsonParsed`): which parser belongs to which owner, and token accounts, mints, nonces
// and lookup tables.
import type { WireJson } from '../../api';
import type { AccountView } from '../../ledger/accounts/accounts';
import {
  BPF_LOADER_UPGRADEABLE,
  CONFIG_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from '../../ledger/accounts/addresses';
import { readLookupTable } from '../../ledger/accounts/lookupTables';
import { readNonce } from '../../ledger/accounts/nonce';
import { readMint, readTokenAccount, tokenKind } from '../../ledger/accounts/tokens';
import type { AccountState, NodeRelease } from '../../ledger/types';
import { amountsOf } from './tokenAmount';
import { parseConfig } from './parsedConfig';
import { parseExtensions } from './parsedExtensions';
import { attempt, Fields, type Parsed } from './parsedFields';
import { parseLoaderAccount } from './parsedLoader';
import { parseStakeAccount } from './parsedStake';
import { parseSysvar } from './parsedSysvars';
import { parseVoteAccount } from './parsedVoteAccount';

/** Finds the mint of a token account, and says whose shapes are wanted. */
export interface ParseView extends Pick<AccountView, 'get'> {
  readonly release: NodeRelease;
}

/** Signers that a multisig has room for. */
const MAX_SIGNERS = 11;

const PARSERS: ReadonlyMap<string, { program: string; parse: typeof parseToken }> = new Map([
  [TOKEN_PROGRAM, { program: 'spl-token', parse: parseToken }],
  [TOKEN_2022_PROGRAM, { program: 'spl-token-2022', parse: parseToken }],
  [SYSTEM_PROGRAM, { program: 'nonce', parse: (_, account) => parseNonce(account.data) }],
  [LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: (_, account) => parseLookupTable(account.data) }],
  [
    SYSVAR_OWNER,
    { program: 'sysvar', parse: (address, account, { release }) => parseSysvar(address, account.data, release.line) },
  ],
  [
    BPF_LOADER_UPGRADEABLE,
    { program: 'bpf-upgradeable-loader', parse: (_, account) => parseLoaderAccount(account.data) },
  ],
  [
    CONFIG_PROGRAM,
    { program: 'config', parse: (address, account, { release }) => parseConfig(address, account.data, release.line) },
  ],
  [
    STAKE_PROGRAM,
    { program: 'stake', parse: (_, account, { release }) => parseStakeAccount(account.data, release.line) },
  ],
  [
    VOTE_PROGRAM,
    {
      program: 'vote',
      parse: (address, account, { release }) => parseVoteAccount(address, account.data, release.line),
    },
  ],
]);

/** {program, parsed: {type, info}, space}, or `undefined` when nothing here knows the data. */
export function parseAccount(address: string, account: AccountState, view: ParseView): WireJson | undefined {
  const parser = PARSERS.get(account.owner);
  const parsed = attempt(() => parser?.parse(address, account, view));
  if (parser === undefined || parsed === undefined) return undefined;
  const { info, type } = parsed;
  return {
    program: parser.program,
    parsed: { ...(info === undefined ? {} : { info }), type },
    space: account.data.length,
  };
}

function parseToken(_address: string, account: AccountState, view: ParseView): Parsed | undefined {
  switch (tokenKind(account)) {
    case 'account':
      return parseTokenAccount(account, view);
    case 'mint':
      return parseMint(account);
    case 'multisig':
      return parseMultisig(account.data);
    case undefined:
      return undefined;
  }
}

/** A holding can only be shown with its mint's decimals: without the mint the data stays as bytes, as on a node. */
function parseTokenAccount(account: AccountState, view: ParseView): Parsed | undefined {
  const token = readTokenAccount(account);
  if (token === undefined) return undefined;
  const mintAccount = view.get(token.mint);
  const amounts = mintAccount === undefined ? undefined : amountsOf(mintAccount, view);
  if (amounts === undefined) return undefined;
  const { show } = amounts;
  const info = {
    mint: token.mint,
    owner: token.owner,
    tokenAmount: show(token.amount),
    ...(token.delegate === undefined ? {} : { delegate: token.delegate, delegatedAmount: show(token.delegatedAmount) }),
    state: token.state,
    isNative: token.rentReserve !== undefined,
    ...(token.rentReserve === undefined ? {} : { rentExemptReserve: show(token.rentReserve) }),
    ...(token.closeAuthority === undefined ? {} : { closeAuthority: token.closeAuthority }),
    ...parseExtensions(account.data),
  };
  return { type: 'account', info };
}

function parseMint(account: AccountState): Parsed | undefined {
  const mint = readMint(account);
  if (mint?.isInitialized !== true) return undefined;
  const info = {
    mintAuthority: mint.mintAuthority ?? null,
    supply: mint.supply.toString(),
    decimals: mint.decimals,
    isInitialized: mint.isInitialized,
    freezeAuthority: mint.freezeAuthority ?? null,
    ...parseExtensions(account.data),
  };
  return { type: 'mint', info };
}

/** Only one that is initialized; places without a signer are left out. */
function parseMultisig(data: Uint8Array): Parsed | undefined {
  const fields = new Fields(data);
  const [numRequiredSigners, numValidSigners, isInitialized] = [fields.u8(), fields.u8(), fields.bool()];
  if (!isInitialized) return undefined;
  const signers = fields.list(MAX_SIGNERS, 32, () => fields.nonZeroKey()).filter((signer) => signer !== null);
  return { type: 'multisig', info: { numRequiredSigners, numValidSigners, isInitialized, signers } };
}

function parseNonce(data: Uint8Array): Parsed | undefined {
  const nonce = readNonce(data);
  if (nonce === undefined) return undefined;
  const { authority, blockhash } = nonce;
  const info = {
    authority,
    blockhash,
    feeCalculator: { lamportsPerSignature: nonce.lamportsPerSignature.toString() },
  };
  return { type: 'initialized', info };
}

function parseLookupTable(data: Uint8Array): Parsed | undefined {
  const table = readLookupTable(data);
  if (table === undefined) return undefined;
  const info = {
    deactivationSlot: table.deactivationSlot.toString(),
    lastExtendedSlot: table.lastExtendedSlot.toString(),
    lastExtendedSlotStartIndex: table.lastExtendedStartIndex,
    ...(table.authority === undefined ? {} : { authority: table.authority }),
    addresses: table.addresses,
  };
  return { type: 'lookupTable', info };
}
