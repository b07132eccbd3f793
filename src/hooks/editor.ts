import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useApp } from "ink";
import { useCallback } from "react";
import { makePrivateFolder } from "../settings/private-file.ts";
import { useConsole } from "./console.tsx";
import { type ProgramExit, runProgram } from "./lent-program.ts";

/** The editor's command line: $VISUAL, else $EDITOR, else vi. */
function editorCommand(env: Readonly<Record<string, string | undefined>>): string {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || "vi";
}

/** What came of a text that was given to the user's editor. */
export type Edited =
  | { readonly kind: "edited"; readonly text: string }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly words: string };

/**
 * Opens a text in $VISUAL or $EDITOR and resolves when it is left; it never rejects. The file stands
 * in a folder of its own below the state folder, for its owner alone, so that what an editor leaves
 * beside it is private too; both are removed afterwards. An editor that ends with an error has
 * failed, and what it wrote is not taken, as with git.
 */
export function useEditor(): (text: string, extension: string) => Promise<Edited> {
  const { env, stateDir, end, lendTerminal } = useConsole();
  const app = useApp();
  return useCallback(
    async (text, extension) => {
      let folder: string | null = null;
      try {
        makePrivateFolder(stateDir);
        folder = mkdtempSync(join(stateDir, "editing-"));
        const file = join(folder, `payload.${extension}`);
        writeFileSync(file, text, { mode: 0o600, flag: "wx" });
        let exit: ProgramExit = { kind: "left" };
        const edit = async () => {
          const mend = "set VISUAL or EDITOR";
          exit = await runProgram(editorCommand(env), [file], { env, signal: end, mend });
        };
        await app.suspendTerminal(() => lendTerminal(edit));
        return outcome(exit, file, text);
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        return { kind: "failed", words: `The text could not be opened in an editor: ${words}` };
      } finally {
        if (folder !== null) rmSync(folder, { recursive: true, force: true });
      }
    },
    [app, env, stateDir, end, lendTerminal],
  );
}

function outcome(exit: ProgramExit, file: string, before: string): Edited {
  if (exit.kind === "failed") return exit;
  const text = readFileSync(file, "utf8");
  return text === before ? { kind: "unchanged" } : { kind: "edited", text };
}
