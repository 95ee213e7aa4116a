// Bounds the connections of the gRPC server: above the bound the oldest one without a call is closed, so that clients that
// connect and say nothing cannot keep others out.
import type { Http2Server, ServerHttp2Session } from 'node:http2';

/** Watches the server's connections from now on; answers what closes those that are open. */
export function boundSessions(server: Http2Server, bound: number): () => void {
  const calls = new Map<ServerHttp2Session, number>();
  server.on('session', (session) => {
    session.on('error', () => session.destroy());
    if (calls.size >= bound) {
      const idle = [...calls].find(([, count]) => count === 0)?.[0];
      (idle ?? session).destroy();
      if (idle === undefined) return;
      calls.delete(idle);
    }
    calls.set(session, 0);
    session.on('stream', (stream) => {
      const change = (by: number): void => {
        const count = calls.get(session);
        if (count !== undefined) calls.set(session, count + by);
      };
      change(1);
      stream.on('close', () => change(-1));
    });
    session.on('close', () => calls.delete(session));
  });
  return () => {
    for (const session of calls.keys()) session.close();
  };
}
