// Messages between the extension and the page of the usage report, in the envelopes of webview.ts. Counts and words;
// key ids, never a key.
import { oneOf, optional, record, text, type ReadBy } from './shapes';

/** Requests of one method, or of one key. */
export interface ReportRow {
  /** The method, or how a key is called. */
  readonly name: string;
  /** The id of a key. */
  readonly keyId?: string;
  readonly count: number;
  readonly errors: number;
  /** Why a key has no numbers. */
  readonly problem?: string;
}

/** The requests of one part of the range. */
export interface ReportPart {
  /** Unix seconds, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly errors: number;
  readonly methods: readonly ReportRow[];
}

/** The time axis of the report. */
export type ReportTimeline =
  /** `asks`: requests that it takes. */
  | { readonly kind: 'idle' | 'loading'; readonly asks: number }
  | {
      readonly kind: 'loaded';
      readonly parts: readonly ReportPart[];
      /** Of one key; absent: of the account. */
      readonly keyId?: string;
      /** Why the following parts are missing. */
      readonly problem?: string;
    };

/** A step that the extension takes for the user. */
const step = oneOf('refresh', 'range', 'export', 'addKey', 'next', 'timeline');
export type ReportStep = ReadBy<typeof step>;

export interface UsageReport {
  readonly endpoint: string;
  /** The range in words, and its ends. */
  readonly range: string;
  readonly isLoading: boolean;
  /** When the numbers were loaded, in words; absent before the first load. */
  readonly age?: string;
  readonly isStale: boolean;
  /** The problem, and the button that remedies it. */
  readonly notice?: { readonly text: string; readonly step?: string };
  readonly total: number;
  readonly errors: number;
  readonly methods: readonly ReportRow[];
  readonly keys: readonly ReportRow[];
  /** Absent before anything is loaded. */
  readonly timeline?: ReportTimeline;
  /** False if the service does not list keys: their ids are typed in. */
  readonly isListed: boolean;
}

/**
 * The page sends no requests: it gets updates, and sends what the user wants. `keyId`: for `timeline`, of this key; absent:
 * of the account.
 */
export const usagePanelCommand = record({ step, keyId: optional(text(200)) });
export type UsageCommand = ReadBy<typeof usagePanelCommand>;
