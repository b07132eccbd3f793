import { inputColumnsOf, neededWords } from "../../src/commands/bulk/columns.ts";
import { formKinds } from "../../src/forms/forms.ts";
import { maxRecordBytes } from "../../src/rows/record-cutter.ts";
import type { Declared, Parameter } from "../reference/declared.ts";
import {
  heading,
  manualSections,
  type Section,
  type Term,
  terms,
  text,
} from "../reference/document.ts";
import { entry, paragraphs, section, title, typed } from "./roff.ts";

/** Returns the name of a command's page, as `man` takes it. */
export function pageNameOf(path: string): string {
  return `supplyline-${path.replaceAll(" ", "-")}`;
}

/** Returns the page of one command, as the program declares it. */
export function commandPage(one: Declared, all: readonly Declared[], version: string): string {
  const { path, usage, description, parameters, options, columns, exitCodes, examples } = one;
  const [noun] = path.split(" ");
  const related = all.filter((other) => other !== one && other.path.split(" ")[0] === noun);
  return [
    title(pageNameOf(path), 1, version),
    ...section("NAME", paragraphs(`${pageNameOf(path)} - ${description.replace(/\.$/, "")}`)),
    ...section("SYNOPSIS", paragraphs(`\`supplyline\` ${usage} [options]`)),
    ...section("DESCRIPTION", paragraphs(description, ...(more[path] ?? []))),
    ...section("ARGUMENTS", parameters.filter(({ meaning }) => meaning !== "").flatMap(parameter)),
    ...section("OPTIONS", [
      ...options.flatMap(parameter),
      ".PP",
      ...paragraphs("The options of every command are in supplyline(1)."),
    ]),
    ...(path === "bulk run" ? manualSections(inputSections()) : []),
    ...section(
      "OUTPUT",
      (columns ?? []).flatMap(({ name, type, meaning }) => entry(name, `${meaning} (${type})`)),
    ),
    ...section(
      "EXIT STATUS",
      paragraphs(`${exitCodes.join(", ")}. Their meanings are in supplyline(1).`),
    ),
    ...section("EXAMPLES", typed(examples)),
    ...section(
      "SEE ALSO",
      paragraphs(
        ["supplyline", ...related.map((other) => pageNameOf(other.path))]
          .map((name) => `${name}(1)`)
          .join(", "),
      ),
    ),
    "",
  ].join("\n");
}

/** Returns an argument or option with its meaning and default. */
export function parameter({ term, meaning, required, byDefault }: Parameter): readonly string[] {
  const isOption = term.startsWith("-");
  const shown = byDefault === null ? meaning : withDefault(meaning, byDefault);
  return entry(term, isOption && required ? `Required. ${shown}` : shown);
}

function withDefault(meaning: string, byDefault: string): string {
  return meaning.endsWith(".")
    ? `${meaning.slice(0, -1)} (default: ${byDefault}).`
    : `${meaning} (default: ${byDefault})`;
}

const noReadBack = "The service cannot show its outcome if the response is lost.";

/** Facts about a command beyond its one line of help. */
const more: Readonly<Record<string, readonly string[]>> = {
  "accounts list": ["Rows are printed while they arrive. The filter is that of the console."],
  "accounts status": ["A failed lookup does not stop the others: its row contains the error."],
  "notes create": ["This command writes."],
  "transactions create": [
    "This command writes. The service recognizes a transaction by its `transaction_id`.",
  ],
  "statements create": [`This command writes. ${noReadBack}`],
  "payment-instructions create": [`This command writes. ${noReadBack}`],
  "supply-points validate": ["This command writes nothing: the service only checks the payload."],
  "supply-points create": [
    "This command writes. The import starts afterward; `supplyline supply-points watch` follows it.",
  ],
  "bulk resume": ["This command writes the rows of the run that are left."],
  "activity verify": ["This command reads, or resends a request that the service recognizes."],
  "activity resend": ["This command writes: it sends the same bytes again."],
};

/** Returns the sections about the input of a bulk run: its form, and the columns of each kind. */
export function inputSections(): readonly Section[] {
  return [
    {
      heading: "Input",
      blocks: [
        ...[heading("CSV"), ...csvRules.map(text)],
        ...[heading("JSON lines"), ...jsonRules.map(text)],
        ...[heading("Both"), ...sharedRules.map(text)],
      ],
    },
    {
      heading: "Columns",
      blocks: formKinds.flatMap((kind) => [
        heading(kind),
        terms(
          inputColumnsOf(kind).map(
            ({ name, needed, type, hint }): Term => [
              `${name}${neededWords[needed]}`,
              hint === "" ? `${type}.` : `${type}. ${hint}`,
            ],
          ),
        ),
      ]),
    },
  ];
}

const csvRules = [
  "The first row is a header that names the columns, in any order. The encoding is UTF-8, with or without a byte order mark. Commas, semicolons or tabs separate the cells.",
  "Put a cell that contains a separator, a line break or a quote in double quotes, and double the quotes in it. supplyline omits empty cells, and ignores blanks around a value except in texts of several lines.",
  "Numbers are sent digit for digit. Dates must be exact: `tomorrow` is refused. `yes` and `no` also work for `true` and `false`.",
  "In the name of a repeated field, `.0` is the first one, `.1` the second, and so on. Line numbers are those of your editor. A row with line breaks in a cell is reported by its first line.",
];

const jsonRules = [
  'Each line is one object with the same fields, nested instead of dotted: the column `line_items.0.rate_band` is `{"line_items": [{"rate_band": "..."}]}`. A supply point can be nested under `payload` or not. In CSV, its columns can begin with `payload.` or not.',
];

const sharedRules = [
  "You can leave out an expected column with `--allow-missing`: supplyline expects it, but the interface does not say whether it is required.",
  `A row is at most ${maxRecordBytes / 1024 / 1024} MiB long. supplyline refuses a column that is not listed here, because it never sends undocumented fields.`,
];
