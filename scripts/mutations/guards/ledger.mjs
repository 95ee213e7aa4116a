// Guards of the local ledger: which state an answer is of, and what a send, an airdrop and an epoch leave there.
const SENDING = 'test/contract/rpc/rpc-sending.test.ts';
const CONTEXT = 'test/contract/rpc/rpc-context.test.ts';
const CHEATS = 'test/unit/localnet/localnet-cheats.test.ts';
const FIELDS = 'test/unit/localnet/state-fields.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const LEDGER = [
  {
    file: 'localnet/rpc/methods/sendMethods.ts',
    tests: [SENDING],
    edits: [
      ['a send without preflight reads the newest state', "skipPreflight ? 'processed' : given", 'given'],
      [
        'what the open block refuses fails the preflight',
        "if (landing?.kind === 'refused' && landing.err !== 'AlreadyProcessed' && !skipPreflight)",
        'if (false)',
      ],
    ],
  },
  {
    file: 'localnet/rpc/format/params.ts',
    tests: [CONTEXT],
    edits: [
      [
        'a blockhash and statuses are of a complete block',
        "commitment === 'processed' ? 'confirmed' : commitment;",
        'commitment;',
      ],
    ],
  },
  {
    file: 'localnet/websocket/feed.ts',
    tests: [CONTEXT],
    edits: [
      [
        'the notification of an edit has the slot of its commitment',
        'this.#account(address, account, this.ledger.view(commitment).slot, commitment)',
        'this.#account(address, account, slot, commitment)',
      ],
    ],
  },
  {
    file: 'localnet/ledger/chain/rewards.ts',
    tests: ['test/contract/rpc/rpc-epoch-sysvars.test.ts'],
    edits: [
      ['an epoch leaves its stake in the history', 'writeHistory(ledger, parent, opened);', ''],
      [
        'the rewards of an epoch are paid in the end',
        'withAllPaid(shown, sumOf(opened.rewards))',
        'withAllPaid(shown, 0n)',
      ],
    ],
  },
  {
    file: 'localnet/ledger/wallets/faucet.ts',
    tests: ['test/contract/rpc/rpc-transactions.test.ts'],
    edits: [['an airdrop differs from an equal one', 'this.#given.has(airdrop)', 'this.#given.size < 0']],
  },
  {
    file: 'localnet/ledger/chain/leader.ts',
    tests: ['test/contract/rpc/rpc-instant.test.ts'],
    edits: [
      [
        'a read at finalized ages no blockhash',
        'if (this.instant) this.state.finalize();',
        'if (this.instant) this.finalize();',
      ],
    ],
  },
  {
    file: 'localnet/ledger/state.ts',
    tests: ['test/contract/rpc/rpc-start.test.ts'],
    edits: [
      [
        'slots before the start lie in the past',
        'const blockTime = this.unixTime(slot);',
        'const blockTime = this.unixTime();',
      ],
    ],
  },
  {
    file: 'localnet/ledger/open.ts',
    tests: ['test/contract/rpc/rpc-start.test.ts'],
    edits: [
      [
        'a ledger that is continued is at the present',
        'options.saved === undefined ? (options.startSlot ?? finalityLag + 2) : 0',
        'options.startSlot ?? finalityLag + 2',
      ],
    ],
  },
  {
    file: 'localnet/ledger/snapshots.ts',
    tests: [[CHEATS, 'seventeen']],
    edits: [['16 snapshots are kept', 'this.#taken.size > KEPT', 'this.#taken.size > 1e9']],
  },
  {
    file: 'localnet/ledger/cheats.ts',
    tests: [CHEATS],
    edits: [
      ['time travel ends at a time', 'if (to.timestamp > MAX_UNIX_TIME)', 'if (false)'],
      ['an account that is set fits', 'requireFitting(account.data);', ''],
      ['a program that is loaded fits', 'requireFitting(elf);', ''],
      ['rentEpoch has 64 bits', 'if (account.rentEpoch < 0n || account.rentEpoch > U64_MAX)', 'if (false)'],
    ],
  },
  {
    file: 'localnet/ledger/saved.ts',
    tests: [FIELDS],
    edits: [['a saved block follows the one before it', 'requireNext(chain?.open, block);', '']],
  },
  {
    file: 'localnet/ledger/engine/svm.ts',
    tests: ['test/contract/rpc/rpc-rent.test.ts'],
    edits: [["rent is the chain's", 'this.#vm.setRent(new native.Rent(lamportsPerByte, 1, BURN_PERCENT));', '']],
  },
  {
    file: 'localnet/ledger/engine/features.ts',
    tests: ['test/contract/rpc/rpc-features.test.ts'],
    edits: [
      ["the features are mainnet's by default", "set === 'all' ? undefined", 'set ? undefined'],
      ['a feature that is switched off is not active', ' || off.includes(address)', ''],
      ["mainnet has what it activated since the engine's list", ', ...SINCE]', ']'],
    ],
  },
  {
    file: 'localnet/ledger/chain/leader.ts',
    tests: ['test/contract/rpc/rpc-block-limits.test.ts'],
    edits: [
      [
        'transactions that write one account have a part of the block',
        '(address) => (used.get(address) ?? 0n) + cost <= accountUnits',
        '() => true',
      ],
      ['a block of Alpenglow has 50 million compute units', 'if (costUnits + cost > blockUnits) return false;', ''],
    ],
  },
  {
    file: 'localnet/rpc/methods/historyMethods.ts',
    tests: ['test/contract/rpc/rpc-releases.test.ts'],
    edits: [
      [
        'a transaction is looked up once its minContextSlot is reached',
        "(service.state.release.line === '4.4' ? viewAt : viewOf)(service",
        'viewOf(service',
      ],
    ],
  },
  {
    file: 'localnet/rpc/methods/clusterMethods.ts',
    tests: ['test/contract/rpc/rpc-releases.test.ts'],
    edits: [
      [
        'an unknown leader is -32022',
        'if (isNewer) throw new RpcFailure(-32022',
        'if (false) throw new RpcFailure(-32022',
      ],
    ],
  },
  {
    file: 'localnet/websocket/topics.ts',
    tests: ['test/contract/websocket/websocket-slices.test.ts'],
    edits: [
      [
        'dataSlice of a subscription is obeyed from 4.4',
        " || line !== '4.4' ? { encoding }",
        ' || line ? { encoding }',
      ],
    ],
  },
];
