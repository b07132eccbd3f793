/** Reads what a report has of a team's colleagues. */
import type { TeamNames } from "../../settings/team-access.ts";
import { doneByColleagues } from "../../writes/done.ts";
import type { Ledger } from "../../writes/team/ledger.ts";
import { isAmong } from "../open/work-counts.ts";
import type { ReportedTeam } from "./report.ts";

/**
 * Reads what colleagues did since a time, and what they have open. `suppliers` is null for all. Rejects
 * with a team error.
 */
export async function teamReport(
  ledger: Pick<Ledger, "openWork" | "done">,
  { since, suppliers }: { readonly since: number; readonly suppliers: readonly string[] | null },
  names: TeamNames,
): Promise<ReportedTeam> {
  const isIncluded = ({ importSupplier }: { readonly importSupplier: string }) =>
    isAmong(suppliers, importSupplier);
  const { people } = await ledger.openWork();
  const done = doneByColleagues(await ledger.done({ since }));
  return { kind: "read", open: people.filter(isIncluded), done: done.filter(isIncluded), names };
}
