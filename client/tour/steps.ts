// The steps of the tour, read from the manifest's walkthrough: its titles, its texts, the commands that its texts link to,
// and the context keys that say when a step is done. Pure.

/** A link that is alone in its line. */
export interface TourAction {
  readonly title: string;
  /** The id of a command. */
  readonly command: string;
}

/** A context key, and the value that it has once the step is done. */
export interface TourCondition {
  readonly key: string;
  readonly value: string | boolean;
}

export interface TourStep {
  readonly id: string;
  readonly title: string;
  /** The lines of the description that are no actions. */
  readonly text: readonly string[];
  readonly actions: readonly TourAction[];
  /** One of them is enough. */
  readonly conditions: readonly TourCondition[];
}

export interface TourSteps {
  readonly title: string;
  readonly steps: readonly TourStep[];
}

/** As the editor hands out the manifest, with its texts in the user's language. */
export interface WalkthroughManifest {
  readonly contributes: {
    readonly walkthroughs: readonly {
      readonly id: string;
      readonly title: string;
      readonly steps: readonly {
        readonly id: string;
        readonly title: string;
        readonly description: string;
        readonly completionEvents: readonly string[];
      }[];
    }[];
  };
}

/** `toSide:` is for the editor's own page of walkthroughs, which is in a column. */
const ACTION = /^\[([^\]]+)\]\(command:(?:toSide:)?([\w.]+)\)$/;
const CONDITION = /^onContext:([\w.]+)(?: == ([\w-]+))?$/;

/** The walkthrough with this id; undefined where the manifest has none. */
export function stepsOf(manifest: WalkthroughManifest, id: string): TourSteps | undefined {
  const walkthrough = manifest.contributes.walkthroughs.find((one) => one.id === id);
  if (walkthrough === undefined) return undefined;
  const steps = walkthrough.steps.map(({ id: stepId, title, description, completionEvents }): TourStep => {
    const lines = description.split('\n');
    return {
      id: stepId,
      title,
      text: lines.filter((line) => !ACTION.test(line)),
      actions: lines.flatMap((line) => {
        const [, actionTitle, command] = ACTION.exec(line) ?? [];
        return actionTitle === undefined || command === undefined ? [] : [{ title: actionTitle, command }];
      }),
      conditions: completionEvents.flatMap((event) => {
        const [, key, value] = CONDITION.exec(event) ?? [];
        return key === undefined ? [] : [{ key, value: value ?? true }];
      }),
    };
  });
  return { title: walkthrough.title, steps };
}

/** Whether one of a step's conditions holds. */
export const isDone = (step: TourStep, contextOf: (key: string) => unknown): boolean =>
  step.conditions.some(({ key, value }) => contextOf(key) === value);
