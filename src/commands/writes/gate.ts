import type { Profile } from "../../settings/profile.ts";
import { capital } from "../../text/describe-error.ts";
import { safe } from "../../text/sanitise.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { ask, canAsk } from "./ask.ts";

/** What is about to be sent, and to whom. */
export interface Intended {
  /** For example `adding 2 notes to EXT-1`. */
  readonly doing: string;
  /** The account number or identifier, to be typed on production. */
  readonly id: string;
  /** What makes it doubtful wherever it goes; it is asked for on every profile then. */
  readonly risk?: string;
}

/**
 * Lets a write through: never where it is read-only; on production, and where it is risky, only with
 * `--yes` or the account typed on a terminal. Throws `usage`; nothing was sent.
 */
export async function passGate(
  invocation: Invocation,
  profile: Profile,
  { doing, id, risk }: Intended,
): Promise<void> {
  const { globals, io } = invocation;
  if (globals.readOnly)
    throw new CommandError("usage", `--read-only forbids ${doing}`, "Nothing was sent.");
  if (profile.readOnly)
    throw new CommandError(
      "usage",
      `the profile ${profile.name} is read-only, which forbids ${doing}`,
      "Nothing was sent. A profile that may write is chosen with --profile NAME.",
    );
  const isProduction = profile.environment === "production";
  if ((!isProduction && risk === undefined) || globals.yes) return;
  const why = [
    ...(isProduction ? [`${profile.name} is production (${profile.baseUrl ?? "sandbox"})`] : []),
    ...(risk === undefined ? [] : [risk]),
  ].join("; ");
  if (!canAsk(io))
    throw new CommandError(
      "usage",
      `${doing} needs to be confirmed: ${why}`,
      "Nothing was sent. Give --yes to go ahead.",
    );
  invocation.problem(`${capital(doing)}: ${why}.`);
  const typed = await ask(io, `To send it, type ${safe(id)}: `);
  if (typed === id) return;
  throw new CommandError(
    "usage",
    typed === "" ? "it was not confirmed" : `${JSON.stringify(typed)} is not ${id}`,
    "Nothing was sent.",
  );
}
