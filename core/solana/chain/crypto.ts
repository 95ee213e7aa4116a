// The one import of Ed25519 and SHA-256: the processes that share a bundle of it hold each package once.
export { ed25519 } from '@noble/curves/ed25519.js';
export { sha256 } from '@noble/hashes/sha2.js';
