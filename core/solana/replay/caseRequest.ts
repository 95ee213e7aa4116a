// A case as a request file: the simulation that a replay asks of its ledger, with what is expected as assertions. Logs and
// errors come from outside: nothing in them is read as a variable, nor as another line.
import { decodeTransaction } from '../wire/transaction';
import { encodeBase58 } from '../encoding/base58';
import { printJson, type JsonValue } from '../json/json';
import type { ReplayCase } from './case';
import { LOG_CUT } from './compare';
import { replayRequest } from './ledger';

/** The text of the file. Balances of accounts that came from lookup tables are left to `solana-rpc replay`. */
export function caseRequest(replay: ReplayCase): string {
  const { signature, slot } = replay;
  const { method, params } = replayRequest(replay);
  return [
    `// Transaction ${signature} of slot ${slot}, as it is replayed.`,
    '// On a private ledger with the accounts of this folder: solana-rpc run FOLDER/replay.jsonrpc --case FOLDER',
    '// On any other endpoint it is simulated with the accounts that are there now.',
    '',
    '### Replay',
    '# @name replay',
    printJson({ method, params }, 2),
    ...assertions(replay).map((one) => `?? ${one}`),
    '',
  ].join('\n');
}

function assertions(replay: ReplayCase): readonly string[] {
  const { error, computeUnits, logs } = replay.expected;
  return [
    ...(error === undefined ? [] : [error === null ? 'result.value.err isNull' : equal('err', error)]),
    ...(computeUnits === undefined ? [] : [`result.value.unitsConsumed == ${computeUnits}`]),
    ...(logs === undefined ? [] : logAssertions(logs)),
    ...balanceAssertions(replay),
  ];
}

const equal = (member: string, value: JsonValue): string => `result.value.${member} == ${inert(printJson(value))}`;

/** Up to where the node cut them. */
function logAssertions(logs: readonly string[]): readonly string[] {
  const cut = logs.indexOf(LOG_CUT);
  const whole = cut < 0 ? [`result.value.logs length ${logs.length}`] : [];
  return [...whole, ...logs.slice(0, cut < 0 ? logs.length : cut).map((line, at) => equal(`logs[${at}]`, line))];
}

function balanceAssertions({ wire, accounts, expected: { lamports = [] } }: ReplayCase): readonly string[] {
  const decoded = decodeTransaction(wire);
  const keys = decoded.ok ? decoded.value.message.accountKeys.map(encodeBase58) : [];
  return lamports.flatMap(({ address, change }) => {
    const at = keys.indexOf(address);
    const after = (accounts.get(address)?.lamports ?? 0n) + change;
    return at < 0 ? [] : [`result.value.postBalances[${at}] == ${after}`];
  });
}

/** JSON in ASCII without `{{`: the same value, and no variable. */
const inert = (json: string): string =>
  json
    .replace(/\{(?=\{)/g, String.raw`\u007b`)
    .replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
