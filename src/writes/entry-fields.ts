/** The fields of a journal entry. */
import { type Field, type Fields, fieldsOf } from "../text/fields.ts";
import { sharedFields } from "../text/shared-fields.ts";
import type { ActivityRow } from "./activity.ts";

/** The facts of an entry. One of another machine has no number. Only a team has the last three. */
type EntryFacts = Omit<ActivityRow, "journal_id"> & {
  readonly journal_id: number | null;
  readonly team_id?: string | null;
  readonly by?: string | null;
  readonly machine?: string | null;
};

const entry = fieldsOf<EntryFacts>();

/** The fields of an entry. Each entry has an account or a supply point, never both. */
export const entryFields = {
  id: entry(...sharedFields.entry, (of) => of.journal_id),
  createdAt: entry(
    "created_at",
    "text, UTC",
    "The time at which the entry was recorded.",
    (of) => of.created_at,
  ),
  profile: entry("profile", "text", "The profile that sent the entry.", (of) => of.profile),
  operation: entry(...sharedFields.operation, (of) => of.operation),
  supplier: entry(...sharedFields.supplier, (of) => of.import_supplier),
  account: entry(
    ["external_account_number", "Account"],
    "text",
    "Absent for a supply point.",
    (of) => of.external_account_number,
  ),
  supplyPoint: entry(
    ["external_identifier", "Supply point"],
    "text",
    "Absent for an account.",
    (of) => of.external_identifier,
  ),
  outcome: entry(...sharedFields.outcome, (of) => of.outcome),
  httpStatus: entry(...sharedFields.httpStatus, (of) => of.http_status),
  code: entry(...sharedFields.code, (of) => of.code),
  attempts: entry(
    "attempts",
    "number",
    "The number of times that the entry was sent.",
    (of) => of.attempts,
  ),
  run: entry("run", "text or null", "The bulk run of the entry.", (of) => of.run),
  tookEffect: entry(
    "took_effect",
    "text",
    "The operator's answer: `yes`, `no` or `unknown`. Absent unless an operator closed the entry.",
    (of) => of.took_effect,
  ),
  closingReason: entry(
    ["closing_reason", "Closed because"],
    "text",
    "The operator's reason. Absent unless an operator closed the entry.",
    (of) => of.closing_reason,
  ),
};

/** The fields of an entry of a team, in order. */
export const teamEntryFields: Fields<EntryFacts> = [
  {
    ...entryFields.id,
    type: "number or null",
    meaning: "Null for an entry of another machine.",
  },
  entry(
    ["team_id", "Team"],
    "text or null",
    "The entry in the ledger; null if it was never claimed.",
    (of) => of.team_id,
  ),
  entry("by", "text or null", "The name of the person, as that machine says.", (of) => of.by),
  entry("machine", "text or null", "The name of the machine, as it says.", (of) => of.machine),
  ...Object.values<Field<EntryFacts, string, unknown>>(entryFields).filter(
    (field) => field.name !== entryFields.id.name,
  ),
];
