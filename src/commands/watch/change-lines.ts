import { toJson } from "../../json/print.ts";
import { csvRow } from "../../text/csv.ts";
import { formatInstant } from "../../text/dates.ts";
import { safe } from "../../text/sanitise.ts";
import { padOrTruncate, widest } from "../../text/width.ts";
import { notFound } from "../../watch/transitions.ts";
import type { Invocation } from "../invocation.ts";
import type { Change } from "./follow.ts";

/** How a noun shows a change. */
interface ChangeForm<T> {
  readonly ids: readonly string[];
  /** What scripts get: names and values, without the time and the status before. */
  json(id: string, value: T | null): Record<string, unknown>;
  /** What people see behind the status. */
  note(value: T): string;
}

/** A function that prints a line for each change, in the format asked for. */
export function changePrinter<T>(
  { out, globals }: Invocation,
  { ids, json, note }: ChangeForm<T>,
): (change: Change<T>) => Promise<void> {
  const width = widest(ids);
  let lines = 0;
  return async ({ id, at, state, previous, value }) => {
    const entry = {
      at: new Date(at).toISOString(),
      ...json(id, value),
      previous_status: previous === notFound ? null : previous,
    };
    switch (globals.format) {
      case "json":
      case "jsonl":
        return out.line(toJson(entry));
      case "csv": {
        const head = lines++ === 0 ? `${csvRow(Object.keys(entry))}\n` : "";
        return out.write(`${head}${csvRow(Object.values(entry).map(cell))}\n`);
      }
      case "table": {
        const time = `${formatInstant(at, { utc: true })}Z`;
        const shown = state === notFound ? "NOT FOUND (404)" : safe(state);
        const from = previous === null || previous === state ? "" : `  was ${safe(previous)}`;
        const behind = value === null ? "" : safe(note(value));
        const tail = [behind, from.trim()].filter((part) => part !== "").join("  ");
        return out.line(
          `${time}  ${padOrTruncate(id, width)}  ${shown.padEnd(17)}  ${tail}`.trimEnd(),
        );
      }
    }
  };
}

function cell(value: unknown): string | number | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  return toJson(value);
}
