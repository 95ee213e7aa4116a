// The dashboard's verbs on API keys: create, rotate, change plan, suspend, revoke. Hands a secret out once and never again.
import { isPlanName, PLANS, type PlanName } from '../keys/plans';
import { isJsonObject, member, type JsonValue } from '../../core/solana/json/json';
import type { WireJson } from '../api';
import { KEY_TYPE_NAMES, type ApiKey, type Keyring, type KeyType } from '../keys/keyring';
import { json, restError, type HttpReply } from '../http/answer';
import type { UsageMeter } from '../keys/meter';

interface KeysContext {
  readonly keyring: Keyring;
  readonly meter: UsageMeter;
  /** Unix milliseconds. */
  now(): number;
}

const DEFAULT_PLAN: PlanName = 'Dev';
const MAX_LABEL = 100;
const PLAN_NAMES = Object.keys(PLANS).join(', ');

/** A key as /local lists it; times are Unix seconds. */
export function keyView(keyring: Keyring, key: ApiKey): WireJson {
  return {
    keyId: key.keyId,
    type: key.type,
    label: key.label,
    plan: key.allowance.plan,
    state: keyring.stateOf(key),
    createdAt: Math.floor(key.createdAt / 1000),
    lastUsedAt: key.lastUsedAt === undefined ? null : Math.floor(key.lastUsedAt / 1000),
  };
}

/** `{type, label?, plan?}` → 201 `{keyId, key}`. */
export function createKey(keyring: Keyring, body: JsonValue | undefined): HttpReply {
  const type = member(body, 'type');
  if (typeof type !== 'string' || !isKeyType(type)) return restError(400, '"type" must be rpc, grpc or swqos');
  const label = readLabel(member(body, 'label') ?? '');
  if (label === undefined) return restError(400, `"label" must be one line of up to ${MAX_LABEL} characters`);
  const plan = member(body, 'plan') ?? DEFAULT_PLAN;
  if (typeof plan !== 'string' || !isPlanName(plan)) return restError(400, `"plan" must be one of ${PLAN_NAMES}`);
  const issued = keyring.create({ type, label, plan });
  return issued === undefined
    ? restError(409, 'There are as many keys as the service keeps')
    : json(201, { ...issued });
}

export function rotateKey(keyring: Keyring, keyId: string): HttpReply {
  const issued = keyring.rotate(keyId);
  return issued === undefined ? missing(keyring, keyId) : json(200, { ...issued });
}

/** `{plan?, state?: "active" | "suspended"}`: a suspension by hand lasts until it is lifted by hand. */
export function patchKey(context: KeysContext, keyId: string, body: JsonValue | undefined): HttpReply {
  const key = context.keyring.get(keyId);
  if (key === undefined || key.revoked) return missing(context.keyring, keyId);
  if (!isJsonObject(body)) return restError(400, 'The body must be an object');
  const plan = member(body, 'plan');
  const state = member(body, 'state');
  if (plan !== undefined && (typeof plan !== 'string' || !isPlanName(plan))) {
    return restError(400, `"plan" must be one of ${PLAN_NAMES}`);
  }
  if (state !== undefined && state !== 'active' && state !== 'suspended') {
    return restError(400, '"state" must be active or suspended');
  }
  if (plan !== undefined) key.allowance.changePlan(plan, context.now());
  if (state === 'active') key.allowance.suspension.lift();
  if (state === 'suspended') key.allowance.suspension.suspendByHand();
  return json(200, keyView(context.keyring, key));
}

export function endKey(context: KeysContext, keyId: string): HttpReply {
  if (!context.keyring.revoke(keyId)) return missing(context.keyring, keyId);
  context.meter.keepOnly(new Set(context.keyring.list().map((key) => key.keyId)));
  return { status: 204, body: '' };
}

function missing(keyring: Keyring, keyId: string): HttpReply {
  const known = keyring.get(keyId) !== undefined;
  return known ? restError(409, 'The key is revoked') : restError(404, 'No key has this id');
}

function isKeyType(name: string): name is KeyType {
  return Object.hasOwn(KEY_TYPE_NAMES, name);
}

function readLabel(value: JsonValue): string | undefined {
  return typeof value === 'string' && value.length <= MAX_LABEL && !/\p{Cc}/u.test(value) ? value : undefined;
}
