import { adHocName, profileFlag, sandboxProfile, wayBack } from "../settings/sandbox-profile.ts";
import { describeError, oneLine } from "../text/describe-error.ts";
import { describeReport, reportTitle } from "../triage/report/describe-report.ts";
import { gatherReport } from "../triage/report/gather-report.ts";
import { htmlOf } from "../triage/report/html.ts";
import { markdownOf } from "../triage/report/markdown.ts";
import { openWork } from "../triage/report/open-work.ts";
import type { ConsoleContextValue } from "./console-context.ts";
import type { Session } from "./open-session.ts";

const unnamed: readonly string[] = [adHocName, sandboxProfile.name];

/**
 * The report of a session as the text of a file; `since` in epoch milliseconds. Rejects with the
 * signal's reason.
 */
export async function shiftReport(
  session: Session,
  { clock, settings }: Pick<ConsoleContextValue, "clock" | "settings">,
  options: { readonly since: number; readonly format: "md" | "html"; readonly signal: AbortSignal },
): Promise<string> {
  const { since, format, signal } = options;
  const { profile, service, baseUrl, budget } = session;
  const observations = await session.observations().catch(() => null);
  const stored = (await observations?.stored().catch(() => [])) ?? [];
  const observed = stored.flatMap((one) => (one.origin === baseUrl ? [one.supplier] : []));
  const listed = settings.find(profile.name)?.suppliers ?? profile.suppliers;
  const { report } = await gatherReport({
    ...{ profile, service, since, cohort: null, budget, clock, signal },
    suppliers: [...new Set([...listed, ...observed])],
    recorder: observations ?? undefined,
    observations: async () => observations,
    async openWork() {
      const writes = await session.existingWrites(signal);
      if (writes === null) return null;
      return openWork(writes.context, {
        ...{ profile: profile.name, baseUrl, suppliers: null, since },
      });
    },
    watched: () => session.watch.snapshot().entries,
    explain: (error) => oneLine(describeError(error, { doing: "the report" })),
  });
  const blocks = describeReport(report, {
    profile: profileFlag(profile),
    wayBack: unnamed.includes(profile.name) ? wayBack({ profile: profile.name, baseUrl }) : null,
  });
  return format === "html" ? htmlOf(reportTitle(report), blocks) : markdownOf(blocks);
}
