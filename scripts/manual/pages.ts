import { declaredProgram } from "../reference/declared.ts";
import { manualOf } from "../reference/document.ts";
import { commandPage, pageNameOf } from "./command-page.ts";
import { settingsDocument } from "./config-page.ts";
import { keysDocument } from "./keys-page.ts";
import { mainPage } from "./main-page.ts";

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
    { file: "man1/supplyline.1", text: mainPage(program, version) },
    ...program.commands.map((one) => ({
      file: `man1/${pageNameOf(one.path)}.1`,
      text: commandPage(one, program.commands, version),
    })),
    { file: "man7/supplyline-keys.7", text: manualOf(keysDocument(), version) },
    { file: "man5/supplyline-config.5", text: manualOf(settingsDocument(), version) },
  ];
}
