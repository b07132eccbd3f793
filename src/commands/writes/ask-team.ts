/** Asks a team's ledger about a write that `--again` lets pass, and warns about what it has. */
import type { AppError } from "../../errors/app-error.ts";
import type { Finding } from "../../writes/journal/override.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { refuseTeam } from "../../writes/refuse-team.ts";
import type { WriteContext } from "../../writes/send/events.ts";
import { askTeam } from "../../writes/team/ask.ts";
import { passedWords } from "../../writes/words/guard.ts";
import { teamBarError, teamBarWords } from "../../writes/words/team.ts";
import type { Invocation } from "../invocation.ts";

/** The findings of colleagues that a reason passes, with the error of a write without one. */
interface Asked {
  readonly findings: readonly Finding[];
  readonly error: AppError<"write"> | null;
}

/**
 * Returns what colleagues have of a write's items, for the reason of `--again`. Without it, nothing is
 * asked: the claim decides. `id` is the entry of a resend, or null. Rejects with a team error, also if the
 * team allows no write.
 */
export async function askColleagues(
  invocation: Invocation,
  context: WriteContext,
  {
    write,
    id,
    again,
  }: {
    readonly write: PreparedWrite;
    readonly id: number | null;
    readonly again: string | null;
  },
): Promise<Asked> {
  refuseTeam(context);
  const [bar = null] = again === null ? [] : await askTeam(context, [{ write, id }]);
  if (bar === null) return { findings: [], error: null };
  invocation.warn(passedWords(teamBarWords(bar, write), bar.findings));
  return { findings: bar.findings, error: teamBarError(bar, write) };
}
