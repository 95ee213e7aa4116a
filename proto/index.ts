// The face of the gRPC descriptions: message schemas and the service, generated from the .proto files next to it, for
// writing and reading messages. requests.ts describes requests and costs less. No sockets, no Node modules.
export * from './gen/geyser_pb';
export * as storage from './gen/solana-storage_pb';
export { enumValueNamed, fieldNamed, writtenNames } from './names';
// The parts of the runtime that describe a descriptor; core imports no package but through here.
export { ScalarType } from '@bufbuild/protobuf';
export type { DescField, DescMessage } from '@bufbuild/protobuf';
