// How a private ledger is begun for a case, and what is asked of it: the transaction is simulated with its signatures taken
// as given and its blockhash replaced, so that neither its age nor its signers decide.
import { encodeBase64 } from '../encoding/base64';
import { isJsonObject, member, printJson, type JsonValue } from '../json/json';
import { decodeTransaction } from '../wire/transaction';
import { landedMeta } from '../decode/transactions/simulated';
import { accountJson, type ChainAccount } from '../chain/accountJson';
import { MAX_U64 } from '../chain/lamports';
import type { ReplayCase, ReplayOutcome } from './case';
import { addressesOf } from './needs';
import { outcomeOfMeta } from './outcome';
import { RENT } from './programs';

/** `lag`: slots from the newest block to the finalized one, the fewest that the service takes. */
const ALPENGLOW = { lag: 1, options: ['--consensus', 'alpenglow'] };
const TOWER = { lag: 2, options: ['--consensus', 'tower', '--finality-lag', '2'] };

/**
 * Options of the local service for a ledger at the case's slot and time, which stay. `accounts`: the file of them. A folder
 * of an older version has no rent, and was recorded on a ledger with that of TowerBFT.
 */
export function ledgerOptions({ slot, blockTime, accounts: given }: ReplayCase, accounts: string): readonly string[] {
  const { lag, options } = given.has(RENT) ? ALPENGLOW : TOWER;
  return [
    ...['--paused', '--accounts', accounts, ...options],
    ...(slot > lag ? ['--warp-slot', String(slot - lag)] : []),
    ...['--unix-time', String(blockTime)],
  ];
}

/** The text of the file of accounts. */
export const ledgerAccounts = ({ accounts }: ReplayCase): string =>
  `[${[...accounts].map((one) => printJson(ledgerAccount(...one))).join(',\n')}]`;

/** The service uses the highest rent epoch if it is left out; a file without large integers is read faster. */
function ledgerAccount(address: string, account: ChainAccount): JsonValue {
  const json = accountJson(address, account);
  const inner = member(json, 'account');
  if (account.rentEpoch !== MAX_U64 || !isJsonObject(inner)) return json;
  const rest = Object.entries(inner).filter(([name]) => name !== 'rentEpoch');
  return { pubkey: address, account: Object.fromEntries(rest) };
}

/** The one request that the ledger gets. */
export const replayRequest = ({ wire }: ReplayCase): { readonly method: string; readonly params: JsonValue } => ({
  method: 'simulateTransaction',
  params: [
    encodeBase64(wire),
    {
      encoding: 'base64',
      commitment: 'processed',
      sigVerify: false,
      replaceRecentBlockhash: true,
      innerInstructions: true,
    },
  ],
});

export interface LocalRun {
  readonly outcome: ReplayOutcome;
  /** The transaction with what it did, as getTransaction would answer it. */
  readonly landed: JsonValue;
}

/** `result`: of the answer to `replayRequest`. A text is why there is no outcome. */
export function localRun(replay: ReplayCase, result: JsonValue | undefined): LocalRun | string {
  const value = member(result, 'value');
  const decoded = decodeTransaction(replay.wire);
  if (!isJsonObject(value) || !decoded.ok) return 'The local service did not simulate the transaction.';
  const meta = landedMeta(value);
  const { slot, blockTime } = replay;
  return {
    outcome: outcomeOfMeta(meta, addressesOf(decoded.value.message, meta)),
    landed: { slot, blockTime, transaction: [encodeBase64(replay.wire), 'base64'], meta },
  };
}
