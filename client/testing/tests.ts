// The Test Explorer's part of the window: every block with assertions is a test.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { blocks, type BlocksResult } from '../../protocol/lsp';
import type { Responses } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { TestRuns } from './testRuns';
import { TestTree } from './testTree';

/** `server`: the running server, started where it is not. */
export function createTests(
  server: () => Promise<LanguageClient>,
  runs: Runs,
  responses: Responses,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const controller = vscode.tests.createTestController('solanaRpc', 'Solana RPC');
  const blocksOf = async (uri: string, text: string): Promise<BlocksResult> =>
    (await server()).sendRequest(blocks, { uri, text });
  const tree = new TestTree(controller, blocksOf, log);
  return vscode.Disposable.from(controller, tree, new TestRuns(controller, tree, { runs, responses, server, log }));
}
