// Hides the environment variables of grpc-js from the moment this module is loaded: GRPC_TRACE would print keys, others
// change how hosts are looked up and which ciphers and authorities are used.
const hidden = Object.entries(process.env).filter(([name]) => name.startsWith('GRPC_'));
for (const [name] of hidden) delete process.env[name];

/** Puts the variables back, for the processes started from here. */
export function showGrpcVariables(): void {
  Object.assign(process.env, Object.fromEntries(hidden));
}
