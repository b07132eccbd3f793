/**
 * Converts the settings of a run to stored texts and back, so that a resumed run uses the same
 * settings.
 */

import { type FormKind, isFormKind } from "../forms/forms.ts";
import type { InputFormat } from "../rows/layout.ts";
import type { InputTime } from "../text/loose-dates.ts";
import { plural } from "../text/numbers.ts";
import { kindName } from "../writes/kinds/kinds.ts";
import type { RunRecord } from "./run-record.ts";

/** The grouping of rows. With `account`, consecutive rows of one account form one request. */
export type Grouping = "none" | "account";

/** The settings of reading an input. The same bytes and settings always give the same requests. */
export interface ReadingOptions {
  readonly kind: FormKind;
  readonly format: InputFormat;
  readonly group: Grouping;
  /** The query parameters of every request (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, string>>;
  /** True if rows can omit fields that the interface does not document as required. */
  readonly allowMissing: boolean;
  /** The time at which the run was created, and its time zone. */
  readonly typedAt: InputTime;
}

const queryPrefix = "query.";

/** Returns options, settings and description of the contents as texts, to store with a run. */
export function readingText(
  { kind, format, group, query, allowMissing, typedAt }: ReadingOptions,
  { concurrency, settleMs }: SendSettings = {},
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
    ...(contents === null ? {} : { contents }),
  };
}

/** Returns the options from the texts of {@link readingText}. Throws a RangeError for others. */
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

export interface SendSettings {
  readonly concurrency?: number | undefined;
  /** Wait before a resend of a request that might still be running, in milliseconds. */
  readonly settleMs?: number | undefined;
}

export function contentsOf(run: Pick<RunRecord, "reading" | "rows" | "kind">): string {
  return run.reading.contents ?? `${plural(run.rows, "row")} of ${kindName(run.kind)}`;
}

/** Returns the settings from the texts of {@link readingText}. Invalid texts count as undefined. */
export function sendSettingsFrom(stored: Readonly<Record<string, string>>): SendSettings {
  return {
    concurrency: wholeNumber(stored.concurrency),
    settleMs: wholeNumber(stored.settleMs),
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
