import { canGoOn, type RunRecord } from "../../bulk/run-record.ts";
import { asCommand, commandLine, sandboxName } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import type { OpenEntry } from "../../writes/open-entries.ts";
import type { Report, SupplierSection, WatchedItem } from "./report.ts";
import type { ReportedCause } from "./reported-work.ts";

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
      const over = pendingOverADay !== null && pendingOverADay > 0 ? ["age:>24h"] : [];
      return [
        cohort === null
          ? commandLine({ words: ["suppliers", "show"], operands }, profile)
          : asCommand({ kind: "reconcile", supplier, cohort }, profile),
        hasChanged ? ofStored({ words: ["changes"], operands, options: [from] }, profile) : null,
        oldest !== null && oldest.length > 0 ? list("pending", ...over) : null,
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
    ofEntry: ({ journal_id, outcome }: OpenEntry) =>
      ofStored({ words: ["activity", verbs[outcome]], operands: [String(journal_id)] }, profile),
    /** The command for all entries of the supplier and outcome of this one. */
    ofEntries({ import_supplier: supplier, outcome }: OpenEntry) {
      return isStored ? asCommand({ kind: "activity-list", supplier, outcome }, profile) : null;
    },
    ofRejectedRows: (run: string) => [
      ofStored(
        {
          words: ["activity", "list"],
          options: [
            ["--run", run],
            ["--outcome", "rejected"],
          ],
        },
        profile,
      ),
      ofStored({ words: ["open"], options: [["--run", run]] }, profile),
    ],
    ofRun: (record: RunRecord) => [
      canGoOn(record)
        ? isStored
          ? asCommand({ kind: "run-resume", run: record.id }, profile)
          : null
        : ofStored({ words: ["bulk", "discard"], operands: [record.id] }, profile),
      ofStored({ words: ["open"], options: [["--run", record.id]] }, profile),
    ],
    /** The command for the supplier of watched items that are too many to name. */
    ofManyWatched: ({ supplier }: WatchedItem) =>
      commandLine({ words: ["open"], operands: [supplier] }, profile),
    ofWatched({ kind, supplier, number, finality }: WatchedItem) {
      const verb = finality === "open" ? "watch" : "status";
      return kind === "account"
        ? asCommand({ kind: `account-${verb}`, supplier, account: number }, profile)
        : asCommand({ kind: `supply-point-${verb}`, supplier, id: number }, profile);
    },
  };
}

/** The verb that continues an entry; a rejected one is read first, and then fixed. */
const verbs = {
  ...{ unknown: "verify", rejected: "show", retryable: "resend", unsent: "resend" },
} as const;

export type ReportCommands = ReturnType<typeof reportCommands>;
