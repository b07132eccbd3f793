import { activityColumns } from "../../src/commands/activity/columns.ts";
import { causeColumns } from "../../src/commands/causes.ts";
import type { Column } from "../../src/commands/rows/columns.ts";
import { processColumns, supplyPointColumn } from "../../src/commands/rows/shared-columns.ts";
import { formKinds } from "../../src/forms/forms.ts";
import { operationOf } from "../../src/writes/kinds/kinds.ts";
import { type Declared, declaredProgram } from "./declared.ts";
import { anchor, markdownTable } from "./markdown.ts";

type Field = Pick<Column, "name" | "type" | "meaning">;

/** What some commands print as a result. */
export interface Output {
  /** The heading of its section. */
  readonly title: string;
  /** The commands that print it; their columns are its fields. */
  readonly commands: readonly string[];
  readonly shape: string;
  /** The fields of JSON, where they are not the columns. */
  readonly fields?: readonly Field[];
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
    shape: "An array, one object per account, printed while it arrives.",
  },
  {
    title: "A list compared with the service",
    commands: ["reconcile"],
    shape:
      "With `--json` an object, printed when the service's list is complete. Without a complete list nothing is printed.",
    fields: [
      supplier,
      field("listed_at", utc, "When the service's list was requested."),
      field("source_rows", "number", "Rows of your list."),
      field("listed", "number", "Accounts on the service's list."),
      field("counts", "object", "The number of rows of each class, `extra` included."),
      field("rows", "array", "The [rows](#a-row-of-reconcile), in the order of your list."),
    ],
  },
  {
    title: "A row of reconcile",
    commands: ["reconcile"],
    shape:
      "One of the `rows` of JSON, a line of `jsonl`, or a row of CSV. Fields that do not apply are absent. With `--extra`, the accounts that your list does not have come last, in the order of the service.",
  },
  {
    title: "Conditions of a supplier",
    commands: ["check"],
    shape:
      "An array, one object per condition, in the order of the help. The command ends with 10 if one is met or null.",
  },
  {
    title: "Figures of suppliers",
    commands: ["suppliers list", "suppliers show"],
    shape:
      "An array; an object for `suppliers show` with one supplier. Of several suppliers, the object of one whose list is not complete has `import_supplier` and `error`. With `--format prometheus`, each figure that is known is a gauge with the label `import_supplier`, and times are seconds since 1970.",
  },
  {
    title: "Shift report",
    commands: ["report"],
    shape:
      "Markdown; with `--format html` one page without scripts and remote references; with `--json` an object. Each part has `commands` that continue it.",
    fields: [
      field("reported_at", utc, "When the report was made."),
      field("since", utc, "What came and went is counted from then on."),
      field("profile", "text", "The profile."),
      field("environment", "text", "`sandbox`, `test` or `production`."),
      field("base_url", "text", "The service's address."),
      field("problems", "array of text", "What could not be read on this machine."),
      field(
        "suppliers",
        "array of objects",
        "Per supplier the figures `now` and `before`, `changes`, `oldest_pending`, `gone` and `held_back`. `problem` says why its figures are stored ones; null if the service gave them.",
      ),
      field(
        "open",
        "object",
        "How much is open: `unknown`, `rejected`, `retryable` and `unsent` entries, `rejected_rows` of runs, unfinished `runs`, `watched` items that have not ended and `watched_failed` ones, `gone` accounts, and lists `held_back`. Null if it is not known.",
      ),
      field(
        "causes",
        "array of objects or null",
        "The failures recorded since then, by cause: see [Failures by cause](#failures-by-cause).",
      ),
      field(
        "entries",
        "array of objects or null",
        "Every open [journal entry](#journal-entries) of the service: unknown, retryable, unsent, or rejected without a later confirmed one for the same item. Null if the journal cannot be read.",
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
        "The watch list, with the state last seen and whether it is the end. Null if it cannot be read.",
      ),
    ],
  },
  {
    title: "Changes of a supplier",
    commands: ["changes"],
    shape: "An array, oldest change first. The first observation of a supplier has none.",
  },
  {
    title: "Stored observations",
    commands: ["observations list"],
    shape: "An array, one object per service and supplier.",
  },
  {
    title: "Observations of a supplier",
    commands: ["observations show"],
    shape: "An object.",
  },
  {
    title: "A confirmed list",
    commands: ["observations confirm"],
    shape: "An object.",
    fields: [
      supplier,
      field("confirmed", "true or false", "False if no list was held back."),
      field("listed_at", utc, "When the recorded list was requested."),
      field("before", "number", "How many accounts were listed before."),
      field("now", "number", "How many accounts it has."),
    ],
  },
  {
    title: "Deleted observations",
    commands: ["observations purge"],
    shape: "An object.",
    fields: [field("purged", "number", "How many suppliers had observations that were deleted.")],
  },
  {
    title: "Account status",
    commands: ["accounts status"],
    shape:
      "An object for one account, and an array in the requested order for several. The object of a failed lookup has `error` instead of the status. In CSV and TSV the error is one line of text.",
  },
  {
    title: "Changes of an account",
    commands: ["accounts watch"],
    shape: "One object per line and change, also with `--json`.",
  },
  {
    title: "Supply point status",
    commands: ["supply-points status"],
    shape:
      "An object. The columns of other formats have the parts of `latest_error` in place of it: `latest_error_code`, `latest_error_domain` and `latest_error_detail`.",
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
    shape: "One object per line and change, also with `--json`.",
  },
  {
    title: "A write",
    commands: writes,
    shape:
      "With `--json` an object. A write that is not confirmed prints an [error](#errors) on stderr instead.",
    fields: [
      journalId,
      outcome,
      field("response", "any", "The service's body; null if it was empty."),
    ],
  },
  {
    title: "The items of a write",
    commands: writes,
    shape: "The rows of `csv`, `tsv` and `md`, one per item; with `--columns` of every format.",
  },
  {
    title: "A dry run",
    commands: [],
    shape:
      "With `--dry-run`, the request that a write would send; several requests are an array. `bulk run` prints `kind`, `rows`, `requests`, the `first` requests and the `last` one. `held_back` has the number of `rows` that the duplicate guard would hold back, and the `first` of those that repeat an entry, with `line`, `journal_id` and `message`.",
    fields: [
      field("method", "text", "`GET` or `POST`."),
      field("url", "text", "The address."),
      field("body", "any", "The body, exactly as it would be sent."),
    ],
  },
  {
    title: "Validated payload",
    commands: ["supply-points validate"],
    shape: "The service's response, as sent.",
    fields: [field("payload", "object", "The payload.")],
  },
  {
    title: "Journal entries",
    commands: ["activity list", "activity export"],
    shape:
      "An array, newest first. `activity export` prints JSON lines without `--format`, and has no limit.",
  },
  {
    title: "One journal entry",
    commands: ["activity show"],
    shape: "An object. Other formats have the columns of [Journal entries](#journal-entries).",
    fields: [
      ...activityColumns.filter(({ name }) => name !== "attempts" && name !== "run"),
      field(
        "attempts",
        "array",
        "`n`, `started_at`, `headers_sent_at`, `ended_at`, `outcome`, `http_status`, `code`, `response` and `detail` of each attempt.",
      ),
      field("run", "text or null", "The bulk run that it belongs to."),
      field("base_url", "text", "The service it was sent to."),
      field("path", "text", "The path of the request."),
      field("query", "object", "The query of the request."),
      field("sha256", "text", "The hash of the body."),
      field("body", "any", "The body; null once it is purged."),
      field("reason", "text or null", "Why it has this outcome."),
      field("doubt", "text", "Whether an earlier attempt might have taken effect."),
      field("ended_at", "text or null", "When the outcome was settled."),
      field("parent", "number or null", "The entry that this one was made to verify."),
      field("items", "array", "`position`, `label`, `outcome` and `status` of each item."),
      field("remarks", "array", "`at`, `kind` and `text` of what an operator did and why."),
    ],
  },
  {
    title: "A closed entry",
    commands: ["activity close"],
    shape: "An object.",
    fields: [journalId, outcome, field("reason", "text", "The reason that you gave.")],
  },
  {
    title: "A purge",
    commands: ["activity purge"],
    shape: "An object.",
    fields: [
      field("purged", "true or false", "False for a dry run."),
      field("writes", "number", "Entries whose bodies are removed."),
      field("kept", "number", "Older entries that keep their bodies because they are not settled."),
    ],
  },
  {
    title: "A bulk run",
    commands: ["bulk run", "bulk resume", "bulk list"],
    shape: "An object; `bulk list` prints an array, newest first.",
  },
  {
    title: "Rows of a run",
    commands: ["bulk report"],
    shape:
      "An array in the order of the input. The [results file](../how-to/bulk.md#results) has the same columns.",
  },
  {
    title: "Failures by cause",
    commands: [],
    shape:
      "Printed by `bulk report --by cause` and `activity list --by cause`. An array, largest first; equal ones in the order of their first failure.",
    fields: causeColumns,
  },
  {
    title: "List of profiles",
    commands: ["profiles list"],
    shape: "An array.",
  },
  {
    title: "List of cohorts",
    commands: ["cohorts list"],
    shape: "An array.",
  },
  {
    title: "A cohort",
    commands: ["cohorts add", "cohorts show"],
    shape: "An object.",
  },
  {
    title: "A removed cohort",
    commands: ["cohorts remove"],
    shape: "An object.",
    fields: [
      field("name", "text", "The name of the cohort."),
      field("outcome", "text", "`removed`."),
    ],
  },
  {
    title: "A profile",
    commands: ["profiles show"],
    shape: "An object. The settings are explained in [Configuration](configuration.md).",
  },
  {
    title: "Settings",
    commands: ["config list", "config get"],
    shape:
      "An array; an object for `config get`, which prints the value alone as a table. No setting is a secret.",
  },
  {
    title: "The profile in use",
    commands: ["whoami"],
    shape: "An object.",
  },
  {
    title: "Checks of doctor",
    commands: ["doctor"],
    shape: "An array.",
  },
  {
    title: "A sandbox",
    commands: ["sandbox"],
    shape: "An object, printed when the sandbox is ready.",
  },
  {
    title: "A raw answer",
    commands: ["api"],
    shape:
      "The body of the service. JSON is indented and has the digits of its numbers; `--raw` changes nothing. Tokens are hidden.",
    fields: [],
  },
  {
    title: "A schema",
    commands: ["schema"],
    shape: "A JSON Schema.",
    fields: [],
  },
];

const errorFields = [
  field("kind", "text", "What went wrong: see [Errors](errors.md)."),
  field("message", "text", "What happened, to what, and what to do next."),
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
  const links = commands.map((path) => `[${path}](commands.md#${anchor(path)})`);
  const printed = links.length === 0 ? "" : `Printed by ${links.join(", ")}. `;
  const fields = fieldsOf(output, declared);
  return `## ${title}\n\n${printed}${shape}\n${fields.length === 0 ? "" : `\n${fieldTable(fields)}`}`;
}

/** The reference page of what commands print. */
export async function outputPage(version: string): Promise<string> {
  const { commands } = await declaredProgram(version);
  return `# Output

Generated by \`npm run reference\`; a test compares the fields with what the commands print.

Results go to stdout, everything else to stderr. \`--format\` selects the format; \`--json\` is short for
\`--format json\`. A command refuses a format that it does not print and lists those it does (exit code 2).

- **table** is for people. Its columns can change.
- **json** and **jsonl** have the fields below. Names and codes from the service are printed exactly as sent. A field
  without a value is null or absent. An array has one row per line.
- **csv** has the same fields as columns, with a header row, if a section does not name others. Text in which a
  spreadsheet would see a formula begins with an apostrophe. Line breaks and tabs stay in their cell, in quotes.
- **tsv** is the same with a tab between the columns, for \`cut\` and \`awk\`. It has no quotes: a tab or line break
  inside a cell is printed as its visible sign (\`␉\`, \`␊\`, \`␍\`), so that every line is a row and has every column.
- **md** is the table in Markdown, for a ticket or a report. Characters with a meaning in Markdown are escaped.

In all formats but JSON, other control characters and invisible characters are printed as visible signs.

\`--columns A,B,C\` selects columns by their names and puts them in this order, in every format. JSON then has these
fields only. An unknown name is exit code 2 and lists the names.

A list that was cut off, failed, or contained unreadable rows never looks complete: with \`json\` the array is not
closed, so that no JSON parser accepts it; \`table\` and \`md\` end with the line \`incomplete\`; \`csv\`, \`tsv\` and
\`jsonl\` end with the error on stderr and the exit code.

${outputs.map((output) => section(output, commands)).join("\n")}
## Errors

With \`--json\`, an error is one object on stderr: \`{"error": {…}}\`. Fields without a value are absent.

${fieldTable(errorFields)}
A warning about the input is an object \`{"warning": {"message": …}}\` on stderr. It does not change the exit code.
`;
}
