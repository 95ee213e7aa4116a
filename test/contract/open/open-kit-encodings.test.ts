// @solana/kit on the service without keys: accounts and transactions in every encoding that a method takes, and each of
// them the same bytes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  address,
  getBase58Encoder,
  getBase64Encoder,
  signature,
  type Base58EncodedBytes,
  type Base64EncodedWireTransaction,
} from '@solana/kit';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { unzstd } from '../../../core/solana/encoding/zstd';
import { MAX_ACCOUNT_BYTES } from '../../../localnet/ledger/bounds';
import { openFixture, type Fixture } from './open-fixture';
import { kitOn } from './open-harness';
import { TOKEN_PROGRAM } from '../../corpus/values';

let fixture: Fixture;
let rpc: ReturnType<typeof kitOn>['rpc'];
before(async () => {
  fixture = await openFixture();
  rpc = kitOn(fixture.open).rpc;
});
after(() => fixture.stop());

const mint = () => address(fixture.mint.toBase58());
const own = () => address(fixture.wallet.publicKey.toBase58());
const delegate = () => address(fixture.delegate.toBase58());

const hexOf = (bytes: ArrayLike<number>): string => Buffer.from(Uint8Array.from(bytes)).toString('hex');

/** The bytes of data as a client gets them: text and the name of its encoding. */
function bytesIn([text, encoding]: readonly [string, string]): string {
  switch (encoding) {
    case 'base58':
      return hexOf(getBase58Encoder().encode(text));
    case 'base64':
      return hexOf(getBase64Encoder().encode(text));
    case 'base64+zstd': {
      const frame = Uint8Array.from(getBase64Encoder().encode(text));
      return hexOf(unzstd(frame, MAX_ACCOUNT_BYTES) ?? assert.fail('no Zstandard frame'));
    }
    default:
      return assert.fail(`no such encoding: ${encoding}`);
  }
}

const BINARY = ['base58', 'base64', 'base64+zstd'] as const;
type Binary = (typeof BINARY)[number];
type Data = readonly [string, string];

/** A slice of 32 bytes, since base58 takes no more than 128. */
const SLICE = { dataSlice: { offset: 0, length: 32 } } as const;

/** The slice that each read returns of a token account of the fixture's mint, whose address is its first 32 bytes. */
const SLICED: Readonly<Record<string, (encoding: Binary) => Promise<Data | undefined>>> = {
  getAccountInfo: async (encoding) => {
    const { value } = await rpc.getAccountInfo(tokens(), { encoding: encoding as 'base64', ...SLICE }).send();
    return value?.data;
  },
  getMultipleAccounts: async (encoding) => {
    const { value } = await rpc.getMultipleAccounts([tokens()], { encoding: encoding as 'base64', ...SLICE }).send();
    return value[0]?.data;
  },
  getProgramAccounts: async (encoding) => {
    const filters = [
      { memcmp: { offset: 0n, bytes: mint() as string as Base58EncodedBytes, encoding: 'base58' } },
    ] as const;
    const config = { encoding: encoding as 'base64', filters, ...SLICE };
    return (await rpc.getProgramAccounts(address(TOKEN_PROGRAM), config).send())[0]?.account.data;
  },
  getTokenAccountsByOwner: async (encoding) => {
    const config = { encoding: encoding as 'base64', ...SLICE };
    return (await rpc.getTokenAccountsByOwner(own(), { mint: mint() }, config).send()).value[0]?.account.data;
  },
  getTokenAccountsByDelegate: async (encoding) => {
    const config = { encoding: encoding as 'base64', ...SLICE };
    return (await rpc.getTokenAccountsByDelegate(delegate(), { mint: mint() }, config).send()).value[0]?.account.data;
  },
};
const tokens = () => address(fixture.tokens.toBase58());

describe('@solana/kit: accounts', () => {
  for (const [method, read] of Object.entries(SLICED))
    for (const encoding of BINARY)
      test(`${method} decodes ${encoding}`, async () => {
        const data = await read(encoding);
        assert.ok(data !== undefined);
        assert.equal(data[1], encoding);
        assert.equal(bytesIn(data), fixture.mint.toBuffer().toString('hex'));
      });
  for (const encoding of BINARY)
    test(`a whole account in ${encoding} is the same bytes`, async () => {
      const whole = await rpc.getAccountInfo(mint(), { encoding: 'base64' }).send();
      const { value } = await rpc.getAccountInfo(mint(), { encoding: encoding as 'base64' }).send();
      assert.ok(value && whole.value);
      assert.equal(bytesIn(value.data).length, 2 * 82);
      assert.equal(bytesIn(value.data), bytesIn(whole.value.data));
    });

  const parsed: Readonly<Record<string, () => Promise<unknown>>> = {
    getAccountInfo: async () => (await rpc.getAccountInfo(tokens(), { encoding: 'jsonParsed' }).send()).value?.data,
    getMultipleAccounts: async () =>
      (await rpc.getMultipleAccounts([tokens()], { encoding: 'jsonParsed' }).send()).value[0]?.data,
    getProgramAccounts: async () => {
      const all = await rpc.getProgramAccounts(address(TOKEN_PROGRAM), { encoding: 'jsonParsed' }).send();
      return all.find(({ pubkey }) => pubkey === tokens())?.account.data;
    },
    getTokenAccountsByOwner: async () =>
      (await rpc.getTokenAccountsByOwner(own(), { mint: mint() }, { encoding: 'jsonParsed' }).send()).value[0]?.account
        .data,
    getTokenAccountsByDelegate: async () =>
      (await rpc.getTokenAccountsByDelegate(delegate(), { mint: mint() }, { encoding: 'jsonParsed' }).send()).value[0]
        ?.account.data,
  };
  for (const [method, read] of Object.entries(parsed))
    test(`${method} in jsonParsed`, async () => {
      const amount = (units: string, shown: string, number: number) => ({
        amount: units,
        decimals: 6,
        uiAmount: number,
        uiAmountString: shown,
      });
      assert.deepEqual(await read(), {
        parsed: {
          info: {
            delegate: delegate(),
            delegatedAmount: amount('1000', '0.001', 0.001),
            isNative: false,
            mint: mint(),
            owner: own(),
            state: 'initialized',
            tokenAmount: amount('12500000', '12.5', 12.5),
          },
          type: 'account',
        },
        program: 'spl-token',
        space: 165n,
      });
    });
});

describe('@solana/kit: transactions', () => {
  const version = { maxSupportedTransactionVersion: 0 } as const;
  const legacy = () => signature(fixture.legacy);
  const wireIn = async (encoding: 'base58' | 'base64'): Promise<string | undefined> => {
    const answer = await rpc.getTransaction(legacy(), { encoding: encoding as 'base64', ...version }).send();
    assert.equal(answer?.transaction[1], encoding);
    return answer && bytesIn(answer.transaction);
  };

  test('getTransaction in base58 and in base64 is the same bytes', async () => {
    const wire = await wireIn('base64');
    assert.ok(wire !== undefined && wire.length > 2 * 64);
    assert.equal(await wireIn('base58'), wire);
  });
  test('getTransaction in json names accounts by number, in jsonParsed by address', async () => {
    const json = await rpc.getTransaction(legacy(), { encoding: 'json', ...version }).send();
    const transfer = json?.transaction.message.instructions[1];
    assert.deepEqual(
      transfer?.accounts.map((index) => json?.transaction.message.accountKeys[index]),
      [own(), fixture.receiver.toBase58()],
    );
    const parsed = await rpc.getTransaction(legacy(), { encoding: 'jsonParsed', ...version }).send();
    const instruction = parsed?.transaction.message.instructions[1];
    assert.ok(instruction && 'parsed' in instruction);
    assert.deepEqual(instruction.parsed, {
      info: { destination: fixture.receiver.toBase58(), lamports: 3_000_000n, source: own() },
      type: 'transfer',
    });
  });

  for (const encoding of ['json', 'jsonParsed', 'base58', 'base64'] as const)
    for (const transactionDetails of ['full', 'accounts', 'signatures', 'none'] as const)
      test(`getBlock decodes ${encoding} with ${transactionDetails}`, async () => {
        // The types of the client know each pair by itself; what comes is looked at as it is.
        const config = { encoding, transactionDetails, rewards: false, ...version } as { transactionDetails: 'full' };
        const block = await rpc.getBlock(BigInt(fixture.slot), config as typeof config & typeof version).send();
        const { transactions, signatures } = block as unknown as {
          readonly transactions?: readonly { readonly transaction: unknown }[];
          readonly signatures?: readonly string[];
        };
        assert.deepEqual(signatures, transactionDetails === 'signatures' ? [fixture.legacy] : undefined);
        const [only, ...more] = transactions?.map(({ transaction }) => transaction) ?? [];
        assert.equal(more.length, 0);
        assert.equal(kindOf(only), expectedKind(encoding, transactionDetails));
      });

  for (const encoding of ['base58', 'base64'] as const)
    test(`sendTransaction and simulateTransaction take ${encoding}`, async () => {
      const base64 = await fixture.transfer();
      const bytes = Buffer.from(base64, 'base64');
      const wire = (encoding === 'base64' ? base64 : encodeBase58(bytes)) as Base64EncodedWireTransaction;
      const config = { encoding: encoding as 'base64' };
      assert.equal((await rpc.simulateTransaction(wire, config).send()).value.err, null);
      assert.equal(await rpc.sendTransaction(wire, config).send(), encodeBase58(bytes.subarray(1, 65)));
    });

  for (const encoding of ['base64', 'base64+zstd', 'jsonParsed'] as const)
    test(`simulateTransaction returns accounts in ${encoding}`, async () => {
      const wire = (await fixture.transfer()) as Base64EncodedWireTransaction;
      const accounts = { addresses: [mint()], encoding: encoding as 'base64' };
      const { value } = await rpc.simulateTransaction(wire, { encoding: 'base64', accounts }).send();
      const data: unknown = value.accounts[0]?.data;
      if (encoding === 'jsonParsed') assert.equal((data as { readonly program?: string }).program, 'spl-token');
      else assert.equal(bytesIn(data as Data).length, 2 * 82);
    });
});

/** The form of a transaction in a block. */
function kindOf(transaction: unknown): string | undefined {
  if (Array.isArray(transaction)) return String(transaction[1]);
  if (typeof transaction !== 'object' || transaction === null) return undefined;
  if ('accountKeys' in transaction) return 'accounts';
  const { message } = transaction as { readonly message: { readonly accountKeys: readonly unknown[] } };
  return typeof message.accountKeys[0] === 'string' ? 'json' : 'jsonParsed';
}

/** Accounts have one form in every encoding. */
function expectedKind(encoding: string, details: string): string | undefined {
  return { full: encoding, accounts: 'accounts' }[details];
}
