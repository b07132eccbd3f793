/** The fields of a request for an approval, and of its rows. */
import { utcInstant } from "../text/dates.ts";
import { fieldsOf } from "../text/fields.ts";
import { type Approval, type ApprovalRow, approvalName } from "./team/approvals.ts";
import { overrideWords } from "./words/approvals.ts";

const request = fieldsOf<Approval>();
const row = fieldsOf<ApprovalRow>();

const timeOf = (at: number | null) => (at === null ? null : utcInstant(at));

/** The fields of a request, in the order of CSV columns and JSON keys. */
export const approvalFields = {
  approval: request("approval", "Request", "text", "The request, such as `a17`.", approvalName),
  askedAt: request(
    "asked_at",
    "Asked",
    "text, UTC",
    "The time of the request, by the clock of the database.",
    ({ at }) => utcInstant(at),
  ),
  by: request("by", "By", "text", "The login that prepared the request.", ({ login }) => login),
  person: request(
    "person",
    "Person",
    "text",
    "The name of that person, as given.",
    (of) => of.person,
  ),
  machine: request("machine", "Machine", "text", "The machine that sends.", (of) => of.machine),
  isMine: request(
    "is_mine",
    "Is mine",
    "true or false",
    "True if your login prepared it.",
    (of) => of.isMine,
  ),
  operation: request(
    "operation",
    "Operation",
    "text",
    "For example `transactions create`.",
    (of) => of.operation,
  ),
  run: request(
    "run",
    "Run",
    "text or null",
    "The bulk run, or null for one write.",
    (of) => of.run,
  ),
  source: request(
    "source",
    "Input",
    "text or null",
    "The name of the input file.",
    (of) => of.source,
  ),
  rows: request("rows", "Rows", "number", "The number of rows.", (of) => of.rows),
  sum: request(
    "sum",
    "Sum",
    "text or null",
    "The sum of the amounts, or null without amounts.",
    (of) => of.sum,
  ),
  suppliers: request(
    "suppliers",
    "Suppliers",
    "array of text",
    "The suppliers of the rows.",
    ({ suppliers }) => suppliers,
    ({ suppliers }) => suppliers.join(" "),
  ),
  overrides: request(
    "overrides",
    "Overrides",
    "number",
    "The rows that override an earlier entry.",
    (of) => of.overrides,
  ),
  state: request(
    "state",
    "State",
    "text",
    "`waits`, `approved`, `refused`, `expired` or `used`.",
    (of) => of.standing,
  ),
  left: request("left", "Left", "number", "The rows that are not sent yet.", (of) => of.left),
  expiresAt: request(
    "expires_at",
    "Ends",
    "text, UTC",
    "The time at which it allows nothing more.",
    (of) => utcInstant(of.expiresAt),
  ),
  decidedBy: request(
    "decided_by",
    "Decided by",
    "text or null",
    "The login of the decision.",
    (of) => of.decidedBy,
  ),
  decidedAt: request(
    "decided_at",
    "Decided at",
    "text or null",
    "The time of the decision.",
    (of) => timeOf(of.decidedAt),
  ),
  reason: request(
    "reason",
    "Reason",
    "text or null",
    "The reason of a refusal.",
    (of) => of.reason,
  ),
  profile: request(
    "profile",
    "Profile",
    "text",
    "The profile that prepared it.",
    (of) => of.profile,
  ),
  chain: request(
    "chain",
    "Chain",
    "text",
    "The hash of all its requests, in order.",
    (of) => of.chain,
  ),
};

/** The fields of a row of a request. */
export const approvalRowFields = {
  line: row(
    "line",
    "Line",
    "number or null",
    "The line in the input, or null for one write.",
    (of) => of.line,
  ),
  supplier: row(
    "import_supplier",
    "Supplier",
    "text",
    "The supplier code.",
    (of) => of.importSupplier,
  ),
  account: row(
    "external_account_number",
    "Account",
    "text or null",
    "The external account number.",
    (of) => of.externalAccountNumber,
  ),
  amount: row(
    "amount",
    "Amount",
    "text or null",
    "The amount, or null without one.",
    (of) => of.amount,
  ),
  reference: row(
    "reference",
    "Reference",
    "text or null",
    "The reference of a payment.",
    (of) => of.reference,
  ),
  day: row("day", "Day", "text or null", "The date of the item.", (of) => of.day),
  id: row("item_id", "ID", "text or null", "The ID of the item.", (of) => of.itemId),
  entry: row(
    "journal_id",
    "Entry",
    "number",
    "The entry in the journal of its machine.",
    (of) => of.localId,
  ),
  again: row(
    "override",
    "Overrides",
    "text or null",
    "The earlier entries that the row overrides, with the reason.",
    overrideWords,
  ),
  used: row(
    "is_sent",
    "Sent",
    "true or false",
    "True if a claim has used the row.",
    (of) => of.isUsed,
  ),
  content: row(
    "content",
    "Content",
    "text",
    "The hash of the exact request of its entry.",
    (of) => of.content,
  ),
};
