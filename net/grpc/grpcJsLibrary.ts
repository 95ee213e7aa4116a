// Loads grpc-js without the effect of its environment variables; dist/grpc.js, read at the first call that needs it. The
// order of the imports matters: the library reads the variables while it is loaded.
import { showGrpcVariables } from './grpcVariables';
import {
  ChannelCredentials,
  Client,
  logVerbosity,
  Metadata,
  setLogVerbosity,
  type ClientDuplexStream,
  type ChannelOptions,
  type StatusObject,
} from '@grpc/grpc-js';

showGrpcVariables();
// Its log lines name hosts and headers.
setLogVerbosity(logVerbosity.NONE);

export { ChannelCredentials, Client, Metadata };
export type { ChannelOptions, ClientDuplexStream, StatusObject };
