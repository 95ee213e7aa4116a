// Senders of transactions that are not RPC providers, as data: addresses, keys, and the tips they want.
import type { Provider, ProviderForm } from './types';

/** Landing services that take JSON-RPC `sendTransaction` at a separate address. */
export const SENDERS: readonly Provider[] = [
  {
    id: 'helius-sender',
    name: 'Helius Sender',
    tip: {
      lamports: 1_000_000,
      asOf: '2026-11',
      accounts: [
        '4ACfpUFoaSD9bfPdeu6DBt89gB6ENTeHBXCAi87NhDEE',
        'D2L6yPZ2FmmmTKPgzaMKdhu6EWZcTpLy1Vhx8uvZe7NZ',
        '9bnz4RShgq1hAnLnZbP8kbgBg1kEmcJBYQq3gQbmnSta',
        '5VY91ws6B2hMmBFRsXkoAAdsPHBJwRfBht4DXox3xkwn',
        '2nyhqdwKcJZR2vcqCyrYsaPVdAnFoJjiksCXJ7hfEYgD',
        '2q5pghRs6arqVjRvT5gfgWfWcHWmw1ZuCzphgd5KfWGJ',
        'wyvPkWjVZz1M8fHQnMMCDTQDbkManefNNhweYk5WkcF',
        '3KCKozbAaF75qEU33jtzozcJ29yJuaLJTy2jFdzUY8bT',
        '4vieeGHPYPG2MmyPRcYjdiDmmhN3ww7hsFNap8pVN3Ey',
        '4TQLFNWK8AovT1gFvda5jfw2oJeRMKEmw7aH6MGBJ3or',
      ],
      reduced: { parameter: 'swqos_only=true', lamports: 5_000 },
    },
    forms: [{ cluster: 'mainnet', addresses: { swqos: { url: 'https://sender.helius-rpc.com/fast', auth: 'none' } } }],
    notes: [
      'Takes no key. Wants `skipPreflight: true` and a tip of 0.001 SOL (Sender Max; older pages and clients say 0.0002 SOL); with `?swqos_only=true` in the address 0.000005 SOL.',
      'Its regional addresses (`http://fra-sender.helius-rpc.com/fast` and others) are plain HTTP: they work without a key in a profile of your user settings and are refused with one.',
    ],
  },
  {
    id: 'jito',
    name: 'Jito',
    packs: ['jito'],
    bundles: { path: '/api/v1/bundles', instead: '/api/v1/transactions' },
    tip: {
      lamports: 1000,
      asOf: '2026-07',
      accounts: [
        '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5',
        'HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe',
        'Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY',
        'ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49',
        'DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh',
        'ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt',
        'DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL',
        '3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT',
      ],
    },
    forms: ['', '?uuid={key}'].flatMap((query) =>
      ['transactions', 'bundles'].flatMap((path) =>
        ['', '{region}.'].map((region): ProviderForm => ({
          cluster: 'mainnet',
          ...((path === 'bundles' || region !== '' || query !== '') && { isSecondary: true }),
          values: { region: ['amsterdam', 'dublin', 'frankfurt', 'london', 'ny', 'slc', 'singapore', 'tokyo'] },
          addresses: {
            swqos: {
              url: `https://${region}mainnet.block-engine.jito.wtf/api/v1/${path}${query}`,
              ...(query === '' && { auth: 'none' }),
            },
          },
        })),
      ),
    ),
    notes: [
      'Takes no key. A key for higher limits goes in the header: set `auth.swqos` to `header:x-jito-auth`, or write `?uuid={key}` in the address.',
      'Bundles are calls: `SWQOS` with `sendBundle`, `getBundleStatuses` or `getInflightBundleStatuses` goes to `/api/v1/bundles` of the same host. A bundle that was sent is followed until it is finalized.',
    ],
  },
  {
    id: 'nozomi',
    name: 'Nozomi (Temporal)',
    tip: {
      lamports: 100_000,
      asOf: '2026-07',
      accounts: [
        'TEMPaMeCRFAS9EKF53Jd6KpHxgL47uWLcpFArU1Fanq',
        'noz3jAjPiHuBPqiSPkkugaJDkJscPuRhYnSpbi8UvC4',
        'noz3str9KXfpKknefHji8L1mPgimezaiUyCHYMDv1GE',
        'noz6uoYCDijhu1V7cutCpwxNiSovEwLdRHPwmgCGDNo',
        'noz9EPNcT7WH6Sou3sr3GGjHQYVkN3DNirpbvDkv9YJ',
        'nozc5yT15LazbLTFVZzoNZCwjh3yUtW86LoUyqsBu4L',
        'nozFrhfnNGoyqwVuwPAW4aaGqempx4PU6g6D9CJMv7Z',
        'nozievPk7HyK1Rqy1MPJwVQ7qQg2QoJGyP71oeDwbsu',
        'noznbgwYnBLDHu8wcQVCEw6kDrXkPdKkydGJGNXGvL7',
        'nozNVWs5N8mgzuD3qigrCG2UoKxZttxzZ85pvAQVrbP',
        'nozpEGbwx4BcGp6pvEdAh1JoC2CQGZdU6HbNP1v2p6P',
        'nozrhjhkCr3zXT3BiT4WCodYCUFeQvcdUkM7MqhKqge',
        'nozrwQtWhEdrA6W8dkbt9gnUaMs52PdAv5byipnadq3',
        'nozUacTVWub3cL4mJmGCYjKZTnE9RbdY5AP46iQgbPJ',
        'nozWCyTPppJjRuw2fpzDhhWbW355fzosWSzrrMYB1Qk',
        'nozWNju6dY353eMkMqURqwQEoM3SFgEKC6psLCSfUne',
        'nozxNBgWohjR75vdspfxR5H9ceC7XXH99xpxhVGt3Bb',
      ],
    },
    forms: [
      {
        cluster: 'mainnet',
        values: { region: ['ewr1', 'fra2', 'ams1', 'lon1', 'lax1', 'tyo1', 'sgp1', 'pit1', 'ash1', 'edge'] },
        addresses: { swqos: { url: 'https://{region}.nozomi.temporal.xyz/?c={key}' } },
      },
    ],
    notes: ['Paste an address with its key (`?c=`); the key is the SWQoS key. Wants a tip of 0.0001 SOL.'],
  },
  {
    id: 'astralane',
    name: 'Astralane',
    tip: {
      lamports: 10_000,
      asOf: '2026-07',
      accounts: [
        'astrazznxsGUhWShqgNtAdfrzP2G83DzcWVJDxwV9bF',
        'astra4uejePWneqNaJKuFFA8oonqCE1sqF6b45kDMZm',
        'astra9xWY93QyfG6yM8zwsKsRodscjQ2uU2HKNL5prk',
        'astraRVUuTHjpwEVvNBeQEgwYx9w9CFyfxjYoobCZhL',
        'astraEJ2fEj8Xmy6KLG7B3VfbKfsHXhHrNdCQx7iGJK',
        'astraubkDw81n4LuutzSQ8uzHCv4BhPVhfvTcYv8SKC',
        'astraZW5GLFefxNPAatceHhYjfA1ciq9gvfEg2S47xk',
        'astrawVNP4xDBKT7rAdxrLYiTSTdqtUr63fSMduivXK',
      ],
    },
    forms: [
      {
        cluster: 'mainnet',
        values: { region: ['ny', 'fr', 'ams', 'la', 'lax', 'jp', 'sg', 'lim'] },
        addresses: { swqos: { url: 'https://{region}.gateway.astralane.io/iris?api-key={key}' } },
      },
      {
        cluster: 'mainnet',
        isSecondary: true,
        addresses: { swqos: { url: 'https://edge.astralane.io/iris?api-key={key}' } },
      },
    ],
    notes: ['Paste an address with its key (`?api-key=`); the key is the SWQoS key. Wants a tip of 0.00001 SOL.'],
  },
];
