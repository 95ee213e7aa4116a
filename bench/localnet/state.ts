// The cost of continuing from a state file of 100,000 accounts, compared with the minimum: JSON.parse of the same lines.
import { createHash } from 'node:crypto';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { openLedger } from '../../localnet/node/open';
import type { AccountState } from '../../localnet/ledger/types';
import { decodeRecords, encodeRecord, HEADER } from '../../localnet/state/codec';
import { interleaved, median, ratioOf, type Measured } from '../measure';

const ACCOUNTS = 100_000;
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ROUNDS = 5;
/** The seed of both ledgers: what the first keeps is the second's. */
const SEED = 'bench';

const hash = (name: string): Buffer => createHash('sha256').update(name).digest();

function tokenAccount(at: number): readonly [string, AccountState] {
  const data = new Uint8Array(165).map((_, index) => (index * at) % 251);
  return [
    encodeBase58(hash(`account ${at}`)),
    { lamports: 1_488_440n, owner: TOKEN, data, executable: false, rentEpoch: 0n },
  ];
}

/** The bytes of a state file as a service leaves it. */
async function stateFile(): Promise<Buffer> {
  const accounts = Array.from({ length: ACCOUNTS }, (_, at) => tokenAccount(at));
  const ledger = await openLedger({ seed: SEED, paused: true, accounts });
  const lines = Array.from(ledger.saved(), (change) => encodeRecord({ part: 'ledger', change }));
  ledger.close();
  return Buffer.concat([Buffer.from(HEADER), ...lines]);
}

export async function measureState(): Promise<readonly Measured[]> {
  const bytes = await stateFile();
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.slice(9));
  const load = async (): Promise<number> => {
    const since = performance.now();
    const decoded = decodeRecords(bytes);
    if (!decoded.ok) throw new Error(decoded.message);
    const saved = decoded.records.flatMap((record) => (record.part === 'ledger' ? [record.change] : []));
    const ledger = await openLedger({ seed: SEED, paused: true, saved });
    const spent = performance.now() - since;
    ledger.close();
    return spent;
  };
  const parse = (): Promise<number> => {
    const since = performance.now();
    for (const line of lines) JSON.parse(line);
    return Promise.resolve(performance.now() - since);
  };
  const [loads = [], parses = []] = await interleaved(ROUNDS, [load, parse]);
  return [
    {
      goal: 'P15',
      name: `continuing from a state file of ${ACCOUNTS.toLocaleString('en')} accounts, to JSON.parse of its lines`,
      figure: ratioOf(loads, parses),
      bound: { atMost: 15 },
      note: `${median(loads).toFixed(0)} ms to ${median(parses).toFixed(0)} ms, ${(bytes.length / 1e6).toFixed(0)} MB`,
    },
  ];
}
