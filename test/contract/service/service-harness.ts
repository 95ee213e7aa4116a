// Shared by the row-by-row tests of the service's contract: plain fetch on the real service, and tables of fields of
// which each row becomes a test named after it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Localnet } from '../../support/process/localnet';
import { ServiceWallet } from '../geyser/geyser-wallet';
import { freshKey } from '../rpc/rpc-harness';
import {
  initializeAccount,
  initializeMint,
  mintTo,
  ACCOUNT_RENT,
  MINT_RENT,
  freezeAccount,
} from '../rpc/rpc-token-kit';
import { createAccount, memo, transfer, TOKEN } from '../rpc/rpc-harness';

/** A row of a table: what its value must be. */
export type Check = (value: unknown) => boolean;
export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const isWhole: Check = (value) => typeof value === 'number' && value >= 0 && value % 1 === 0;
export const isString: Check = (value) => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const isNull: Check = (value) => value === null;
export const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isArray: Check = (value) => Array.isArray(value);
export const isAddress: Check = (value) => typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value);
export const isSignature: Check = (value) => typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(value);
export const isArrayOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => check(one));
export const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
export const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));

/** A member by its path, "account.data.0"; `undefined` where the way ends. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>)[name] : undefined,
      value,
    );
}

/** The list at a path; fails if it is missing. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const list = at(value, path);
  assert.ok(Array.isArray(list), `${path} is a list`);
  return list as unknown[];
}

/** One test per row: the field is there and is what the row says. */
export function rows(read: () => unknown, table: Readonly<Record<string, Check>>): void {
  for (const [field, check] of Object.entries(table))
    test(field, () => {
      const value = at(read(), field);
      assert.ok(check(value), `${field} is ${JSON.stringify(value)}`);
    });
}

/** The whole body of a call by POST, key in the header. */
export async function post(
  local: Localnet,
  method: string,
  params?: readonly unknown[],
  key = local.ready.keys.rpc.key,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const response = await fetch(local.ready.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, ...(params === undefined ? {} : { params }) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The result of a call that must succeed. */
export async function call(local: Localnet, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const { status, body } = await post(local, method, params);
  assert.equal(status, 200);
  assert.equal(at(body, 'error'), undefined, JSON.stringify(body));
  return at(body, 'result');
}

/** The error of a call that must fail as JSON-RPC. */
export async function refusal(local: Localnet, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const { status, body } = await post(local, method, params);
  assert.equal(status, 200);
  const error = at(body, 'error');
  assert.ok(error, `${method} was expected to fail`);
  return error;
}

/** GET on the REST base. */
export async function get(
  { ready }: { readonly ready: Pick<Localnet['ready'], 'restUrl' | 'keys'> },
  path: string,
  key = ready.keys.rpc.key,
): Promise<unknown> {
  const response = await fetch(ready.restUrl + path, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200);
  return await response.json();
}

/** More slots than it takes to finalize what happened before. */
export const finalize = (local: Localnet): Promise<void> => local.slots(40);

/** Events on the ledger for the rows to read; all of them final. */
export interface Story {
  readonly wallet: string;
  readonly mint: string;
  /** 1,500,000 of the mint, six decimals. */
  readonly holding: string;
  readonly frozen: string;
  /** A transfer with a memo, and a transaction that landed and failed. */
  readonly paid: string;
  readonly failed: string;
  readonly versioned: string;
  readonly minted: string;
}

/** Sends the transactions of the story. */
export async function story(local: Localnet): Promise<Story> {
  const wallet = new ServiceWallet(local);
  const [mint, holding, frozen] = [freshKey(), freshKey(), freshKey()];
  const { address } = wallet;
  await wallet.send(
    [
      createAccount(address, mint.address, { lamports: MINT_RENT, space: 82, owner: TOKEN }),
      initializeMint(mint.address, 6, address, address),
    ],
    [mint],
  );
  const hold = (account: typeof holding): Promise<string> =>
    wallet.send(
      [
        createAccount(address, account.address, { lamports: ACCOUNT_RENT, space: 165, owner: TOKEN }),
        initializeAccount(account.address, mint.address, address),
        mintTo(mint.address, account.address, address, 1_500_000n),
      ],
      [account],
    );
  const minted = await hold(holding);
  await hold(frozen);
  await wallet.send([freezeAccount(frozen.address, mint.address, address)]);
  const paid = await wallet.send([transfer(address, freshKey().address, 2_000_000n), memo('a row')]);
  const failed = await wallet.transferTooMuch(freshKey().address);
  const versioned = await wallet.send([memo('version 0')], [], []);
  await finalize(local);
  return {
    wallet: address,
    mint: mint.address,
    holding: holding.address,
    frozen: frozen.address,
    paid,
    failed,
    versioned,
    minted,
  };
}
