/** Builds the shift report of a session as the text of a file. */

import { errorLine } from "../errors/error-words.ts";
import {
  adHocName,
  namesOfService,
  profileFlag,
  reconnectHint,
} from "../settings/sandbox-profile.ts";
import { htmlOf, markdownOf } from "../triage/report/blocks.ts";
import { describeReport, reportTitle, storedIn } from "../triage/report/describe-report.ts";
import { gatherReport } from "../triage/report/gather-report.ts";
import { reportedWork } from "../triage/report/reported-work.ts";
import { teamReport } from "../triage/report/team-report.ts";
import type { Session } from "./open-session.ts";
import type { Surroundings } from "./surroundings.ts";

const embeddedWords =
  "What is open here is in the console that wrote this, and ends with it: a command with --sandbox starts a new sandbox.";

export interface ReportScope {
  readonly since: number;
  /** The supplier, or null for all suppliers of the profile. */
  readonly supplier: string | null;
}

/** Returns the report of a session as the text of a file. Rejects with the signal's reason. */
export async function shiftReport(
  session: Session,
  { clock, settings, stateDir }: Pick<Surroundings, "clock" | "settings" | "stateDir">,
  options: ReportScope & { readonly format: "md" | "html"; readonly signal: AbortSignal },
): Promise<string> {
  const { since, supplier, format, signal } = options;
  const { profile, service, baseUrl, budget, observations } = session;
  const stored = await observations.stored().catch(() => []);
  const observed = stored.flatMap(({ origin, supplier }) => (origin === baseUrl ? [supplier] : []));
  const listed = settings.find(profile.name)?.suppliers ?? profile.suppliers;
  const { report } = await gatherReport({
    profile,
    service,
    since,
    cohort: null,
    budget,
    clock,
    signal,
    suppliers: supplier === null ? [...new Set([...listed, ...observed])] : [supplier],
    cohorts: session.cohorts,
    observations,
    async openWork() {
      const writes = await session.existingWrites(signal);
      if (writes === null) return null;
      return reportedWork(writes.context, {
        baseUrl,
        since,
        signal,
        suppliers: supplier === null ? null : [supplier],
      });
    },
    async teamWork() {
      if (profile.team === undefined) return null;
      try {
        const { team, teamRefusal } = (await session.writes()).context;
        if (team === null) throw teamRefusal;
        const suppliers = supplier === null ? null : [supplier];
        return await teamReport(team.ledger, { since, suppliers }, team.names);
      } catch (error) {
        const words = `The team's entries are missing. ${errorLine(error, { doing: "the report" })}`;
        return { kind: "missing", words };
      }
    },
    watched() {
      const { entries, isKnown, saveProblem } = session.watch.snapshot();
      if (!isKnown) throw saveProblem;
      return entries.filter((entry) => supplier === null || entry.supplier === supplier);
    },
    explain: (error) => errorLine(error, { doing: "the report" }),
  });
  const blocks = describeReport(report, {
    profile: profileFlag(profile),
    profilesOfService: namesOfService(() => settings.profiles(), baseUrl),
    storedIn: storedIn(stateDir),
    reconnectHint:
      profile.baseUrl === null
        ? embeddedWords
        : profile.name === adHocName
          ? reconnectHint({ profile: profile.name, baseUrl })
          : null,
  });
  return format === "html" ? htmlOf(reportTitle(report), blocks) : markdownOf(blocks);
}
