// The endpoints that the window has, and which public cluster each of them serves.
import type { Host } from '../shared/host';
import { Clusters } from './clusters';
import { reportFaults } from './profileFaults';
import { Profiles } from './profiles';

export interface ProfilesArea {
  readonly profiles: Profiles;
  readonly clusters: Clusters;
}

export function createProfiles({ context, log, place, own, later }: Host): ProfilesArea {
  const folder = place === undefined ? undefined : { memory: context.globalState, place };
  const profiles = own(new Profiles(log, context.globalStorageUri, context.workspaceState, folder));
  own(reportFaults(profiles));
  later(() => void profiles.load());
  return { profiles, clusters: new Clusters(context.globalState) };
}
