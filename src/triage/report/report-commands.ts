import { asCommand, commandLine, sandboxName } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import type { ReportedCause } from "./open-work.ts";
import type { Report, SupplierSection, WatchedItem } from "./report.ts";

/**
 * The commands that continue what a report shows; null where no shell can write one. `profile` is what
 * `--profile` has to say, null where nothing needs to be said.
 */
export function reportCommands({ since }: Pick<Report, "since">, profile: string | null) {
  const from = ["--since", utcInstant(since)] as const;
  // What an embedded sandbox has stored is in its own console, where no command can reach it.
  const isStored = profile !== sandboxName;
  const ofStored: typeof commandLine = (parts, named) =>
    isStored ? commandLine(parts, named) : null;
  return {
    ofSupplier(section: SupplierSection) {
      const { supplier, cohort, changes, oldest, pendingOverADay, gone, heldBack } = section;
      const list = (state: "all" | "pending", ...words: readonly string[]) => {
        const filter = [...words, ...(cohort === null ? [] : [`cohort:${cohort}`])].join(" ");
        return asCommand({ kind: "accounts-list", supplier, state, filter, ages: true }, profile);
      };
      const operands = [supplier];
      const hasChanged = Object.values(changes ?? {}).some((count) => count > 0);
      const over = pendingOverADay > 0 ? ["age:>24h"] : [];
      return [
        cohort === null
          ? commandLine({ words: ["suppliers", "show"], operands }, profile)
          : asCommand({ kind: "reconcile", supplier, cohort }, profile),
        hasChanged ? ofStored({ words: ["changes"], operands, options: [from] }, profile) : null,
        oldest.length > 0 ? list("pending", ...over) : null,
        gone !== null && gone.count > 0 ? list("all", "is:gone") : null,
        heldBack && ofStored({ words: ["observations", "confirm"], operands }, profile),
      ];
    },
    ofCauses: () => {
      const options = [["--by", "cause"] as const, from];
      return [ofStored({ words: ["activity", "list"], options }, profile)];
    },
    ofCause: ({ key, runs }: ReportedCause) =>
      runs.map((run) => {
        const options = [["--cause", key] as const];
        return ofStored({ words: ["bulk", "rejected"], operands: [run], options }, null);
      }),
    ofEntry({ journal_id, outcome }: ActivityRow) {
      const verb = outcome === "retryable" ? "resend" : "verify";
      return ofStored({ words: ["activity", verb], operands: [String(journal_id)] }, profile);
    },
    ofRun: (run: string) => [
      isStored ? asCommand({ kind: "run-resume", run }, profile) : null,
      ofStored({ words: ["open"], options: [["--run", run]] }, profile),
    ],
    ofWatched({ kind, supplier, number, finality }: WatchedItem) {
      const verb = finality === "open" ? "watch" : "status";
      return kind === "account"
        ? asCommand({ kind: `account-${verb}`, supplier, account: number }, profile)
        : asCommand({ kind: `supply-point-${verb}`, supplier, id: number }, profile);
    },
  };
}

export type ReportCommands = ReturnType<typeof reportCommands>;
