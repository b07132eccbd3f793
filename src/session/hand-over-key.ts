/** The key that copies one line about an account or supply point for the next shift. */
import type { Action } from "../keys/scopes.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { commandLine } from "../text/as-command.ts";
import { utcInstant } from "../text/dates.ts";
import { handOverLine, type LastNote } from "../text/hand-over-line.ts";
import type { Verdict } from "../triage/verdict.ts";
import { verdictTimes } from "../triage/verdict-words.ts";
import type { Here } from "./app.ts";

interface HandedOver {
  readonly kind: "account" | "supply-point";
  readonly supplier: string;
  readonly number: string;
  readonly serviceNumber: string;
  /** Returns the verdict at `now` (service time, epoch milliseconds). */
  readonly verdict: (now: number) => Verdict;
}

export function handOverKey({ app, session }: Here, about: HandedOver): Action {
  const { kind, supplier, number, serviceNumber } = about;
  const lastNoteOf = async (): Promise<LastNote | null> => {
    if (kind !== "account") return null;
    const writes = await session.existingWrites(app.end);
    if (writes === null) return null;
    const { lastNote } = await import("../writes/activity-detail.ts");
    const { baseUrl } = session;
    return lastNote(writes.context.journal, { baseUrl, supplier, account: number });
  };
  const run = async () => {
    const verdict = about.verdict(session.now());
    const isAccount = kind === "account";
    const command = commandLine(
      {
        words: ["open"],
        operands: isAccount ? [supplier, number] : [supplier],
        options: isAccount ? [] : [["--supply-point", number]],
      },
      profileFlag(session.profile),
    );
    const line = handOverLine({
      supplier,
      number,
      serviceNumber,
      state: verdict.state === null ? null : verdict.words.label,
      times: verdictTimes(verdict, utcInstant),
      command,
      // If the journal cannot be read, the line has no last note.
      note: await lastNoteOf().catch(() => null),
    });
    app.clipboard(line, "hand-over line");
  };
  const help =
    "Copy one line for the next shift: number, state, since when, last note, and its command";
  return { run: () => void run(), label: "hand-over", help, footer: besideWatch };
}

/**
 * The position in the footer: after the keys that act on the account or supply point, and before the
 * keys that reload the screen.
 */
const besideWatch = 24;
