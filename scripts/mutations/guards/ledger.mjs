// Guards of the local ledger: which state an answer is of, and what a send, an airdrop and an epoch leave there.
const SENDING = 'test/contract/rpc/rpc-sending.test.ts';
const CONTEXT = 'test/contract/rpc/rpc-context.test.ts';
const CHEATS = 'test/unit/localnet/localnet-cheats.test.ts';
const CONSENSUS = 'test/contract/rpc/rpc-consensus.test.ts';
const OPTIONS = 'test/unit/localnet/consensus-options.test.ts';
const CHAIN = 'test/unit/localnet/source-chain.test.ts';
const KEPT = 'test/contract/endurance/state-consensus.test.ts';
const FIELDS = 'test/unit/localnet/state-fields.test.ts';
const GEYSER = 'test/contract/geyser/geyser-alpenglow.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const LEDGER = [
  {
    file: 'localnet/ledger/consensus.ts',
    tests: [CONSENSUS],
    edits: [
      [
        'a new ledger is Alpenglow',
        "DEFAULT_CONSENSUS: Consensus = 'alpenglow'",
        "DEFAULT_CONSENSUS: Consensus = 'tower'",
      ],
    ],
  },
  {
    file: 'localnet/node/open.ts',
    tests: [CONSENSUS],
    edits: [
      ['an older release is refused with Alpenglow', 'if (ofLine !== undefined && ofLine !== consensus)', 'if (false)'],
      ['Alpenglow has the lag of its consensus alone', "consensus === 'alpenglow' ? rules.finalityLag : Math", 'Math'],
      [
        'votes are transactions with TowerBFT alone',
        "options.votes === true && consensus === 'tower'",
        'options.votes === true',
      ],
    ],
  },
  {
    file: 'localnet/optionConflicts.ts',
    tests: [OPTIONS],
    edits: [
      ['a lag is refused with Alpenglow', 'options.finalityLag !== undefined && !isTower(options)', 'false'],
      ['an older release means TowerBFT', 'return consensusOfLine(agave);', 'return undefined;'],
    ],
  },
  {
    file: 'localnet/chain.ts',
    tests: [CHAIN, KEPT],
    edits: [
      ['a kept ledger continues as the chain it was made as', 'const chain = kept ?? {', 'const chain = {'],
      [
        'another consensus than that of a kept ledger is refused',
        'if (consensus === undefined || consensus === kept.consensus) return;',
        'if (consensus !== undefined) return;',
        [[KEPT, 'a ledger of']],
      ],
    ],
  },
  {
    file: 'localnet/state/keeper.ts',
    tests: [KEPT],
    edits: [['a file that does not say is of TowerBFT', 'this.#current.chain ?? OLDER', 'this.#current.chain']],
  },
  {
    file: 'localnet/ledger/saved.ts',
    tests: ['test/unit/localnet/localnet-state.test.ts'],
    edits: [['a snapshot of final blocks keeps the time that was travelled', ' && block !== newest', '']],
  },
  {
    file: 'localnet/source/channel.ts',
    tests: [CHAIN],
    edits: [['a source without a certificate is of TowerBFT', "if (certificate === null) return 'tower';", '']],
  },
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
      ['slots before the start lie in the past', 'blockTime: this.unixTime(slot),', 'blockTime: this.unixTime(),'],
    ],
  },
  {
    file: 'localnet/node/open.ts',
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
      [
        "the features are mainnet's by default",
        "const isMainnet = set !== 'all' &&",
        "const isMainnet = set === 'mainnet' &&",
      ],
      ['a fork has the features of its source', ' || ofSource?.has(address) === false', ''],
      ['a feature that is switched off is not active', '    ...off,\n', ''],
      ['rent of 5,080 is of Alpenglow alone', "...(isMainnet && consensus === 'tower' ? ALPENGLOW : []),", ''],
    ],
  },
  {
    file: 'localnet/geyser/log.ts',
    tests: [GEYSER],
    edits: [
      [
        'a block of TowerBFT has no footer',
        "...(this.#isAlpenglow ? [{ kind: 'blockFooter', block } as const] : [])",
        "{ kind: 'blockFooter', block }",
      ],
      ['a bank is cleared with Alpenglow alone', '    if (this.#isAlpenglow)\n', ''],
    ],
  },
  {
    file: 'localnet/geyser/filters/filterSet.ts',
    tests: [GEYSER],
    edits: [
      ['certificates come where they are asked for', '(includeCertificates === true) === isCertified', 'true'],
      ['cleared banks come where they are asked for', 'includeUpdateParent === true', 'includeUpdateParent !== false'],
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
        "service.state.release.line === '4.4' ? viewAt(service, config, commitment) :",
        '',
      ],
      [
        'a commitment picks the status cache of Agave 4.4',
        "completeLevel(commitment ?? 'processed')",
        "completeLevel('processed')",
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
