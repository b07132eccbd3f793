import type { TypedAt } from "../../forms/loose-dates.ts";
import { type BulkKind, isBulkKind } from "../kinds.ts";
import type { InputFormat } from "./layout.ts";

/** Whether neighbouring rows of one account go out as one request. */
export type Grouping = "none" | "account";

/** How an input is read. The same bytes read the same way make the same requests. */
export interface ReadingOptions {
  readonly kind: BulkKind;
  readonly format: InputFormat;
  readonly group: Grouping;
  /** Of every request (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, string>>;
  /** Rows can lack fields that the interface does not call required. */
  readonly allowMissing: boolean;
  /** When and where the run was begun. */
  readonly typedAt: TypedAt;
}

const queryPrefix = "query.";

/** The options as texts, to be kept with a run. */
export function readingText(options: ReadingOptions): Readonly<Record<string, string>> {
  const { kind, format, group, query, allowMissing, typedAt } = options;
  const asked = Object.entries(query).map(([name, value]) => [`${queryPrefix}${name}`, value]);
  return {
    kind,
    format,
    group,
    now: String(typedAt.now),
    timeZone: typedAt.timeZone,
    ...(allowMissing ? { allowMissing: "true" } : {}),
    ...Object.fromEntries(asked),
  };
}

/** What {@link readingText} kept. Throws RangeError for texts that it did not make. */
export function readingFrom(kept: Readonly<Record<string, string>>): ReadingOptions {
  const { kind = "", format, group, now = "", timeZone } = kept;
  const isFormat = format === "csv" || format === "jsonl" || format === "detect";
  const isGroup = group === "none" || group === "account";
  if (!isBulkKind(kind) || !isFormat || !isGroup || !/^\d+$/.test(now) || timeZone === undefined) {
    throw new RangeError("The run does not say how its input is read.");
  }
  const asked = Object.entries(kept)
    .filter(([name]) => name.startsWith(queryPrefix))
    .map(([name, value]) => [name.slice(queryPrefix.length), value]);
  return {
    kind,
    format,
    group,
    query: Object.fromEntries(asked),
    allowMissing: kept.allowMissing === "true",
    typedAt: { now: Number(now), timeZone },
  };
}
