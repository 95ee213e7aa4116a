// Methods about tokens: supply, balances, and the token accounts of a wallet, a delegate or a mint.
import { isJsonObject, type JsonValue } from '../../../core/solana/json/json';
import type { WireJson } from '../../api';
import { TOKEN_PROGRAMS } from '../../ledger/accounts/addresses';
import type { LedgerView } from '../../ledger/state';
import type { AccountState } from '../../ledger/types';
import { readMint, readTokenAccount, type TokenAccount } from '../../ledger/accounts/tokens';
import { amountsOf, type MintAmounts } from '../parsed/tokenAmount';
import { accountFormatOf, type AccountEncoding } from '../format/encode';
import { invalidParams } from '../failure';
import { onHeld, stateAt, viewAt, withContext, type Method, type MethodService } from './method';
import { addressParam, bareCommitmentOf, configOf, optionalParam, positional, wrongParamType } from '../format/params';
import { ownedAccounts, type AccountScan } from './programMethods';
import { collectInSlices, topInSlices } from '../../slices';

const LARGEST = 20;

const getTokenSupply: Method = (service, params) => {
  const [address, config] = positional(params, 1, 2);
  const key = addressParam(address);
  const view = stateAt(service, bareCommitmentOf(config));
  const { mint, show } = mintAt(key, view);
  return withContext(view, show(mint.supply));
};

const getTokenAccountBalance: Method = (service, params) => {
  const [address, config] = positional(params, 1, 2);
  const key = addressParam(address);
  const view = stateAt(service, bareCommitmentOf(config));
  const account = view.get(key);
  if (account === undefined) throw invalidParams('Invalid param: could not find account');
  const token = readTokenAccount(account);
  if (token === undefined || token.state === 'uninitialized') throw invalidParams('Invalid param: not a Token account');
  return withContext(view, mintAt(token.mint, view).show(token.amount));
};

const getTokenLargestAccounts: Method = async (service, params) => {
  const [address, config] = positional(params, 1, 2);
  const mint = addressParam(address);
  const view = stateAt(service, bareCommitmentOf(config));
  const { show } = mintAt(mint, view);
  const owner = view.get(mint)?.owner ?? '';
  const rows = await onHeld(service, view, async (still) => {
    const held = await collectInSlices(still.candidates(owner), (key) => {
      const account = still.get(key);
      const token = account?.owner === owner ? readTokenAccount(account) : undefined;
      return token?.mint === mint ? { address: key, amount: token.amount } : undefined;
    });
    return topInSlices(held, LARGEST, ({ amount }) => amount);
  });
  return withContext(
    view,
    rows.map((row) => ({ address: row.address, ...show(row.amount) })),
  );
};

/** The contract's default is base64; a node's is the bare base58 string, which no token account fits. */
const getTokenAccountsByOwner = accountsBy(
  ({ listEncoding }) => listEncoding,
  (token, wallet) => token.owner === wallet,
);

const getTokenAccountsByDelegate = accountsBy(
  () => 'binary',
  (token, delegate) => token.delegate === delegate,
);

/** From the cross-client specification: every account of a mint, of any owner. */
const getTokenAccountsByMint: Method = async (service, params) => {
  const [first, second] = positional(params, 1, 2);
  const mint = addressParam(first);
  const config = configOf(second);
  const program = optionalParam(config, 'programId', tokenProgramOf);
  const format = accountFormatOf(config, service.listEncoding);
  const view = viewAt(service, config);
  const owner = mintOwner(mint, view);
  const keep = (token: TokenAccount): boolean => (program ?? owner) === owner && token.mint === mint;
  return withContext(view, await tokenAccounts(service, view, { owner, format, keep }));
};

function tokenProgramOf(value: JsonValue | undefined): string {
  const programId = addressParam(value);
  if (!TOKEN_PROGRAMS.has(programId)) throw invalidParams('Invalid param: unrecognized Token program id');
  return programId;
}

function accountsBy(
  encoding: (service: MethodService) => AccountEncoding,
  belongs: (token: TokenAccount, to: string) => boolean,
): Method {
  return async (service, params) => {
    const [first, filter, second] = positional(params, 2, 3);
    const to = addressParam(first);
    const wanted = tokenFilterOf(filter);
    const config = configOf(second);
    const format = accountFormatOf(config, encoding(service));
    const view = viewAt(service, config);
    const owner = wanted.kind === 'mint' ? mintOwner(wanted.mint, view) : wanted.programId;
    const keep = (token: TokenAccount): boolean =>
      belongs(token, to) && (wanted.kind === 'programId' || token.mint === wanted.mint);
    return withContext(view, await tokenAccounts(service, view, { owner, format, keep }));
  };
}

interface TokenScan extends Pick<AccountScan, 'owner' | 'format'> {
  readonly keep: (token: TokenAccount) => boolean;
}

async function tokenAccounts(
  service: MethodService,
  view: LedgerView,
  { owner, format, keep }: TokenScan,
): Promise<WireJson> {
  const isKept = (account: AccountState): boolean => {
    const token = readTokenAccount(account);
    return token !== undefined && keep(token);
  };
  return ownedAccounts(service, view, { owner, keep: isKept, format });
}

type TokenFilter =
  | { readonly kind: 'mint'; readonly mint: string }
  | { readonly kind: 'programId'; readonly programId: string };

/** Exactly one of mint and programId. */
function tokenFilterOf(value: JsonValue | undefined): TokenFilter {
  if (!isJsonObject(value)) throw wrongParamType(value, 'a filter with mint or programId');
  const [kind, ...more] = Object.keys(value);
  if (kind === undefined || more.length > 0)
    throw invalidParams('Invalid params: the filter holds exactly one of `mint` and `programId`.');
  switch (kind) {
    case 'mint':
      return { kind, mint: addressParam(value[kind]) };
    case 'programId':
      return { kind, programId: tokenProgramOf(value[kind]) };
    default:
      throw invalidParams(`Invalid params: unknown variant \`${kind}\`, expected \`mint\` or \`programId\`.`);
  }
}

function mintOwner(mint: string, view: LedgerView): string {
  const account = view.get(mint);
  if (account === undefined) throw invalidParams('Invalid param: could not find mint');
  if (readMint(account) === undefined) throw invalidParams('Invalid param: not a Token mint');
  return account.owner;
}

function mintAt(address: string, view: LedgerView): MintAmounts {
  const account = view.get(address);
  if (account === undefined) throw invalidParams('Invalid param: could not find account');
  const amounts = amountsOf(account, view);
  if (amounts?.mint.isInitialized !== true) throw invalidParams('Invalid param: not a Token mint');
  return amounts;
}

export const tokenMethods = {
  getTokenAccountBalance,
  getTokenAccountsByDelegate,
  getTokenAccountsByMint,
  getTokenAccountsByOwner,
  getTokenLargestAccounts,
  getTokenSupply,
} as const;
