// Guards of a window: whose settings count, what an untrusted one may do, what its pages may say and load, and how much of a
// stream they get.
const MANIFEST = 'test/package/manifest.test.ts';
const GUARDS = 'test/unit/server/server-guards.test.ts';
const PANELS = 'test/unit/client/client-panels.test.ts';
const BOUNDS = 'test/net/streams/stream-bounds.test.ts';
const RING = 'test/unit/run/streams-ring.test.ts';

/** @param {string} name of a setting @param {string} [scope] @returns {import('../list.mjs').Edit} */
const restricted = (name, scope = 'window') => {
  const row = `${name}: {\n    scope: '${scope}',\n`;
  return [`an untrusted workspace sets no ${name.replaceAll("'", '')}`, `${row}    isRestricted: true,\n`, row];
};

/** @type {readonly import('../list.mjs').Group[]} */
export const WINDOW = [
  {
    file: 'client/shared/settings.ts',
    tests: ['test/unit/client/client-settings.test.ts'],
    edits: [
      [
        'endpoints, wallets and more come from the settings of the user alone',
        'configured().inspect(name)?.globalValue;',
        'configured().get(name);',
      ],
      [
        'variables that may leave come from the settings of the user alone',
        "scope === 'application' ? ownSetting(name as OwnSettingName) : setting",
        'setting',
      ],
    ],
  },
  {
    file: 'client/localService/localService.ts',
    tests: [['test/protocol/localnet/windows.test.ts', 'restricted ones share nothing']],
    edits: [['a window that is not trusted shares no local service', 'if (!vscode.workspace.isTrusted || ', 'if (']],
  },
  {
    file: 'client/localService/sharedServices.ts',
    tests: [['test/protocol/localnet/windows.test.ts', 'share nothing|killed window']],
    edits: [
      ['a local service is shared by the windows of one folder', '${path.basename(options.place)}', ''],
      ['the entry of a killed window is not a service', 'if (!isRunning(ready.pid)) return undefined;', ''],
    ],
  },
  {
    file: 'process/running.ts',
    tests: ['test/unit/cli/running.test.ts'],
    edits: [
      ['a process that nobody collected does not run', 'return !isUncollected(pid);', 'return true;'],
      [
        'a process of another user runs',
        "if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;",
        'return false;',
        [['test/unit/localnet/state-lock.test.ts', 'another user']],
      ],
    ],
  },
  {
    file: 'protocol/settings.ts',
    tests: [[MANIFEST, 'not trusted ignores']],
    edits: [
      ...['endpoints', 'allowedEnvironment', 'wallets'].map((name) => restricted(name, 'application')),
      ...['endpoint', "'limits.respectPlan'", 'schemas', 'idls'].map((name) => restricted(name)),
      ...['endpoints', 'wallets'].map(
        (name) =>
          /** @type {import('../list.mjs').Edit} */ ([
            `no workspace has ${name} in its settings`,
            `${name}: {\n    scope: 'application'`,
            `${name}: {\n    scope: 'window'`,
            [[MANIFEST, 'are those of the user']],
          ]),
      ),
    ],
  },
  {
    file: 'package.json',
    tests: [[MANIFEST, 'is limited']],
    edits: [
      [
        'an untrusted workspace runs nothing',
        '"untrustedWorkspaces": {\n      "supported": "limited"',
        '"untrustedWorkspaces": {\n      "supported": true',
      ],
      [
        'package.json has the settings of the table',
        '"solanaRpc.wallets": {\n          "scope": "application"',
        '"solanaRpc.wallets": {\n          "scope": "window"',
        [[MANIFEST, 'has the settings of the tables']],
      ],
    ],
  },
  {
    file: 'protocol/shapes.ts',
    tests: [PANELS],
    edits: [
      ['a message of a page is an object', "kindOf(value) === 'object' ? readMembers(", 'true ? readMembers('],
      [
        'a message of a page is of a known kind',
        "typeof kind === 'string' && Object.hasOwn(table, kind)",
        "typeof kind === 'string'",
      ],
      ['a number of a page is whole and not negative', 'Number.isSafeInteger(value) && (value as number) >= 0 && ', ''],
      ['a text of a page is bounded', 'value.length <= most && ', ''],
      ['a list of a page is bounded', ' || value.length > most', ''],
    ],
  },
  {
    file: 'client/shared/page.ts',
    tests: [[MANIFEST, 'a page loads']],
    edits: [
      [
        'a page loads our own bundles alone',
        'localResourceRoots: [folder]',
        'localResourceRoots: [options.extensionUri]',
      ],
      ['a page sends no forms', 'enableForms: false', 'enableForms: true'],
    ],
  },
  {
    file: 'client/shared/html.ts',
    tests: [PANELS],
    edits: [
      ['a page loads nothing that is not named', "default-src 'none'; ", ''],
      ['a page runs no script but ours', "script-src 'nonce-${nonce}'", "script-src 'nonce-${nonce}' 'unsafe-inline'"],
    ],
  },
  {
    file: 'server/keys/localAdmin.ts',
    tests: [GUARDS],
    edits: [
      [
        'an untrusted window rotates no key',
        "if (!permit.ok) return { kind: 'refused', error: permit.error };\n  const token",
        'const token',
      ],
    ],
  },
  {
    file: 'server/run/transports.ts',
    tests: [GUARDS],
    edits: [
      [
        'an untrusted window sends nothing',
        'return permit.ok ? this.wayOut.settle() : permit;',
        'return this.wayOut.settle();',
      ],
    ],
  },
  {
    file: 'server/run/execute.ts',
    tests: [['test/protocol/server/server-execute.test.ts', 'not trusted sends nothing']],
    edits: [
      [
        'an untrusted window begins no run',
        "if (!permit.ok) return { kind: 'refused', error: permit.error };\n  const { uri",
        'const { uri',
      ],
    ],
  },
  {
    file: 'server/run/environment.ts',
    tests: [GUARDS],
    edits: [
      ['an untrusted window reads no environment', 'if (!window.state.trusted) return', 'if (false) return'],
      ['a language model reads no environment', 'if (isFromModel) return', 'if (false) return'],
      ['no request of the editor reads a key', 'isKeyVariable(name) ? keyText(name) : undefined', 'undefined'],
    ],
  },
  {
    file: 'server/run/wallet.ts',
    tests: [GUARDS],
    edits: [
      [
        'the wallet is for this machine',
        "placeOf(profile.rpcUrl).isHere ? ok({ kind: 'local', name: wanted }) : failed(NONE)",
        "ok({ kind: 'local', name: wanted })",
      ],
      ['an endpoint of the project has no wallet', " && source !== 'workspace') return ok", ') return ok'],
      ['a wallet must be named in the settings', 'isNamed && !isOfService', '!isOfService'],
    ],
  },
  {
    file: 'server/streams/streams.ts',
    tests: [GUARDS],
    edits: [
      [
        'an untrusted window opens no stream',
        "if (!permit.ok) return { kind: 'refused', error: permit.error };\n    const wanted",
        'const wanted',
      ],
      [
        'an untrusted window reopens no stream',
        "if (!permit.ok) return { kind: 'refused', error: permit.error };\n    const known",
        'const known',
      ],
      [
        'streams end with the trust of their window',
        "this.#send({ kind: 'stopAll', error: permit.error });",
        '',
        [['test/protocol/server/server-live-streams.test.ts', 'rust']],
      ],
    ],
  },
  {
    file: 'runner/streams/ring.ts',
    tests: [RING],
    edits: [
      ['rows have a bound', 'if (this.next - this.first >= this.limits.rows) this.#drop();\n    else if', 'if'],
      ['bytes have a bound', 'while (this.held + size > this.limits.bytes && this.#slabs.length > 0)', 'while (false)'],
      ['dropped rows are counted', 'this.dropped++;', ''],
    ],
  },
  {
    file: 'server/streams/stream.ts',
    tests: [BOUNDS],
    edits: [['a page of rows has a bound', 'Math.min(MAX_ROWS, ', 'Math.min(1e9, ']],
  },
  {
    file: 'server/streams/stream.ts',
    tests: ['test/net/streams/stream-lag.test.ts'],
    edits: [['only streams of one place measure each other', "info.endpoint || (request.url ?? '')", 'info.endpoint']],
  },
  {
    file: 'server/streams/detail.ts',
    tests: [BOUNDS],
    edits: [['a row in full has a bound', 'json.slice(0, MAX_DETAIL)', 'json']],
  },
  {
    file: 'server/explain/nodes.ts',
    tests: [BOUNDS],
    edits: [
      ['a node has at most so many parts', 'node.parts.slice(0, MAX_PARTS)', 'node.parts'],
      ['a tree has at most so many nodes', 'if (left <= 0) break;', ''],
    ],
  },
  {
    file: 'core/service/streams/banks.ts',
    tests: ['test/unit/values/geyser-alpenglow.test.ts'],
    edits: [
      ['updates of a cleared bank no longer count', "if (kind === 'entryUpdateParent') {", "if (kind === 'none') {"],
    ],
  },
  {
    file: 'runner/streams/settling.ts',
    tests: ['test/unit/run/streams-settling.test.ts'],
    edits: [
      ['a slot that is final later is another moment', '!(Math.abs(other.at - one.at) > TOGETHER_MS)', 'true'],
      ['a slot that is final in another bank is another moment', 'one.bank === other.bank &&', ''],
    ],
  },
  {
    file: 'runner/streams/standstill.ts',
    tests: ['test/unit/run/standstill.test.ts'],
    edits: [
      [
        'slots that come without becoming final are said',
        'hasGoneOn ? secondsSince(finality?.at) : undefined',
        'undefined',
      ],
      ['finality is not said to halt where nothing comes', 'this.seconds === undefined && (flow', '(flow'],
    ],
  },
  {
    file: 'server/streams/stream.ts',
    tests: ['test/net/streams/settled-rows.test.ts'],
    edits: [
      [
        'a row that was shown is shown again with its second status',
        'if (isSecond && number < this.#seen) this.#changed++;',
        '',
      ],
    ],
  },
  {
    file: 'server/streams/export.ts',
    tests: ['test/net/streams/settled-rows.test.ts'],
    edits: [
      [
        'an export has both messages of a row',
        'isTwofold(number) ? this.#write(number, true) : isFlowing',
        'isTwofold(-1) ? this.#write(number, true) : isFlowing',
      ],
    ],
  },
];
