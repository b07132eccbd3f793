import { useApp } from "ink";
import { useCallback } from "react";
import { useConsole } from "../../hooks/console.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import {
  atLine,
  editorCommand,
  type ProgramExit,
  runProgram,
} from "../../session/external-program.ts";

/**
 * Opens a file of the user's in $VISUAL or $EDITOR at a line, and resolves when the editor is left;
 * a notice says when it could not be used. Resolves with whether the console goes on.
 */
export function useEditFile(): (path: string, line: number) => Promise<boolean> {
  const { env, end, borrowTerminal } = useConsole();
  const notices = useNotices();
  const app = useApp();
  return useCallback(
    async (path, line) => {
      const command = editorCommand(env);
      let exit: ProgramExit = { kind: "left" };
      const edit = async () => {
        const options = { env, signal: end, remedy: "set VISUAL or EDITOR" };
        exit = await runProgram(command, atLine(command, path, line), options);
      };
      try {
        await app.suspendTerminal(() => borrowTerminal(edit));
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        exit = { kind: "failed", words: `The file could not be opened in an editor: ${words}` };
      }
      // The compiler does not see the assignment in the closure.
      const ended = exit as ProgramExit;
      if (ended.kind === "failed") notices.show(ended.words, "bad");
      return ended.kind !== "hung-up";
    },
    [app, env, end, borrowTerminal, notices],
  );
}
