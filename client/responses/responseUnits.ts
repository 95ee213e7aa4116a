// Explains the numbers of a response next to them and on hover: SOL, the age of a slot, a date, compute units. Reads the shown
// text only; sends nothing.
import * as vscode from 'vscode';
import { unitText, type UnitContext } from '../../core/solana/chain/units';
import { COPY_VALUE } from '../shared/copyValue';
import { setting } from '../shared/settings';
import { unitPlaces, type UnitPlace } from './unitPlaces';
import { SCHEME, type Responses } from './responses';

/** More hints in one answer say nothing to anybody. */
const MAX_HINTS = 2_000;
const SELECTOR = { scheme: SCHEME };

export function createResponseUnits(responses: Responses): vscode.Disposable {
  const found = new WeakMap<vscode.TextDocument, { readonly version: number; readonly places: readonly UnitPlace[] }>();
  const placesOf = async (document: vscode.TextDocument): Promise<readonly UnitPlace[]> => {
    const known = found.get(document);
    if (known?.version === document.version) return known.places;
    const outcome = await responses.outcome(document.uri);
    const places = unitPlaces(document.getText(), outcome?.unit);
    found.set(document, { version: document.version, places });
    return places;
  };
  const around = async (document: vscode.TextDocument): Promise<UnitContext> => {
    const { slot, slotMs } = (await responses.outcome(document.uri)) ?? {};
    return { now: Date.now(), ...(slot !== undefined && /^\d+$/.test(slot) && { slot: BigInt(slot), slotMs }) };
  };
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('solanaRpc.inlayHints')) changed.fire();
    }),
    vscode.languages.registerHoverProvider(SELECTOR, {
      async provideHover(document, position) {
        const offset = document.offsetAt(position);
        const place = (await placesOf(document)).find(({ start, end }) => start <= offset && offset <= end);
        const text = place && unitText(place.unit, place.value, await around(document));
        if (text === undefined || place === undefined) return undefined;
        const args = encodeURIComponent(JSON.stringify([text])).replace(/[()]/g, (sign) =>
          sign === '(' ? '%28' : '%29',
        );
        const shown = new vscode.MarkdownString().appendText(text);
        shown.appendMarkdown(` · [${vscode.l10n.t('Copy')}](command:${COPY_VALUE}?${args})`);
        shown.isTrusted = { enabledCommands: [COPY_VALUE] };
        return new vscode.Hover(
          shown,
          new vscode.Range(document.positionAt(place.start), document.positionAt(place.end)),
        );
      },
    }),
    vscode.languages.registerInlayHintsProvider(SELECTOR, {
      onDidChangeInlayHints: changed.event,
      async provideInlayHints(document, range) {
        const lamports = setting('inlayHints.lamports');
        const units = setting('inlayHints.units');
        const context = await around(document);
        const [first, last] = [document.offsetAt(range.start), document.offsetAt(range.end)];
        return (await placesOf(document))
          .filter(({ start, unit }) => start >= first && start <= last && (unit === 'lamports' ? lamports : units))
          .slice(0, MAX_HINTS)
          .flatMap(({ unit, value, end }) => {
            const text = unitText(unit, value, context);
            if (text === undefined) return [];
            const hint = new vscode.InlayHint(document.positionAt(end), text, vscode.InlayHintKind.Type);
            hint.paddingLeft = true;
            return [hint];
          });
      },
    }),
  );
}
