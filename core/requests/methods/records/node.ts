// Methods about the answering node itself.
import { HEALTH_SLOTS } from '../../../solana/chain/chain';
import { recordsOf } from './build';

export const NODE_METHODS = recordsOf('node', [
  {
    name: 'getHealth',
    summary: 'Checks whether the node keeps up with the cluster.',
    result: '"ok"',
    errors: [-32005],
    notes: [
      `A node that is behind answers error -32005 with \`numSlotsBehind\`; by default from ${HEALTH_SLOTS} slots.`,
    ],
  },
  {
    name: 'getHighestSnapshotSlot',
    summary: 'Reads the slots of the newest snapshots the node holds.',
    result: '{ full, incremental: u64 | null }',
    errors: [-32008],
  },
  {
    name: 'getIdentity',
    summary: 'Reads the identity key of the node.',
    result: '{ identity: pubkey }',
  },
  {
    name: 'getMaxRetransmitSlot',
    summary: 'Reads the highest slot seen by the retransmit stage.',
    result: 'slot',
  },
  {
    name: 'getMaxShredInsertSlot',
    summary: 'Reads the highest slot for which shreds were stored.',
    result: 'slot',
  },
  {
    name: 'getVersion',
    transport: 'both',
    summary: 'Reads the software version of the node.',
    result: '{ "solana-core": string, "feature-set": u32 | null }',
    notes: ['The only method besides subscriptions that a node answers on the WebSocket.'],
  },
  {
    name: 'minimumLedgerSlot',
    summary: 'Reads the lowest slot the node knows anything about.',
    result: 'slot',
    errors: [-32600],
  },
]);
