// Guards of files: what may be read and written, for whom, and what a folder of a stranger may make a process do.
const GUARDS = 'test/unit/server/server-guards.test.ts';
const FILES = 'test/unit/cli/files.test.ts';
const SUPERVISE = 'test/contract/service/keys-supervise.test.ts';
const WRITTEN = 'test/protocol/cli/cli-written-places.test.ts';
const CASES = 'test/unit/explain/case-folder.test.ts';
const RESULTS = 'test/unit/server/server-results.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const FILE_GUARDS = [
  {
    file: 'client/shared/saving.ts',
    tests: ['test/unit/client/client-saving.test.ts'],
    edits: [
      [
        'what the user saves is not written through a link',
        'if ((found & vscode.FileType.SymbolicLink) !== 0) await fs.delete(target);',
        '',
      ],
    ],
  },
  {
    file: 'process/places.ts',
    tests: [GUARDS],
    edits: [
      [
        'a path is inside by its parts, not by its prefix',
        "return inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside) ? undefined : inside;",
        'return real.startsWith(root) ? inside : undefined;',
      ],
      [
        'a link of a repository leads no file out of it',
        'one.length < folder.length && !isInAny([one], real)',
        'one.length < folder.length && one === real',
        [FILES],
      ],
      [
        'a link of the outer of two repositories leads no file out of it',
        "folders.filter((folder) => existsSync(path.join(folder, '.git')))",
        "folders.filter((folder) => existsSync(path.join(folder, '.git'))).slice(-1)",
        [FILES],
      ],
    ],
  },
  {
    file: 'process/workspaceFiles.ts',
    tests: [GUARDS],
    edits: [
      [
        'a link is followed before a file is read',
        'const real = await realpath(wanted.value);',
        'const real = wanted.value;',
      ],
      ['a file outside is not read', 'if (!isInAny(roots(), real)) return failed(outside(name));', ''],
      [
        'links of folders are followed before a response is saved',
        'path.join(realpathSync(nearest), path.relative(nearest, folder), path.basename(wanted))',
        'path.join(folder, path.basename(wanted))',
      ],
      [
        'a response is saved inside alone',
        "if (first === undefined) return { kind: 'outside' };",
        "if (first === undefined) return { kind: 'inside', path: place };",
      ],
      [
        'a response configures and runs nothing',
        "return reason === undefined ? { kind: 'inside', path: place } : { kind: 'unsafe', reason };",
        "return { kind: 'inside', path: place };",
        [FILES],
      ],
      [
        'a place is judged again once its folder is there',
        '// Somebody may have put a link in the way meanwhile.\n      place = placeOf(name, from);',
        '',
        [FILES],
      ],
      [
        'the whole path below the outermost folder is judged',
        'right.length > left.length ? right : left',
        'right.length < left.length ? right : left',
        [FILES],
      ],
    ],
  },
  {
    file: 'process/files.ts',
    tests: [FILES],
    edits: [
      [
        'a new file is its owner’s alone',
        '{ overwrite, mode = 0o600 }: WriteOptions',
        '{ overwrite, mode = 0o644 }: WriteOptions',
      ],
      [
        'a link is not written through',
        "if (stats.isSymbolicLink()) return new FileRefused('', 'is a link; name the file it leads to');",
        '',
      ],
      ['a file is not overwritten unless asked', 'return overwrite ? undefined : EXISTS;', 'return undefined;'],
      [
        'a file that comes meanwhile is not overwritten',
        'else await moveToFree(draft, place);',
        'else await rename(draft, place);',
      ],
      ['a draft that failed is removed', 'discard(draft);', ''],
      [
        'a file that the user names is not written through a link of a repository',
        "if (redirected !== undefined) throw new FileRefused('', redirected);",
        '',
      ],
      [
        'a pipe or a device is not read',
        "if (kind !== undefined) throw new FileRefused('', `is ${kind}, not a file`);\n  if (stats.size",
        'if (stats.size',
      ],
      [
        'a file has a bound',
        "if (stats.size > maxBytes) throw new FileRefused('', `is larger than ${sizeLimitText(maxBytes)}`);",
        '',
      ],
      [
        'a file that grows has a bound',
        "if (bytes > maxBytes) throw new FileRefused('', `is larger than ${sizeLimitText(maxBytes)}`);\n    parts.push(part.subarray(0, bytesRead));\n  }\n}\n\n/** How long",
        'parts.push(part.subarray(0, bytesRead));\n  }\n}\n\n/** How long',
      ],
      ['opening waits for no writer', 'constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) |', 'constants.O_RDONLY |'],
    ],
  },
  {
    file: 'process/environment.ts',
    tests: [FILES],
    edits: [
      ['a child gets no key', 'SOLANA_[A-Z_]*KEY|', ''],
      ['the local service gets no proxy', 'filter(([name]) => !PROXY.test(name))', 'filter(() => true)'],
      ['a child does not learn where keys may go', 'SOLANA_RPC_ORIGIN|', ''],
      [
        'a child’s Node does not take this process’s options',
        'NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|VSCODE_INSPECTOR_OPTIONS',
        'NODE_REPL_EXTERNAL_MODULE',
      ],
    ],
  },
  {
    file: 'process/localService.ts',
    tests: [SUPERVISE],
    edits: [
      [
        'the local service inherits no key',
        'env: serviceEnvironment(environment),',
        'env: environment ?? process.env,',
        [[SUPERVISE, 'no key in argv']],
      ],
      [
        'the seed of the keys is in no argument',
        "'--seed-stdin', ...given",
        "'--seed', this.#seed, ...given",
        [[SUPERVISE, 'no key in argv']],
      ],
      [
        'a service that says nothing is ended',
        "setTimeout(() => child.kill('SIGKILL'), START_MS);\n    let",
        'setTimeout(() => undefined, START_MS);\n    let',
        [[SUPERVISE, 'without a line']],
      ],
      [
        'a service that says something else is ended',
        "if (read === undefined) {\n        child.kill('SIGKILL');",
        'if (read === undefined) {',
        [[SUPERVISE, 'another one']],
      ],
      [
        'a service that ends again and again is given up',
        'if (this.#crashes.length > MAX_CRASHES)',
        'if (false)',
        [[SUPERVISE, 'keeps crashing']],
      ],
    ],
  },
  {
    file: 'cli/check.ts',
    tests: [FILES],
    edits: [
      [
        'check follows links before it says that a file is inside',
        'return isInAny([root], realpathSync(target)) ? undefined : outside(name);',
        'return isInAny([root], target) ? undefined : outside(name);',
      ],
      [
        'check says that a file is outside',
        'return isInAny([root], realpathSync(target)) ? undefined : outside(name);',
        'return undefined;',
      ],
      [
        'check says that a response would be saved outside',
        "if (place.kind === 'outside') return",
        "if (place.kind === 'outside' && name === '') return",
      ],
      [
        'check says that a response would be saved where it is run',
        "if (place.kind === 'unsafe') return place.reason;",
        "if (place.kind === 'unsafe') return undefined;",
      ],
    ],
  },
  {
    file: 'core/requests/document/savePlace.ts',
    tests: ['test/unit/document/document-savePlace.test.ts'],
    edits: [
      [
        'folders of settings are refused',
        "if (isDotted(folder)) return refusal(folder, 'is a folder of tool settings');",
        '',
      ],
      [
        'folders of code are refused',
        "if (CODE_FOLDERS.has(folded(folder))) return refusal(folder, 'is a folder of code');",
        '',
      ],
      ['files of settings are refused', "if (isDotted(file)) return refusal(file, 'is a file of tool settings');", ''],
      [
        'files that configure a tool are refused',
        'if (TOOL_FILES.has(name) || TOOL_NAMES.some((family) => family.test(name)) || IS_CONFIG.test(name))',
        'if (false)',
      ],
      ['files that can be run are refused', '|| (ending !== undefined && CODE_ENDINGS.has(ending))', ''],
      ['names are compared without case', '.toUpperCase().toLowerCase();', ';'],
      ['streams of NTFS are refused', "parts.find((part) => part.includes(':'))", 'undefined'],
      ['.. leads to the folder above', "if (part === '..') parts.pop();\n    else if", 'if'],
    ],
  },
  {
    file: 'server/run/files.ts',
    tests: [GUARDS],
    edits: [
      ['a window that is not trusted reads no file', 'if (!permit.ok) return permit;', ''],
      [
        'a text outside a file names no file',
        "if (!from.startsWith('file:')) return failed(invalidRequest('Only a file on disk can name other files.'));",
        '',
      ],
    ],
  },
  {
    file: 'server/responses/results.ts',
    tests: [RESULTS],
    edits: [
      ['the history’s folder is its owner’s alone', '{ recursive: true, mode: 0o700 }', '{ recursive: true }'],
      ['a place that is taken is its owner’s alone', "{ flag: 'wx', mode: 0o600 }", "{ flag: 'wx', mode: 0o644 }"],
      ['a place is taken once', "{ flag: 'wx', mode: 0o600 }", "{ flag: 'w', mode: 0o600 }"],
      ['a kept response holds no key', 'this.#redact(text), { overwrite: true }', 'text, { overwrite: true }'],
      [
        'the details kept with a response hold no key',
        'this.#redact(meta), { overwrite: true }',
        'meta, { overwrite: true }',
      ],
      [
        'the history is bounded for each request',
        'count > 1 && (count > KEPT_PER_REQUEST || bytes > KEPT_BYTES)',
        'count > 1 && bytes > KEPT_BYTES',
      ],
      [
        'the history is bounded in bytes',
        'count > 1 && (count > KEPT_PER_REQUEST || bytes > KEPT_BYTES)',
        'count > KEPT_PER_REQUEST',
      ],
      ['the history is bounded over all requests', 'isTooMuch || all > KEPT_RUNS', 'isTooMuch'],
      ['the newest run of a request is kept', 'const isTooMuch = count > 1 && ', 'const isTooMuch = '],
      [
        'a name from outside leads to no other file',
        'if (!/^[0-9a-f]+$/.test(request) || !Number.isSafeInteger(run)) return undefined;',
        '',
      ],
    ],
  },
  {
    file: 'server/streams/export.ts',
    tests: ['test/protocol/server/server-live-streams.test.ts'],
    edits: [['an exported stream is its owner’s alone', ', mode: 0o600 }', ' }']],
  },
  {
    file: 'server/streams/export.ts',
    tests: ['test/unit/server/streams-export.test.ts'],
    edits: [
      [
        'rows from now on are not appended through a link or to a pipe',
        "what === 'fromNow' ? whyUnwritable(file, true) : undefined",
        'undefined',
      ],
    ],
  },
  {
    file: 'server/responses/tables.ts',
    tests: ['test/protocol/tables.test.ts'],
    edits: [['an exported table is its owner’s alone', 'lines(), 0o600)', 'lines(), 0o644)']],
  },
  {
    file: 'localnet/files.ts',
    tests: ['test/unit/localnet/localnet-links.test.ts'],
    edits: [
      [
        'the service writes nothing through a link of a repository',
        'if (redirected !== undefined) throw new StateFileError(`${place} ${redirected}.`);',
        '',
      ],
    ],
  },
  {
    file: 'cli/replay.ts',
    tests: [[WRITTEN, 'a case that is read through a link']],
    edits: [
      [
        'a replay that cannot be kept is reported all the same',
        '{ overwrite, signal }).catch(caseError)',
        '{ overwrite, signal })',
      ],
    ],
  },
  {
    file: 'cli/shim.ts',
    tests: [[WRITTEN, 'replaces another']],
    edits: [
      [
        '--shim replaces no program of somebody else',
        'return text.startsWith(FIRST_LINE) && text.endsWith(LAST_WORDS);',
        'return text !== undefined;',
      ],
    ],
  },
  {
    file: 'cli/report/progress.ts',
    tests: [[WRITTEN, 'a folder in its place']],
    edits: [
      [
        'a row whose snapshots were not written is printed as failed',
        '(this.#printed[index] ?? status) !== status',
        'status === undefined',
      ],
    ],
  },
  {
    file: 'process/leftovers.ts',
    tests: ['test/unit/cli/leftovers.test.ts'],
    edits: [
      ['what is unfinished goes with its process', 'for (const place of unfinished) discard(place);', ''],
      ['leftovers of other users stay', ' || !isOwn(place)) continue;', ') continue;'],
    ],
  },
  {
    file: 'process/caseFolder.ts',
    tests: [CASES],
    edits: [
      [
        'a case is written to no accounts of elsewhere',
        "if (!isInAny([folder], realpathSync(at))) throw new FileRefused('', 'is a link that leads out of the folder');",
        '',
      ],
      ['files that are no part of a case stay', 'if (!isThere(CASE_FILE))', 'if (false)'],
      ['a case is bounded in bytes', 'if (bytes > MAX_BYTES) throw', 'if (bytes < 0) throw'],
      [
        'a case is written through no link of a repository',
        'whyRedirected(place) ?? whyUnwritable',
        'whyUnwritable',
        [[WRITTEN, 'a case that is read through a link']],
      ],
    ],
  },
];
