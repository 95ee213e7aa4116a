// Which actions the title bar of each open response offers: kept in context keys that list the documents, by their URI.
import * as vscode from 'vscode';
import { TRANSACTION_METHODS } from '../../protocol/explain';
import { SCHEME, type KeptOutcome, type Responses } from './responses';

/** What a document can be, and what the manifest's conditions ask for. */
interface Facts {
  readonly hasPrevious: boolean;
  readonly isTable: boolean;
  readonly isDecodable: boolean;
  readonly isLarge: boolean;
  readonly isTransaction: boolean;
}

export function createResponseActions(responses: Responses): vscode.Disposable {
  const known = new Map<string, Facts>();
  const tell = (): void => {
    const those = (fits: (facts: Facts) => boolean): string[] =>
      [...known].filter(([, facts]) => fits(facts)).map(([uri]) => uri);
    const set = vscode.commands.executeCommand;
    void set(
      'setContext',
      'solanaRpc.repeated',
      those(({ hasPrevious }) => hasPrevious),
    );
    void set(
      'setContext',
      'solanaRpc.tables',
      those(({ isTable }) => isTable),
    );
    void set(
      'setContext',
      'solanaRpc.decodable',
      those(({ isDecodable }) => isDecodable),
    );
    void set(
      'setContext',
      'solanaRpc.large',
      those(({ isLarge }) => isLarge),
    );
    void set(
      'setContext',
      'solanaRpc.transactions',
      those(({ isTransaction }) => isTransaction),
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
