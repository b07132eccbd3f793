import { activityColumns } from "../../src/commands/activity/filter.ts";
import { causeColumns } from "../../src/commands/causes.ts";
import { sharedColumns } from "../../src/commands/observations/show.ts";
import type { Column } from "../../src/commands/rows/columns.ts";
import { processColumns, supplyPointColumn } from "../../src/commands/rows/columns.ts";
import { waitingColumns } from "../../src/commands/writes/waiting.ts";
import { formKinds } from "../../src/forms/forms.ts";
import { teamCohortFields } from "../../src/triage/cohorts/cohort-fields.ts";
import { operationOf } from "../../src/writes/kinds/kinds.ts";
import { type Declared, declaredProgram } from "./declared.ts";
import { markdownTable } from "./markdown.ts";

type Field = Pick<Column, "name" | "type" | "meaning">;

/** The results that some commands print. */
export interface Output {
  /** The heading of its section. */
  readonly title: string;
  /** The commands that print it; their columns are its fields. */
  readonly commands: readonly string[];
  /** The form of its JSON, and differences of other formats: the end of a sentence. */
  readonly shape: string;
  /** The fields of JSON, where they are not the columns. */
  readonly fields?: readonly Field[];
  /** The further fields with a team. */
  readonly withTeam?: readonly Field[];
}

const field = (name: string, type: string, meaning: string): Field => ({ name, type, meaning });

const supplier = field("import_supplier", "text", "The supplier code.");
const journalId = field(
  "journal_id",
  "number",
  "The journal entry, for `supplyline activity show`.",
);
const outcome = field(
  "outcome",
  "text",
  "`confirmed`, `rejected`, `retryable`, `unknown`, `unsent`, `sending` or `closed`.",
);
const utc = "text, UTC";

const writes = [...formKinds.map(operationOf), "activity verify", "activity resend"];

/** Every result, in the order of the page. A test compares each with what the commands print. */
const outputs: readonly Output[] = [
  {
    title: "List of accounts",
    commands: ["accounts list"],
    shape: "array, printed while it arrives",
  },
  {
    title: "Found accounts",
    commands: ["find"],
    shape:
      "array: per number, in the requested order, one object for each supplier that knows it. A number that was not found is one object whose `import_supplier` is null, with `suggestions`, and with `error` if a supplier's lookup failed. In CSV and TSV a suggestion is `SUPPLIER/NUMBER`, and the error is its message",
  },
  {
    title: "A list compared with the service",
    commands: ["reconcile"],
    shape: "object with `--json`; nothing if the service's list is not complete",
    fields: [
      supplier,
      field("listed_at", utc, "The time at which the service's list was requested."),
      field("source_rows", "number", "The number of rows of your list that were compared."),
      field(
        "other_supplier",
        "number",
        "The number of rows whose `import_supplier` names another supplier. They are left out.",
      ),
      field("listed", "number", "The number of accounts on the service's list."),
      field("counts", "object", "The number of rows of each class, including `extra`."),
      field("rows", "array", "The [rows](#a-row-of-reconcile), in the order of your list."),
    ],
  },
  {
    title: "A row of reconcile",
    commands: ["reconcile"],
    shape:
      "one of the `rows` of JSON, and each row of the other formats; fields that do not apply are absent, and `extra` rows come last",
  },
  {
    title: "Conditions of a supplier",
    commands: ["check"],
    shape: "array, one object per condition, in the order of the help",
  },
  {
    title: "Figures of suppliers",
    commands: ["suppliers list", "suppliers show"],
    shape:
      "array; object for `suppliers show` with one supplier. Of several suppliers, one whose list is not complete has `error` instead. With `--format prometheus`, each known figure is a gauge with the label `import_supplier`, and times are seconds since 1970",
  },
  {
    title: "Shift report",
    commands: ["report"],
    shape:
      "object with `--json`, whose parts have `commands` that continue them; otherwise Markdown, or one HTML page",
    fields: [
      field("reported_at", utc, "The time of the report."),
      field("since", utc, "The time from which changes are counted."),
      field("profile", "text", "The profile."),
      field("environment", "text", "`sandbox`, `test` or `production`."),
      field("base_url", "text", "The service's address."),
      field("problems", "array of text", "The data that could not be read on this machine."),
      field(
        "done",
        "array of objects or null",
        "The rows that took effect or did not, of the entries recorded since then, with a team by person: see [What took effect](#what-took-effect). Null if the journal cannot be read.",
      ),
      field(
        "closed",
        "array of objects or null",
        "The [journal entries](#journal-entries) that an operator closed since then, with `took_effect` and `closing_reason`.",
      ),
      field(
        "suppliers",
        "array of objects",
        "Per supplier the figures `now` and `before`, `changes`, `oldest_pending`, `gone` and `held_back`. `problem` is the reason for stored figures; null if the figures are from the service.",
      ),
      field(
        "cohorts",
        "array of objects or null",
        "Per cohort of the suppliers the numbers of accounts that are imported, pending and on no list (`unlisted`) in the last list; null if unknown.",
      ),
      field(
        "open",
        "object",
        "The numbers of open items: `unknown`, `rejected`, `retryable` and `unsent` entries, `rejected_rows` of runs, unfinished `runs`, `watched` items that have not ended and `watched_failed` ones, `gone` accounts, accounts of cohorts on no list (`unlisted`), and lists `held_back`. Null if unknown.",
      ),
      field(
        "causes",
        "array of objects or null",
        "The failures recorded since then, by cause: see [Failures by cause](#failures-by-cause).",
      ),
      field(
        "entries",
        "array of objects or null",
        "Every open [journal entry](#journal-entries) of the service: unknown, retryable, unsent, or rejected without a later confirmed one for the same item, with `might_have_taken_effect`. Null if the journal cannot be read.",
      ),
      field(
        "rejected_rows",
        "array of objects or null",
        "Per run and supplier the rejected rows without a later confirmed entry for the same item.",
      ),
      field(
        "runs",
        "array of objects or null",
        "Runs that stopped with rows left, or were not fully recorded.",
      ),
      field(
        "watched",
        "array of objects or null",
        "The watch list, with the state last seen, the `progress` of a cohort (`done`, `open`, `failed`) and whether it is the end. Null if it cannot be read.",
      ),
    ],
  },
  {
    title: "Changes of a supplier",
    commands: ["changes"],
    shape: "array, oldest change first",
  },
  {
    title: "State of the team's ledger",
    commands: ["team status"],
    shape: "object",
  },
  {
    title: "Stored observations",
    commands: ["observations list"],
    shape: "array, one object per service and supplier",
  },
  {
    title: "Observations of a supplier",
    commands: ["observations show"],
    shape: "object",
    withTeam: sharedColumns,
  },
  {
    title: "A confirmed list",
    commands: ["observations confirm"],
    shape: "object",
    fields: [
      supplier,
      field("confirmed", "true or false", "False if no list was held back."),
      field("listed_at", utc, "The time at which the recorded list was requested."),
      field("before", "number", "The number of accounts of the list before."),
      field("now", "number", "The number of accounts of the recorded list."),
    ],
  },
  {
    title: "Deleted observations",
    commands: ["observations purge"],
    shape: "object",
    fields: [field("purged", "number", "The number of suppliers with deleted observations.")],
  },
  {
    title: "Account status",
    commands: ["accounts status"],
    shape:
      "object for one account, array in the requested order for several; a failed lookup has `error` instead of the status",
  },
  {
    title: "Changes of an account",
    commands: ["accounts watch"],
    shape: "one object per line and change, also with `--json`",
  },
  {
    title: "Supply point status",
    commands: ["supply-points status"],
    shape:
      "object; other formats have the columns `latest_error_code`, `latest_error_domain` and `latest_error_detail`",
    fields: [
      supplier,
      supplyPointColumn,
      ...processColumns,
      field(
        "latest_error",
        "object or null",
        "`code`, `detail` and `domain` of the latest error, as sent.",
      ),
    ],
  },
  {
    title: "Changes of a supply point",
    commands: ["supply-points watch"],
    shape: "one object per line and change, also with `--json`",
  },
  {
    title: "A write",
    commands: writes,
    shape:
      "object with `--json`; a write that is not confirmed prints an [error](#errors) on stderr instead",
    fields: [
      journalId,
      outcome,
      field("response", "any", "The service's body; null if it was empty."),
    ],
  },
  {
    title: "A write that waits",
    commands: writes,
    shape:
      "object with `--json`, where the team asks for two people; `bulk run` and `bulk resume` add these fields to the run",
    fields: [journalId, ...waitingColumns],
  },
  {
    title: "Requests for an approval",
    commands: ["approvals list"],
    shape: "array, newest first",
  },
  {
    title: "A decided request",
    commands: ["approvals approve", "approvals refuse"],
    shape: "object",
  },
  {
    title: "The rows of a request",
    commands: ["approvals show"],
    shape:
      "object with `--json`: the fields of the request, `items` with these, and with `--source` the comparison `source_check` (`matches`, `equal`, `different`, `different_lines`, `extra`)",
  },
  {
    title: "A policy",
    commands: ["team policy"],
    shape: "object",
    fields: [
      field("service", "text", "The service, by its address."),
      field("four_eyes", "text", "`money` or `none`."),
    ],
  },
  {
    title: "The items of a write",
    commands: writes,
    shape: "rows of `csv`, `tsv` and `md`; with `--columns` of every format",
  },
  {
    title: "A dry run",
    commands: [],
    shape:
      "object with `--dry-run`, array of several requests. `bulk run` prints `kind`, `rows`, `requests`, the `first` requests and the `last` one, and `held_back`: the number of `rows` that the duplicate guard would hold back, and the `first` of those that repeat an entry, with `line`, `journal_id` and `message`",
    fields: [
      field("method", "text", "`GET` or `POST`."),
      field("url", "text", "The address."),
      field("body", "any", "The body, exactly as it would be sent."),
    ],
  },
  {
    title: "Validated payload",
    commands: ["supply-points validate"],
    shape: "the service's response, as sent",
    fields: [field("payload", "object", "The payload.")],
  },
  {
    title: "Journal entries",
    commands: ["activity list", "activity export"],
    shape: "array, newest first; `activity export` prints JSON lines without `--format`",
  },
  {
    title: "What took effect",
    commands: ["activity summary"],
    shape: "array, one object for each operation, supplier and outcome",
  },
  {
    title: "One journal entry",
    commands: ["activity show"],
    shape: "object; other formats have the columns of [Journal entries](#journal-entries)",
    fields: [
      ...activityColumns.filter(({ name }) => name !== "attempts" && name !== "run"),
      field(
        "attempts",
        "array",
        "`n`, `started_at`, `headers_sent_at`, `ended_at`, `outcome`, `http_status`, `code`, `response` and `detail` of each attempt.",
      ),
      field("run", "text or null", "The bulk run of the entry."),
      field("base_url", "text", "The address of the service."),
      field("path", "text", "The path of the request."),
      field("query", "object", "The query of the request."),
      field("sha256", "text", "The hash of the body."),
      field("body", "any", "The body; null once it is purged."),
      field("reason", "text or null", "The reason for the outcome."),
      field(
        "doubt",
        "text",
        "`none` if no earlier attempt might have taken effect; otherwise `vendor` (after a 500 of a payment instruction) or `unknown`.",
      ),
      field("ended_at", "text or null", "The time at which the outcome was settled."),
      field("parent", "number or null", "The entry that this entry verifies."),
      field("items", "array", "`position`, `label`, `outcome` and `status` of each item."),
      field("remarks", "array", "`at`, `kind` and `text` of what an operator did and why."),
    ],
  },
  {
    title: "A closed entry",
    commands: ["activity close"],
    shape: "object",
    fields: [
      journalId,
      outcome,
      field("took_effect", "text", "Your answer: `yes`, `no` or `unknown`."),
      field("reason", "text", "The reason that you gave."),
    ],
  },
  {
    title: "A purge",
    commands: ["activity purge"],
    shape: "object",
    fields: [
      field("purged", "true or false", "False for a dry run."),
      field("writes", "number", "Entries whose bodies are removed."),
      field("kept", "number", "Older entries that keep their bodies because they are not settled."),
    ],
  },
  {
    title: "A repair",
    commands: ["activity repair"],
    shape: "object",
    fields: [
      field("repaired", "true or false", "False if the journal needs no repair."),
      field(
        "lacks_attempts",
        "number or null",
        "The attempts that are not in the journal; null if it is not known.",
      ),
      field("reason", "text or null", "Your reason."),
    ],
  },
  {
    title: "A joined team",
    commands: ["team join"],
    shape: "object",
    fields: [
      field("joined", "true or false", "False for a dry run."),
      field("entries", "number", "The entries of this machine that are published."),
      field("known", "number", "Those with an item that a colleague has, too."),
    ],
  },
  {
    title: "Published outcomes",
    commands: ["team publish"],
    shape: "object",
    fields: [
      field("published", "number", "The outcomes that the team did not have."),
      field("left", "number", "The outcomes that it still does not have: 0."),
    ],
  },
  {
    title: "A repaired ledger",
    commands: ["team repair"],
    shape: "object",
    fields: [field("owing", "array", "The machines that still have to report back.")],
  },
  {
    title: "A bulk run",
    commands: ["bulk run", "bulk resume", "bulk list"],
    shape: "object; array of `bulk list`, newest first",
  },
  {
    title: "Rows of a run",
    commands: ["bulk report"],
    shape:
      "array in the order of the input; the [results file](../how-to/bulk.md#results) has the same columns",
  },
  {
    title: "Failures by cause",
    commands: [],
    shape: "array of `bulk report --by cause` and `activity list --by cause`, largest first",
    fields: causeColumns,
  },
  {
    title: "List of profiles",
    commands: ["profiles list"],
    shape: "array",
  },
  {
    title: "List of cohorts",
    commands: ["cohorts list"],
    shape: "array",
    withTeam: Object.values(teamCohortFields),
  },
  {
    title: "A cohort",
    commands: ["cohorts add", "cohorts show"],
    shape: "object",
  },
  {
    title: "A removed cohort",
    commands: ["cohorts remove"],
    shape: "object",
    fields: [
      field("name", "text", "The name of the cohort."),
      field("outcome", "text", "`removed`."),
    ],
  },
  {
    title: "A profile",
    commands: ["profiles show"],
    shape: "object; [Settings](settings.md) explains the fields",
  },
  {
    title: "List of note templates",
    commands: ["templates list"],
    shape: "array",
  },
  {
    title: "Settings",
    commands: ["config list", "config get"],
    shape: "array; object for `config get`",
  },
  {
    title: "The profile in use",
    commands: ["whoami"],
    shape: "object",
  },
  {
    title: "Checks of doctor",
    commands: ["doctor"],
    shape: "array",
  },
  {
    title: "A sandbox",
    commands: ["sandbox"],
    shape: "object, printed when the sandbox is ready",
  },
  {
    title: "A raw answer",
    commands: ["api"],
    shape: "the body of the service; JSON is indented, `--raw` changes nothing, tokens are hidden",
    fields: [],
  },
  {
    title: "A schema",
    commands: ["schema"],
    shape: "a JSON Schema",
    fields: [],
  },
];

const errorFields = [
  field("kind", "text", "The kind of the error: see [Exit codes](exit-codes.md#errors)."),
  field("message", "text", "The event, its object and the next step."),
  field("http_status", "number", "The status of the response."),
  field("code", "text", "The service's error code."),
  field(
    "errors",
    "array",
    "`attr`, `code` and `detail` of each invalid field, as sent; for a file also `file`, `line` and `column`.",
  ),
  field("items", "array", "The outcome of each transaction of a rejected request."),
  field("transaction_data", "object", "The first transaction that failed, as sent."),
  field("supply_point_identifier", "text", "The supply point that already exists."),
  field("journal_id", "number", "The journal entry."),
  field("team_id", "text or null", "With a team: the entry in the ledger."),
  field("published", "true or false", "With a team: the ledger has the outcome."),
  field("earlier", "object", "The colleague's entry: `team_id`, `by`, `machine`, `at`, `outcome`."),
];

/** The commands that print no result: only notices, a file of your own, or a script for a shell. */
export const withoutResult: readonly string[] = [
  ...["open", "bulk rejected", "bulk discard", "completion", "login", "logout", "team init"],
  ...["templates add", "templates remove", "suppliers add", "suppliers remove", "config set"],
  ...["profiles add", "profiles edit", "profiles use", "profiles remove"],
];

/** The result of a command; null where it prints none. */
export function outputOf(path: string): Output | null {
  return outputs.find(({ commands }) => commands.includes(path)) ?? null;
}

function fieldTable(fields: readonly Field[]): string {
  return markdownTable(
    ["Field", "Type", "Meaning"],
    fields.map(({ name, type, meaning }) => [`\`${name}\``, type, meaning]),
  );
}

/** The fields of JSON: its own, or the columns of its commands. */
export function fieldsOf(
  { title, commands, fields }: Output,
  declared: readonly Declared[],
): readonly Field[] {
  if (fields !== undefined) return fields;
  const columns = declared.find(({ path }) => commands.includes(path))?.columns;
  if (!columns) throw new Error(`${title}: no command has columns for it`);
  return columns;
}

function section(output: Output, declared: readonly Declared[]): string {
  const { title, commands, shape } = output;
  const names = commands.map((path) => `\`${path}\``).join(", ");
  const fields = [...fieldsOf(output, declared), ...(output.withTeam ?? [])];
  const line = `${names === "" ? "" : `${names}: `}${shape}.`;
  return `## ${title}\n\n${line}\n${fields.length === 0 ? "" : `\n${fieldTable(fields)}`}`;
}

/** Returns the page of the fields that commands print. */
export async function outputPage(): Promise<string> {
  const { commands } = await declaredProgram("");
  return `# Output

Generated by \`npm run reference\`; a test compares the fields with what the commands print. \`--format\` selects the
format, \`--json\` is short for \`--format json\`, and \`--columns A,B,C\` selects fields in every format.

| Format | Form |
|---|---|
| \`table\` | for people; its columns can change |
| \`json\`, \`jsonl\` | the fields below; names and codes from the service exactly as sent; a field without a value is null or absent |
| \`csv\` | the same fields as columns with a header; text that a spreadsheet would take for a formula begins with an apostrophe |
| \`tsv\` | the same without quotes: a tab or line break in a cell is its visible sign (\`␉\`, \`␊\`, \`␍\`) |
| \`md\` | the table in Markdown |

All formats but JSON show other control and invisible characters as visible signs. A list that was cut off, failed, or
contained unreadable rows never looks complete: the array of \`json\` is not closed, \`table\` and \`md\` end with the line
\`incomplete\`, and every format ends with the error on stderr and its exit code.

${outputs.map((output) => section(output, commands)).join("\n")}
## Errors

With \`--json\`, an error is one object on stderr: \`{"error": {…}}\`. Fields without a value are absent.

${fieldTable(errorFields)}
A warning about the input is an object \`{"warning": {"message": …}}\` on stderr. It does not change the exit code.
`;
}
