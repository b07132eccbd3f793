/** What a 400 leaves behind: usually nothing, but for transactions perhaps some of the items. */

import { jsonOf } from "../../json/parse.ts";
import { isRecord } from "../../json/value.ts";
import type { Item, ItemOutcome } from "../journal/entry.ts";
import type { PreparedWrite } from "../prepare.ts";
import { importError, textAt } from "./answer-json.ts";

export interface Refusal {
  /** Whether some item may have landed although the request was refused. */
  readonly partly: boolean;
  readonly items: readonly Item[];
}

/** INTERFACE 4.6 and 7.3: the identifier has an import process already. */
export const alreadyImported = "supply_point_import_process_already_imported";

/** Reads the body of a 400. */
export function readRefusal(write: PreparedWrite, body: string): Refusal {
  const count = write.facts.items.length;
  if (write.operation !== "transactions create" || count === 1) return wholly(write);
  const answer = jsonOf(body);
  if (!isRecord(answer)) return allUnknown(write);
  if (textAt(answer, "status") !== importError) {
    // The payload is validated as a whole before anything is added (INTERFACE 7.1); a 400 of
    // another kind, such as a gateway's, says nothing about how far the service came.
    return isValidation(answer) ? wholly(write) : allUnknown(write);
  }
  const failing = failingItem(write, answer.transaction_data);
  if (failing === null) return allUnknown(write);
  const items = write.facts.labels.map((label, position): Item => {
    const outcome =
      position < failing ? "unknown" : position > failing ? "not-reached" : "rejected";
    return { position, label, outcome, status: position === failing ? importError : null };
  });
  return { partly: failing > 0, items };
}

function wholly(write: PreparedWrite): Refusal {
  return { partly: false, items: allItems(write, "rejected") };
}

function allUnknown(write: PreparedWrite): Refusal {
  return { partly: true, items: allItems(write, "unknown") };
}

/** Every item with the same outcome. */
export function allItems(write: PreparedWrite, outcome: ItemOutcome): Item[] {
  return write.facts.labels.map((label, position) => ({ position, label, outcome, status: null }));
}

/** Validation errors in either documented shape: `errors`, or messages that mirror the payload. */
function isValidation(answer: Readonly<Record<string, unknown>>): boolean {
  if (Array.isArray(answer.errors) || answer.code === "account_failed_validation") return true;
  return ["transactions", "import_supplier", "external_account_number", "payload"].some(
    (field) => typeof answer[field] === "object" && answer[field] !== null,
  );
}

/** Which item the service names as the first that failed; null when that is not certain. */
function failingItem(write: PreparedWrite, named: unknown): number | null {
  const id = textAt(named, "transaction_id");
  if (id === null) return null;
  const matches = write.facts.items.flatMap((item, position) =>
    isRecord(item) && item.transaction_id === id ? [position] : [],
  );
  return matches.length === 1 ? (matches[0] ?? null) : null;
}
