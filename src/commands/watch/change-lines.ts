/** Prints a line for each status change of a watch. */

import { asciiCells } from "../../text/ascii-cells.ts";
import { formatInstant } from "../../text/dates.ts";
import { safe } from "../../text/sanitize.ts";
import { padOrTruncate, widest } from "../../text/width.ts";
import { notFound } from "../../watch/timeline.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, chosenColumns, column, utcText } from "../rows/columns.ts";
import { rowWriter } from "../rows/row-writer.ts";

export interface Change<T> {
  readonly id: string;
  /** Time of the check in epoch milliseconds. */
  readonly at: number;
  readonly state: string;
  readonly previous: string | null;
  /** The value, or null if the service does not know the subject (404). */
  readonly value: T | null;
}

interface ChangeFields {
  readonly at: string;
  readonly previous_status: string | null;
}

export function changeColumns<R extends object>(
  columns: readonly Column<R>[],
): readonly Column<R & ChangeFields>[] {
  return [
    column("at", utcText, "The time at which supplyline read the status."),
    ...columns,
    column(
      "previous_status",
      "text or null",
      "The status at the check before; null for the first check.",
    ),
  ] as readonly Column<R & ChangeFields>[];
}

interface ChangeForm<T, R> {
  readonly ids: readonly string[];
  readonly columns: readonly Column<R & ChangeFields>[];
  row(id: string, value: T | null): R;
  note(value: T): string;
}

/**
 * Returns a function that prints a line for each change in the requested format. Prints JSON as one
 * object per line, because an array would stay open until the end of the watch.
 */
export function changePrinter<T, R extends object>(
  { out, globals }: Invocation,
  { ids, columns, row, note }: ChangeForm<T, R>,
): (change: Change<T>) => Promise<void> {
  const { columns: names } = globals;
  const format = globals.format === "json" ? "jsonl" : globals.format;
  const isChosen = names !== undefined;
  const writer = rowWriter(format, chosenColumns(columns, names), { isChosen });
  const width = widest(ids);
  const isAscii = globals.ascii;
  return async (change) => {
    const { id, at, previous, value } = change;
    if (format === "table" && !isChosen) {
      const line = lineOf(change, width, note);
      return out.line(isAscii ? asciiCells(line) : line);
    }
    const fields = {
      at: new Date(at).toISOString(),
      ...row(id, value),
      previous_status: previous === notFound ? null : previous,
    };
    return out.write(writer.rows([fields]));
  };
}

function lineOf<T>(
  { id, at, state, previous, value }: Change<T>,
  width: number,
  note: (value: T) => string,
): string {
  const time = `${formatInstant(at, { utc: true })}Z`;
  const status = state === notFound ? "NOT FOUND (404)" : safe(state);
  const was = previous === null || previous === state ? "" : `was ${safe(previous)}`;
  const noteText = value === null ? "" : safe(note(value));
  const tail = [noteText, was].filter((part) => part !== "").join("  ");
  return `${time}  ${padOrTruncate(id, width)}  ${status.padEnd(17)}  ${tail}`.trimEnd();
}
