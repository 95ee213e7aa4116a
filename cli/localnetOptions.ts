// The options of `solana-rpc localnet` for help and completion. The service itself reads them, and refuses what it does
// not know; a test compares the two tables.

import { CHAIN_RULES } from '../core/solana/chain/chain';

const { alpenglow, tower } = CHAIN_RULES;

interface Row {
  readonly value?: string;
  readonly text: string;
}

export const LOCALNET_OPTIONS = {
  json: { text: 'one line of JSON when ready' },
  open: { text: 'also serve at ports 8899 and 8900 without keys, as solana-test-validator does' },
  'rpc-port': { value: 'N', text: 'the port of --open for HTTP; the WebSocket has the next (default 8899)' },
  ledger: { value: 'DIR', text: 'keep keypairs, log and state in this folder, across restarts' },
  reset: { text: 'start over where --ledger or --state has kept a ledger' },
  account: { value: 'ADDRESS FILE', text: 'an account from a file of "solana account --output json"' },
  'account-dir': { value: 'DIR', text: 'the accounts of every .json file of a folder' },
  'bpf-program': { value: 'ADDRESS FILE', text: 'a program from its .so file' },
  'upgradeable-program': { value: 'ADDRESS FILE AUTHORITY', text: 'the same with the one who may upgrade it' },
  mint: { value: 'ADDRESS', text: 'an address that begins with 500,000,000 SOL' },
  'faucet-sol': { value: 'N', text: 'SOL that the faucet has' },
  'slots-per-epoch': { value: 'N', text: 'slots of an epoch, at least 32 (default 432000)' },
  'ticks-per-slot': { value: 'N', text: 'the time of a slot in ticks of 6.25 ms, another way to say --slot-ms' },
  'warp-slot': { value: 'N', text: 'begin with this slot finalized; without N with the newest of --url' },
  'unix-time': { value: 'SECONDS', text: 'begin at this Unix time (default: now)' },
  paused: { text: 'begin with the clock paused: no slot ends until resumeClock of the admin interface' },
  'bind-address': { value: 'HOST', text: '127.0.0.1 (default), or with --open 0.0.0.0' },
  'faucet-port': { value: 'N', text: 'serve airdrops in the protocol of solana-faucet on this port' },
  config: { value: 'FILE', text: 'the configuration of the Solana tools, whose wallet is the mint' },
  'rpc-pubsub-enable-vote-subscription': { text: 'taken; voteSubscribe is always there' },
  'rpc-pubsub-enable-block-subscription': { text: 'taken; blockSubscribe is always there' },
  quiet: { text: 'print nothing but errors' },
  port: { value: 'N', text: 'HTTP, WebSocket and REST port with keys (default: any free one)' },
  'grpc-port': { value: 'N', text: 'gRPC port (default: any free one)' },
  'grpc-compression': {
    value: 'NAMES',
    text: 'compress gRPC messages for clients that accept it: gzip, zstd, or gzip,zstd (default none)',
  },
  plan: { value: 'NAME', text: 'plan of the first keys (default Dev)' },
  consensus: { value: 'NAME', text: 'alpenglow (default), or tower as clusters had it before, with votes' },
  alpenglow: { text: 'the same as --consensus alpenglow' },
  'slot-ms': { value: 'N', text: `milliseconds per slot (default ${alpenglow.slotMs}; tower ${tower.slotMs})` },
  'finality-lag': {
    value: 'N',
    text: `slots until a block is finalized, 2 to 150, with --consensus tower (default ${tower.finalitySlots})`,
  },
  seed: { value: 'TEXT', text: 'the same keys and wallet each time; for tests only' },
  'seed-stdin': { text: 'read the seed from the first line of stdin' },
  state: { value: 'FILE', text: 'keep ledger, keys and usage in this file, across restarts' },
  'trust-state': { text: 'keep the keys of a state that was not written by you on this machine' },
  accounts: { value: 'FILE', text: 'begin with the accounts of this JSON file' },
  url: { value: 'URL', text: 'where --clone fetches from: a URL, a profile, or m, d, t, l' },
  fork: { value: 'URL', text: 'fetch accounts of this URL or profile when something first needs them, once' },
  'fork-slot': { value: 'N', text: 'fetch nothing that is older than this slot of --fork, which it has just passed' },
  clone: { value: 'ADDRESS', text: 'begin with this account of --url, a program with its code' },
  'maybe-clone': { value: 'ADDRESS', text: 'the same for an account that may not exist' },
  'clone-upgradeable-program': { value: 'ADDRESS', text: 'the same for a program of the upgradeable loader' },
  'deep-clone-address-lookup-table': {
    value: 'ADDRESS',
    text: 'the same for a lookup table and the accounts that it names',
  },
  'key-stdin': { text: 'read the keys of --url and --fork from standard input, as solana-rpc run does' },
  'scan-ms': { value: 'N', text: 'milliseconds after which getProgramAccounts times out (default 30000)' },
  traffic: { value: 'N', text: 'transfers per second to show on streams' },
  'agave-until': { text: 'getSignaturesForAddress leaves the until signature out, as nodes do' },
  agave: { value: 'LINE', text: 'answer as Agave 4.4 (default), 4.2 or 3.1 does; the last two are tower' },
  'feature-set': { value: 'NAME', text: 'the features that are active: mainnet (default without --fork) or all' },
  'deactivate-feature': { value: 'PUBKEY', text: 'a feature that is not active' },
  'compute-unit-limit': { value: 'N', text: 'compute units of every transaction, ignoring its own limit' },
  'log-messages-bytes-limit': { value: 'N', text: 'bytes of log that a transaction keeps (default 10000)' },
  instant: { text: 'a slot for each transaction, which ends with it' },
  votes: { text: 'with --consensus tower: a vote transaction of the node in each block (default with --open)' },
  'no-votes': { text: 'no vote transactions in blocks' },
  'with-parent': { text: 'end when stdin ends or the parent process is gone' },
} as const satisfies Readonly<Record<string, Row>>;
