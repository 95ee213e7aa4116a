// The targets of `npm run kills` by name, with the work in progress when each is killed.
import { kills } from '../kills-run';
import type { Outcome } from '../../../support/process/longRun';
import { killAgain, type KillsReport, type Target } from './engine';
import { openServer, openWorker } from './server';
import { openMcp, openRun, openWatch } from './terminal';

interface Wanted {
  readonly kills: number;
  readonly seed: number;
  /** Gets a line about how far it is. */
  readonly onFigures?: (figures: string, kills: number) => void;
}

/** Of the scene's targets: everything but the service, whose ledger is asked instead of its files. */
export const SCENES: Readonly<Record<string, Target>> = {
  run: { what: 'answers, a report and snapshots are written', latestMs: 2_000, workMs: 300, open: openRun },
  watch: { what: 'a stream of a private local service is shown', latestMs: 2_500, workMs: 1000, open: openWatch },
  mcp: { what: 'a stream of a private local service is read', latestMs: 2_000, workMs: 1000, open: openMcp },
  server: { what: 'responses are kept and streams are exported', latestMs: 1_000, workMs: 600, open: openServer },
  worker: { what: 'streams are followed and exported', latestMs: 300, workMs: 300, open: openWorker },
  host: {
    what: 'a window sends requests and follows a stream',
    latestMs: 3_000,
    workMs: 3_000,
    // The editor's driver takes long to load.
    open: async (folder, ends) => (await import('./host')).openHost(folder, ends),
  },
};

const scene =
  (target: Target) =>
  async ({ onFigures, ...wanted }: Wanted): Promise<Outcome> => {
    const figures = ({ kills, polite, late, failures }: KillsReport): string =>
      `${kills} ends while ${target.what}: ${polite} polite, ${late} too late, ${failures.length} failures` +
      (failures.length === 0 ? '' : `, the last: ${failures.at(-1)}`);
    const report = await killAgain(target, wanted, (sofar) => onFigures?.(figures(sofar), sofar.kills));
    return { runs: report.kills, figures: [figures(report)], failures: report.failures };
  };

/** A service whose state file must load, with all that it reported as finalized. */
const ledger =
  (kind: { readonly isTerminal?: boolean; readonly isFork?: boolean }) =>
  async ({ onFigures, ...wanted }: Wanted): Promise<Outcome> => {
    const figures = (report: Awaited<ReturnType<typeof kills>>): string =>
      `${report.kills} kills: ${report.loaded} restarts loaded, ${report.duringSnapshot} kills came while a snapshot was ` +
      `written, ${report.acknowledged} transactions, accounts, keys and fetches were reported as kept, ` +
      `${report.forgotten} transactions are older than the ledger reaches back, ${report.lost.length} lost`;
    const report = await kills({ ...wanted, ...kind }, (sofar) => onFigures?.(figures(sofar), sofar.kills));
    const notLoaded = wanted.kills - report.loaded;
    return {
      runs: report.kills,
      figures: [figures(report)],
      failures: [
        ...report.lost.map((what) => `lost: ${what}`),
        ...(notLoaded > 0 ? [`${notLoaded} restarts did not load`] : []),
      ],
    };
  };

export const TARGETS: Readonly<Record<string, (wanted: Wanted) => Promise<Outcome>>> = {
  service: ledger({}),
  localnet: ledger({ isTerminal: true }),
  fork: ledger({ isFork: true }),
  ...Object.fromEntries(Object.entries(SCENES).map(([name, target]) => [name, scene(target)])),
};
