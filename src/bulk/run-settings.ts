/**
 * The settings with which a run reads its input and sends it. They are stored with the run, so that
 * a resumed run does the same.
 */

import { type FormKind, isFormKind } from "../forms/forms.ts";
import type { InputTime } from "../text/loose-dates.ts";
import { plural } from "../text/numbers.ts";
import type { GuardOverride } from "../writes/guard.ts";
import type { InputFormat } from "./input/layout.ts";
import type { RunRecord } from "./run-record.ts";

/** `account` if consecutive rows of one account are sent as one request. */
export type Grouping = "none" | "account";

/**
 * The settings of reading an input. The same bytes with the same settings make the same requests.
 */
export interface ReadingOptions {
  readonly kind: FormKind;
  readonly format: InputFormat;
  readonly group: Grouping;
  /** The query parameters of every request (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, string>>;
  /** Rows can lack fields that the interface does not call required. */
  readonly allowMissing: boolean;
  /** The time and the time zone in which the run was created. */
  readonly typedAt: InputTime;
}

const queryPrefix = "query.";

/** Returns the options and settings as texts, with what the run sends, to be stored with it. */
export function readingText(
  { kind, format, group, query, allowMissing, typedAt }: ReadingOptions,
  { concurrency, settleMs, again }: SendSettings = {},
  contents: string | null = null,
): Readonly<Record<string, string>> {
  const params = Object.entries(query).map(([name, value]) => [`${queryPrefix}${name}`, value]);
  return {
    kind,
    format,
    group,
    now: String(typedAt.now),
    timeZone: typedAt.timeZone,
    ...(allowMissing ? { allowMissing: "true" } : {}),
    ...Object.fromEntries(params),
    ...(concurrency === undefined ? {} : { concurrency: String(concurrency) }),
    ...(settleMs === undefined ? {} : { settleMs: String(settleMs) }),
    ...(again === undefined ? {} : { again: again.reason }),
    ...(contents === null ? {} : { contents }),
  };
}

/** The options from the texts of {@link readingText}. Throws RangeError for other texts. */
export function readingFrom(stored: Readonly<Record<string, string>>): ReadingOptions {
  const { kind = "", format, group, now = "", timeZone } = stored;
  const isFormat = format === "csv" || format === "jsonl" || format === "detect";
  const isGroup = group === "none" || group === "account";
  if (!isFormKind(kind) || !isFormat || !isGroup || !/^\d+$/.test(now) || timeZone === undefined) {
    throw new RangeError("The run has no settings for reading its input.");
  }
  const params = Object.entries(stored)
    .filter(([name]) => name.startsWith(queryPrefix))
    .map(([name, value]) => [name.slice(queryPrefix.length), value]);
  return {
    kind,
    format,
    group,
    query: Object.fromEntries(params),
    allowMissing: stored.allowMissing === "true",
    typedAt: { now: Number(now), timeZone },
  };
}

/** The settings of sending a run. */
export interface SendSettings {
  /** Maximum number of requests in flight. */
  readonly concurrency?: number | undefined;
  /** Milliseconds to wait before a resend of what may still be running. */
  readonly settleMs?: number | undefined;
  /** The operator's override of the duplicate guard, for every row of the run. */
  readonly again?: GuardOverride | undefined;
}

/**
 * Describes a run's items and their money. Returns the number of rows if the run has no stored
 * description.
 */
export function contentsOf(run: Pick<RunRecord, "reading" | "rows" | "kind">): string {
  return run.reading.contents ?? `${plural(run.rows, "row")} of ${run.kind}`;
}

/** The settings from the texts of {@link readingText}; other texts count as not given. */
export function sendSettingsFrom(stored: Readonly<Record<string, string>>): SendSettings {
  const { again } = stored;
  return {
    concurrency: wholeIn(stored.concurrency),
    settleMs: wholeIn(stored.settleMs),
    again: again === undefined ? undefined : { reason: again },
  };
}

function wholeIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
