// The pool alone: undici's face would bring fetch, mocks, caches and its WebSocket into every bundle, 250 kB of them.
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
