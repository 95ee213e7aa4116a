// Options of solana-test-validator beyond our own: those that are taken with a notice since they change nothing here, and
// those that are refused with the reason, since ignoring them would lie.

const NO_GOSSIP = 'there is no gossip and no TPU on this node';
const NO_CAP = 'the faucet gives what it is asked for while it has it';
const FIXED_ENGINE = 'the engine has nothing that it could change';
const HISTORY = 'how much history is kept is fixed; see docs/local-service.md';
const PUBSUB = 'the bounds of WebSockets are fixed; see docs/local-service.md';
const PLUG_INS = 'plug-ins are not loaded; streams come over gRPC, see docs/local-service.md';
const INDEXES = 'every account is indexed by its owner always';

/** Options that are taken and change nothing: how many values they have at most, and the sentence that says why. */
export const VALIDATOR_NOTICES: ReadonlyMap<string, { readonly values: number; readonly notice: string }> = new Map([
  ['--gossip-host', { values: 1, notice: NO_GOSSIP }],
  ['--gossip-port', { values: 1, notice: NO_GOSSIP }],
  ['--dynamic-port-range', { values: 1, notice: NO_GOSSIP }],
  ['--faucet-per-time-sol-cap', { values: 1, notice: NO_CAP }],
  ['--faucet-per-request-sol-cap', { values: 1, notice: NO_CAP }],
  ['--faucet-time-slice-secs', { values: 1, notice: NO_CAP }],
  ['--limit-ledger-size', { values: 1, notice: HISTORY }],
  ['--account-index', { values: Infinity, notice: INDEXES }],
  ['--rpc-pubsub-max-active-subscriptions', { values: 1, notice: PUBSUB }],
  ['--rpc-pubsub-queue-capacity-items', { values: 1, notice: PUBSUB }],
  ['--rpc-pubsub-queue-capacity-bytes', { values: 1, notice: PUBSUB }],
  ['--rpc-pubsub-worker-threads', { values: 1, notice: PUBSUB }],
  ['--rpc-pubsub-notification-threads', { values: 1, notice: PUBSUB }],
  ['--log', { values: 0, notice: 'the log is validator.log in the folder of --ledger' }],
  ['--geyser-plugin-config', { values: Infinity, notice: PLUG_INS }],
  ['--accountsdb-plugin-config', { values: Infinity, notice: PLUG_INS }],
]);

export const VALIDATOR_REFUSALS: ReadonlyMap<string, string> = new Map([
  [
    '--clone-feature-set',
    'features are those of mainnet, and with --fork those of its source; see --feature-set and --deactivate-feature',
  ],
  ['--transaction-account-lock-limit', 'the limit follows from the features: 64, or 128 with --feature-set all'],
  ['--enable-rpc-bigtable-ledger-storage', HISTORY],
  ['--enable-bigtable-ledger-upload', HISTORY],
  ['--rpc-bigtable-instance', HISTORY],
  ['--rpc-bigtable-app-profile-id', HISTORY],
  ['--rpc-bigtable-instance-name', HISTORY],
  ['--enable-scheduler-bindings', FIXED_ENGINE],
  ['--inflation-fixed', 'inflation follows the schedule of a cluster'],
]);
