// The face of the gRPC descriptions: message schemas and the service, generated from the .proto files beside it.
// Pure: no sockets, no Node modules.
export * from './gen/geyser_pb';
export * as storage from './gen/solana-storage_pb';
export { enumValueNamed, fieldNamed, writtenNames } from './names';
