import { settingsDocument } from "../manual/config-page.ts";
import { keysDocument } from "../manual/keys-page.ts";
import { commandsPage } from "./commands.ts";
import { markdownOf } from "./document.ts";
import { exitCodesPage } from "./exit-codes.ts";
import { inputPage } from "./input.ts";
import { outputPage } from "./output.ts";

/** A document that is written from the program. */
interface GeneratedPage {
  /** From the project's folder. */
  readonly file: string;
  readonly text: () => Promise<string>;
}

const pages: readonly GeneratedPage[] = [
  { file: "docs/reference/output.md", text: outputPage },
  { file: "docs/reference/exit-codes.md", text: exitCodesPage },
  { file: "docs/reference/commands.md", text: commandsPage },
  { file: "docs/reference/input.md", text: async () => inputPage() },
  { file: "docs/reference/keys.md", text: async () => markdownOf(keysDocument()) },
  { file: "docs/reference/settings.md", text: async () => markdownOf(settingsDocument()) },
];

/** The generated pages in git: the contract of scripts. A test compares each with its file. */
export const generatedPages: readonly GeneratedPage[] = pages.map(({ file, text }) => ({
  file,
  text: async () => `${(await text()).trimEnd()}\n\n[All pages](../README.md)\n`,
}));
