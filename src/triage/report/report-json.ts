import { utcInstant } from "../../text/dates.ts";
import { causeJson } from "../../writes/causes.ts";
import type { Report, SupplierSection } from "./report.ts";
import { reportCommands } from "./report-commands.ts";

const time = (ms: number | null) => (ms === null ? null : utcInstant(ms));

/** A report for scripts; each part has the commands that continue it. */
export function reportJson(report: Report, profile: string | null) {
  const ways = reportCommands(report, profile);
  return {
    reported_at: utcInstant(report.at),
    since: utcInstant(report.since),
    profile: report.profile,
    environment: report.environment,
    base_url: report.baseUrl,
    problems: report.problems,
    suppliers: report.suppliers.map((section) => ({
      ...supplierJson(section),
      commands: given(ways.ofSupplier(section)),
    })),
    causes: report.causes.map((cause, at) => ({
      ...causeJson(cause, at),
      commands: given([...ways.ofCauses(), ...ways.ofCause(cause)]),
    })),
    entries: report.entries.map((entry) => ({ ...entry, commands: given([ways.ofEntry(entry)]) })),
    runs: report.runs.map((run) => ({
      run: run.id,
      kind: run.kind,
      outcome: run.state,
      created_at: utcInstant(run.createdAt),
      stopped_because: run.stoppedBecause,
      source: run.source,
      rows: run.rows,
      ...run.counts,
      commands: given(ways.ofRun(run.id)),
    })),
    watched: report.watched.map((item) => ({
      kind: item.kind,
      import_supplier: item.supplier,
      number: item.number,
      state: item.state,
      since: time(item.since),
      end: item.finality,
      commands: given([ways.ofWatched(item)]),
    })),
  };
}

function supplierJson(section: SupplierSection) {
  const { now, before, rate, finish, changes, oldest, gone, heldBack, problem } = section;
  const finishAt = (ms: number) => (now === null ? null : utcInstant(now.at + ms));
  return {
    import_supplier: section.supplier,
    cohort: section.cohort,
    problem,
    now: now && {
      ...{ imported: now.imported, pending: now.pending, total: now.total },
      listed_at: utcInstant(now.at),
    },
    before: before && {
      ...{ imported: before.imported, pending: before.pending },
      listed_at: utcInstant(before.at),
    },
    rate_per_hour: rate === null ? null : Math.round(rate.perHour * 10) / 10,
    finish_from: finish?.kind === "range" ? finishAt(finish.soonestMs) : null,
    finish_to: finish?.kind === "range" ? finishAt(finish.latestMs) : null,
    changes,
    pending_over_a_day: section.pendingOverADay,
    oldest_pending: oldest.map(({ external, since }) => ({
      external_account_number: external,
      pending_since: utcInstant(since),
    })),
    gone: gone && { count: gone.count, at_least: gone.atLeast, accounts: gone.accounts },
    held_back: heldBack && { before: heldBack.before, now: heldBack.now },
  };
}

function given(commands: readonly (string | null)[]): readonly string[] {
  return commands.filter((command) => command !== null);
}
