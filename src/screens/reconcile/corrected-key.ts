/** The key that writes the user's list with wrong numbers replaced by the suggested ones. */
import { errorLine } from "../../errors/error-words.ts";
import { useHere } from "../../hooks/app.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Action } from "../../keys/scopes.ts";
import { correctedFor } from "../../session/compared-list.ts";
import { askFile } from "../../session/new-file.ts";
import { plural } from "../../text/numbers.ts";
import type { SourceLayout } from "../../triage/source/source.ts";
import { fileStem } from "./export-rows.ts";

const endings: Readonly<Record<SourceLayout, string>> = {
  csv: ".csv",
  jsonl: ".jsonl",
  text: ".txt",
  json: ".json",
};

/**
 * Returns the action that writes the compared list with suggested numbers. It replaces the numbers
 * on the lines in `linesOf()`, or all wrong numbers if that is null.
 */
export function useCorrectedList(
  supplier: string,
  linesOf: () => ReadonlySet<number> | null,
): Action {
  const here = useHere();
  const write = useWriteFile();
  const { app, session } = here;
  const task = session.tasks.reconciles.all.get().get(supplier);
  if (task?.kind !== "ended") return { run: () => {}, disabled: "There is no comparison." };
  const { chosen } = task.progress;
  const { layout } = task.end.result.source;
  const ask = async () => {
    const { bytes, replaced } = await correctedFor(here, supplier, task, linesOf());
    if (replaced === 0) {
      app.notices.show("No number was replaced, so no list is written.", "waiting");
      return;
    }
    const what = `list with ${plural(replaced, "number")} replaced`;
    askFile(app, write, {
      title: `Write the ${what}`,
      stem: `${fileStem(supplier, chosen, null)}-corrected`,
      what,
      endings: [endings[layout]],
      hint: "The other columns stay as they are.",
      pieces: async function* () {
        yield bytes;
      },
    });
  };
  return {
    label: "corrected",
    help: "Write your list with the suggestions of the marked rows, or with all of them",
    disabled:
      layout === "json"
        ? "A JSON array is not corrected: save the list as JSON lines or CSV."
        : task.end.result.suggested().next().done
          ? "No row has a suggestion."
          : null,
    run: () =>
      void ask().catch((error: unknown) =>
        app.notices.show(errorLine(error, { doing: "correcting the list" }), "bad"),
      ),
  };
}
