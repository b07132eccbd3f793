/**
 * Whether a success really confirms what was sent. Each operation's answer must speak of every item;
 * anything less may be an answer cut short, or somebody else's, and counts as no answer.
 */
import { isRecord } from "../exact-json.ts";
import type { Item, ItemOutcome } from "../journal/entry.ts";
import type { PreparedWrite } from "../prepare.ts";
import { jsonOf, textAt } from "./answer-json.ts";

export type Confirmation =
  | { readonly kind: "confirmed"; readonly items: readonly Item[] }
  | { readonly kind: "unreadable" };

const unreadable: Confirmation = { kind: "unreadable" };

const noteStatuses: Readonly<Record<string, ItemOutcome>> = {
  NOTE_CREATION_SUCCESS: "created",
  NOTE_ALREADY_EXISTS: "exists",
};

const transactionStatuses: Readonly<Record<string, ItemOutcome>> = {
  TRANSACTION_ADDED_TO_ACCOUNT: "created",
  TRANSACTION_ALREADY_EXISTS: "exists",
};

/** Reads the body of a 2xx (INTERFACE 4.1–4.4, 4.6). */
export function readConfirmation(
  write: PreparedWrite,
  httpStatus: number,
  body: string,
): Confirmation {
  const answer = jsonOf(body);
  if (write.operation === "supply-points create") {
    // The body is empty and the status all there is: both must be as documented. Anything else may
    // be a gateway's, and the process can be looked up.
    return httpStatus === 201 && body.trim() === "" ? allCreated(write) : unreadable;
  }
  if (httpStatus !== 200 && httpStatus !== 201) return unreadable;
  switch (write.operation) {
    case "notes create": {
      const results = listed(write, answer);
      if (results === null) return unreadable;
      // A text may come back tidied: then the order is all there is to go by.
      const placed = placedBy(write, "body", results);
      return byItem(write, placed ?? results, noteStatuses);
    }
    case "transactions create": {
      const results = listed(write, isRecord(answer) ? answer.results : undefined);
      const placed = results && placedBy(write, "transaction_id", results, submitted);
      return placed === null ? unreadable : byItem(write, placed, transactionStatuses);
    }
    case "statements create": {
      // Success is 200 or 201, and the body the validated data, with or without what is around it.
      const statements = listed(write, isRecord(answer) ? answer.statements : answer);
      const whole = statements?.every(isRecord) === true;
      const placed = whole && placedBy(write, "statement_id", statements);
      return placed ? allCreated(write) : unreadable;
    }
    case "payment-instructions create": {
      const named =
        isRecord(answer) &&
        Object.keys(answer).some(
          (field) => field.endsWith("_account_number") && textAt(answer, field) !== null,
        );
      return named && textAt(answer, "reference") !== null ? allCreated(write) : unreadable;
    }
  }
}

function allCreated(write: PreparedWrite): Confirmation {
  const items = write.facts.labels.map(
    (label, position): Item => ({ position, label, outcome: "created", status: null }),
  );
  return { kind: "confirmed", items };
}

/** As many results as items were sent, or null. */
function listed(write: PreparedWrite, results: unknown): readonly unknown[] | null {
  return Array.isArray(results) && results.length === write.facts.items.length ? results : null;
}

/**
 * Results in the order of what was sent, by what each names, since their order is not documented;
 * one that names nothing stands for the item in its place. Null when one names what was not sent.
 */
function placedBy(
  write: PreparedWrite,
  field: string,
  results: readonly unknown[],
  itemIn: (result: unknown) => unknown = (result) => result,
): readonly unknown[] | null {
  const named = (item: unknown) => textAt(item, field)?.trim() ?? null;
  const names = results.map((result) => named(itemIn(result)));
  const ours = write.facts.items.map(named);
  const fits = (name: string | null, at: number) =>
    name === null || ours[at] === null || name === ours[at];
  if (names.every(fits)) return results;
  const places = ours.map((name) => names.indexOf(name));
  const each = new Set(places).size === places.length && !places.includes(-1);
  return each ? places.map((place) => results[place]) : null;
}

function submitted(result: unknown): unknown {
  return isRecord(result) ? result.transaction_data : undefined;
}

function byItem(
  write: PreparedWrite,
  results: readonly unknown[],
  statuses: Readonly<Record<string, ItemOutcome>>,
): Confirmation {
  const items: Item[] = [];
  for (const [position, label] of write.facts.labels.entries()) {
    const status = textAt(results[position], "status");
    if (status === null || !Object.hasOwn(statuses, status)) return unreadable;
    items.push({ position, label, outcome: statuses[status] ?? "unknown", status });
  }
  return { kind: "confirmed", items };
}
