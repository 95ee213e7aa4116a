// What the command line of solana-test-validator has beyond our own options: shorthands that are taken, and options that
// are refused with the reason, so that nobody believes in a thing this service does not do.

export const VALIDATOR_SHORTHANDS: ReadonlyMap<string, string> = new Map([
  ['-h', '--help'],
  ['-l', '--ledger'],
  ['-q', '--quiet'],
  ['-r', '--reset'],
  ['-w', '--warp-slot'],
]);

const NO_CLONING = 'it fetches from no cluster; save the accounts with "solana-rpc run --json" and give --clone FILE';
const NO_GOSSIP = 'there is no gossip and no TPU on this node; leave it out';
const NO_FAUCET_SERVER = 'airdrops come from requestAirdrop alone; leave it out';
const NO_CAP = 'the faucet gives what it is asked for while it has it';
const FIXED_ENGINE = 'the engine runs with every feature that it knows';
const HISTORY = 'how much history is kept is fixed; see docs/local-service.md';
const INDEXES = 'every account is indexed by its owner always; leave it out';

export const VALIDATOR_REFUSALS: ReadonlyMap<string, string> = new Map([
  ['-c', NO_CLONING],
  ['-u', NO_CLONING],
  ['--url', NO_CLONING],
  ['--maybe-clone', NO_CLONING],
  ['--clone-upgradeable-program', NO_CLONING],
  ['--clone-feature-set', FIXED_ENGINE],
  ['--deep-clone-address-lookup-table', NO_CLONING],
  ['-C', 'it reads no configuration of the Solana tools; give --mint ADDRESS'],
  ['--config', 'it reads no configuration of the Solana tools; give --mint ADDRESS'],
  ['--gossip-host', NO_GOSSIP],
  ['--gossip-port', NO_GOSSIP],
  ['--dynamic-port-range', NO_GOSSIP],
  ['--faucet-port', NO_FAUCET_SERVER],
  ['--faucet-per-time-sol-cap', NO_CAP],
  ['--faucet-per-request-sol-cap', NO_CAP],
  ['--faucet-time-slice-secs', NO_CAP],
  ['--deactivate-feature', FIXED_ENGINE],
  ['--compute-unit-limit', FIXED_ENGINE],
  ['--transaction-account-lock-limit', FIXED_ENGINE],
  ['--log-messages-bytes-limit', FIXED_ENGINE],
  ['--geyser-plugin-config', 'plug-ins are not loaded; streams come over gRPC, see docs/local-service.md'],
  ['--limit-ledger-size', HISTORY],
  ['--account-index', INDEXES],
  ['--enable-rpc-bigtable-ledger-storage', HISTORY],
  ['--enable-bigtable-ledger-upload', HISTORY],
  ['--rpc-bigtable-instance', HISTORY],
  ['--rpc-bigtable-app-profile-id', HISTORY],
  ['--rpc-bigtable-instance-name', HISTORY],
  ['--enable-scheduler-bindings', FIXED_ENGINE],
  ['--log', 'the log is validator.log in the folder of --ledger'],
]);
