// Shared by the tests of the service without keys: a free pair of ports, the service on it, plain calls and the two
// public clients set up as their users set them up for a validator on this machine: one URL, no key.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSolanaRpc, createSolanaRpcSubscriptions_UNSTABLE } from '@solana/kit';
import { Connection, Keypair, type Commitment } from '@solana/web3.js';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { member, type JsonValue } from '../../../core/solana/json/json';
import {
  request,
  spawnLocalnet,
  startTestLedger,
  type HttpAnswer,
  type Localnet,
} from '../../support/process/localnet';
import { freePair } from '../../support/wire/ports';

/** As short as they may be here: web3.js keeps a blockhash for 30 s, and a blockhash lives for 150 slots. */
const SLOT_MS = '250';

export interface OpenLocalnet {
  readonly local: Localnet;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly wallet: Keypair;
}

/** Starts the service without keys on a free pair of ports. */
export async function startOpen(args: readonly string[] = []): Promise<OpenLocalnet> {
  const port = await freePair();
  const local = await startTestLedger(['--open', '--rpc-port', String(port), '--slot-ms', SLOT_MS, ...args], {
    clock: 'running',
  });
  const secretKey = decodeBase58(local.ready.wallet.secretKey) ?? new Uint8Array();
  return {
    local,
    rpcUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port + 1}`,
    wallet: Keypair.fromSecretKey(secretKey),
  };
}

/** A start that must fail: what it said and the code it ended with. */
export async function failedStart(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawnLocalnet(args);
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** One call over HTTP, as the node's users make it. */
export async function call(open: OpenLocalnet, method: string, ...params: readonly unknown[]): Promise<JsonValue> {
  const answer = await post(open, { jsonrpc: '2.0', id: 1, method, params });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(member(answer.json, 'error'), undefined, answer.text);
  return member(answer.json, 'result') ?? null;
}

/** The error of a call that must fail. */
export async function refusal(open: OpenLocalnet, method: string, ...params: readonly unknown[]): Promise<JsonValue> {
  const answer = await post(open, { jsonrpc: '2.0', id: 1, method, params });
  assert.equal(answer.status, 200, answer.text);
  const error = member(answer.json, 'error');
  assert.ok(error !== undefined, `${method} was expected to fail: ${answer.text}`);
  return error;
}

export function post(
  open: OpenLocalnet,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  return request(open.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** The client as its documentation sets it up for a validator on this machine. */
export function connectionTo({ rpcUrl }: OpenLocalnet, commitment: Commitment = 'confirmed'): Connection {
  return new Connection(rpcUrl, commitment);
}

export function kitOn({ rpcUrl, wsUrl }: OpenLocalnet) {
  return { rpc: createSolanaRpc(rpcUrl), rpcSubscriptions: createSolanaRpcSubscriptions_UNSTABLE(wsUrl) };
}

/** A folder that is gone at the end of the process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'open-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
