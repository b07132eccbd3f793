/**
 * The command `report`: prints a shift report with figures, changes and open work (INTERFACE
 * 4.8–4.11).
 */

import type { Command } from "commander";
import { toJson } from "../json/exact.ts";
import {
  adHocName,
  namesOfService,
  profileFlag,
  reconnectHint,
} from "../settings/sandbox-profile.ts";
import { teamNames } from "../settings/team-access.ts";
import { withState } from "../state/open-state.ts";
import { isAmong } from "../triage/open/work-counts.ts";
import { htmlOf, markdownOf } from "../triage/report/blocks.ts";
import { describeReport, reportTitle, storedIn } from "../triage/report/describe-report.ts";
import { gatherReport } from "../triage/report/gather-report.ts";
import type { Report } from "../triage/report/report.ts";
import { reportJson } from "../triage/report/report-json.ts";
import { nothingToReport, reportedWork } from "../triage/report/reported-work.ts";
import { teamReport } from "../triage/report/team-report.ts";
import { createBudget } from "../watch/budget.ts";
import { openWatched } from "../watch/record.ts";
import { startOf } from "./changes.ts";
import { cohortsOf } from "./cohorts/cohort-entry.ts";
import { usageError } from "./command-error.ts";
import { mostSevere } from "./exit-codes.ts";
import { failureOf } from "./failure.ts";
import type { Invocation } from "./invocation.ts";
import { type Observing, withObservations } from "./observing.ts";
import { readOpenWork } from "./open-work.ts";
import { identifierArguments } from "./option-values.ts";
import { writeOutput } from "./output-file.ts";
import type { Target } from "./target.ts";
import { readWithTeam } from "./team/read-team.ts";
import type { Verb } from "./verb.ts";

export const verb: Verb = {
  declare: (command: Command) =>
    command
      .argument(
        "[supplier...]",
        "import supplier codes (default: all of the profile)",
        identifierArguments,
      )
      .option(
        "--since <time>",
        "changes since this time: 8h (that long ago), yesterday, 2026-11-20",
        "8h",
      )
      .option("--cohort <cohort>", "only the accounts of a stored list")
      .option("--output <file>", "a new file to write to, instead of stdout"),
  formats: ["md", "html", "json"],
  run: printReport,
  exits: [0, 1, 2, 3, 130],
  examples: [
    "supplyline report",
    "supplyline report ACME --since 12h --format html --output handover.html",
    "supplyline report --cohort wave-3 --since yesterday",
  ],
};

interface Options {
  /** As typed: a day, a time, or a duration before now. */
  readonly since: string;
  readonly cohort?: string;
  readonly output?: string;
}

async function printReport(
  invocation: Invocation,
  named: readonly string[],
  options: Options,
): Promise<number> {
  const since = startOf("--since", options.since, invocation.io.clock.now());
  const cohort = await givenCohort(invocation, named, options.cohort);
  return withObservations(invocation, async (observing, target) => {
    const codes = cohort === null ? [...new Set(named)] : [cohort.supplier];
    const suppliers = codes.length === 0 ? null : codes;
    const { report, errors } = await gather(
      { invocation, target, observing },
      { since, cohort, suppliers },
    );
    for (const error of errors) invocation.problem(failureOf(error).message);
    if (report.suppliers.some(({ problem }) => problem !== null))
      invocation.progress(
        "A list could not be loaded: the report marks the figures that are older.",
      );
    await write(invocation, target, report, options.output);
    return mostSevere(errors.map((error) => failureOf(error).exitCode));
  });
}

async function givenCohort(
  invocation: Invocation,
  named: readonly string[],
  name: string | undefined,
) {
  if (name === undefined) return null;
  const cohorts = cohortsOf(invocation);
  const { supplier } = await cohorts.describe(name);
  const other = named.find((code) => code !== supplier);
  if (other !== undefined)
    throw usageError(`the cohort ${name} is of supplier ${supplier}, not of ${other}`);
  return { name, supplier, numbers: (await cohorts.read(name, supplier)).numbers };
}

interface ReportSources {
  readonly invocation: Invocation;
  readonly target: Target;
  readonly observing: Observing;
}

interface ReportScope {
  readonly since: number;
  readonly cohort: Awaited<ReturnType<typeof givenCohort>>;
  /** The suppliers that the report is limited to, or null for all of the profile. */
  readonly suppliers: readonly string[] | null;
}

async function gather(sources: ReportSources, scope: ReportScope) {
  const { invocation, target, observing } = sources;
  const { io } = invocation;
  const { profile, service } = target;
  const { stateDir } = invocation.folders;
  const isEmbedded = profile.baseUrl === null;
  return gatherReport({
    profile,
    service,
    since: scope.since,
    cohort: scope.cohort,
    suppliers: scope.suppliers ?? (await allSuppliers(sources)),
    observations: observing.observations,
    cohorts: cohortsOf(invocation),
    openWork: () =>
      readOpenWork(
        invocation,
        target,
        (reading, baseUrl) =>
          reportedWork(reading, {
            baseUrl,
            since: scope.since,
            signal: io.signal,
            suppliers: scope.suppliers,
          }),
        nothingToReport,
      ),
    async teamWork() {
      const team = await readWithTeam(invocation, (ledger) =>
        teamReport(ledger, scope, teamNames(io.env)),
      );
      return team?.kind === "read" ? team.value : team;
    },
    // An embedded sandbox has no stored watch list.
    async watched() {
      if (isEmbedded) return [];
      const owner = { profile: profile.name, service: service.baseUrl };
      const list = await withState(stateDir, (state) => openWatched(state, owner).read());
      return (list ?? []).filter(({ supplier }) => isAmong(scope.suppliers, supplier));
    },
    explain: (error) => failureOf(error).message,
    budget: createBudget(io.clock),
    clock: io.clock,
    ...invocation.request,
  });
}

async function allSuppliers({ target, observing }: ReportSources): Promise<readonly string[]> {
  const { profile, service } = target;
  const stored = await observing.observations.stored().catch(() => []);
  const observed = stored.flatMap(({ origin, supplier }) =>
    origin === service.baseUrl ? [supplier] : [],
  );
  return [...new Set([...profile.suppliers, ...observed])];
}

async function write(
  invocation: Invocation,
  { profile, service }: Target,
  report: Report,
  output: string | undefined,
): Promise<void> {
  const { io } = invocation;
  const text = textOf(invocation, report, {
    profile: profileFlag(profile),
    profilesOfService: namesOfService(() => invocation.settings().profiles(), service.baseUrl),
    storedIn: storedIn(invocation.folders.stateDir),
    reconnectHint:
      profile.name === adHocName
        ? reconnectHint({ profile: profile.name, baseUrl: service.baseUrl })
        : null,
  });
  if (output === undefined) return invocation.out.write(text);
  await writeOutput("--output", output, io.signal, (append) => append(text));
}

function textOf(
  { globals }: Invocation,
  report: Report,
  options: Parameters<typeof describeReport>[1],
): string {
  if (globals.format === "json") return `${toJson(reportJson(report, options), 2)}\n`;
  const blocks = describeReport(report, options);
  return globals.document === "html" ? htmlOf(reportTitle(report), blocks) : markdownOf(blocks);
}
