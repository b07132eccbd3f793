import { anchor, markdownTable } from "./markdown.ts";

interface Field {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
}

/** What some commands print as a result. */
export interface Output {
  /** The heading of its section. */
  readonly title: string;
  /** The commands that print it. */
  readonly commands: readonly string[];
  readonly shape: string;
  readonly fields: readonly Field[];
  /** The columns of CSV where they differ from the fields; null where CSV has the fields. */
  readonly csv: readonly string[] | null;
}

const field = (name: string, type: string, meaning: string): Field => ({ name, type, meaning });

const supplier = field("import_supplier", "text", "The supplier code.");
const account = field("external_account_number", "text", "The external account number.");
const supplyPoint = field("external_identifier", "text", "The supply point's identifier.");
const status = field("status", "text", "The status, exactly as the service sent it.");
const serviceNumber = field(
  "service_account_number",
  "text",
  "The number on the platform. Absent or empty until the account exists.",
);
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
const httpStatus = field("http_status", "number or null", "The status of the last response.");
const code = field("code", "text or null", "The service's error code.");
const utc = "text, UTC";

const process = [
  status,
  field("service_identifier", "text or null", "The supply point on the platform."),
  field("created_at", "text or null", "When the import process was created."),
  field("modified_at", "text or null", "When it last changed."),
  field(
    "latest_error",
    "object or null",
    "`code`, `detail` and `domain` of the latest error, as sent.",
  ),
];

const activity = [
  journalId,
  field("created_at", utc, "When the entry was recorded."),
  field("profile", "text", "The profile that wrote it."),
  field("operation", "text", "For example `notes create`."),
  supplier,
  field("external_account_number", "text", "Absent for a supply point."),
  field("external_identifier", "text", "Absent for an account."),
  outcome,
  httpStatus,
  code,
];

const profile = [
  field("name", "text", "The profile."),
  field("in_use", "true or false", "Whether commands use it without `--profile`."),
  field("environment", "text", "`sandbox`, `test` or `production`."),
  field("base_url", "text or null", "The service's address; null for the embedded sandbox."),
  field("read_only", "true or false", "Whether writes are refused."),
];

/** Every result, in the order of the page. A test compares each with what the commands print. */
const outputs: readonly Output[] = [
  {
    title: "List of accounts",
    commands: ["accounts list"],
    shape: "An array, one object per account, printed while it arrives.",
    fields: [
      account,
      serviceNumber,
      field("account_created_at", "text", "When the account was created; absent while pending."),
    ],
    csv: null,
  },
  {
    title: "Account status",
    commands: ["accounts status"],
    shape:
      "An object for one account, and an array in the requested order for several. The object of a failed lookup has `error` instead of the status.",
    fields: [
      supplier,
      account,
      status,
      serviceNumber,
      field("error", "object", "Only for a failed lookup among several: see [Errors](#errors)."),
    ],
    csv: [
      "import_supplier",
      "external_account_number",
      "status",
      "service_account_number",
      "error",
    ],
  },
  {
    title: "Changes of an account",
    commands: ["accounts watch"],
    shape: "One object per line and change, also with `--json`.",
    fields: [
      field("at", utc, "When supplyline saw the status."),
      supplier,
      account,
      status,
      serviceNumber,
      field("previous_status", "text or null", "The status before; null for the first check."),
    ],
    csv: null,
  },
  {
    title: "Supply point status",
    commands: ["supply-points status"],
    shape: "An object.",
    fields: [supplier, supplyPoint, ...process],
    csv: [
      "import_supplier",
      "external_identifier",
      "status",
      "service_identifier",
      "created_at",
      "modified_at",
      "latest_error_code",
      "latest_error_domain",
      "latest_error_detail",
    ],
  },
  {
    title: "Changes of a supply point",
    commands: ["supply-points watch"],
    shape: "One object per line and change, also with `--json`.",
    fields: [
      field("at", utc, "When supplyline saw the status."),
      supplier,
      supplyPoint,
      ...process,
      field("previous_status", "text or null", "The status before; null for the first check."),
    ],
    csv: null,
  },
  {
    title: "A write",
    commands: [
      "notes create",
      "transactions create",
      "statements create",
      "payment-instructions create",
      "supply-points create",
      "activity verify",
      "activity resend",
    ],
    shape:
      "An object. A write that is not confirmed prints an [error](#errors) on stderr instead. CSV has one row per item.",
    fields: [
      journalId,
      outcome,
      field("response", "any", "The service's body; null if it was empty."),
    ],
    csv: ["journal_id", "outcome", "position", "label", "item_outcome", "status"],
  },
  {
    title: "A dry run",
    commands: [],
    shape:
      "With `--dry-run`, the request that a write would send; several requests are an array. `bulk run` prints `kind`, `rows`, `requests`, the `first` requests and the `last` one.",
    fields: [
      field("method", "text", "`GET` or `POST`."),
      field("url", "text", "The address."),
      field("body", "any", "The body, exactly as it would be sent."),
    ],
    csv: null,
  },
  {
    title: "Validated payload",
    commands: ["supply-points validate"],
    shape: "The service's response, as sent.",
    fields: [field("payload", "object", "The payload.")],
    csv: null,
  },
  {
    title: "Journal entries",
    commands: ["activity list", "activity export"],
    shape:
      "An array, newest first. `activity export` prints JSON lines without `--format`, and has no limit.",
    fields: [
      ...activity,
      field("attempts", "number", "How many times it was sent."),
      field("run", "text or null", "The bulk run that it belongs to."),
    ],
    csv: null,
  },
  {
    title: "One journal entry",
    commands: ["activity show"],
    shape: "An object. CSV has the columns of [Journal entries](#journal-entries).",
    fields: [
      ...activity,
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
    csv: [],
  },
  {
    title: "A closed entry",
    commands: ["activity close"],
    shape: "An object.",
    fields: [journalId, outcome, field("reason", "text", "The reason that you gave.")],
    csv: [],
  },
  {
    title: "A purge",
    commands: ["activity purge"],
    shape: "An object.",
    fields: [
      field("purged", "true or false", "False for a dry run."),
      field("writes", "number", "Entries whose bodies are removed."),
      field("status_rows", "number", "Rows of status runs that are removed."),
      field("editor_files", "number", "Files of editors that are removed."),
      field("kept", "number", "Older entries that keep their bodies because they are not settled."),
    ],
    csv: [],
  },
  {
    title: "A bulk run",
    commands: ["bulk run", "bulk resume", "bulk list"],
    shape: "An object; `bulk list` prints an array, newest first.",
    fields: [
      field("run", "text", "The run ID, such as `r7k2qd`."),
      field("kind", "text", "`notes`, `transactions` and so on."),
      field("outcome", "text", "`ended`, `stopped` or `running`."),
      field("profile", "text", "The profile that started it."),
      field("base_url", "text", "The service it writes to."),
      field("source", "text or null", "The input file."),
      field("created_at", utc, "When it was recorded."),
      field("ended_at", "text or null", "When it ended."),
      field("stopped_because", "text or null", "Why it stopped."),
      field("rows", "number", "Rows of the input."),
      field("requests", "number", "Requests for them."),
      ...["confirmed", "exists", "rejected", "retryable", "unknown", "closed", "sending"].map(
        (name) => field(name, "number", `Rows with the outcome \`${name}\`.`),
      ),
      field("unsent", "number", "Rows that were not sent."),
      field("results", "text or null", "The results file."),
    ],
    csv: null,
  },
  {
    title: "Rows of a run",
    commands: ["bulk report"],
    shape:
      "An array in the order of the input. The [results file](../how-to/bulk.md#results) has the same columns.",
    fields: [
      field("line", "number", "Where the row begins in the input."),
      supplier,
      field("external_account_number", "text or null", "The external account number."),
      field("external_identifier", "text or null", "The supply point's identifier."),
      outcome,
      field("status", "text or null", "The service's word for the item."),
      httpStatus,
      code,
      field("detail", "text or null", "What the service reported, or the number of an account."),
      field("journal_id", "number or null", "The journal entry."),
    ],
    csv: null,
  },
  {
    title: "List of profiles",
    commands: ["profiles list"],
    shape: "An array.",
    fields: profile,
    csv: null,
  },
  {
    title: "A profile",
    commands: ["profiles show"],
    shape: "An object. The settings are explained in [Configuration](configuration.md).",
    fields: [
      ...profile,
      ...[
        "graphql_url",
        "mutation",
        "token_path",
        "auth_form",
        "brand",
        "proxy",
        "proxy_credential_helper",
        "proxy_credential_env",
        "ca_file",
        "credential_helper",
      ].map((name) => field(name, "text or null", "A setting.")),
      field("suppliers", "array of texts", "The supplier codes."),
    ],
    csv: null,
  },
  {
    title: "The profile in use",
    commands: ["whoami"],
    shape: "An object.",
    fields: [
      field("profile", "text or null", "The profile."),
      field("chosen_by", "text or null", "Where the choice comes from."),
      field("environment", "text or null", "`sandbox`, `test` or `production`."),
      field("base_url", "text or null", "The service's address."),
      field("read_only", "true or false", "Whether writes are refused."),
      field("credential_source", "text or null", "Where the credentials come from."),
      field("key_saved", "true or false", "Whether the API key is saved."),
      field("token_cached", "true or false", "Whether a token is saved."),
      field("token_expires_at", "text or null", "When the token ends."),
      field("authorization_form", "text or null", "`token`, `bare` or `auto`."),
      field("kept_in", "text or null", "The file of the credentials."),
    ],
    csv: null,
  },
  {
    title: "Checks of doctor",
    commands: ["doctor"],
    shape: "An array.",
    fields: [
      field("check", "text", "What was checked."),
      field("result", "text", "`ok`, `warn`, `fail` or `skipped`."),
      field("detail", "text", "What was found, and what to do."),
    ],
    csv: null,
  },
  {
    title: "A sandbox",
    commands: ["sandbox"],
    shape: "An object, printed when the sandbox is ready.",
    fields: [field("base_url", "text", "Its address."), field("api_key", "text", "Its API key.")],
    csv: null,
  },
  {
    title: "A schema",
    commands: ["schema"],
    shape: "A JSON Schema.",
    fields: [],
    csv: [],
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

function section({ title, commands, shape, fields, csv }: Output): string {
  const links = commands.map((path) => `[${path}](commands.md#${anchor(path)})`);
  const printed = links.length === 0 ? "" : `Printed by ${links.join(", ")}. `;
  const columns =
    csv === null || csv.length === 0
      ? ""
      : `\nCSV columns: ${csv.map((name) => `\`${name}\``).join(", ")}.\n`;
  return `## ${title}\n\n${printed}${shape}\n${fields.length === 0 ? "" : `\n${fieldTable(fields)}`}${columns}`;
}

/** The reference page of what commands print. */
export function outputPage(): string {
  return `# Output

Generated by \`npm run reference\`; a test compares the fields with what the commands print.

Results go to stdout, everything else to stderr. \`--format\` selects the format; \`--json\` is short for
\`--format json\`.

- **table** is for people. Its columns can change.
- **json** and **jsonl** have the fields below. Names and codes from the service are printed exactly as sent. A field
  without a value is null or absent.
- **csv** has the same fields as columns, with a header row, if a section does not list others.

A list that was cut off, failed, or contained unreadable rows never looks complete: with \`json\` the array is not
closed, so that no JSON parser accepts it; a table ends with the line \`incomplete\`; \`csv\` and \`jsonl\` end with the
error on stderr and the exit code.

${outputs.map(section).join("\n")}
## Errors

With \`--json\`, an error is one object on stderr: \`{"error": {…}}\`. Fields without a value are absent.

${fieldTable(errorFields)}
A warning about the input is an object \`{"warning": {"message": …}}\` on stderr. It does not change the exit code.
`;
}
