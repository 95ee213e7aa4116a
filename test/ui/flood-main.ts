// `npm run flood`: the panel of a stream in the real editor at 100,000 updates a second for 60 s, or at the pace and for the
// time that are asked for (`npm run flood -- 50000 10`). Fails if an update is not counted, if the panel is notified too
// often, if the language server grows beyond its bound, and if the machine could not keep the pace.
import { longRun } from '../support/process/longRun';
import { openEditor } from '../support/editor/editor';
import { floodFiles, miscounts, missedBy, watchFlood } from '../support/editor/floodedPanel';
import { startFlood } from '../support/wire/flood';

/** The pace is kept to this part, or something else was measured. */
const KEPT = 0.98;

longRun('Updates a second, and seconds: whole numbers.', [100_000, 60], async ([pace = 0, seconds = 0]) => {
  const flood = await startFlood(pace);
  try {
    const editor = await openEditor({ files: floodFiles(flood.origin), size: { width: 1500, height: 850 } });
    try {
      const seen = await watchFlood(editor, flood, { enough: pace * seconds, isWeighed: true });
      const { sent, perSecond, counted, dropped, ticksPerSecond, completions, growth } = seen;
      return {
        runs: sent,
        figures: [
          `${sent} updates sent, ${Math.round(perSecond)} a second; ${counted} counted, ${dropped} of them dropped`,
          `${ticksPerSecond.toFixed(1)} ticks a second, ${completions} lists of completions meanwhile`,
          `The language server grew by ${Math.round(growth / 1_048_576)} MB`,
        ],
        failures: miscounts(seen),
        missed: [
          ...missedBy(seen),
          ...(perSecond >= pace * KEPT ? [] : [`The pace was not kept: ${Math.round(perSecond)} a second`]),
        ],
      };
    } finally {
      await editor.close();
    }
  } finally {
    await flood.close();
  }
});
