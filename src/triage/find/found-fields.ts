/** The fields of the results of a search for account numbers. */
import { utcInstant } from "../../text/dates.ts";
import { fieldsOf } from "../../text/fields.ts";
import { sharedFields } from "../../text/shared-fields.ts";
import { type FoundNumber, type Hit, maxSuggestions, similarOf } from "./found.ts";

export interface FoundRow {
  /** The number, or null for a supplier that has none of the searched numbers. */
  readonly number: string | null;
  readonly supplier: string | null;
  readonly hit: Hit | null;
  readonly absent: FoundNumber | null;
  readonly error: { readonly message: string } | null;
}

export function hitRow(hit: Hit): FoundRow {
  return { number: hit.number, supplier: hit.supplier, hit, absent: null, error: null };
}

export function absentRow(absent: FoundNumber, error: FoundRow["error"]): FoundRow {
  return { number: absent.wanted, supplier: null, hit: null, absent, error };
}

const field = fieldsOf<FoundRow>();

function suggestionsOf({ absent }: FoundRow): readonly Hit[] | undefined {
  return absent === null ? undefined : similarOf(absent).slice(0, maxSuggestions);
}

export const foundFields = {
  number: field(...sharedFields.account, ({ number }) => number),
  supplier: field(
    ["import_supplier", "Supplier"],
    "text or null",
    "The supplier that has the number; null for a number that was not found.",
    ({ supplier }) => supplier,
  ),
  status: field(
    "status",
    "text",
    "The status as the service sent it if `source` is `status`; otherwise `pending`, `imported`, `gone` or `removed`. Absent without a supplier, as are the next three.",
    ({ hit }) => hit?.state,
  ),
  service: field(
    "service_account_number",
    "text or null",
    "The number on the platform; null if there is none, or it is unknown.",
    ({ hit }) => hit?.serviceNumber,
  ),
  source: field(
    "source",
    "text",
    "`list`: the supplier's list as it is now. `status`: the response for this account. `observed`: the stored observations.",
    ({ hit }) => hit?.source,
  ),
  listedAt: field(
    "listed_at",
    "text, UTC, or null",
    "The time at which the list was requested; null for `status`.",
    ({ hit }) => (hit === null ? undefined : hit.source === "status" ? null : utcInstant(hit.at)),
  ),
  suggestions: field(
    "suggestions",
    "array of objects",
    "At most five similar numbers, each with `import_supplier` and `external_account_number`. Only without a supplier.",
    (row) =>
      suggestionsOf(row)?.map(({ supplier, number }) => ({
        import_supplier: supplier,
        external_account_number: number,
      })),
    (row) => suggestionsOf(row)?.map(({ supplier, number }) => `${supplier}/${number}`),
  ),
  error: field(
    "error",
    "object",
    "The error of a supplier: see [Errors](#errors). Only without a supplier.",
    ({ error }) => error ?? undefined,
    ({ error }) => error?.message,
  ),
};
