// Guards of who may decide: the user, a trusted window, the place a key was saved for; never a repository.

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
      ['an entry of the index is whole', "typeof origins === 'object' &&", ''],
    ],
  },
  {
    file: 'core/profileReader.ts',
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
    file: 'client/endpoints/profileList.ts',
    tests: ['test/unit/client/client-profiles.test.ts'],
    edits: [
      [
        'what was meant for an endpoint that is gone goes to no other',
        'if (named !== undefined) return',
        'if (named !== undefined && profiles.some(({ profile }) => profile.name === named)) return',
      ],
    ],
  },
];
