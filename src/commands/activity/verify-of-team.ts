import { AppError } from "../../errors/app-error.ts";
import { capital } from "../../text/connection-words.ts";
import { outcomeOfTeam } from "../../writes/team/colleagues.ts";
import { verifiablePoint, verifyTeamEntry } from "../../writes/team/verify-entry.ts";
import { outcomeLabel } from "../../writes/words/outcomes.ts";
import { withErrorContext } from "../command-error.ts";
import { type ExitCode, exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { printDone } from "../rows/print.ts";
import { withTarget } from "../target.ts";
import { printRequests, statusRequest } from "../writes/dry-run.ts";
import { bytesError, ownNumberError, withTeamEntry } from "./team-entries.ts";

/**
 * Looks up the supply point of a colleague's unknown entry, and closes the entry if it took effect. Other
 * entries cannot be verified here, because their exact bytes are on another machine. Throws `usage` for
 * these, a write error, or a team error.
 */
export async function verifyOfTeam(
  invocation: Invocation,
  id: number,
  isDryRun: boolean,
): Promise<ExitCode> {
  return withTarget(invocation, ({ service, context }) =>
    withTeamEntry(invocation, id, async (entry, ledger, isOwn) => {
      if (isOwn) throw ownNumberError(entry, "verify");
      if (entry.externalIdentifier === null) throw bytesError(entry);
      const point = verifiablePoint(entry);
      if (point === null) {
        const words = `Entry t${id} of the team is ${outcomeOfTeam(entry)}; only an unknown outcome is verified.`;
        throw new AppError("write", "not-possible", words);
      }
      const { importSupplier, externalIdentifier } = point;
      const target = { kind: "supply-point", importSupplier, externalIdentifier } as const;
      if (isDryRun) return printRequests(invocation, [statusRequest(service.baseUrl, target)]);
      const subject = {
        kind: "supply-point",
        supplier: importSupplier,
        id: externalIdentifier,
      } as const;
      const result = await withErrorContext(context(`verifying entry t${id}`, subject), () =>
        verifyTeamEntry(service, ledger, entry, point, invocation.request),
      );
      switch (result.kind) {
        case "verified": {
          const label = outcomeLabel({ outcome: "closed", took_effect: "yes" });
          await printDone(
            invocation,
            { team_id: `t${id}`, outcome: "closed", took_effect: "yes", reason: result.reason },
            `Entry t${id} of the team is ${label}. ${capital(result.reason)}.`,
          );
          return exitCode.done;
        }
        case "settled":
          throw new AppError("write", "not-possible", `Entry t${id} was settled meanwhile.`);
        case "unknown":
          invocation.report({
            exitCode: exitCode.unknownOutcome,
            kind: "unknown-outcome",
            message: `The outcome of entry t${id} is still unknown. ${result.why} If you know the outcome, close it: \`supplyline activity close t${id} --reason TEXT\`.`,
          });
          return exitCode.unknownOutcome;
      }
    }),
  );
}
