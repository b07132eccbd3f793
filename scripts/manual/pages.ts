import { declaredProgram } from "../reference/declared.ts";
import { manualOf } from "../reference/document.ts";
import { commandDocument } from "./command-page.ts";
import { settingsDocument } from "./config-page.ts";
import { keysDocument } from "./keys-page.ts";
import { mainDocument } from "./main-page.ts";

/** A page in the man macros. */
interface ManualPage {
  /** Its path in a folder of manual pages: `man1/supplyline.1`. */
  readonly file: string;
  readonly text: string;
}

/** Returns every manual page: that of the program, one per command, the keys and the settings. */
export async function manualPages(version: string): Promise<readonly ManualPage[]> {
  const program = await declaredProgram(version);
  return [
    mainDocument(program),
    ...program.commands.map((one) => commandDocument(one, program.commands)),
    keysDocument(),
    settingsDocument(),
  ].map((document) => ({
    file: `man${document.section}/${document.name}.${document.section}`,
    text: manualOf(document, version),
  }));
}
