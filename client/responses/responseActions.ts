// Which actions the title bar of each open response offers: kept in context keys that list the documents, by their URI.
import * as vscode from 'vscode';
import { TRANSACTION_METHODS } from '../../protocol/explain';
import type { SetContext } from '../shared/contexts';
import { SCHEME, type KeptOutcome, type Responses } from './responses';

/** Which documents a condition of the manifest asks for: the context key lists them. */
const LISTS: readonly (readonly [key: string, fits: (facts: Facts) => boolean])[] = [
  ['solanaRpc.repeated', ({ hasPrevious }) => hasPrevious],
  ['solanaRpc.tables', ({ isTable }) => isTable],
  ['solanaRpc.decodable', ({ isDecodable }) => isDecodable],
  ['solanaRpc.large', ({ isLarge }) => isLarge],
  ['solanaRpc.transactions', ({ isTransaction }) => isTransaction],
];
export const RESPONSE_CONTEXTS: readonly string[] = LISTS.map(([key]) => key);

interface Facts {
  readonly hasPrevious: boolean;
  readonly isTable: boolean;
  readonly isDecodable: boolean;
  readonly isLarge: boolean;
  readonly isTransaction: boolean;
}

export function createResponseActions(responses: Responses, setContext: SetContext): vscode.Disposable {
  const known = new Map<string, Facts>();
  const tell = (): void => {
    for (const [key, fits] of LISTS)
      setContext(
        key,
        [...known].filter(([, facts]) => fits(facts)).map(([uri]) => uri),
      );
  };
  const learn = async (uri: vscode.Uri): Promise<void> => {
    const outcome = await responses.outcome(uri);
    if (outcome === undefined) known.delete(uri.toString());
    else known.set(uri.toString(), await factsOf(outcome, responses));
    tell();
  };
  const isOpen = (uri: vscode.Uri): boolean =>
    vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
  const opened = ({ uri }: vscode.TextDocument): void => {
    if (uri.scheme === SCHEME) void learn(uri);
  };
  vscode.workspace.textDocuments.forEach(opened);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (known.delete(uri.toString())) tell();
    }),
    responses.onDidChangeFile((changes) => {
      for (const { uri } of changes) if (isOpen(uri)) void learn(uri);
    }),
  );
}

async function factsOf({ response, method }: KeptOutcome, responses: Responses): Promise<Facts> {
  return {
    hasPrevious: (await responses.previous(response)) !== undefined,
    isTable: response.items !== undefined,
    isDecodable: response.isDecodable === true,
    isLarge: response.fullFile !== undefined,
    isTransaction: TRANSACTION_METHODS.has(method),
  };
}
