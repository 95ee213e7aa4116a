// Which actions the title bar of each open response offers: kept in context keys that list the documents, by their URI.
import * as vscode from 'vscode';
import { TRANSACTION_METHODS } from '../../protocol/explain';
import type { SetContext } from '../shared/contexts';
import { SCHEME, type KeptOutcome, type Responses } from './responses';

/** Which documents a condition of the manifest asks for: the context key lists them. */
const LISTS: readonly (readonly [key: string, fits: (open: OpenResponse) => boolean])[] = [
  ['solanaRpc.repeated', ({ hasPrevious }) => hasPrevious],
  ['solanaRpc.tables', ({ response }) => response.items !== undefined],
  ['solanaRpc.decodable', ({ response }) => response.isDecodable === true],
  ['solanaRpc.large', ({ response }) => response.fullFile !== undefined],
  ['solanaRpc.transactions', ({ method }) => TRANSACTION_METHODS.has(method)],
];
export const RESPONSE_CONTEXTS: readonly string[] = LISTS.map(([key]) => key);

type OpenResponse = KeptOutcome & { readonly hasPrevious: boolean };

export function createResponseActions(responses: Responses, setContext: SetContext): vscode.Disposable {
  const known = new Map<string, OpenResponse>();
  const tell = (): void => {
    for (const [key, fits] of LISTS)
      setContext(
        key,
        [...known].filter(([, open]) => fits(open)).map(([uri]) => uri),
      );
  };
  const learn = async (uri: vscode.Uri): Promise<void> => {
    const outcome = await responses.outcome(uri);
    const hasPrevious = outcome !== undefined && (await responses.previous(outcome.response)) !== undefined;
    if (outcome === undefined) known.delete(uri.toString());
    else known.set(uri.toString(), { ...outcome, hasPrevious });
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
