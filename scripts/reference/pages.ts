import { readFileSync } from "node:fs";
import { columnTables } from "./bulk-columns.ts";
import { commandsPage } from "./commands.ts";
import { configurationPage } from "./configuration.ts";
import { declaredProgram } from "./declared.ts";
import { environmentPage } from "./environment.ts";
import { errorsPage } from "./errors.ts";
import { exitCodesPage } from "./exit-codes.ts";
import { keyTable } from "./keys.ts";
import { manualPage } from "./manual.ts";
import { outputPage } from "./output.ts";

const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { readonly version: string };

/** A document that is written from the program. */
export interface GeneratedPage {
  /** The word that selects it on the command line of `scripts/reference.ts`. */
  readonly name: string;
  /** From the project's folder. */
  readonly file: string;
  readonly text: () => string | Promise<string>;
}

/** Every generated document. `test/docs/reference.test.ts` compares each with the committed file. */
export const generatedPages: readonly GeneratedPage[] = [
  { name: "commands", file: "docs/reference/commands.md", text: () => commandsPage(version) },
  { name: "configuration", file: "docs/reference/configuration.md", text: configurationPage },
  { name: "environment", file: "docs/reference/environment.md", text: environmentPage },
  { name: "output", file: "docs/reference/output.md", text: () => outputPage(version) },
  {
    name: "exit-codes",
    file: "docs/reference/exit-codes.md",
    text: async () => exitCodesPage((await declaredProgram(version)).commands),
  },
  { name: "errors", file: "docs/reference/errors.md", text: errorsPage },
  { name: "keys", file: "docs/reference/keys.md", text: keyTable },
  { name: "bulk-columns", file: "docs/reference/bulk-columns.md", text: columnTables },
  { name: "man", file: "docs/supplyline.1", text: () => manualPage(version) },
];
