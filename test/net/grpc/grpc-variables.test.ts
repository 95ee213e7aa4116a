// The environment variables of grpc-js in a real process that makes a real call: with its traces on, the library writes the
// path of each call to standard error, and a key may be in its query. The log level stays as the variables set it here.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { answer, framed, GET_SLOT, grpcService } from '../../support/wire/grpcServices';
import { assertNoKey, KEY } from '../../support/wire/wire';

const CALL = `
  const [, hides, host, path] = process.argv;
  if (hides !== '') require(hides);
  const { Client, credentials } = require('@grpc/grpc-js');
  const client = new Client(host, credentials.createInsecure());
  const same = (bytes) => bytes;
  client.makeUnaryRequest('/' + path, same, same, Buffer.alloc(0), (error, message) => {
    process.stdout.write(error?.message ?? message.toString('hex'));
    client.close();
  });
`;

const IN_QUERY = encodeURIComponent(KEY);
const PATH = `${GET_SLOT}?api_key=${IN_QUERY}`;

for (const [trace, verbosity] of [
  ['GRPC_TRACE', 'GRPC_VERBOSITY'],
  ['GRPC_NODE_TRACE', 'GRPC_NODE_VERBOSITY'],
] as const) {
  const call = async (hides: string): Promise<{ readonly stdout: string; readonly stderr: string }> => {
    const service = await grpcService(({ stream }) => answer(stream, framed(Buffer.from('0807', 'hex'))));
    try {
      return await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', '-e', CALL, hides, `127.0.0.1:${service.port}`, PATH],
        { env: { ...process.env, [trace]: 'all', [verbosity]: 'DEBUG' }, maxBuffer: 64 * 1024 * 1024 },
      );
    } finally {
      await service.close();
    }
  };

  test(`${trace} and ${verbosity} write no key, nor anything else`, async () => {
    const output = await call(path.resolve('net', 'grpc', 'grpcVariables.ts'));
    assert.deepEqual(output, { stdout: '0807', stderr: '' });
    assertNoKey(output);
  });

  test(`${trace} and ${verbosity} would write the key`, async () => {
    const { stdout, stderr } = await call('');
    assert.equal(stdout, '0807');
    assert.ok(stderr.includes(IN_QUERY));
  });
}
