// The editor's requests that change or explain a text: formatting, names, signatures, tokens, hints, links. Each is one
// question to the language core.
import {
  DefinitionRequest,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  ErrorCodes,
  InlayHintRequest,
  LinkedEditingRangeRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  ResponseError,
  SelectionRangeRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
  type Connection,
  type ServerCapabilities,
} from './lsp';
import { TYPED } from '../core/language/format';
import type { InlayChoice } from '../core/language/inlay';
import type { Renaming } from '../core/language/names';
import type { LanguageService } from '../core/language/service';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '../core/language/tokens';
import type { Ask } from './language';

const [firstTyped, ...moreTyped] = TYPED;

export const capabilitiesOfEditing: ServerCapabilities = {
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  documentOnTypeFormattingProvider: { firstTriggerCharacter: firstTyped, moreTriggerCharacter: moreTyped },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  linkedEditingRangeProvider: true,
  signatureHelpProvider: { triggerCharacters: ['[', ','] },
  semanticTokensProvider: {
    legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] },
    full: true,
    range: true,
  },
  selectionRangeProvider: true,
  inlayHintProvider: true,
  documentLinkProvider: {},
};

const NO_NAME: Renaming = { ok: false, reason: 'The file is not open.' };

export function serveEditing(
  connection: Connection,
  service: LanguageService,
  ask: Ask,
  hints: () => InlayChoice,
): void {
  connection.onRequest(DocumentFormattingRequest.type, ({ textDocument, options }) =>
    ask(textDocument, [], (document) => service.format(document, options)),
  );
  connection.onRequest(DocumentRangeFormattingRequest.type, ({ textDocument, options, range }) =>
    ask(textDocument, [], (document) => service.format(document, options, range)),
  );
  connection.onRequest(DocumentOnTypeFormattingRequest.type, ({ textDocument, position, ch, options }) =>
    ask(textDocument, [], (document) => service.formatTyped(document, position, ch, options)),
  );
  connection.onRequest(DefinitionRequest.type, ({ textDocument, position }) =>
    ask(textDocument, [], (document) => service.definition(document, position)),
  );
  connection.onRequest(ReferencesRequest.type, ({ textDocument, position, context }) =>
    ask(textDocument, [], (document) => service.references(document, position, context.includeDeclaration), 'open'),
  );
  connection.onRequest(DocumentHighlightRequest.type, ({ textDocument, position }) =>
    ask(textDocument, [], (document) => service.highlights(document, position)),
  );
  connection.onRequest(LinkedEditingRangeRequest.type, ({ textDocument, position }) =>
    ask(textDocument, null, (document) => service.linkedRanges(document, position) ?? null),
  );
  connection.onRequest(PrepareRenameRequest.type, ({ textDocument, position }) =>
    ask(textDocument, null, (document) => service.renameRange(document, position) ?? null),
  );
  connection.onRequest(RenameRequest.type, async ({ textDocument, position, newName }) => {
    const renaming = await ask(
      textDocument,
      NO_NAME,
      (document) => service.rename(document, position, newName),
      'open',
    );
    if (renaming.ok) return { changes: renaming.changes };
    throw new ResponseError(ErrorCodes.InvalidParams, renaming.reason);
  });
  connection.onRequest(SignatureHelpRequest.type, ({ textDocument, position }) =>
    ask(textDocument, null, (document) => service.signatureHelp(document, position) ?? null),
  );
  connection.onRequest(SemanticTokensRequest.type, ({ textDocument }) =>
    ask(textDocument, { data: [] }, (document) => ({ data: service.semanticTokens(document) })),
  );
  connection.onRequest(SemanticTokensRangeRequest.type, ({ textDocument, range }) =>
    ask(textDocument, { data: [] }, (document) => ({ data: service.semanticTokens(document, range) })),
  );
  connection.onRequest(SelectionRangeRequest.type, ({ textDocument, positions }) =>
    ask(textDocument, [], (document) => service.selectionRanges(document, positions)),
  );
  connection.onRequest(InlayHintRequest.type, ({ textDocument, range }) =>
    ask(textDocument, [], (document) => service.inlayHints(document, range, hints())),
  );
  connection.onRequest(DocumentLinkRequest.type, ({ textDocument }) =>
    ask(textDocument, [], (document) => service.links(document)),
  );
}
