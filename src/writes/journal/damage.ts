/** Columns that this program cannot have written: a failing disk, or a change by hand. */

import { createHash } from "node:crypto";
import { parseExact } from "../../json/parse.ts";
import { isRecord } from "../../json/value.ts";
import { lastInstant, maybeText, maybeWhole, type Row, text } from "../../sqlite/rows.ts";
import { isOperation } from "../kinds/kinds.ts";

/** The columns without which an entry of `intent` cannot be sent, verified or compared. */
export function unusableColumns(row: Row): readonly string[] {
  const lookedUp = maybeText(row, "looked_up");
  return [
    ...(isOperation(text(row, "operation")) ? [] : ["operation"]),
    ...(queryOf(row) === null ? ["query"] : []),
    ...(lookedUp === null || isRecord(jsonIn(lookedUp)) ? [] : ["looked_up"]),
  ];
}

/** Every damaged column of an entry of `intent`, those found by its hash as well. */
export function damagedColumns(row: Row): readonly string[] {
  const times = ["created_at", "ended_at"].filter((name) => !isInstant(maybeWhole(row, name)));
  return [...unusableColumns(row), ...times, ...(isBodyWhole(row) ? [] : ["body"])];
}

/** The query parameters; null where the column does not hold them. */
export function queryOf(row: Row): Readonly<Record<string, string>> | null {
  const query = jsonIn(text(row, "query"));
  if (!isRecord(query)) return null;
  const pairs = Object.entries(query).filter(
    (pair): pair is [string, string] => typeof pair[1] === "string",
  );
  return pairs.length === Object.keys(query).length ? Object.fromEntries(pairs) : null;
}

export function isInstant(at: number | null): boolean {
  return at === null || Math.abs(at) <= lastInstant;
}

/** A purged body counts as whole. */
function isBodyWhole(row: Row): boolean {
  const { body } = row;
  if (!(body instanceof Uint8Array)) return true;
  const sha256 = createHash("sha256").update(body).digest("hex");
  return sha256 === text(row, "sha256") && jsonIn(new TextDecoder().decode(body)) !== undefined;
}

function jsonIn(words: string): unknown {
  try {
    return parseExact(words);
  } catch {
    return undefined;
  }
}
