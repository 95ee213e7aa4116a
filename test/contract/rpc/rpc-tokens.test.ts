// Token methods on real mints and token accounts, and token balances in transaction records.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Bench, SYSTEM, TOKEN, TOKEN_2022, freshKey, textOf, type Loose } from './rpc-harness';
import {
  ACCOUNT_RENT,
  approve,
  ataCandidates,
  createAta,
  freezeAccount,
  newHolding,
  newMint,
  transferChecked,
} from './rpc-token-kit';

describe('tokens', () => {
  let bench: Bench;
  const [mint, other] = [freshKey('mint'), freshKey('other mint')];
  const owner = freshKey('owner');
  const [first, second, frozen] = [freshKey('first'), freshKey('second'), freshKey('frozen')];
  const delegate = freshKey('delegate').address;

  before(async () => {
    bench = await Bench.open();
    await bench.transfer(owner.address, 100_000_000n);
    await newMint(bench, mint, 6);
    await newMint(bench, other, 0);
    await newHolding(bench, first, { mint: mint.address, owner: owner.address, amount: 1_500_000n });
    await newHolding(bench, second, { mint: other.address, owner: owner.address, amount: 3n });
    await newHolding(bench, frozen, { mint: mint.address, owner: bench.wallet.address, amount: 10n });
    await bench.send([freezeAccount(frozen.address, mint.address, bench.wallet.address)]);
    await bench.send([approve(first.address, delegate, owner.address, 250_000n)], [owner]);
    bench.finalize();
  });
  after(() => bench.close());

  const accounts = async (filter: Record<string, string>, config = {}): Promise<Loose[]> =>
    (await bench.call('getTokenAccountsByOwner', owner.address, filter, config))['value'] as never;

  test('getTokenSupply answers the total supply as an amount', async () => {
    const result = await bench.call('getTokenSupply', mint.address);
    assert.equal(typeof result['context']?.['slot'], 'number');
    assert.deepEqual(result['value'], {
      amount: '1500010',
      decimals: 6,
      uiAmount: 1.50001,
      uiAmountString: '1.50001',
    });
  });
  test('getTokenSupply refuses an account that is not a mint', async () => {
    assert.equal((await bench.fails('getTokenSupply', first.address)).message, 'Invalid param: not a Token mint');
    assert.equal(
      (await bench.fails('getTokenSupply', freshKey().address)).message,
      'Invalid param: could not find account',
    );
  });
  test('getTokenAccountBalance answers the holding', async () => {
    const { value } = await bench.call('getTokenAccountBalance', first.address);
    assert.deepEqual(value, { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' });
  });
  test('getTokenAccountBalance refuses an account that is not a token account', async () => {
    const error = await bench.fails('getTokenAccountBalance', bench.wallet.address);
    assert.equal(error.message, 'Invalid param: not a Token account');
  });

  describe('getTokenAccountsByOwner', () => {
    test('by mint answers only accounts of that mint', async () => {
      assert.deepEqual(
        (await accounts({ mint: mint.address })).map(({ pubkey }) => pubkey),
        [first.address],
      );
    });
    test('by programId answers all of them', async () => {
      const keys = (await accounts({ programId: TOKEN })).map(({ pubkey }) => textOf(pubkey));
      assert.deepEqual(keys.sort(), [first.address, second.address].sort());
      assert.deepEqual(await accounts({ programId: TOKEN_2022 }), []);
    });
    test('needs exactly one of mint and programId', async () => {
      for (const filter of [{}, { mint: mint.address, programId: TOKEN }, { owner: TOKEN }, null, TOKEN])
        assert.equal((await bench.fails('getTokenAccountsByOwner', owner.address, filter)).code, -32602);
      assert.equal((await bench.fails('getTokenAccountsByOwner', owner.address)).code, -32602);
    });
    test('refuses a programId that is not a token program', async () => {
      const error = await bench.fails('getTokenAccountsByOwner', owner.address, { programId: SYSTEM });
      assert.equal(error.message, 'Invalid param: unrecognized Token program id');
    });
    test('refuses a mint that does not exist', async () => {
      const error = await bench.fails('getTokenAccountsByOwner', owner.address, { mint: freshKey().address });
      assert.equal(error.message, 'Invalid param: could not find mint');
    });
    test('defaults to base64', async () => {
      const [account] = await accounts({ mint: mint.address });
      assert.equal(account?.['account']?.['data']?.[1], 'base64');
      assert.equal(Buffer.from(textOf(account['account']?.['data']?.[0]), 'base64').length, 165);
    });
    test('jsonParsed gives mint, owner, state, amount and delegate', async () => {
      const [account] = await accounts({ mint: mint.address }, { encoding: 'jsonParsed' });
      assert.deepEqual(account?.['account']?.['data'], {
        program: 'spl-token',
        parsed: {
          type: 'account',
          info: {
            delegate,
            delegatedAmount: { amount: '250000', decimals: 6, uiAmount: 0.25, uiAmountString: '0.25' },
            isNative: false,
            mint: mint.address,
            owner: owner.address,
            state: 'initialized',
            tokenAmount: { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' },
          },
        },
        space: 165,
      });
      assert.equal(account['account']?.['lamports'], ACCOUNT_RENT);
      assert.equal(account['account']?.['owner'], TOKEN);
      assert.equal(account['account']?.['executable'], false);
      assert.equal(account['account']?.['rentEpoch'], 18446744073709551615n);
    });
    test('a frozen account says so', async () => {
      const { value } = await bench.call(
        'getTokenAccountsByOwner',
        bench.wallet.address,
        { mint: mint.address },
        { encoding: 'jsonParsed' },
      );
      assert.equal(value?.[0]?.['account']?.['data']?.['parsed']?.['info']?.['state'], 'frozen');
    });
  });

  test('getTokenAccountsByDelegate finds the delegated account', async () => {
    const { value } = await bench.call(
      'getTokenAccountsByDelegate',
      delegate,
      { programId: TOKEN },
      { encoding: 'jsonParsed' },
    );
    assert.equal(value?.[0]?.['pubkey'], first.address);
    assert.equal(value[1], undefined);
  });
  test('getTokenLargestAccounts orders by amount', async () => {
    const { value } = await bench.call('getTokenLargestAccounts', mint.address);
    const rows = value as never as { address: string; amount: string }[];
    assert.deepEqual(
      rows.map(({ address, amount }) => [address, amount]),
      [
        [first.address, '1500000'],
        [frozen.address, '10'],
      ],
    );
  });
  test('a mint is parsed with its authorities', async () => {
    const { value } = await bench.call('getAccountInfo', mint.address, { encoding: 'jsonParsed' });
    assert.deepEqual(value?.['data']?.['parsed'], {
      type: 'mint',
      info: {
        decimals: 6,
        freezeAuthority: bench.wallet.address,
        isInitialized: true,
        mintAuthority: bench.wallet.address,
        supply: '1500010',
      },
    });
  });
  test('a transfer records token balances before and after, and is parsed with its amount', async () => {
    const third = freshKey();
    await newHolding(bench, third, { mint: mint.address, owner: delegate, amount: 1n });
    const signature = await bench.send(
      [
        transferChecked(
          { from: first.address, mint: mint.address, to: third.address, owner: owner.address },
          100_000n,
          6,
        ),
      ],
      [owner],
    );
    bench.finalize();
    const record = await bench.call('getTransaction', signature, { encoding: 'jsonParsed' });
    const { meta } = record;
    const held = (list: Loose | undefined): unknown[] =>
      (list as never as Loose[]).map((b) => [b['owner'], b['mint'], b['programId'], b['uiTokenAmount']?.['amount']]);
    const by = (a: unknown[], b: unknown[]): number => String(a[0]).localeCompare(String(b[0]));
    assert.deepEqual(
      held(meta?.['preTokenBalances']).sort(by as never),
      [
        [owner.address, mint.address, TOKEN, '1500000'],
        [delegate, mint.address, TOKEN, '1'],
      ].sort(by),
    );
    assert.deepEqual(
      held(meta?.['postTokenBalances']).sort(by as never),
      [
        [owner.address, mint.address, TOKEN, '1400000'],
        [delegate, mint.address, TOKEN, '100001'],
      ].sort(by),
    );
    assert.deepEqual(record['transaction']?.['message']?.['instructions']?.[0]?.['parsed'], {
      type: 'transferChecked',
      info: {
        authority: owner.address,
        destination: third.address,
        mint: mint.address,
        source: first.address,
        tokenAmount: { amount: '100000', decimals: 6, uiAmount: 0.1, uiAmountString: '0.1' },
      },
    });
  });
  test('the associated token program runs, with inner instructions parsed', async () => {
    const wallet = freshKey().address;
    let signature: string | undefined;
    for (const ata of ataCandidates(wallet, mint.address)) {
      const wire = await bench.signed([createAta(bench.wallet.address, ata, wallet, mint.address)]);
      const options = { encoding: 'base64', preflightCommitment: 'processed' };
      const outcome = await bench.ledger.rpc.call('sendTransaction', [wire, options], { staked: false });
      if (!outcome.ok) continue;
      signature = textOf(outcome.result);
      break;
    }
    bench.finalize();
    const record = await bench.call('getTransaction', textOf(signature), { encoding: 'jsonParsed' });
    assert.equal(record['transaction']?.['message']?.['instructions']?.[0]?.['parsed']?.['type'], 'createIdempotent');
    const inner = record['meta']?.['innerInstructions']?.[0]?.['instructions'] as never as Loose[];
    assert.deepEqual(
      inner.map((i) => i['parsed']?.['type']),
      ['getAccountDataSize', 'createAccount', 'initializeImmutableOwner', 'initializeAccount3'],
    );
    assert.ok(inner.every((i) => i['stackHeight'] === 2));
  });
});
