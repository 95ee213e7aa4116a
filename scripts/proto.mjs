// Writes proto/gen from the .proto files, or into the folder that is named: `npm run proto`. Needs no network.
import { createFileRegistry, fromBinary, ScalarType } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules', '.bin');
const out = path.resolve(process.argv[2] ?? path.join(root, 'proto'));

/**
 * Runs buf in proto/ and gives what it wrote to stdout; ends this process with its exit code where it fails.
 * @param {string[]} args
 */
function buf(args) {
  const { status, error, stdout } = spawnSync(path.join(bin, process.platform === 'win32' ? 'buf.cmd' : 'buf'), args, {
    cwd: path.join(root, 'proto'),
    // buf finds its plugin on the path.
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (error !== undefined) process.stderr.write(`${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

/**
 * The requests of the service as plain data (proto/requestTable.ts has its type): what a request file is checked against.
 * @param {Uint8Array} image the files' descriptors
 */
function requestsText(image) {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
  const service = registry.getService('geyser.Geyser');
  if (service === undefined) throw new Error('The service geyser.Geyser is gone.');
  /** @type {Record<string, object>} */
  const messages = {};
  /** @type {Record<string, object>} */
  const enums = {};
  /** @param {import('@bufbuild/protobuf').DescMessage} message */
  const take = (message) => {
    // Types of the language itself have a special JSON form.
    if (Object.hasOwn(messages, message.typeName) || message.typeName.startsWith('google.')) return;
    messages[message.typeName] = Object.fromEntries(message.fields.map((field) => [field.name, describe(field)]));
    for (const field of message.fields) if (field.message !== undefined) take(field.message);
  };
  /** @param {import('@bufbuild/protobuf').DescField} field */
  const describe = (field) => {
    const { jsonName, number, fieldKind, oneof } = field;
    if (field.enum !== undefined)
      enums[field.enum.typeName] = Object.fromEntries(field.enum.values.map((value) => [value.name, value.number]));
    return {
      jsonName,
      number,
      ...(fieldKind === 'list' || fieldKind === 'map' ? { many: fieldKind } : {}),
      ...(field.message !== undefined
        ? { message: field.message.typeName }
        : field.enum !== undefined
          ? { enum: field.enum.typeName }
          : { scalar: ScalarType[field.scalar ?? ScalarType.STRING].toLowerCase() }),
      ...(oneof === undefined ? {} : { oneof: oneof.name }),
    };
  };
  for (const { input } of service.methods) take(input);
  const methods = Object.fromEntries(service.methods.map(({ name, input }) => [name, input.typeName]));
  const streams = service.methods.filter(({ methodKind }) => methodKind !== 'unary').map(({ name }) => name);
  return `// The requests of geyser.Geyser as plain data.
// @generated from the .proto files by scripts/proto.mjs
import type { RequestTable } from '../requestTable';

export const SERVICE = ${JSON.stringify(service.typeName)};

/** The message that each call takes. */
export const METHODS = ${JSON.stringify(methods, undefined, 2)} as const;

export const REQUESTS: RequestTable = {
  "methods": METHODS,
${JSON.stringify({ streams, messages, enums }, undefined, 2).slice(2)};
`;
}

buf(['generate', '-o', out]);
writeFileSync(path.join(out, 'gen', 'requests.ts'), requestsText(buf(['build', '-o', '-#format=binpb'])));
