/** Gathers the data of a shift report from the service, the journal and stored lists. */
import type { Clock } from "../../api/clock.ts";
import { isServiceError } from "../../api/errors.ts";
import type { Service } from "../../api/service.ts";
import { errorLine } from "../../errors/error-words.ts";
import type { Profile } from "../../settings/schemas.ts";
import { formatInstant } from "../../text/dates.ts";
import type { Budget } from "../../watch/budget.ts";
import {
  type Finality,
  finalityOf,
  leftLists,
  progressIn,
  type StoredWatch,
  timelineSince,
  type WatchSubject,
} from "../../watch/timeline.ts";
import type { NumberSet } from "../account-numbers.ts";
import { countCohort } from "../cohorts/cohort-history.ts";
import type { Cohorts } from "../cohorts/cohorts.ts";
import { GoneCounter } from "../figures/gone.ts";
import { listedIn } from "../observations/listed-account.ts";
import type { Ages, Observations } from "../observations/observations.ts";
import { openOf } from "../open/open.ts";
import { countsBySupplier } from "../open/work-counts.ts";
import { latestState } from "../state-words.ts";
import { type Verdict, verdictOf } from "../verdict.ts";
import { verdictTimes } from "../verdict-words.ts";
import type { CohortSection, Report, ReportedTeam, WatchedItem } from "./report.ts";
import { nothingToReport, type ReportedWork } from "./reported-work.ts";
import { type GatheredSection, supplierSection } from "./supplier-section.ts";

interface ReportOptions {
  readonly profile: Profile;
  readonly service: Pick<Service, "accounts" | "baseUrl" | "wrongByMs">;
  readonly suppliers: readonly string[];
  /** The cohort that limits the only supplier, or null for all accounts. */
  readonly cohort: { readonly name: string; readonly numbers: NumberSet } | null;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly observations: Observations;
  readonly openWork: () => Promise<ReportedWork | null>;
  /** Reads the open work of the team's colleagues. Returns null without a team. Never rejects. */
  readonly teamWork: () => Promise<ReportedTeam | null>;
  readonly watched: () => readonly StoredWatch[] | Promise<readonly StoredWatch[]>;
  readonly cohorts: Pick<Cohorts, "list" | "read">;
  readonly explain: (error: unknown) => string;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

interface Gathered {
  readonly report: Report;
  readonly errors: readonly unknown[];
}

/**
 * Gathers the state of the work: current lists, or stored lists if these cannot be loaded, and all
 * open work. Rejects with the signal's reason.
 */
export async function gatherReport(options: ReportOptions): Promise<Gathered> {
  const { profile, service, since, clock, signal } = options;
  const at = clock.now();
  const errors: unknown[] = [];
  const problems: string[] = [];
  const unreadable: Unreadable = (subject, error) => {
    signal.throwIfAborted();
    errors.push(error);
    problems.push(`${subject} cannot be read. ${options.explain(error)}`);
    return null;
  };
  const gathered = await sectionsOf(options, unreadable);
  const suppliers = gathered.map(({ section }) => section);
  // It is a contact with the ledger, which can close entries of the journal.
  const team = await options.teamWork();
  if (team?.kind === "missing") problems.push(team.words);
  const work = await options
    .openWork()
    .then((openWork) => openWork ?? nothingToReport)
    .catch((error: unknown) => unreadable("The journal", error));
  const ages = new Map(gathered.map(({ section, ages }) => [section.supplier, ages]));
  const machines = new Map(suppliers.map((of) => [of.supplier, of.machines ?? null]));
  const paces = new Map(gathered.map(({ section, pace }) => [section.supplier, pace]));
  const serviceNow = at - service.wrongByMs();
  const items = await watchedItems(options, unreadable, (watch) => {
    const supplierAges = watch.kind === "account" ? (ages.get(watch.supplier) ?? null) : null;
    return verdictOf({
      kind: watch.kind,
      timeline: watch.timeline,
      listed:
        supplierAges && listedIn(supplierAges, watch.number, machines.get(watch.supplier) ?? null),
      pace: paces.get(watch.supplier) ?? null,
      everyMs: isOpen(watch) ? longestPauseMs : null,
      now: serviceNow,
    });
  });
  const {
    sections: cohorts,
    memberOf,
    open,
  } = await cohortSections({
    cohorts: options.cohorts,
    only: options.cohort?.name ?? null,
    watched: items ?? [],
    ages,
    unreadable,
    signal,
  });
  const watched = items?.map((item) => ({ ...item, cohort: memberOf(item) })) ?? null;
  const { name, environment } = profile;
  return {
    errors,
    report: {
      at,
      since,
      profile: name,
      environment,
      baseUrl: service.baseUrl,
      suppliers,
      cohorts,
      work,
      team,
      watched,
      problems,
      open: openOf({
        work: work && { ...work, entries: countsBySupplier(work.entries) },
        watched,
        cohorts: open,
        team: team?.kind === "read" ? team.open : [],
        lists: suppliers.map(({ supplier, gone, heldBack, problem }) => ({
          supplier,
          gone,
          isHeldBack: heldBack !== null,
          hasFailed: problem !== null,
        })),
      }),
    },
  };
}

async function watchedItems(
  { watched }: ReportOptions,
  unreadable: Unreadable,
  verdictOn: (watch: StoredWatch) => Verdict,
) {
  try {
    return (await watched()).map((watch) => watchedItem(watch, verdictOn(watch)));
  } catch (error) {
    return unreadable("The watch list", error);
  }
}

async function sectionsOf(
  options: ReportOptions,
  unreadable: Unreadable,
): Promise<readonly GatheredSection[]> {
  const { service, budget, clock } = options;
  const counter = new GoneCounter({ service, budget, now: clock.now });
  const sections: GatheredSection[] = [];
  let skipped: unknown = null;
  for (const supplier of options.suppliers) {
    const about = { kind: "supplier", supplier } as const;
    const explain = (error: unknown) =>
      errorLine(error, {
        doing: `listing ${supplier}`,
        subject: about,
        baseUrl: service.baseUrl,
      });
    const gathered = await supplierSection({ ...options, supplier, counter, skipped, explain });
    if (gathered.storeError !== null)
      unreadable(`What is stored of ${supplier}`, gathered.storeError);
    sections.push(gathered);
    if (isServiceFailure(gathered.error)) skipped = gathered.error;
  }
  return sections;
}

/**
 * Returns true if the next list would fail in the same way, because the service is not reached or
 * rejects the request.
 */
function isServiceFailure(error: unknown): boolean {
  const kinds = ["unreachable", "tls", "timeout", "unauthorized", "forbidden", "credentials"];
  return isServiceError(error) && kinds.includes(error.kind);
}

const longestPauseMs = 60_000;

function isOpen({ kind, timeline, addedAt }: StoredWatch): boolean {
  return finalityOf(kind, timelineSince(timeline, addedAt)) === "open";
}

const listedEnds: Readonly<Record<string, Finality>> = {
  imported: "reached",
  [leftLists]: "ended",
};

function watchedItem(
  { kind, supplier, number, addedAt, timeline }: StoredWatch,
  verdict: Verdict,
): WatchedItem {
  const latest = timeline.at(-1);
  const finality = finalityOf(kind, timelineSince(timeline, addedAt));
  return {
    words: verdict.words.label,
    times: verdictTimes(verdict, (ms) => formatInstant(ms, { utc: true, seconds: false })),
    kind,
    supplier,
    number,
    state: latestState(timeline),
    since: latest?.firstSeenAt ?? null,
    finality,
    end: finality === "open" ? (listedEnds[verdict.state ?? ""] ?? finality) : finality,
    progress: progressIn(timeline),
    cohort: null,
  };
}

type Unreadable = (subject: string, error: unknown) => null;

interface CohortOptions {
  readonly cohorts: Pick<Cohorts, "list" | "read">;
  /** The name of the only cohort to report, or null for all. */
  readonly only: string | null;
  /**
   * The states of accounts by supplier, or null for a supplier if they are not known. Cohorts of
   * other suppliers are left out.
   */
  readonly ages: ReadonlyMap<string, Ages | null>;
  readonly watched: readonly WatchSubject[];
  readonly unreadable: Unreadable;
  readonly signal: AbortSignal;
}

/**
 * Counts the accounts of each cohort in the last list of its supplier, and finds the cohorts of
 * watched accounts. Rejects with the signal's reason.
 */
async function cohortSections(options: CohortOptions) {
  const { only, ages, unreadable, signal } = options;
  const members = new Map<string, string>();
  const keyOf = ({ kind, supplier, number }: WatchSubject) =>
    JSON.stringify([kind, supplier, number]);
  const sections: CohortSection[] = [];
  const memberOf = (subject: WatchSubject) => members.get(keyOf(subject)) ?? null;
  const stored = await options.cohorts
    .list()
    .catch((error: unknown) => unreadable("The cohorts", error));
  if (stored === null) return { sections: null, memberOf, open: null };
  for (const { name, supplier, accounts } of stored) {
    const supplierAges = ages.get(supplier);
    if (supplierAges === undefined || (only !== null && name !== only)) continue;
    const about = { name, supplier, accounts };
    try {
      const { numbers } = await options.cohorts.read(name, supplier);
      for (const item of options.watched)
        if (
          item.kind === "account" &&
          item.supplier === supplier &&
          numbers.rowOf(item.number) >= 0
        )
          members.set(keyOf(item), name);
      const counts = supplierAges && (await countCohort(numbers, supplierAges, signal));
      sections.push(
        counts === null
          ? { ...about, ...notKnown }
          : {
              ...about,
              imported: counts.imported,
              pending: counts.pending,
              unlisted: accounts - counts.imported - counts.pending,
            },
      );
    } catch (error) {
      unreadable(`The cohort ${name}`, error);
      sections.push({ ...about, ...notKnown });
    }
  }
  return { sections, memberOf, open: sections };
}

const notKnown = { imported: null, pending: null, unlisted: null };
