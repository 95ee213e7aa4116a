// The official client of the Model Context Protocol, with the built terminal command at its other end.
import assert from 'node:assert/strict';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { DATA_NOTE } from '../../../core/requests/tools/outside';
import { PASSED_ON } from './cli';

const PROGRAM = path.join(__dirname, '..', '..', '..', 'dist', 'cli.js');

export interface McpOptions {
  /** The working directory, and the home, of the server. */
  readonly folder: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The command in place of the built one. */
  readonly command?: string;
}

export class McpClient {
  readonly #client = new Client({ name: 'test', version: '1.0.0' });
  readonly #transport: StdioClientTransport;
  #stderr = '';
  readonly closed: Promise<void>;

  private constructor({ folder, args = [], env = {}, command }: McpOptions) {
    this.#transport = new StdioClientTransport({
      command: command ?? process.execPath,
      args: [...(command === undefined ? [PROGRAM] : []), 'mcp', ...args],
      cwd: folder,
      env: { ...PASSED_ON, HOME: folder, XDG_CONFIG_HOME: path.join(folder, 'config'), ...env },
      stderr: 'pipe',
    });
    this.#transport.stderr?.on('data', (part: Buffer) => (this.#stderr += part.toString()));
    this.closed = new Promise((resolve) => (this.#client.onclose = resolve));
  }

  static async start(options: McpOptions): Promise<McpClient> {
    const client = new McpClient(options);
    await client.#client.connect(client.#transport);
    // From now on the client checks each answer by the schema that the tool names.
    await client.#client.listTools();
    return client;
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  get stderr(): string {
    return this.#stderr;
  }

  async names(): Promise<readonly string[]> {
    return (await this.#client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<CallToolResult> {
    const result = await this.#client.callTool({ name, arguments: args }, undefined, {
      timeout: 60_000,
      ...(signal !== undefined && { signal }),
    });
    return result as CallToolResult;
  }

  /** The structured content; throws with the reason of a tool that refused. */
  async structured<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const result = await this.call(name, args);
    if (result.isError === true) throw new Error(textOf(result));
    return result.structuredContent as T;
  }

  /** The reason of a refusal, which has its label; throws where nothing was refused. */
  async refusal(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const result = await this.call(name, args);
    if (result.isError !== true) throw new Error(`It was not refused: ${textOf(result)}`);
    const { note, error } = JSON.parse(textOf(result)) as { readonly note?: string; readonly error: string };
    assert.equal(note, DATA_NOTE);
    return error;
  }

  /** Closes its end, as a client does that ends. */
  close(): Promise<void> {
    return this.#client.close();
  }
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');
