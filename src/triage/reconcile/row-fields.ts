/** The fields of compared rows. */
import { utcInstant } from "../../text/dates.ts";
import { fieldsOf } from "../../text/fields.ts";
import { quoted, serviceWords } from "../../text/service-words.ts";
import { sharedFields } from "../../text/shared-fields.ts";
import { issueWords } from "../source/source.ts";
import type { ReconciledRow, RowError } from "./reconciled.ts";

const field = fieldsOf<ReconciledRow>();

/** The fields of a row, in the order of CSV columns and JSON keys. JSON leaves out empty fields. */
export const reconciledFields = {
  line: field(
    "line",
    "number",
    "The line of your list; its position in a JSON array.",
    ({ line }) => line ?? undefined,
  ),
  account: field(...sharedFields.account, ({ external }) => external ?? undefined),
  class: field(
    "class",
    "text",
    "`imported` and `pending` are listed. Not listed are `in-progress`, `failed` (UNKNOWN: no account exists), `not-staged` (404) and `absent` (not checked, the lookup failed, or the service has another status for it). `duplicate`: the number is earlier in your list. `malformed`: the row has no number. `extra`: listed, not in your list.",
    (of) => of.class,
  ),
  service: field(...sharedFields.serviceAccount, ({ service }) => service ?? undefined),
  created: field(
    "account_created_at",
    "text",
    "The time at which the account was created.",
    ({ created }) => created ?? undefined,
  ),
  pendingSince: field(
    "pending_since",
    "text, UTC",
    "The time of the first observed list with the account pending.",
    ({ pendingSince }) => (pendingSince === null ? undefined : utcInstant(pendingSince)),
  ),
  status: field(
    "status",
    "text",
    "The status of an account that is not listed, as sent.",
    ({ status }) => status ?? undefined,
  ),
  firstLine: field(
    "first_line",
    "number",
    "The line of the number's first row, for a duplicate.",
    ({ firstLine }) => firstLine ?? undefined,
  ),
  suggestion: field(
    "suggestion",
    "text",
    "The only listed number that your list does not have and that differs by one character, by case, or by spaces, hyphens, underscores and leading zeros.",
    ({ suggestion }) => suggestion ?? undefined,
  ),
  error: field(
    "error",
    "object",
    "`kind` and `message` of the error in a malformed row or of a failed lookup.",
    ({ error }) => (error === null ? undefined : errorOf(error)),
    ({ error }) => (error === null ? null : rowErrorWords(error)),
  ),
  elsewhere: field(
    "elsewhere",
    "text",
    "The other suppliers of the profile that list the account, by their last observed lists, if this one does not.",
    (of) => of.elsewhere ?? undefined,
  ),
  text: field(
    ["text", "Row"],
    "text",
    "The beginning of the text of a malformed row. The first 10,000 malformed rows have it.",
    ({ text }) => text ?? undefined,
  ),
};

export const rowFields = Object.values(reconciledFields);

function errorOf(error: RowError): { readonly kind: string; readonly message: string } {
  const kind = error.kind === "malformed" ? "malformed" : error.error.kind;
  return { kind, message: rowErrorWords(error) };
}

/**
 * Describes why a row is malformed or why its lookup failed. A failed lookup has its kind, status
 * and code, and the service's message.
 */
export function rowErrorWords(error: RowError): string {
  if (error.kind === "malformed") return issueWords(error.issue);
  const { kind, facts, message } = error.error;
  const { httpStatus, code } = facts;
  const parts = [kind, ...(httpStatus === undefined ? [] : [httpStatus]), ...(code ? [code] : [])];
  return `${parts.join(" ")}: ${serviceWords(error.error, (attr) => attr) ?? quoted(message)}`;
}
