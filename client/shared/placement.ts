// Where a response opens: the rules over the editor's groups, as data. Never over a stream or the request it answers, and
// never in a third column that nobody asked for. Pure.
import type { SettingValues } from '../../protocol/settings';

/** The editor in front in a group. `guide`: a built-in page such as the walkthrough; `none`: the group is empty. */
export type Front = 'request' | 'stream' | 'guide' | 'response' | 'other' | 'none';

/** Has to stay in front: it is being read, watched or followed. */
export const staysInFront = (front: Front): boolean => front === 'request' || front === 'stream' || front === 'guide';

export interface EditorGroup {
  /** As `ViewColumn`: from 1. */
  readonly column: number;
  readonly front: Front;
  /** One of its tabs is a response. */
  readonly hasResponse: boolean;
}

export type Placement =
  | { readonly kind: 'column'; readonly column: number }
  /** A new group at this side of a group. */
  | { readonly kind: 'split'; readonly of: number; readonly side: 'right' | 'below' };

/** `home`: the column of the request, or of what is active. */
export function placementOf(
  groups: readonly EditorGroup[],
  home: number,
  openIn: SettingValues['response.openIn'],
): Placement {
  if (openIn === 'active') return { kind: 'column', column: home };
  const others = groups.filter(({ column }) => column !== home).sort((a, b) => distance(a, home) - distance(b, home));
  const free = others.filter(({ front }) => !staysInFront(front));
  const reused = free.find(({ hasResponse }) => hasResponse) ?? free.find(({ front }) => front === 'none');
  if (reused !== undefined) return { kind: 'column', column: reused.column };
  if (openIn === 'below') return { kind: 'split', of: home, side: 'below' };
  const [nearest] = openIn === 'group' ? [] : free;
  if (nearest !== undefined) return { kind: 'column', column: nearest.column };
  // Every other column is taken: a part of the nearest one, rather than a third.
  const [taken] = others;
  if (taken === undefined) return { kind: 'split', of: home, side: 'right' };
  // A guide needs its height.
  return { kind: 'split', of: taken.front === 'guide' ? home : taken.column, side: 'below' };
}

/** Of a group from a column; to the right comes before to the left. */
export const distance = ({ column }: EditorGroup, home: number): number =>
  column > home ? column - home : home - column + 0.5;
