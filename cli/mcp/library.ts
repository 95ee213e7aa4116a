// The Model Context Protocol's own library, behind the one function that serves tools on stdio.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { ToolAnswer } from './answer';

export interface Served {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Undefined for a tool that is not there. */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolAnswer> | undefined;
}

/** A message above this ends the session: no tool takes so much. Bytes. */
const MAX_MESSAGE = 8 * 1024 * 1024;

/** Serves on stdin and stdout until `signal` fires, the client closes its end, or a message is too large: false then. */
export async function serveStdio(served: Served, signal: AbortSignal): Promise<boolean> {
  const server = new Server(
    { name: 'solana-rpc', version: served.version },
    {
      capabilities: { tools: {} },
      instructions: served.instructions,
      // For answers of a person to questions, which this server never asks; the library's own compiles code.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'No question was asked.' }),
      },
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...served.tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const called = served.call(params.name, params.arguments ?? {}, extra.signal);
    if (called === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no tool of that name.');
    const { text, structured, isError } = await called;
    return {
      content: [{ type: 'text', text }],
      ...(structured !== undefined && { structuredContent: structured }),
      ...(isError && { isError }),
    };
  });
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE });
  const ended = new Promise<boolean>((resolve) => {
    // The library closes its transport by itself only after a message that is too large.
    server.onclose = () => resolve(false);
    for (const name of ['end', 'close', 'error'] as const) process.stdin.once(name, () => resolve(true));
    // Nobody reads any more.
    process.stdout.once('error', () => resolve(true));
    signal.addEventListener('abort', () => resolve(true), { once: true });
  });
  await server.connect(transport);
  if (signal.aborted) return true;
  const isProper = await ended;
  // Cancels the calls that are still open.
  await server.close();
  process.stdin.destroy();
  return isProper;
}
