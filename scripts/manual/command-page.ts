import { inputColumnsOf, neededWords } from "../../src/commands/bulk/columns.ts";
import { formKinds } from "../../src/forms/forms.ts";
import { maxRecordBytes } from "../../src/rows/record-cutter.ts";
import type { Declared } from "../reference/declared.ts";
import {
  type Document,
  heading,
  parameterTerm,
  type Section,
  type Term,
  terms,
  text,
  typedBlock,
} from "../reference/document.ts";

/** Returns the name of a command's page, as `man` takes it. */
function pageNameOf(path: string): string {
  return `supplyline-${path.replaceAll(" ", "-")}`;
}

/** Returns the page of one command, as the program declares it. */
export function commandDocument(one: Declared, all: readonly Declared[]): Document {
  const { path, usage, description, facts, parameters, options, exitCodes, examples } = one;
  const [noun] = path.split(" ");
  const related = all.filter((other) => other !== one && other.path.split(" ")[0] === noun);
  const output = (one.columns ?? []).map(
    ({ name, type, meaning }): Term => [name, `${meaning} (${type})`],
  );
  return {
    name: pageNameOf(path),
    section: 1,
    title: path,
    summary: description.replace(/\.$/, ""),
    synopsis: `\`supplyline\` ${usage} [options]`,
    intro: [description, ...facts],
    sections: [
      { heading: "Arguments", blocks: [terms(parameters.map(parameterTerm))] },
      {
        heading: "Options",
        blocks: [
          terms(options.map(parameterTerm)),
          text("The options of every command are in supplyline(1)."),
        ],
      },
      ...(path === "bulk run" ? inputSections() : []),
      { heading: "Output", blocks: [terms(output)] },
      {
        heading: "Exit status",
        blocks: [text(`${exitCodes.join(", ")}. Their meanings are in supplyline(1).`)],
      },
      { heading: "Examples", blocks: [typedBlock(examples)] },
    ],
    seeAlso: ["supplyline", ...related.map((other) => pageNameOf(other.path))]
      .map((name) => `${name}(1)`)
      .join(", "),
  };
}

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
