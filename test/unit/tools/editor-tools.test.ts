// The editor's tools for language models: what reaches the model from outside comes behind the label that it is data.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type * as vscode from 'vscode';
import type { registerTools as Register, ToolDeps } from '../../../client/window/tools';
import { DATA_NOTE } from '../../../core/requests/tools/outside';
import { EVERY_SINK } from '../../support/data/hostileTexts';
import { loadOver } from '../../support/editor/fakeVscode';

type Tool = vscode.LanguageModelTool<Record<string, unknown>>;

const tools = new Map<string, Tool>();

class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

class LanguageModelToolResult {
  constructor(readonly content: readonly LanguageModelTextPart[]) {}
}

const editor = {
  Disposable: { from: () => ({}) },
  LanguageModelTextPart,
  LanguageModelToolResult,
  Uri: { from: (parts: object) => parts },
  l10n: { t: (text: string) => text },
  lm: { registerTool: (name: string, tool: Tool) => tools.set(name, tool) },
  workspace: { isTrusted: true },
};
const { registerTools } = loadOver<{ readonly registerTools: typeof Register }>(
  editor,
  '../../../client/window/tools',
  __filename,
);

/** The answer of the editor's one endpoint. */
let said: object = {};

beforeEach(() => {
  const profile = { name: EVERY_SINK, rpcUrl: 'http://127.0.0.1:1' };
  const placed = { profile, source: 'local' };
  const deps = {
    profiles: { find: (name: string) => (name === EVERY_SINK ? placed : undefined), list: () => [placed] },
    runs: { execute: () => Promise.resolve(said) },
  };
  registerTools(deps as unknown as ToolDeps);
});
afterEach(() => tools.clear());

const run = async (input: Record<string, unknown>): Promise<readonly string[]> => {
  const token = {} as vscode.CancellationToken;
  const options = { input } as vscode.LanguageModelToolInvocationOptions<Record<string, unknown>>;
  const result = await tools.get('solanaRpc_run')?.invoke(options, token);
  return (result?.content ?? []).map((part) => (part as LanguageModelTextPart).value);
};

test('a refusal and an error of a service are labelled', async () => {
  const error = { kind: 'rpc', message: EVERY_SINK };
  for (said of [
    { kind: 'refused', error },
    { kind: 'ran', outcomes: [{ error }] },
  ]) {
    const [label, text = ''] = await run({ method: 'getSlot' });
    assert.equal(label, DATA_NOTE);
    assert.ok(text.includes(EVERY_SINK));
  }
});

test('an endpoint that does not exist is refused with the names of those that do, behind the label', async () => {
  await assert.rejects(run({ method: 'getSlot', endpoint: 'other' }), ({ message }: Error) => {
    assert.ok(message.startsWith(DATA_NOTE));
    assert.ok(message.includes(EVERY_SINK));
    return true;
  });
});
