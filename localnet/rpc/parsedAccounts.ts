// Accounts the node can explain (`jsonParsed`): token accounts and mints, nonces, lookup tables, sysvars, programs of
// the upgradeable loader. Written from the account layouts; shares nothing with the client's decoders.
import { encodeBase58 } from '../../core/values/base58';
import type { WireJson } from '../api';
import type { AccountView } from '../ledger/accounts';
import {
  BPF_LOADER_UPGRADEABLE,
  LOOKUP_TABLE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../ledger/addresses';
import { readLookupTable } from '../ledger/lookupTables';
import { readNonce } from '../ledger/nonce';
import { readMint, readTokenAccount, tokenKind } from '../ledger/tokens';
import type { AccountState } from '../ledger/types';
import { tokenAmount } from './amount';
import { parseExtensions } from './parsedExtensions';
import { parseSysvar } from './parsedSysvars';

type View = Pick<AccountView, 'get'>;
interface Parsed {
  readonly type: string;
  readonly info: WireJson;
}

const PARSERS: ReadonlyMap<string, { program: string; parse: typeof parseToken }> = new Map([
  [TOKEN_PROGRAM, { program: 'spl-token', parse: parseToken }],
  [TOKEN_2022_PROGRAM, { program: 'spl-token-2022', parse: parseToken }],
  [SYSTEM_PROGRAM, { program: 'nonce', parse: (_, account) => parseNonce(account.data) }],
  [LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: (_, account) => parseLookupTable(account.data) }],
  [SYSVAR_OWNER, { program: 'sysvar', parse: (address, account) => parseSysvar(address, account.data) }],
  [
    BPF_LOADER_UPGRADEABLE,
    { program: 'bpf-upgradeable-loader', parse: (_, account) => parseUpgradeable(account.data) },
  ],
]);

/** {program, parsed: {type, info}, space}, or `undefined` when nothing here knows the data. */
export function parseAccount(address: string, account: AccountState, view: View): WireJson | undefined {
  const parser = PARSERS.get(account.owner);
  const parsed = parser?.parse(address, account, view);
  if (parser === undefined || parsed === undefined) return undefined;
  return { program: parser.program, parsed: { info: parsed.info, type: parsed.type }, space: account.data.length };
}

function parseToken(_address: string, account: AccountState, view: View): Parsed | undefined {
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

/** A holding can only be told with its mint's decimals: without the mint the data stays as bytes, as on a node. */
function parseTokenAccount(account: AccountState, view: View): Parsed | undefined {
  const token = readTokenAccount(account);
  if (token === undefined) return undefined;
  const mintAccount = view.get(token.mint);
  const mint = mintAccount === undefined ? undefined : readMint(mintAccount);
  if (mint === undefined) return undefined;
  const { decimals } = mint;
  const info = {
    mint: token.mint,
    owner: token.owner,
    tokenAmount: tokenAmount(token.amount, decimals),
    ...(token.delegate === undefined
      ? {}
      : { delegate: token.delegate, delegatedAmount: tokenAmount(token.delegatedAmount, decimals) }),
    state: token.state,
    isNative: token.rentReserve !== undefined,
    ...(token.rentReserve === undefined ? {} : { rentExemptReserve: tokenAmount(token.rentReserve, decimals) }),
    ...(token.closeAuthority === undefined ? {} : { closeAuthority: token.closeAuthority }),
    ...parseExtensions(account.data),
  };
  return { type: 'account', info };
}

function parseMint(account: AccountState): Parsed | undefined {
  const mint = readMint(account);
  if (mint === undefined) return undefined;
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

function parseMultisig(data: Uint8Array): Parsed {
  const [required = 0, valid = 0, initialized = 0] = data;
  const signers = Array.from({ length: Math.min(valid, 11) }, (_, i) =>
    encodeBase58(data.subarray(3 + i * 32, 35 + i * 32)),
  );
  return {
    type: 'multisig',
    info: { numRequiredSigners: required, numValidSigners: valid, isInitialized: initialized === 1, signers },
  };
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

function parseUpgradeable(data: Uint8Array): Parsed | undefined {
  if (data.length < 4) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const key = (at: number): string => encodeBase58(data.subarray(at, at + 32));
  const code = (at: number): WireJson => [Buffer.from(data.subarray(at)).toString('base64'), 'base64'];
  switch (view.getUint32(0, true)) {
    case 0:
      return { type: 'uninitialized', info: null };
    case 1:
      if (data.length < 37) return undefined;
      return { type: 'buffer', info: { authority: data[4] === 1 ? key(5) : null, data: code(37) } };
    case 2:
      return data.length < 36 ? undefined : { type: 'program', info: { programData: key(4) } };
    case 3:
      if (data.length < 45) return undefined;
      return {
        type: 'programData',
        info: { slot: view.getBigUint64(4, true), authority: data[12] === 1 ? key(13) : null, data: code(45) },
      };
    default:
      return undefined;
  }
}
