import { utcInstant, utcInstantOrNull } from "../../text/dates.ts";
import { type Fields, recordOf } from "../../text/fields.ts";
import { causeFields, numbered } from "../../writes/causes.ts";
import { doneFields, doneHere, type PersonDone, personFields } from "../../writes/done.ts";
import { goneSum, type Open, unlistedSum } from "../open/open.ts";
import type { Report, ReportedTeam, SupplierSection } from "./report.ts";
import { type CommandProfiles, reportCommands } from "./report-commands.ts";

export function reportJson(report: Report, profiles: CommandProfiles) {
  const commandsFor = reportCommands(report, profiles);
  return {
    reported_at: utcInstant(report.at),
    since: utcInstant(report.since),
    profile: report.profile,
    environment: report.environment,
    base_url: report.baseUrl,
    problems: report.problems,
    done: doneJson(report),
    closed: report.work?.closed ?? null,
    suppliers: report.suppliers.map((section) => ({
      ...supplierJson(section),
      commands: withoutNulls([
        ...commandsFor.ofSuppliers([section]),
        ...commandsFor.ofSupplier(section),
      ]),
    })),
    cohorts: nullOr(report.cohorts, (section) => ({
      cohort: section.name,
      import_supplier: section.supplier,
      accounts: section.accounts,
      imported: section.imported,
      pending: section.pending,
      unlisted: section.unlisted,
      commands: withoutNulls([commandsFor.ofCohort(section)]),
    })),
    open: openJson(report.open),
    causes: nullOr(report.work && numbered(report.work.causes), (cause) => ({
      ...recordOf(Object.values(causeFields), cause),
      commands: withoutNulls([...commandsFor.ofCauses(), ...commandsFor.ofCause(cause)]),
    })),
    entries: nullOr(report.work?.entries, (entry) => ({
      ...entry,
      commands: withoutNulls([commandsFor.ofEntry(entry)]),
    })),
    rejected_rows: nullOr(report.work?.rejectedRows, (rejected) => ({
      run: rejected.run,
      import_supplier: rejected.supplier,
      rows: rejected.rows,
      commands: withoutNulls(commandsFor.ofRejectedRows(rejected)),
    })),
    runs: nullOr(report.work?.runs, (run) => ({
      run: run.id,
      kind: run.kind,
      profile: run.profile,
      outcome: run.state,
      created_at: utcInstant(run.createdAt),
      stopped_because: run.stoppedBecause,
      source: run.source,
      rows: run.rows,
      ...run.counts,
      commands: withoutNulls(commandsFor.ofRun(run)),
    })),
    ...(report.team === null ? {} : { team: teamJson(report.team) }),
    watched: nullOr(report.watched, (item) => ({
      kind: item.kind,
      import_supplier: item.supplier,
      number: item.number,
      state: item.state,
      since: utcInstantOrNull(item.since),
      end: item.finality,
      progress: item.progress,
      cohort: item.cohort,
      commands: withoutNulls(commandsFor.ofWatched([item])),
    })),
  };
}

/** Returns the sums of this machine, with a team those of each person, or null if they are not known. */
function doneJson({ work, team }: Report) {
  if (work === null) return null;
  const fields = Object.values(doneFields);
  if (team?.kind !== "read") return work.done.map((one) => recordOf(fields, one));
  const persons: Fields<PersonDone> = [...Object.values(personFields), ...fields];
  return [...doneHere(work.done, team.names), ...team.done].map((one) => recordOf(persons, one));
}

/** Returns the open work of colleagues, or null if it is not known. */
function teamJson(team: ReportedTeam) {
  if (team.kind === "missing") return null;
  return team.open.map(({ person, machine, login, importSupplier, unknown, retryable }) => ({
    ...{ by: person, machine, login, import_supplier: importSupplier, unknown, retryable },
  }));
}

function supplierJson(section: SupplierSection) {
  const { now, before, rate, finish, changes, oldest, gone, heldBack, problem } = section;
  const finishAt = (ms: number) => (now === null ? null : utcInstant(now.at + ms));
  return {
    import_supplier: section.supplier,
    cohort: section.cohort,
    problem,
    now: now && {
      imported: now.imported,
      pending: now.pending,
      total: now.total,
      listed_at: utcInstant(now.at),
    },
    before: before && {
      imported: before.imported,
      pending: before.pending,
      listed_at: utcInstant(before.at),
    },
    rate_per_hour: rate === null ? null : Math.round(rate.perHour * 10) / 10,
    finish_from: finish?.kind === "range" ? finishAt(finish.soonestMs) : null,
    finish_to: finish?.kind === "range" ? finishAt(finish.latestMs) : null,
    changes,
    pending_over_a_day: section.pendingOverADay,
    oldest_pending: nullOr(oldest, ({ external, since }) => ({
      external_account_number: external,
      pending_since: utcInstant(since),
    })),
    gone: gone && { count: gone.count, at_least: gone.atLeast, accounts: gone.accounts },
    held_back: heldBack && { before: heldBack.before, now: heldBack.now },
  };
}

function openJson({ entries, rejectedRows, runs, watched, lists, cohorts }: Open) {
  const known = lists.flatMap(({ gone }) => (gone === null ? [] : [gone]));
  const isKnown = known.length === lists.length;
  return {
    unknown: entries?.unknown ?? null,
    rejected: entries?.rejected ?? null,
    retryable: entries?.retryable ?? null,
    unsent: entries?.unsent ?? null,
    rejected_rows: rejectedRows,
    runs,
    watched: watched?.open ?? null,
    watched_failed: watched?.failed ?? null,
    gone: isKnown ? goneSum(known).count : null,
    unlisted: cohorts?.every(({ unlisted }) => unlisted !== null) ? unlistedSum(cohorts) : null,
    held_back: lists.filter(({ isHeldBack }) => isHeldBack).length,
  };
}

function nullOr<T, R>(items: readonly T[] | null | undefined, toJson: (item: T) => R): R[] | null {
  return items == null ? null : items.map((item) => toJson(item));
}

function withoutNulls(commands: readonly (string | null)[]): readonly string[] {
  return commands.filter((command) => command !== null);
}
