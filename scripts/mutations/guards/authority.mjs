// Guards of who may decide: the user, a trusted window, the place a key was saved for; never a repository.

const CARRIED = 'test/unit/run/carried-names.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const AUTHORITY = [
  {
    file: 'client/runs/goToRequest.ts',
    tests: ['test/unit/client/client-sendAgain.test.ts'],
    edits: [
      ['what was simulated is not sent by Send Again', 'variant === undefined ? {} : { variant }', '{}'],
      [
        'what an earlier version simulated is not sent by Send Again',
        '(name ?? own) === block',
        'block.startsWith(name ?? own)',
      ],
    ],
  },
  {
    file: 'server/run/execute.ts',
    tests: [['test/protocol/server/server-references.test.ts', 'kept as a simulation']],
    edits: [['a simulation is kept as one', 'variant: fileVariantOf(params, report),', 'variant: undefined,']],
  },
  {
    file: 'client/keys/keyBroker.ts',
    tests: ['test/unit/client/client-keys.test.ts'],
    edits: [
      ['a window that is not trusted gets no secret', 'if (!this.#deps.trusted())', 'if (false)'],
      [
        'a key goes to the origin it was saved for',
        'origins[query.interface] === query.origin',
        'origins[query.interface] !== undefined',
      ],
      [
        'a key goes to the interface it was saved for',
        'origins[query.interface] === query.origin',
        'Object.values(origins).includes(query.origin)',
      ],
      ['a key is of the type that is asked for', "type === query.type || (type === 'rpc'", "true || (type === 'rpc'"],
      ['a label is exact', 'query.label === undefined || label === query.label', 'true'],
      [
        'the admin token goes to the origin of the local service',
        'if (this.#local.origin !== request.origin)',
        'if (false)',
      ],
      [
        'the wallet signs for the local service’s endpoint alone',
        "if (this.#local?.profile !== request.profile) return { kind: 'denied', id, reason: 'none' };",
        "if (this.#local === undefined) return { kind: 'denied', id, reason: 'none' };",
      ],
      ['a new key is good at its origin alone', 'if (candidate.origin !== request.origin)', 'if (false)'],
      ['a new key is handed out once', 'this.#candidates.delete(request.handle);', ''],
      [
        'an error of the storage is not passed on',
        "return { kind: 'denied', id, reason: 'none' };\n    }\n  }",
        "throw new Error('storage');\n    }\n  }",
      ],
    ],
  },
  {
    file: 'client/keys/keyPlace.ts',
    tests: ['test/unit/client/client-keyPlace.test.ts'],
    edits: [
      ['a file has no say in how a key travels to an endpoint', 'place.tried !== undefined', 'false'],
      ['a file has no say in how a key travels to a known provider', 'place.ways[face] !== undefined', 'false'],
    ],
  },
  {
    file: 'client/keys/keyVault.ts',
    tests: ['test/unit/client/client-keys.test.ts'],
    edits: [
      [
        'a short key is not shown by its last four',
        'text === undefined || text.length < MIN_TOLD',
        'text === undefined',
      ],
      [
        'a key that could not be listed is deleted',
        'await this.#store.delete(ENTRY + record.id);\n        throw error;',
        'throw error;',
      ],
      [
        'a key of the local service stays in memory',
        "const record: KeyRecord = { state: { kind: 'active' }, ...key, id };",
        "const record: KeyRecord = { state: { kind: 'active' }, ...key, id };\n    void this.#store.store(ENTRY + id, secret.reveal());",
      ],
      [
        'a new key is added to what other windows wrote',
        'await this.#write([...(await this.#reload()), record]);',
        'await this.#write([...(await this.#load()), record]);',
      ],
    ],
  },
  {
    file: 'client/keys/keyRecord.ts',
    tests: ['test/unit/client/client-keys.test.ts'],
    edits: [
      ['a broken index is empty', 'return [];\n  }\n}', "throw new Error('index');\n  }\n}"],
      ['an entry of the index is whole', ", origins: 'object'", ''],
    ],
  },
  {
    file: 'core/service/profiles/profileReader.ts',
    tests: ['test/unit/client/client-profiles.test.ts'],
    edits: [
      [
        'the user keeps a name that a workspace takes, too',
        "...user.map((one) => place(one, 'user')),\n    ...(local",
        "...workspace.map((one) => place(one, 'workspace')),\n    ...user.map((one) => place(one, 'user')),\n    ...(local",
      ],
    ],
  },
  {
    file: 'client/profiles/profileList.ts',
    tests: ['test/unit/client/client-profiles.test.ts'],
    edits: [
      [
        'what was meant for an endpoint that is gone goes to no other',
        'if (named !== undefined) return',
        'if (named !== undefined && profiles.some(({ profile }) => profile.name === named)) return',
      ],
    ],
  },
  {
    file: 'runner/carried.ts',
    tests: [CARRIED],
    edits: [
      [
        'an answer carries the variables of what it uses',
        'union([this.#withoutAllowed(own), ...before])',
        'this.#withoutAllowed(own)',
      ],
      ['a request carries what a service here was sent', 'if (here.size === 0) return named;', 'return named;'],
      ['an answer from here carries what a service here was sent', 'here.size > 0 && this.#isFromHere(at)', 'false'],
      ['what is made of an answer from here is from here', 'before.includes(true) || this', 'this'],
      ['an address that an answer gives may be here', 'destination === UNKNOWN || ', ''],
      ['variables that a run sends here count from its begin', 'union([this.#plannedHere, ', 'union(['],
      ['variables that other runs sent here count', ', this.#withoutAllowed(this.environment.sentHere)]', ']'],
      [
        'a request elsewhere may be made of answers from here',
        'if (this.#askedHere.has(at.placed)) return',
        'if (false) return',
      ],
      [
        'an answer to what is made of answers from here is from here',
        'this.#askedHere.has(at.placed) || this.#mayBeHere(at)',
        'this.#mayBeHere(at)',
      ],
    ],
  },
  {
    file: 'runner/environment.ts',
    tests: [CARRIED],
    edits: [
      ['no answer with a variable is to be saved', 'problems.push({ at, ...place, message });', ''],
      ['a snapshot is a file', '!updatesSnapshots || snapshot === undefined', 'snapshot !== undefined'],
      ['what is sent here is remembered', 'environment.sentHere.add(name);', ''],
    ],
  },
  {
    file: 'runner/request.ts',
    tests: [CARRIED],
    edits: [
      [
        'a person is asked before an answer with a variable is to be saved',
        'if (refusal !== undefined) return refusal;\n  }',
        '}',
      ],
      ['what a service here was sent meanwhile is not saved', 'refusal === undefined\n', 'true\n'],
      ['a request is looked at again once it is built', 'if (late !== undefined) return fail(late);', ''],
    ],
  },
  {
    file: 'runner/outside.ts',
    tests: [CARRIED],
    edits: [
      ['a look-up for a request needs permission', 'if (refusal !== undefined) throw new HelperFailed(refusal);', ''],
    ],
  },
  {
    file: 'runner/landing.ts',
    tests: ['test/unit/run/runner-landing-push.test.ts'],
    edits: [
      ['no WebSocket is looked for at a sender', 'this.#isAtSender ? { sentTo: url } : { url }', '{ url }'],
      ['a time without a notification is an upper bound', 'this.#see(seen, false)', 'this.#see(seen, true)'],
      ['without a subscription every slot is asked about', 'this.#isFollowed ? ROUND_SLOTS : 1', 'ROUND_SLOTS'],
      ['transactions share few connections', 'if (Watch.#subscriptions >= MAX_SUBSCRIPTIONS) return;', ''],
    ],
  },
  {
    file: 'runner/helpers.ts',
    tests: ['test/unit/run/runner-run.test.ts'],
    edits: [['a blockhash is read after all questions', 'agreed.set(key, value)', 'values.set(key, await value())']],
  },
  {
    file: 'runner/expected.ts',
    tests: [CARRIED],
    edits: [
      ['no variable is kept in a snapshot', 'if (refusal !== undefined) throw new NoValue(refusal.message);', ''],
    ],
  },
  {
    file: 'core/requests/run/sends.ts',
    tests: ['test/unit/run/sends.test.ts'],
    edits: [
      [
        'a gRPC call that is ready may send',
        "if (transport === 'GRPC') return isSendingCall(method);",
        "if (transport === 'GRPC') return false;",
      ],
      ['a gRPC call may send', "return isSendingCall(requestLine.method?.text ?? '');", 'return false;'],
      ['a method of a run may send', 'if (method !== undefined && isUnknown(method)) return true;', ''],
    ],
  },
  {
    file: 'core/solana/wire/sending.ts',
    tests: ['test/unit/run/sends.test.ts'],
    edits: [['every method named send… sends', '/^send/i', '/^sendTransaction$/']],
  },
  {
    file: 'core/requests/document/variables/evaluate.ts',
    tests: ['test/unit/document/document-variables.test.ts'],
    edits: [['chains of variables are bounded', 'this.#open.size >= MAX_CHAIN', 'false']],
  },
  {
    file: 'runner/request.ts',
    tests: ['test/unit/run/referred-sends.test.ts'],
    edits: [
      ['what turns out to send is not sent without consent', '!context.maySend && sendsTransaction(unbuilt)', 'false'],
    ],
  },
];
