/** The commands that continue the work of each part of a report. */
import type { RejectedRows } from "../../bulk/open-runs.ts";
import { isResumable, type RunRecord } from "../../bulk/run-record.ts";
import { asCommand, commandLine, sandboxName } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import type { OpenEntry } from "../../writes/open-entries.ts";
import type { CohortSection, Report, SupplierSection, WatchedItem } from "./report.ts";
import type { ReportedCause } from "./reported-work.ts";

export interface CommandProfiles {
  readonly profile: string | null;
  readonly profilesOfService: readonly string[];
}

/**
 * Returns functions that return the commands for each part of a report. A command that a shell
 * cannot run is null.
 */
export function reportCommands(
  { since }: Pick<Report, "since">,
  { profile, profilesOfService }: CommandProfiles,
) {
  // The environment of the sender decides what is confirmed, so entries and runs name its profile.
  const senderOf = (sender: string) => (profilesOfService.includes(sender) ? sender : profile);
  const from = ["--since", utcInstant(since)] as const;
  // Only the console of an embedded sandbox can read its stored data. No command can.
  const isStored = profile !== sandboxName;
  const ofStored: typeof commandLine = (parts, named) =>
    isStored ? commandLine(parts, named) : null;
  return {
    ofSuppliers(sections: readonly SupplierSection[]): readonly (string | null)[] {
      const operands = sections.flatMap(({ supplier, cohort }) =>
        cohort === null ? [supplier] : [],
      );
      if (operands.length === 0) return [];
      return [commandLine({ words: ["suppliers", "show"], operands }, profile)];
    },
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
    /**
     * Returns the commands for the rows of a cause, or none if all of its entries are in doubt,
     * which have commands that verify them.
     */
    ofCause: ({ key, runs, count, inDoubt }: ReportedCause) =>
      (inDoubt === count ? [] : runs).map((run) => {
        const options = [["--cause", key] as const];
        return ofStored({ words: ["bulk", "rejected"], operands: [run], options }, null);
      }),
    /**
     * Returns the command for an entry. TEXT is a placeholder for the reason that an entry in doubt
     * needs.
     */
    ofEntry({ journal_id, outcome, profile, might_have_taken_effect }: OpenEntry) {
      const words = ["activity", verbs[outcome]];
      const isInDoubt = outcome === "retryable" && might_have_taken_effect;
      const reason = isInDoubt
        ? { flags: ["--again"], options: [["--reason", "TEXT"] as const] }
        : {};
      return ofStored({ words, operands: [String(journal_id)], ...reason }, senderOf(profile));
    },
    ofEntries({ import_supplier: supplier, outcome }: OpenEntry) {
      return isStored ? asCommand({ kind: "activity-list", supplier, outcome }, profile) : null;
    },
    /** Returns the command for the unknown entries of the team. */
    ofTeam: () => [asCommand({ kind: "activity-list", outcome: "unknown" }, profile)],
    ofRejectedRows: ({ run, profile: sender }: RejectedRows) => [
      ofStored({ words: ["bulk", "rejected"], operands: [run] }, null),
      ofStored({ words: ["open"], options: [["--run", run]] }, senderOf(sender)),
    ],
    ofRun: (record: RunRecord) => [
      isResumable(record)
        ? isStored
          ? asCommand({ kind: "run-resume", run: record.id }, senderOf(record.profile))
          : null
        : ofStored({ words: ["bulk", "discard"], operands: [record.id] }, senderOf(record.profile)),
      ofStored({ words: ["open"], options: [["--run", record.id]] }, senderOf(record.profile)),
    ],
    ofCohort: ({ name, supplier, accounts, imported }: CohortSection) =>
      imported === accounts
        ? null
        : asCommand({ kind: "reconcile", supplier, cohort: name }, profile),
    ofManyWatched({ kind, supplier, cohort, finality }: WatchedItem) {
      const operands = [supplier];
      if (kind === "supply-point") return commandLine({ words: ["open"], operands }, profile);
      if (cohort !== null && finality === "open") {
        const options = [["--cohort", cohort] as const];
        return commandLine({ words: ["accounts", "watch"], operands, options }, profile);
      }
      const state = finality === "open" ? "pending" : "all";
      const filter = cohort === null ? "" : `cohort:${cohort}`;
      return asCommand({ kind: "accounts-list", supplier, state, filter, ages: true }, profile);
    },
    /**
     * Returns the commands for watched items of one kind, supplier and end. All accounts share one
     * command.
     */
    ofWatched(items: readonly WatchedItem[]): readonly (string | null)[] {
      const [first] = items;
      if (first === undefined) return [];
      const { kind, supplier, finality } = first;
      const words = ["accounts", finality === "open" ? "watch" : "status"];
      const operands = [supplier, ...items.map(({ number }) => number)];
      if (kind === "account") return [commandLine({ words, operands }, profile)];
      if (kind === "cohort")
        return items.map(({ number: cohort }) =>
          asCommand({ kind: "cohort-watch", supplier, cohort }, profile),
        );
      return items.map(({ number: id }) =>
        asCommand(
          {
            kind: finality === "open" ? "supply-point-watch" : "supply-point-status",
            supplier,
            id,
          },
          profile,
        ),
      );
    },
  };
}

/**
 * The verb that continues an entry of each outcome. A rejected entry must be read and fixed first.
 */
const verbs = {
  unknown: "verify",
  rejected: "show",
  retryable: "resend",
  unsent: "resend",
} as const;

export type ReportCommands = ReturnType<typeof reportCommands>;
