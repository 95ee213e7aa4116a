// Guards of where a key goes: which origin, by which form, over which connection.

/** @type {readonly import('../list.mjs').Group[]} */
export const KEYS = [
  {
    file: 'net/grpc/grpcVariables.ts',
    tests: ['test/net/grpc/grpc-variables.test.ts'],
    edits: [
      ['grpc-js sees no variable that has it write keys', 'for (const [name] of hidden) delete process.env[name];', ''],
    ],
  },
  {
    file: 'core/service/profiles/origin.ts',
    tests: ['test/net/target.test.ts'],
    edits: [
      [
        'loopback is matched whole, not by prefix',
        String.raw`/^127(?:\.\d{1,3}){3}$/.test(hostname)`,
        String.raw`/^127(?:\.\d{1,3}){3}/.test(hostname)`,
      ],
      ['localhost is matched whole', "hostname === 'localhost'", "hostname.startsWith('localhost')"],
      [
        'an origin has its port',
        "return host === '' ? undefined : `${protocol}//${host}`;",
        "return host === '' ? undefined : `${protocol}//${host.replace(/:.*/, '')}`;",
      ],
      [
        'an origin has its scheme',
        "return host === '' ? undefined : `${protocol}//${host}`;",
        "return host === '' ? undefined : host;",
      ],
      [
        'origins are the same only as a whole',
        'origin !== undefined && origin === originOf(right)',
        "origin !== undefined && (originOf(right) ?? '').startsWith(origin)",
      ],
    ],
  },
  {
    file: 'net/target/target.ts',
    tests: ['test/net/keys/keyless.test.ts'],
    edits: [
      ['@auth none drops the keys of the profile', 'asksKeyless || credential ||', 'credential ||'],
      [
        '@auth none is refused where the path has the key',
        'asksKeyless ? keylessAddress(address) : address',
        'address',
      ],
    ],
  },
  {
    file: 'net/target/target.ts',
    tests: ['test/net/target.test.ts'],
    edits: [
      [
        'a URL of the file takes no profile of another origin',
        "const isOwner = given !== undefined && (ownUrl === undefined || sameOrigin(named ?? '', ownUrl));",
        'const isOwner = given !== undefined;',
      ],
      [
        'the form path of a profile does not follow to another path',
        "isKeyless || (isElsewhere && form === 'path') ? 'none' : form",
        "isKeyless ? 'none' : form",
      ],
      [
        'a request line over plaintext is keyless',
        '(ownUrl !== undefined && PLAINTEXT.has(url.protocol) && !isLoopback(url))',
        'false',
      ],
      ['a credential of the file replaces the stored key', 'asksKeyless || credential ||', 'asksKeyless ||'],
      ['no key over plaintext', "if (auth !== 'none' || credential)", "if (auth !== 'none' && credential)"],
      [
        'a credential of the file does not go over plaintext',
        "if (auth !== 'none' || credential)",
        "if (auth !== 'none')",
      ],
      [
        'plaintext without a key is for profiles of the user',
        "if (placed.source !== 'workspace' && named !== undefined",
        'if (named !== undefined',
      ],
      [
        'plaintext is refused off loopback',
        'if (!PLAINTEXT.has(url.protocol) || isLoopback(url)) return undefined;',
        'return undefined;',
      ],
      ['ws is plaintext, too', "new Set(['http:', 'ws:'])", "new Set(['http:'])"],
      [
        'a key in a URL is refused',
        'return key === undefined ? undefined : invalid(...HELD_KEYS[key.kind](host));',
        'return undefined;',
      ],
      [
        'a URL has a scheme of its transport',
        "if (!facts.schemes.includes(url.protocol) || url.host === '')",
        "if (url.host === '')",
      ],
      ['{key} appears once', 'if (found === wanted) return undefined;', 'return undefined;'],
      [
        'a parameter in the place of the key is refused',
        "if (place?.kind === 'query' && url.searchParams.has(place.name))",
        'if (false)',
      ],
      [
        'a SWQoS key is for sendTransaction alone',
        "if (slot !== 'swqos' || method === 'sendTransaction') return undefined;",
        'return undefined;',
      ],
      ['an unknown form of auth sends nothing', 'form !== undefined && !isAuthForm(form)', 'false'],
      ['headers that steer the connection are refused', 'refuseHeaders(request.headers) ?? (bundles', '(bundles'],
      [
        'the user’s profile is before the workspace’s for an origin',
        "owners.find(({ source }) => source !== 'workspace') ?? owners[0]",
        'owners[0]',
      ],
      [
        'a profile that could not be read is used for nothing',
        'if (given?.fault !== undefined && ownUrl === undefined)',
        'if (false)',
        ['test/net/target.test.ts'],
      ],
    ],
  },
  {
    file: 'net/target/headers.ts',
    tests: ['test/net/target.test.ts'],
    edits: [
      ['a name of a header is valid', 'if (!HEADER_NAME.test(name))', 'if (false)'],
      [
        'headers of the connection are refused',
        'if (CONNECTION_HEADERS.has(name.toLowerCase()))',
        'if (CONNECTION_HEADERS.has(name))',
      ],
      ['a value holds no line break', 'if (!VALUE.test(value))', 'if (false)'],
      [
        'the header of the key’s own form is a credential',
        "namesKey(name, 'header') || name.toLowerCase() === own",
        "namesKey(name, 'header')",
      ],
      [
        'credentials of the file are redacted',
        "new Secret(value.replace(/^(?:Bearer|Basic)\\s+/i, ''))",
        'new Secret(value)',
        ['test/net/keys/keys.test.ts'],
      ],
    ],
  },
  {
    file: 'core/service/providers/forms.ts',
    tests: ['test/net/target.test.ts'],
    edits: [
      [
        'a workspace does not say how a key travels',
        "if (source === 'workspace') return stated === 'none' ? stated : undefined;",
        "if (source === 'workspace') return stated;",
      ],
    ],
  },
  {
    file: 'net/auth/auth.ts',
    tests: ['test/net/keys/keys.test.ts'],
    edits: [
      [
        'no key over plaintext where the key is in hand',
        'if (attached.length > 0 && !ENCRYPTED.has(target.url.protocol) && !isLoopback(target.url))',
        'if (false)',
      ],
      ['a key with a line break is not sent', 'if (!SENDABLE.test(key))', 'if (false)'],
      ['a form that was not checked sends no key', 'return failed(unknownForm(host));', 'break;'],
      [
        'Basic needs USER:PASSWORD',
        "if (place.scheme === 'Basic' && !key.includes(':')) return failed(notBasic(host));",
        '',
      ],
      [
        'a vault that throws sends nothing',
        'if (answer === undefined) return failed(unread(target, keyType));',
        'if (answer === undefined) continue;',
      ],
      ['without the key nothing is sent', 'if (target.isKeyOptional === true) continue;', 'continue;'],
      [
        'an URL saved with a key is of the same origin',
        '!URL.canParse(bare) || !sameOrigin(bare, target.href)',
        '!URL.canParse(bare)',
        ['test/net/keys/key-ways.test.ts'],
      ],
      [
        'a key in the path stays at the path it was saved for',
        'if (path(template) !== path(target.href)) return undefined;',
        '',
        ['test/net/keys/key-ways.test.ts'],
      ],
      [
        'a workspace’s {key} places no key',
        'return target.needsPlace === true ? undefined : { lease, auth: way?.auth ?? auth };',
        'return { lease, auth: way?.auth ?? auth };',
        ['test/net/keys/key-ways.test.ts'],
      ],
      [
        'the password of Basic is redacted, too',
        "return [secret, new Secret(text.slice(text.indexOf(':') + 1))];",
        'return [secret];',
      ],
      ['a key in the query is encoded', '${place.name}=${encodeURIComponent(key)}`;', '${place.name}=${key}`;'],
    ],
  },
  {
    file: 'net/http/localAdmin.ts',
    tests: [['test/net/localnet.test.ts', 'the admin token is not used']],
    edits: [
      ['the admin token goes to loopback alone', '|| !isLoopback(base) ||', '||'],
      ['the admin token goes over http alone', "base.protocol !== 'http:' ||", ''],
      ['the address of the admin interface names no user', "|| base.username !== ''", ''],
    ],
  },
  {
    file: 'core/requests/checks/checkSecrets.ts',
    tests: ['test/unit/providers/keys-in-urls.test.ts'],
    edits: [
      [
        'a key in the URL of a variable is flagged',
        '.flatMap(keysOfVariable)',
        '.filter(() => false).flatMap(keysOfVariable)',
      ],
      ['it is flagged once', 'problems.length === 0 && !isInVariable', 'problems.length === 0'],
    ],
  },
  {
    file: 'core/requests/language/features/copyAs.ts',
    tests: ['test/unit/providers/keys-in-urls.test.ts'],
    edits: [['a request with the key of a variable is not copied', ' || secrets.isInVariable', '']],
  },
  {
    file: 'core/service/redaction/spellings.ts',
    tests: ['test/unit/redaction/redaction.test.ts'],
    edits: [['a key in base64url is taken out', "[own, own.replaceAll('+', '-').replaceAll('/', '_')]", '[own]']],
  },
];
