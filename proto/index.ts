// The face of the gRPC descriptions: message schemas and the service, generated from the .proto files beside it; for those
// who write and read messages. What requests look like is in requests.ts, which costs less. No sockets, no Node modules.
export * from './gen/geyser_pb';
export * as storage from './gen/solana-storage_pb';
export { fieldNamed } from './names';
// core imports no package but through here.
export type { DescMessage } from '@bufbuild/protobuf';
