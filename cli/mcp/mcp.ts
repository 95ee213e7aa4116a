// `solana-rpc mcp`: tools for language models over the Model Context Protocol, on standard input and output. In a separate
// bundle (dist/mcp.js), which contains the protocol's library and is loaded only by this verb.
import { TOOLS, terminalInput, toolNamed } from '../../core/requests/tools/table';
import { DEFAULT_TIMEOUT_MS } from '../../runner/run';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import { EXIT, UsageError, type ExitCode } from '../exit';
import { interruptible } from '../interrupt';
import { durationOption, readArguments } from '../options';
import { resolveEndpoints, unknownName } from '../session/endpoints';
import { readGivenKeys } from '../session/keys';
import { escapeLine } from '../terminal';
import { productVersion } from '../version';
import { errorAnswer, toolAnswer, ToolError, type ToolAnswer } from './answer';
import { LOCAL, ToolHost } from './host';
import { callTool } from './tools';
import { serveStdio, type Served } from './library';

const INSTRUCTIONS =
  'Tools for Solana JSON-RPC, WebSocket and gRPC. Requests go to a local service on this machine unless an endpoint is named that the user allowed. Never pass a key, a password or the secret key of a wallet as an argument.';

/** Calls at a time; a client that asks for more waits for answers first. */
const MAX_CALLS = 16;

export async function mcpCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('mcp', args);
  if (process.stdin.isTTY)
    throw new UsageError('Editors and assistants start this and speak to it on standard input. See docs/mcp.md.');
  const folder = process.cwd();
  const keys = await readGivenKeys(process.env, undefined);
  const endpoints = await resolveEndpoints(given, process.env, folder, keys);
  const profiles = new Map<string, PlacedProfile>();
  for (const name of given.list('allow-endpoint')) {
    const placed = name === LOCAL ? undefined : endpoints.find(name);
    if (placed !== undefined) profiles.set(name, placed);
    else if (name !== LOCAL) {
      const known = endpoints.known.map(({ profile }) => profile.name);
      throw unknownName('endpoint', name, known);
    }
  }
  return interruptible(async (interrupted) => {
    const ended = new AbortController();
    const signal = AbortSignal.any([interrupted, ended.signal]);
    const host = new ToolHost({
      allowed: { profiles, send: given.flag('allow-send') },
      keys,
      endpoints,
      timeoutMs: durationOption(given, 'timeout', DEFAULT_TIMEOUT_MS),
      folder,
      signal,
    });
    try {
      const isProper = await serveStdio(servedBy(host), signal);
      if (!isProper) process.stderr.write('A message was too large, so the session ended.\n');
      return isProper ? EXIT.ok : EXIT.usage;
    } finally {
      ended.abort();
      await host.close();
    }
  });
}

function servedBy(host: ToolHost): Served {
  let running = 0;
  const redact = (text: string): string => host.redact(text);
  const answer = async (...[name, args, signal]: Parameters<Served['call']>): Promise<ToolAnswer> => {
    if (running >= MAX_CALLS) return errorAnswer(`${MAX_CALLS} calls are running: wait for one to end.`, redact);
    running++;
    try {
      return toolAnswer(await callTool(name, { host, args, signal }), redact);
    } catch (error) {
      if (error instanceof ToolError || error instanceof UsageError) return errorAnswer(error.message, redact);
      process.stderr.write(`${redact(escapeLine(error instanceof Error ? error.message : String(error)))}\n`);
      return errorAnswer('Something went wrong inside solana-rpc.', redact);
    } finally {
      running--;
    }
  };
  return {
    version: productVersion(),
    instructions: INSTRUCTIONS,
    tools: TOOLS.map((tool) => {
      const { name, title, description, output, sends } = tool;
      return {
        name,
        title,
        description,
        inputSchema: schemaCopy(terminalInput(tool)),
        outputSchema: schemaCopy(output),
        annotations: { readOnlyHint: !sends, openWorldHint: sends, destructiveHint: false },
      };
    }),
    call: (name, args, signal) => (toolNamed(name) === undefined ? undefined : answer(name, args, signal)),
  };
}

/** The library's types ask for arrays that may be written to. */
const schemaCopy = (schema: object): Served['tools'][number]['inputSchema'] =>
  JSON.parse(JSON.stringify(schema)) as Served['tools'][number]['inputSchema'];
