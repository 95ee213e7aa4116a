// The editor's requests that change or explain a text: formatting, names, signatures, tokens, hints, links. Each is one
// question to the language core.
import type { Connection, RenameParams, ServerCapabilities } from 'vscode-languageserver/node';
import { TYPED } from '../../core/requests/language/features/format';
import type { InlayChoice } from '../../core/requests/language/features/inlay';
import type { Renaming } from '../../core/requests/language/features/names';
import type { LanguageService } from '../../core/requests/language/service';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '../../core/requests/language/features/tokens';
import type { InFile } from '../lsp/serve';
import { badParameters } from '../lsp/serve';

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
  inFile: InFile,
  hints: () => InlayChoice,
): void {
  const { languages } = connection;
  connection.onDocumentFormatting(
    inFile(['options'], [], (document, { options }) => service.format(document, options)),
  );
  connection.onDocumentRangeFormatting(
    inFile(['options', 'range'], [], (document, { options, range }) => service.format(document, options, range)),
  );
  connection.onDocumentOnTypeFormatting(
    inFile(['position', 'ch', 'options'], [], (document, { position, ch, options }) =>
      service.formatTyped(document, position, ch, options),
    ),
  );
  connection.onDefinition(inFile(['position'], [], (document, { position }) => service.definition(document, position)));
  connection.onReferences(
    inFile(
      ['position', 'context'],
      [],
      (document, { position, context }) => service.references(document, position, context.includeDeclaration),
      'open',
    ),
  );
  connection.onDocumentHighlight(
    inFile(['position'], [], (document, { position }) => service.highlights(document, position)),
  );
  languages.onLinkedEditingRange(
    inFile(['position'], null, (document, { position }) => service.linkedRanges(document, position) ?? null),
  );
  connection.onPrepareRename(
    inFile(['position'], null, (document, { position }) => service.renameRange(document, position) ?? null),
  );
  const rename = inFile(
    ['position', 'newName'],
    NO_NAME,
    (document, { position, newName }: RenameParams) => service.rename(document, position, newName),
    'open',
  );
  connection.onRenameRequest(async (params) => {
    const renaming = await rename(params);
    if (renaming.ok) return { changes: renaming.changes };
    throw badParameters(renaming.reason);
  });
  connection.onSignatureHelp(
    inFile(['position'], null, (document, { position }) => service.signatureHelp(document, position) ?? null),
  );
  languages.semanticTokens.on(inFile([], { data: [] }, (document) => ({ data: service.semanticTokens(document) })));
  languages.semanticTokens.onRange(
    inFile(['range'], { data: [] }, (document, { range }) => ({ data: service.semanticTokens(document, range) })),
  );
  connection.onSelectionRanges(
    inFile(['positions'], [], (document, { positions }) => service.selectionRanges(document, positions)),
  );
  languages.inlayHint.on(inFile(['range'], [], (document, { range }) => service.inlayHints(document, range, hints())));
  connection.onDocumentLinks(inFile([], [], (document) => service.links(document)));
}
