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
    // With an empty body the status is all there is, so it must be the documented one.
    const empty = body.trim() === "" || isRecord(answer);
    return httpStatus === 201 && empty ? allCreated(write) : unreadable;
  }
  if (httpStatus !== 200 && httpStatus !== 201) return unreadable;
  switch (write.operation) {
    case "notes create":
      return byItem(write, answer, noteStatuses);
    case "transactions create":
      return byItem(write, isRecord(answer) ? answer.results : undefined, transactionStatuses);
    case "statements create": {
      // Success is 200 or 201, and the body the validated data, with or without what is around it.
      const statements = isRecord(answer) ? answer.statements : answer;
      const whole = Array.isArray(statements) && statements.length === write.facts.items.length;
      return whole ? allCreated(write) : unreadable;
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

function byItem(
  write: PreparedWrite,
  results: unknown,
  statuses: Readonly<Record<string, ItemOutcome>>,
): Confirmation {
  if (!Array.isArray(results) || results.length !== write.facts.items.length) return unreadable;
  const items: Item[] = [];
  for (const [position, label] of write.facts.labels.entries()) {
    const status = textAt(results[position], "status");
    if (status === null || !Object.hasOwn(statuses, status)) return unreadable;
    items.push({ position, label, outcome: statuses[status] ?? "unknown", status });
  }
  return { kind: "confirmed", items };
}
