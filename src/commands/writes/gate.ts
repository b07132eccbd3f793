import type { Profile } from "../../settings/profile.ts";
import { profileWords } from "../../settings/profile-words.ts";
import { safe } from "../../text/sanitise.ts";
import { confirmationOf } from "../../writes/confirmation.ts";
import type { Operation } from "../../writes/kinds/kind.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { askingOf, canAsk, notConfirmed } from "./ask.ts";

/** What is about to be sent, and to whom. */
interface Intended {
  /** For example `adding 2 notes to EXT-1`. */
  readonly doing: string;
  /** What goes out, such as `1 CHARGE of 99.50 to ACME/EXT-1, 2026-11-10`. */
  readonly what: string;
  readonly operation: Operation;
  /** The account number or identifier. */
  readonly id: string;
  /** Why it may take effect twice, or was refused before, as a sentence; null when nothing says so. */
  readonly doubt: string | null;
  /** Whether the doubt was answered with `--again --reason`. */
  readonly again: boolean;
}

const nothingSent = "Nothing was sent.";

/** Refuses what writes where nothing may be written. Throws `usage`. */
export function refuseReadOnly({ globals }: Invocation, profile: Profile, doing: string): void {
  if (globals.readOnly) throw usageError(`--read-only forbids ${doing}`, nothingSent);
  if (profile.readOnly)
    throw usageError(
      `the profile ${profile.name} is read-only, which forbids ${doing}`,
      `${nothingSent} A profile that may write is chosen with --profile NAME.`,
    );
}

/**
 * Lets one write through: never where it is read-only, otherwise as the confirmation policy says,
 * typed on a terminal or given with `--yes`. Away from a terminal `--again --reason` answers a doubt
 * on its own, except on production. Throws `usage`; nothing was sent.
 */
export async function passGate(
  invocation: Invocation,
  profile: Profile,
  { doing, what, operation, id, doubt, again }: Intended,
): Promise<void> {
  const { globals, io } = invocation;
  const { environment } = profile;
  refuseReadOnly(invocation, profile, doing);
  const inDoubt = doubt !== null;
  const asked = confirmationOf({ environment, operation, rows: "one", inDoubt });
  if (asked.kind === "none" || globals.yes) return;
  const isProduction = environment === "production";
  if (!canAsk(io) && again && !isProduction) return;
  const why = [
    `on ${profileWords(profile)}`,
    ...(doubt === null ? [] : [doubt.replace(/\.$/, "")]),
  ].join("; ");
  if (!canAsk(io))
    throw usageError(
      `sending ${what} needs to be confirmed: ${why}`,
      `${nothingSent} Give --yes to go ahead.`,
    );
  invocation.problem(safe(`${what}: ${why}.`));
  await using asking = askingOf(io);
  const typed = await asking.ask(`To send it, type ${safe(id)}: `);
  if (typed !== id) throw notConfirmed(typed, id, nothingSent);
}
