// The messages of the corpus against the real gRPC service: what the editor passes is built, what it refuses is refused,
// by proto3 JSON as the protobuf runtime reads it or by the service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromJson, type JsonValue as PlainJson } from '@bufbuild/protobuf';
import { status, type ServiceError } from '@grpc/grpc-js';
import { isJsonArray, isJsonObject, JsonNumber, parseJson, type JsonValue } from '../../../core/solana/json/json';
import { Geyser } from '../../../proto';
import { FAULTY_MESSAGES, VALID_MESSAGES, type GeyserCall } from '../../corpus/geyser';
import { readMarks } from '../../corpus/marks';
import { testGeyser } from '../geyser/geyser-client';

const { client } = testGeyser(['--plan', 'Shared Metal']);

/** Digits that a double cannot hold go as text, as proto3 JSON has it. */
function plain(value: JsonValue): PlainJson {
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? value.text : value.toNumber();
  if (isJsonArray(value)) return value.map(plain);
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  return value;
}

/** Why a message is refused; nothing where it is taken. */
async function refusalOf({ call, body = '{}' }: GeyserCall): Promise<string | undefined> {
  const method = Geyser.methods.find(({ name }) => name === call);
  assert.ok(method !== undefined, call);
  let message;
  try {
    message = fromJson(method.input, plain(parseJson(readMarks(body).text)));
  } catch (error) {
    return String(error);
  }
  if (method.methodKind === 'unary') {
    try {
      await client.unary({ name: call, input: method.input, output: method.output }, message);
      return undefined;
    } catch (error) {
      const { code, details } = error as ServiceError;
      return code === status.INVALID_ARGUMENT ? details : undefined;
    }
  }
  const stream = client.subscribe();
  stream.send(message as never);
  const refused = stream.ended.then(({ code, details }) => (code === status.INVALID_ARGUMENT ? details : undefined));
  const outcome = await Promise.race([
    refused,
    stream.settled().then(
      () => undefined,
      () => refused,
    ),
  ]);
  stream.cancel();
  return outcome;
}

/** Streams that the service leaves out on purpose. */
const isServed = ({ call }: GeyserCall): boolean => call !== 'SubscribeDeshred';

for (const call of new Set(VALID_MESSAGES.filter(isServed).map((one) => one.call)))
  test(`every valid message of ${call} is taken`, async () => {
    const wrong: string[] = [];
    for (const one of VALID_MESSAGES.filter((message) => message.call === call)) {
      const refusal = await refusalOf(one);
      if (refusal !== undefined) wrong.push(`${refusal} for ${one.body}`);
    }
    assert.deepEqual(wrong, []);
  });

for (const call of new Set(FAULTY_MESSAGES.filter(isServed).map((one) => one.call)))
  test(`every faulty message of ${call} is refused`, async () => {
    const wrong: string[] = [];
    for (const one of FAULTY_MESSAGES.filter((message) => message.call === call))
      if ((await refusalOf(one)) === undefined) wrong.push(String(one.body));
    assert.deepEqual(wrong, []);
  });
