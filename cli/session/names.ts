// Reports names that no request has, with the request that may be meant: by its title or a similar name.
import type { RequestDocument } from '../../core/requests/document/model';
import { nearestNames } from '../../core/solana/common/nearest';
import { isRequest } from '../../core/requests/run/plan';
import type { RunOutcome } from '../../runner/run';
import { UsageError } from '../exit';
import { escapeLine } from '../terminal';

export type NamedOutcome = Exclude<RunOutcome, { readonly kind: 'unknownNames' }>;

/** The outcome of a run whose names are all there. Throws UsageError for any other. */
export function requireNames(outcome: RunOutcome, files: readonly RequestDocument[]): NamedOutcome {
  if (outcome.kind === 'unknownNames') throw new UsageError(unknownNames(outcome.names, files));
  return outcome;
}

/** One line. */
function unknownNames(names: readonly string[], files: readonly RequestDocument[]): string {
  const said = `No request is named ${names.map((name) => escapeLine(name)).join(', ')}.`;
  const hints = names.flatMap((name) => hintFor(name, files) ?? []);
  return [said, ...new Set(hints)].join(' ');
}

function hintFor(name: string, files: readonly RequestDocument[]): string | undefined {
  const requests = files.flatMap(({ blocks }) => blocks.map(({ block }) => block).filter(isRequest));
  const titled = requests.find(({ title }) => folded(title.text) === folded(name));
  const known = requests.flatMap(({ settings }) => settings.name?.text ?? []);
  if (titled !== undefined) {
    const own = titled.settings.name?.text;
    return own === undefined
      ? `${escapeLine(name)} is a title; a name is written beneath it: # @name ${nameLike(name)}`
      : `The request with this title is named ${escapeLine(own)}.`;
  }
  const near = nearestNames(name, known, 2);
  return near.length === 0 ? undefined : `Did you mean ${near.map((one) => escapeLine(one)).join(' or ')}?`;
}

const folded = (text: string): string => text.trim().toLowerCase();

/** A title in the form of a name. */
function nameLike(title: string): string {
  const name = title
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[^a-z_]+|-$/g, '');
  return name === '' ? 'NAME' : name;
}
