// The worker that runs every stream: entry of dist/streamWorker.js, started with the first stream. Asks main for one key
// per connect; loads the transports when the first stream opens. Never writes to stdout, which is the editor's.
import { parentPort, workerData } from 'node:worker_threads';
import { originOf } from '../../core/service/profiles/origin';
import type { EndpointProfile, KeyQuery } from '../../core/service/profiles/profile';
import { Secret } from '../../core/service/keys/secret';
import type { Programs } from '../../core/solana/decode/decoded';
import { programsAt, type KnownIdls } from '../../core/solana/decode/idl/registry';
import type { KeyAnswer, KeyPort, ProxySettings } from '../../net/api';
import { systemClock } from '../../net/clock';
import { Suspensions } from '../../net/auth/suspensions';
import { Cleaners } from '../../net/streams/cleaners';
import { settle } from '../../net/target/target';
import type * as protocol from '../../protocol/streams';
import { Calls } from '../calls';
import type { Answers, AskMessage, Asks, FromWorker, SentKey, SentProxy, ToWorker, WorkerStart } from './messages';
import { BEAT_MS } from '../../runner/streams/bounds';
import { Pulse } from '../../runner/streams/pulse';
import { KeptStream, MOVE_MS, type StreamWorld } from './stream';
import { SlotTips } from '../../runner/streams/slotTips';

if (parentPort === null) throw new Error('This is a worker.');
const port = parentPort;
const send = (message: FromWorker): void => port.postMessage(message);

const suspensions = new Suspensions(systemClock, (workerData as WorkerStart).salt);
suspensions.onChanged = (suspension) => send({ kind: 'suspension', suspension });

const streams = new Map<string, KeptStream>();
const tips = new SlotTips();
const calls = new Calls<SentKey>();
/** The last key of each query; a stream may be waiting for its replacement. */
const used = new Map<string, Secret>();
const cleaners = new Cleaners();
/** Known programs, and those resolved for each requested origin. */
let idls: KnownIdls = { workspace: [], published: [] };
const programs = new Map<string | undefined, Programs>();
let respectPlan = true;
/** Read with each new connection. */
const connect: { proxy?: ProxySettings } = {};
let net: Promise<StreamWorld> | undefined;

const nameOf = ({ type, profile, origin, interface: face, label }: KeyQuery): string =>
  JSON.stringify([type, profile, origin, face, label ?? null]);

const askKey = (query: KeyQuery, signal: AbortSignal): Promise<SentKey | undefined> =>
  calls.ask((call) => send({ kind: 'key', call, query }), signal);

const keys: KeyPort = {
  async key(query, signal): Promise<KeyAnswer> {
    const sent = await askKey(query, signal);
    if (sent === undefined) return { kind: 'none' };
    const secret = new Secret(sent.secret);
    used.set(nameOf(query), secret);
    return { kind: 'lease', lease: { ...sent, secret } };
  },
};

function programsFor(profile: EndpointProfile | undefined): Programs {
  const origin = originOf(profile?.rpcUrl ?? '');
  const known = programs.get(origin) ?? programsAt(idls, origin);
  programs.set(origin, known);
  return known;
}

async function createWorld(): Promise<StreamWorld> {
  const { createNet, textOfUpdate, bytesOfUpdate } = await import('../../net/transports');
  const made = createNet({ keys, respectPlan: () => respectPlan, suspensions, connect });
  return {
    net: { call: (...args) => made.call(...args), openRaw: cleaners.from(made) },
    clock: systemClock,
    tips,
    programs: programsFor,
    grpc: { textOfUpdate, bytesOfUpdate },
    redact: cleaners.clean,
    target: ({ placed, request }) => {
      const target = settle(placed, request);
      return target.ok ? target.value : target.error;
    },
    async hasNewKey({ info }, signal) {
      if (info.key === undefined) return false;
      const sent = await askKey(info.key, signal);
      const known = used.get(nameOf(info.key));
      return sent !== undefined && (known === undefined || !new Secret(sent.secret).equals(known));
    },
  };
}

const gone = { kind: 'gone' } as const;
const done = { kind: 'done' } as const;

/** The handler of a verb about one stream. */
const ofStream =
  <A extends protocol.StreamParams, R>(handle: (stream: KeptStream, ask: A) => R) =>
  (ask: A): R | protocol.Gone => {
    const stream = streams.get(ask.id);
    return stream === undefined ? gone : handle(stream, ask);
  };

const HANDLERS: { readonly [V in protocol.StreamVerb]: (ask: Asks[V]) => Answers[V] | Promise<Answers[V]> } = {
  async openStream(plan) {
    net ??= createWorld();
    const stream = new KeptStream(plan, await net);
    streams.set(plan.info.id, stream);
    stream.start();
    return stream.tick();
  },
  stopStream: ofStream(async (stream) => {
    await stream.stop();
    return done;
  }),
  reopenStream: ofStream((stream) => {
    stream.reopen();
    return done;
  }),
  closeStream: ofStream(async (stream) => {
    streams.delete(stream.id);
    await stream.stop();
    return done;
  }),
  moveStreams: ({ key }) => move(key),
  streamRows: ofStream((stream, ask) => stream.rows(ask)),
  streamRow: ofStream((stream, ask) => stream.detail(ask)),
  exportStream: ofStream((stream, ask) => stream.export(ask)),
  stopExport: ofStream((stream) => {
    stream.stopExport();
    return done;
  }),
};

/** Reconnects every stream of this key and reports each outcome. */
async function move(key: KeyQuery): Promise<protocol.MoveStreamsResult> {
  const moving = [...streams.values()].filter(
    (stream) => (!stream.isOver || stream.state.kind === 'refused') && isSameKey(stream.plan.info.key, key),
  );
  const results = await Promise.all(
    moving.map(async (stream) => {
      const { id, title } = stream.plan.info;
      return { id, title, moved: await stream.move(AbortSignal.timeout(MOVE_MS)) };
    }),
  );
  const failures = (kind: 'stayed' | 'failed'): readonly protocol.StreamFailure[] =>
    results.flatMap(({ id, title, moved }) => (moved.kind === kind ? [{ id, title, error: moved.error }] : []));
  const moved = results.filter(({ moved }) => moved.kind === 'moved');
  const unsure = moved.filter(({ moved }) => moved.kind === 'moved' && moved.isUnsure);
  return { moved: moved.length, unsure: unsure.length, stayed: failures('stayed'), failed: failures('failed') };
}

const isSameKey = (of: KeyQuery | undefined, key: KeyQuery): boolean =>
  of !== undefined && of.type === key.type && of.profile === key.profile && of.origin === key.origin;

async function answer<V extends protocol.StreamVerb>({ verb, call, ask }: AskMessage<V>): Promise<void> {
  let given: Answers[V] | undefined;
  try {
    given = await HANDLERS[verb](ask);
  } catch {
    // A failed verb ends no stream; main treats undefined as gone.
  }
  send({ kind: 'answer', call, answer: given });
}

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'ask':
      void answer(message);
      return;
    case 'key':
      calls.answer(message.call, message.key);
      return;
    case 'keysChanged':
      for (const stream of streams.values()) {
        const { key } = stream.plan.info;
        const isConcerned = key?.origin === message.origin && key.type === message.type;
        if (isConcerned && (stream.state.kind === 'keyRotated' || isSuspended(stream) || lacksKey(stream)))
          stream.again();
      }
      return;
    case 'suspension':
      suspensions.learn(message.suspension);
      if (message.suspension.until > Date.now()) return;
      // Ended early. A stream of another key that is still suspended is refused here again, without sending.
      for (const stream of streams.values()) if (isSuspended(stream)) stream.again();
      return;
    case 'stopAll':
      for (const stream of streams.values()) {
        const isMeant = message.ids?.includes(stream.id) ?? true;
        if (isMeant && !stream.isOver) void stream.stop(message.error);
      }
      return;
    case 'settings':
      ({ respectPlan } = message);
      return;
    case 'proxy':
      takeProxy(message.proxy);
      return;
    case 'idls':
      ({ idls } = message);
      programs.clear();
      return;
    case 'end':
      void end();
  }
});

function takeProxy(sent: SentProxy | undefined): void {
  delete connect.proxy;
  if (sent === undefined) return;
  const { url, noProxy, credentials, authorization } = sent;
  connect.proxy = {
    url,
    noProxy,
    ...(credentials !== undefined && { credentials: new Secret(credentials) }),
    ...(authorization !== undefined && { authorization: new Secret(authorization) }),
  };
}

/** Whether the stream waits for a suspension to end. */
const isSuspended = ({ state }: KeptStream): boolean =>
  state.kind === 'reconnecting' && state.error.kind === 'suspended';

/** Whether the stream was refused for its key: it resumes once one is stored. */
const lacksKey = ({ state }: KeptStream): boolean =>
  state.kind === 'refused' && (state.error.kind === 'noKey' || state.error.kind === 'keyRejected');

async function end(): Promise<void> {
  clearInterval(ticking);
  await Promise.all([...streams.values()].map((stream) => stream.stop()));
  send({ kind: 'ended' });
  port.close();
}

const pulse = new Pulse(Date.now);
const ticking = setInterval(() => pulse.beat(streams.values(), (tick) => send({ kind: 'tick', tick })), BEAT_MS);
