/**
 * The duplicate guard: what the journal knows of earlier entries that say the same to the same
 * service. One guard for both faces; it is asked before a write is recorded and again in the commit
 * that begins its first attempt.
 */

import { serviceKey } from "../api/url.ts";
import { type Rows, text, whole } from "../sqlite/rows.ts";
import type { State } from "./journal/entry.ts";
import type { Target } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { PreparedWrite } from "./prepare.ts";
import { WriteError } from "./write-error.ts";

/** An earlier entry of the same form, and where it stands. */
export interface EarlierEntry {
  readonly journalId: number;
  readonly state: State;
}

/** What the guard looks at; a PreparedWrite of a service with a base URL. */
export interface GuardedForm {
  readonly baseUrl: string;
  readonly write: Pick<PreparedWrite, "operation" | "form" | "deduplicated"> & {
    readonly facts: { readonly target: Target };
  };
}

export type GuardFinding =
  | { readonly kind: "clear" }
  /** An earlier entry took effect or may have, and the service itself keeps a second one out. */
  | { readonly kind: "reported"; readonly earlier: EarlierEntry }
  /** The same, where nothing else keeps it from taking effect twice: sent only with a reason. */
  | { readonly kind: "sent-before"; readonly earlier: EarlierEntry }
  /** The service refused this form with a 400 that blocks it: sent only with a reason. */
  | { readonly kind: "refused-before"; readonly by: number };

/** What keeps a write from being sent unless an operator gives a reason. */
export type Bar = Extract<GuardFinding, { readonly kind: "sent-before" | "refused-before" }>;

/** The operator's way past the guard; the reason is stored with the entry. */
export interface Again {
  readonly reason: string;
}

/**
 * Asks the journal about a write. `except` is the entry of the write itself once it has one: its own
 * attempts are the retry table's business.
 */
export function askGuard(rows: Rows, form: GuardedForm, except: number | null): GuardFinding {
  const { baseUrl, write } = form;
  const by = blockedBy(rows, baseUrl, write.form);
  const earlier = earlierEntry(rows, form, except);
  // An effect of another entry than the refused one is the graver news.
  if (by !== null && (earlier === null || earlier.journalId === by)) {
    return { kind: "refused-before", by };
  }
  if (earlier === null) return { kind: "clear" };
  return { kind: guardAsks(write) ? "sent-before" : "reported", earlier };
}

/** The finding where it bars the write; null where the write may be sent. */
export function barOf(finding: GuardFinding): Bar | null {
  switch (finding.kind) {
    case "sent-before":
    case "refused-before":
      return finding;
    case "clear":
    case "reported":
      return null;
  }
}

/**
 * Whether nothing but the guard keeps a second write of the same form from taking effect: payments,
 * statements, unchecked transactions, notes without a body. A supply point is looked up first, and
 * the service refuses an identifier that it has.
 */
function guardAsks({
  operation,
  deduplicated,
}: Pick<PreparedWrite, "operation" | "deduplicated">): boolean {
  return kindOf(operation).readBack.by !== "look-up" && !deduplicated;
}

/**
 * Matches what took effect or might have. What is retryable, closed or rejected counts only if an attempt
 * left a doubt.
 */
const mayHaveTakenEffect = `(state IN ('confirmed', 'unknown', 'sending')
  OR (state IN ('retryable', 'closed', 'rejected') AND doubt <> 'none'))`;

/** The latest of the earlier entries, those in doubt before those that are confirmed. */
function earlierEntry(
  rows: Rows,
  { baseUrl, write }: GuardedForm,
  except: number | null,
): EarlierEntry | null {
  const { target } = write.facts;
  const row = rows.get(
    `SELECT id, state FROM intent
     WHERE import_supplier = ? AND external_account_number IS ? AND external_identifier IS ?
       AND form = ? AND service = ? AND id IS NOT ? AND ${mayHaveTakenEffect}
     ORDER BY state = 'confirmed', id DESC LIMIT 1`,
    target.importSupplier,
    target.kind === "account" ? target.externalAccountNumber : null,
    target.kind === "supply-point" ? target.externalIdentifier : null,
    write.form,
    serviceKey(baseUrl),
    except,
  );
  return row === undefined
    ? null
    : { journalId: whole(row, "id"), state: text(row, "state") as State };
}

/** The entry whose 400 blocks this form; null when none does. */
function blockedBy(rows: Rows, baseUrl: string, form: string): number | null {
  const row = rows.get(
    "SELECT intent FROM blocked_form WHERE base_url = ? AND form = ?",
    serviceKey(baseUrl),
    form,
  );
  return row === undefined ? null : whole(row, "intent");
}

/** The entry that a bar is about. */
function barEntry(bar: Bar): number {
  return bar.kind === "sent-before" ? bar.earlier.journalId : bar.by;
}

/** What the journal knows of the earlier entry, as a sentence. */
export function barWords(bar: Bar): string {
  if (bar.kind === "refused-before") {
    return `The service rejected this same form before (entry ${bar.by}). It must not be sent again unchanged.`;
  }
  return earlierWords(bar.earlier);
}

/** Where an earlier entry of the same form stands, as a sentence. */
export function earlierWords({ journalId, state }: EarlierEntry): string {
  switch (state) {
    case "confirmed":
      return `The same form was sent before and confirmed, as entry ${journalId}.`;
    case "sending":
      return `The same form is being sent now, as entry ${journalId}.`;
    case "closed":
      return `The same form was sent before as entry ${journalId}, which an operator closed; it might have taken effect.`;
    case "unknown":
    case "retryable":
    case "intent":
    case "unsent":
    case "rejected":
      return `The same form was sent before as entry ${journalId}, which is ${state}; it might have taken effect.`;
  }
}

/** The error of a write that the guard keeps back. */
export function barredError(bar: Bar): WriteError {
  const kind = bar.kind === "sent-before" ? "duplicate" : "blocked";
  return new WriteError(kind, barWords(bar), barEntry(bar));
}

/** The most severe of several findings: what bars before what is reported, and doubt before certainty. */
export function mostSevere(findings: readonly GuardFinding[]): GuardFinding {
  let worst: GuardFinding = { kind: "clear" };
  for (const finding of findings) if (gravity(finding) > gravity(worst)) worst = finding;
  return worst;
}

function gravity(finding: GuardFinding): number {
  switch (finding.kind) {
    case "clear":
      return 0;
    case "reported":
      return finding.earlier.state === "confirmed" ? 1 : 2;
    case "refused-before":
      return 3;
    case "sent-before":
      return finding.earlier.state === "confirmed" ? 4 : 5;
  }
}
