import { listRuns } from "../../bulk/runs.ts";
import { formatInstant } from "../../text/dates.ts";
import { toJson } from "../../text/json.ts";
import { count } from "../../text/numbers.ts";
import { withJournal } from "../activity/with-journal.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { type Field, printEntries } from "../present.ts";
import { shownPath } from "./results-file.ts";
import { runJson } from "./summary.ts";

const fields = [
  { name: "run", title: "Run" },
  { name: "created", title: "Created" },
  { name: "kind", title: "Kind" },
  { name: "state", title: "State" },
  { name: "rows", title: "Rows" },
  { name: "confirmed", title: "Confirmed" },
  { name: "rejected", title: "Rejected" },
  { name: "unknown", title: "Unknown" },
  { name: "left", title: "Left" },
  { name: "profile", title: "Profile" },
  { name: "input", title: "Input" },
] as const satisfies readonly Field[];

/** Prints the runs in the journal, newest first; with `--profile` those of that one. */
export async function bulkList(invocation: Invocation): Promise<number> {
  const { globals, io, out } = invocation;
  const all = await withJournal(invocation, async (journal, process) =>
    listRuns({ journal, process, clock: io.clock }),
  );
  const runs = all.filter(
    ({ profile }) => globals.profile === undefined || profile === globals.profile,
  );
  if (globals.format === "json") await out.line(toJson(runs.map(runJson), 2));
  else if (globals.format !== "table") {
    const entries = runs.map(runJson);
    const names = Object.keys(entries[0] ?? {}) as (keyof ReturnType<typeof runJson>)[];
    await printEntries(
      invocation,
      names.map((name) => ({ name, title: name })),
      entries,
    );
  } else if (runs.length === 0) invocation.notice("The journal holds no bulk run.");
  else
    await printEntries(
      invocation,
      fields,
      runs.map(({ counts, ...run }) => ({
        run: run.id,
        created: formatInstant(run.createdAt),
        kind: run.kind,
        state: run.state,
        rows: count(run.rows),
        confirmed: count(counts.confirmed + counts.exists),
        rejected: count(counts.rejected),
        unknown: count(counts.unknown),
        left: count(counts.waiting + counts.sending),
        profile: run.profile,
        input: run.source === "-" ? "standard input" : shownPath(run.source),
      })),
    );
  return exitCode.done;
}
