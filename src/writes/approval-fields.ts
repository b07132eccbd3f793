/** The fields of a request for an approval, and of its rows. */
import { utcInstant } from "../text/dates.ts";
import { fieldsOf } from "../text/fields.ts";
import { sharedFields } from "../text/shared-fields.ts";
import { type Approval, type ApprovalRow, approvalName } from "./team/approvals.ts";
import { overrideWords } from "./words/approvals.ts";

const request = fieldsOf<Approval>();
const row = fieldsOf<ApprovalRow>();

const timeOf = (at: number | null) => (at === null ? null : utcInstant(at));

/** The fields of a request, in the order of CSV columns and JSON keys. */
export const approvalFields = {
  approval: request(["approval", "Request"], "text", "The request, such as `a17`.", approvalName),
  askedAt: request(
    ["asked_at", "Asked"],
    "text, UTC",
    "The time of the request, by the clock of the database.",
    ({ at }) => utcInstant(at),
  ),
  by: request("by", "text", "The login that prepared the request.", ({ login }) => login),
  person: request("person", "text", "The name of that person, as given.", (of) => of.person),
  machine: request("machine", "text", "The machine that sends.", (of) => of.machine),
  isMine: request("is_mine", "true or false", "True if your login prepared it.", (of) => of.isMine),
  operation: request(...sharedFields.operation, (of) => of.operation),
  run: request("run", "text or null", "The bulk run, or null for one write.", (of) => of.run),
  source: request(
    ["source", "Input"],
    "text or null",
    "The name of the input file.",
    (of) => of.source,
  ),
  rows: request("rows", "number", "The number of rows.", (of) => of.rows),
  sum: request(
    "sum",
    "text or null",
    "The sum of the amounts, or null without amounts.",
    (of) => of.sum,
  ),
  suppliers: request(
    "suppliers",
    "array of text",
    "The suppliers of the rows.",
    ({ suppliers }) => suppliers,
    ({ suppliers }) => suppliers.join(" "),
  ),
  overrides: request(
    "overrides",
    "number",
    "The rows that override an earlier entry.",
    (of) => of.overrides,
  ),
  state: request(
    "state",
    "text",
    "`waits`, `approved`, `refused`, `expired` or `used`.",
    (of) => of.standing,
  ),
  left: request("left", "number", "The rows that are not sent yet.", (of) => of.left),
  expiresAt: request(
    ["expires_at", "Ends"],
    "text, UTC",
    "The time at which it allows nothing more.",
    (of) => utcInstant(of.expiresAt),
  ),
  decidedBy: request(
    "decided_by",
    "text or null",
    "The login of the decision.",
    (of) => of.decidedBy,
  ),
  decidedAt: request("decided_at", "text or null", "The time of the decision.", (of) =>
    timeOf(of.decidedAt),
  ),
  reason: request("reason", "text or null", "The reason of a refusal.", (of) => of.reason),
  profile: request("profile", "text", "The profile that prepared it.", (of) => of.profile),
  chain: request("chain", "text", "The hash of all its requests, in order.", (of) => of.chain),
};

/** The fields of a row of a request. */
export const approvalRowFields = {
  line: row(
    "line",
    "number or null",
    "The line in the input, or null for one write.",
    (of) => of.line,
  ),
  supplier: row(...sharedFields.supplier, (of) => of.importSupplier),
  account: row(
    ["external_account_number", "Account"],
    "text or null",
    "The external account number.",
    (of) => of.externalAccountNumber,
  ),
  amount: row("amount", "text or null", "The amount, or null without one.", (of) => of.amount),
  reference: row("reference", "text or null", "The reference of a payment.", (of) => of.reference),
  day: row("day", "text or null", "The date of the item.", (of) => of.day),
  id: row(["item_id", "ID"], "text or null", "The ID of the item.", (of) => of.itemId),
  entry: row(
    ["journal_id", "Entry"],
    "number",
    "The entry in the journal of its machine.",
    (of) => of.localId,
  ),
  again: row(
    ["override", "Overrides"],
    "text or null",
    "The earlier entries that the row overrides, with the reason.",
    overrideWords,
  ),
  used: row(
    ["is_sent", "Sent"],
    "true or false",
    "True if a claim has used the row.",
    (of) => of.isUsed,
  ),
  content: row(
    "content",
    "text",
    "The hash of the exact request of its entry.",
    (of) => of.content,
  ),
};
