import { asCommand, commandLine, sandboxName } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import type { ReportedCause } from "./open-work.ts";
import type { Report, SupplierSection, WatchedItem } from "./report.ts";

/** The commands that continue what a report shows; null where no shell can write one. */
export interface ReportCommands {
  ofSupplier(section: SupplierSection): readonly (string | null)[];
  ofCauses(): readonly (string | null)[];
  ofCause(cause: ReportedCause): readonly (string | null)[];
  ofEntry(entry: ActivityRow): string | null;
  ofRun(run: string): string | null;
  ofWatched(item: WatchedItem): string | null;
}

/** The commands of a report; `profile` is what `--profile` has to say, null where nothing needs to be said. */
export function reportCommands(
  { since }: Pick<Report, "since">,
  profile: string | null,
): ReportCommands {
  const from = ["--since", utcInstant(since)] as const;
  // What an embedded sandbox has stored is in its own console, where no command can reach it.
  const isStored = profile !== sandboxName;
  return {
    ofSupplier({ supplier, cohort, changes, oldest, pendingOverADay, gone, heldBack }) {
      const list = (state: "all" | "pending", ...words: readonly string[]) => {
        const filter = [...words, ...(cohort === null ? [] : [`cohort:${cohort}`])].join(" ");
        return asCommand({ kind: "accounts-list", supplier, state, filter, ages: true }, profile);
      };
      const hasChanged = Object.values(changes ?? {}).some((count) => count > 0);
      const over = pendingOverADay > 0 ? ["age:>24h"] : [];
      return [
        cohort === null
          ? commandLine({ words: ["suppliers", "show"], operands: [supplier] }, profile)
          : asCommand({ kind: "reconcile", supplier, cohort }, profile),
        hasChanged && isStored
          ? commandLine({ words: ["changes"], operands: [supplier], options: [from] }, profile)
          : null,
        oldest.length > 0 ? list("pending", ...over) : null,
        gone !== null && gone.count > 0 ? list("all", "is:gone") : null,
        heldBack === null || !isStored
          ? null
          : commandLine({ words: ["observations", "confirm"], operands: [supplier] }, profile),
      ];
    },
    ofCauses: () =>
      isStored
        ? [
            commandLine(
              { words: ["activity", "list"], options: [["--by", "cause"], from] },
              profile,
            ),
          ]
        : [],
    ofCause: ({ key, runs }) =>
      (isStored ? runs : []).map((run) =>
        commandLine(
          { words: ["bulk", "rejected"], operands: [run], options: [["--cause", key]] },
          null,
        ),
      ),
    ofEntry: ({ journal_id, outcome }) =>
      isStored
        ? commandLine(
            {
              words: ["activity", outcome === "retryable" ? "resend" : "verify"],
              operands: [String(journal_id)],
            },
            profile,
          )
        : null,
    ofRun: (run) => (isStored ? asCommand({ kind: "run-resume", run }, profile) : null),
    ofWatched: ({ kind, supplier, number, finality }) =>
      kind === "account"
        ? asCommand(
            finality === "open"
              ? { kind: "account-watch", supplier, account: number }
              : { kind: "account-status", supplier, account: number },
            profile,
          )
        : asCommand(
            finality === "open"
              ? { kind: "supply-point-watch", supplier, id: number }
              : { kind: "supply-point-status", supplier, id: number },
            profile,
          ),
  };
}
