// The node itself. Written from the service contract and the public node API.
import { address, literal, object, text, u64 } from '../shapes';
import { bare, type Method } from './method';

export const NODE: readonly Method[] = [
  bare('getHealth', literal('ok')),
  // A node without snapshots.
  { name: 'getHighestSnapshotSlot', on: 'http', params: [], refused: -32008 },
  bare('getIdentity', object({ identity: address })),
  bare('getMaxRetransmitSlot', u64),
  bare('getMaxShredInsertSlot', u64),
  { name: 'getVersion', on: 'both', params: [], result: object({ 'feature-set': u64, 'solana-core': text }) },
  bare('minimumLedgerSlot', u64),
];
