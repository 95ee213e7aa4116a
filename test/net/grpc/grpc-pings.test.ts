// A service may ping as often as it likes: what is kept for it is bounded, also where it reads no answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../net/clock';
import {
  asking,
  begin,
  CLIENTS,
  grpcService,
  grpcTarget,
  requestOf,
  slotUpdate,
  SUBSCRIBE,
  update,
} from '../../support/wire/grpcServices';
import { KEY, keysOf, withNet } from '../../support/wire/wire';

const PINGS = 5_000;
/** Time does not pass while they come. */
const clock = { ...systemClock, now: () => 0 };

for (const client of CLIENTS)
  test(`of ${PINGS} pings at one time one is answered, by ${client}`, async (t) => {
    let answers = 0;
    let read = (): void => undefined;
    const service = await grpcService(
      ({ stream }) => {
        begin(stream);
        stream.write(update({ updateOneof: { case: 'pong', value: { id: 1 } } }));
        stream.pause();
        read = () => void stream.resume();
        const ping = update({ updateOneof: { case: 'ping', value: {} } });
        stream.write(Buffer.concat(Array.from({ length: PINGS }, () => ping)));
        stream.write(slotUpdate(5n));
      },
      {
        rest: ({ stream }, message) => {
          answers++;
          // The answer to `drained` comes behind all others.
          stream.write(update({ updateOneof: { case: 'pong', value: { id: requestOf(message).ping?.id ?? 0 } } }));
        },
      },
    );
    t.after(() => service.close());
    const asked = asking(SUBSCRIBE, '{"slots":{"all":{}}}');
    await withNet({ keys: keysOf({ grpc: KEY }), grpcClient: client, clock }, async (net) => {
      let taken = (): void => undefined;
      const marked = new Promise<void>((resolve) => (taken = resolve));
      const { signal } = new AbortController();
      const opened = await net.openRaw(grpcTarget(service.origin, asked), asked, { signal, take: () => taken() });
      assert.ok(opened.ok, opened.ok ? '' : opened.error.message);
      await marked;
      read();
      assert.ok(await opened.value.drained());
      // Our first ping, the answer, and the ping of `drained`.
      assert.equal(answers, 3);
      await opened.value.close();
    });
  });
