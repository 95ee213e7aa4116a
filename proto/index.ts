// The face of the gRPC descriptions: message schemas and the service, generated from the .proto files beside it; for those
// who write and read messages. What requests look like is in requests.ts, which costs less. No sockets, no Node modules.
export * from './gen/geyser_pb';
export * as storage from './gen/solana-storage_pb';
export { enumValueNamed, fieldNamed, writtenNames } from './names';
// The parts of the runtime that tell what a descriptor describes; core imports no package but through here.
export { ScalarType } from '@bufbuild/protobuf';
export type { DescField, DescMessage } from '@bufbuild/protobuf';
