// P12: the cost of starting. Each start is a separate process; those in the editor are extension hosts of a real one.
import path from 'node:path';
import { interleaved, median, node, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';
import { root } from './root';

const dist = (name: string): string => path.join(root, 'dist', name);
const ROUNDS = 9;

/** Milliseconds that requiring these files takes, in a fresh process that then ends. */
async function requiring(files: readonly string[]): Promise<number> {
  // Also reads the exports that a bundle offers by getters.
  const script = `const t = performance.now();
    for (const file of ${JSON.stringify(files)}) Object.values(require(file));
    require('node:fs').writeSync(2, '');
    process.stdout.write(String(performance.now() - t), () => process.exit(0));`;
  const ms = Number(/[\d.]+$/.exec(await node(['-e', script]))?.[0]);
  if (Number.isNaN(ms)) throw new Error('No time was printed.');
  return ms;
}

/** Milliseconds from the start of a process to its end. */
async function running(args: readonly string[]): Promise<number> {
  const since = performance.now();
  await node(args);
  return performance.now() - since;
}

export async function measureStart(): Promise<readonly Measured[]> {
  return [await serverRow(), await lazyRow(), await helpRow()];
}

async function serverRow(): Promise<Measured> {
  const row = { goal: 'P12', name: 'server entry, to everything eager', bound: { atMost: 0.5 } };
  const files = ['server.js', 'shared.js', 'lsp.js', 'wire.js', 'later.js', 'net.js', 'grpc.js'].map(dist);
  const [entry = [], eager = []] = await interleaved(ROUNDS, [
    () => requiring(files.slice(0, 1)),
    () => requiring(files),
  ]);
  return { ...row, figure: ratioOf(entry, eager), note: `${ms(entry)} to ${ms(eager)}` };
}

/** Counts what a start of server and CLI loads of the transports: their bundle, and the modules only they need. */
async function lazyRow(): Promise<Measured> {
  const row = { goal: 'P12', name: 'transport modules loaded before first use', unit: 'modules', bound: { atMost: 0 } };
  const entries = ['server.js', 'cli.js'].map(dist);
  let loaded = 0;
  for (const entry of entries) {
    const script = `process.argv.push('--help'); process.exitCode = 0;
      process.on('exit', () => require('node:fs').writeSync(1, '\\nLOADED ' + JSON.stringify([
        ...Object.keys(require.cache),
        ...process.moduleLoadList.filter((each) => / (?:http|https|http2|_http_client|tls)$/.test(each)),
      ])));
      require(${JSON.stringify(entry)});
      setImmediate(() => process.exit(0));`;
    const list = JSON.parse(/LOADED (.*)$/m.exec(await node(['-e', script]))?.[1] ?? '[]') as string[];
    if (!list.includes(entry)) throw new Error(`${entry} was not loaded.`);
    const allowed = [entry, dist('shared.js'), dist('lsp.js')];
    loaded += list.filter((each) => !allowed.includes(each)).length;
  }
  return { ...row, figure: loaded, note: entries.map((file) => path.basename(file)).join(', ') };
}

async function helpRow(): Promise<Measured> {
  const row = { goal: 'P12', name: "CLI --help, to require('httpyac')", bound: { atMost: 0.5 } };
  const peers = await peerFolder();
  if (peers === undefined) return { ...row, absent: 'no peer', note: 'httpyac could not be installed' };
  const peer = path.join(peers, 'node_modules', 'httpyac');
  const [help = [], other = []] = await interleaved(ROUNDS, [
    () => running([dist('cli.js'), '--help']),
    () => running(['-e', `require(${JSON.stringify(peer)}); process.exit(0)`]),
  ]);
  return { ...row, figure: ratioOf(help, other), note: `${ms(help)} to ${ms(other)}, whole processes` };
}

/** The editor's own figures. Only on request by name, since the machine has to run an editor and a browser as well. */
export async function measureActivation(): Promise<readonly Measured[]> {
  const row = { goal: 'P12-host', name: 'activation in the extension host', unit: 'ms', bound: { atMost: 100 } };
  const script = path.join(root, 'bench', 'activation.ts');
  const times = JSON.parse(await node(['--import', 'tsx', script, String(ROUNDS)])) as number[];
  if (times.length !== ROUNDS || times.some(Number.isNaN))
    throw new Error(`No times were printed: ${times.join(', ')}`);
  return [{ ...row, figure: median(times), note: `${times.join(', ')} ms, as *Show Running Extensions* says` }];
}

const ms = (values: readonly number[]): string => `${median(values).toFixed(1)} ms`;
