import { endedText, openRows } from "../../bulk/run-counts.ts";
import { isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import { listRuns } from "../../bulk/runs.ts";
import { toJson } from "../../json/print.ts";
import { formatInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import { withJournalToRead } from "../activity/with-journal.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { type Field, printEntries } from "../present.ts";
import { exits, type Verb } from "../verb.ts";
import { shownPath } from "./results-file.ts";
import { runJson } from "./summary.ts";

/** `bulk list` */
export const verb: Verb = {
  examples: ["supplyline bulk list", "supplyline bulk list --json"],
  exits: exits.local,
  declare: (command) => command.description("the runs in the journal, newest first"),
  run: bulkList,
};

const fields = [
  { name: "run", title: "Run" },
  { name: "created", title: "Created", parts: true },
  { name: "kind", title: "Kind" },
  { name: "state", title: "State" },
  { name: "rows", title: "Rows" },
  { name: "stands", title: "Of them", parts: true },
  { name: "profile", title: "Profile" },
  { name: "input", title: "Input" },
] as const satisfies readonly Field[];

/** Prints the runs in the journal, newest first; with `--profile` those of that one. */
async function bulkList(invocation: Invocation): Promise<number> {
  const { globals, io, out } = invocation;
  const all = await withJournalToRead(invocation, async (journal, process) =>
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
      // The column only takes room where all runs are of one profile.
      fields.filter(
        ({ name }) =>
          name !== "profile" || runs.some(({ profile }) => profile !== runs[0]?.profile),
      ),
      runs.map((run) => ({
        run: run.id,
        created: formatInstant(run.createdAt, { seconds: false }),
        kind: run.kind,
        state: run.state === "unrecorded" ? "not fully recorded" : run.state,
        rows: count(run.rows),
        stands: standsWords(run),
        profile: run.profile,
        input: run.source === "-" ? "standard input" : shownPath(run.source),
      })),
    );
  return exitCode.done;
}

function standsWords(run: RunRecord): string {
  if (isUnsent(run)) return "nothing sent";
  const left = openRows(run);
  const parts = [
    endedText(run.counts, run.state === "ended"),
    left === 0 ? "" : `${count(left)} left`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
