import { type Declared, declaredProgram, type Parameter } from "./declared.ts";
import { anchor, markdownTable } from "./markdown.ts";
import { outputOf } from "./output.ts";

/** What a command does beyond its one line of help, and where to read on. Only where that helps. */
const more: Readonly<Record<string, string>> = {
  "accounts list":
    "Rows are printed while they arrive. The [filter](../how-to/migration.md#find-accounts-in-a-large-supplier) is that of the console.",
  "accounts status":
    "A failed lookup does not stop the others: its row contains the error. See [Check a list of accounts](../how-to/migration.md#compare-your-list-with-the-service).",
  "accounts watch": "See [Watch many accounts](../how-to/migration.md#follow-it).",
  reconcile:
    "See [Compare your list with the service](../how-to/migration.md#compare-your-list-with-the-service).",
  check: "See [Checks and dashboards](../how-to/automation.md).",
  "suppliers show": "See [Figures for Grafana](../how-to/automation.md#figures-for-grafana).",
  report: "See [Hand over a shift](../how-to/on-call.md).",
  "cohorts add": "See [Give the list a name](../how-to/migration.md#give-the-list-a-name).",
  changes:
    "See [See since when, and what changed](../how-to/migration.md#see-since-when-and-what-changed).",
  "observations confirm":
    "See [When a list is held back](../how-to/migration.md#when-a-list-is-held-back).",
  "notes create": "Writes. See [Correct data](../how-to/correct-data.md).",
  "transactions create":
    "Writes. The service recognizes a transaction by its `transaction_id`. See [Correct data](../how-to/correct-data.md).",
  "statements create":
    "Writes. The outcome cannot be read back when the response is lost. See [Correct data](../how-to/correct-data.md).",
  "payment-instructions create":
    "Writes. The outcome cannot be read back when the response is lost. See [Create a payment instruction](../how-to/correct-data.md#create-a-payment-instruction).",
  "supply-points validate": "Writes nothing: the service only checks the payload.",
  "supply-points create": "Writes. The import starts afterward; `supply-points watch` follows it.",
  "bulk run": "See [Bulk runs](../how-to/bulk.md) and the [columns](bulk-columns.md).",
  "bulk resume":
    "Writes what is left of the run. See [When a run stops](../how-to/bulk.md#when-a-run-stops).",
  "activity verify":
    "Reads, or resends a request that the service recognizes. See [Resolve an unknown outcome](../how-to/on-call.md#resolve-an-unknown-outcome).",
  "activity resend": "Writes: sends the same bytes again.",
  login: "See [Connect to your service](../connect.md).",
  doctor: "See [Troubleshooting](../troubleshooting.md).",
  sandbox: "See [The sandbox](../sandbox.md).",
  completion: "See [Install](../install.md#shell-completion).",
};

function parameterTable(title: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ term, meaning, required, byDefault }) => [
    `\`${term}\``,
    `${required && term.startsWith("-") ? "**Required.** " : ""}${meaning}`,
    byDefault === null ? "" : `\`${byDefault}\``,
  ]);
  const withDefault = rows.some(([, , value]) => value !== "");
  return withDefault
    ? `${markdownTable([title, "Meaning", "Default"], rows)}\n`
    : `${markdownTable(
        [title, "Meaning"],
        rows.map(([term = "", meaning = ""]) => [term, meaning]),
      )}\n`;
}

function section(command: Declared, all: readonly Declared[]): string {
  const { path, usage, description, parameters, options, exitCodes, examples } = command;
  const [noun] = path.split(" ");
  const related = all
    .filter((one) => one !== command && one.path.split(" ")[0] === noun)
    .map((one) => `[${one.path}](#${anchor(one.path)})`);
  const output = outputOf(path);
  return `## ${path}

${description}${more[path] === undefined ? "" : ` ${more[path]}`}

\`\`\`text
supplyline ${usage}${options.length > 0 ? " [options]" : ""}
\`\`\`

${parameterTable("Argument", parameters)}${parameterTable("Option", options)}\`\`\`bash
${examples.join("\n")}
\`\`\`

Exit codes: ${exitCodes.join(", ")}.${output === null ? "" : ` Output: [${output.title}](output.md#${anchor(output.title)}).`}${related.length === 0 ? "" : ` Related: ${related.join(", ")}.`}
`;
}

/** The reference page of every command. */
export async function commandsPage(version: string): Promise<string> {
  const { globals, commands } = await declaredProgram(version);
  const index = commands.map(({ path, description }) => [
    `[${path}](#${anchor(path)})`,
    description,
  ]);
  return `# Commands

Generated from the commands as the program declares them (\`npm run reference\`). \`supplyline COMMAND --help\` prints the
same in the terminal, and \`man supplyline\` in one page. The examples work on the [sandbox](../sandbox.md), from the
folder \`examples/\`.

${markdownTable(["Command", "Purpose"], index)}
## Options of every command

You can put these before or after the command.

${parameterTable("Option", globals)}
A duration is a number with a unit: \`500ms\`, \`5s\`, \`30m\`, \`1h\`, \`1m30s\`. The [exit codes](exit-codes.md), the
[output](output.md) and the [environment variables](environment.md) have their own pages.

${commands.map((one) => section(one, commands)).join("\n")}`;
}
