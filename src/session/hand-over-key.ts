/** The key that copies one line about an account or supply point for the next shift. */
import type { Action } from "../keys/scopes.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { commandLine } from "../text/as-command.ts";
import { handOverLine, type LastNote, type StateSince } from "../text/hand-over-line.ts";
import { stateStart, type Transition } from "../watch/timeline.ts";
import type { Here } from "./app.ts";

/** The account or supply point of a screen, with the facts that the screen shows. */
interface HandedOver {
  readonly kind: "account" | "supply-point";
  readonly supplier: string;
  readonly number: string;
  readonly serviceNumber: string;
  /** The latest state in words, or null before the first response. */
  readonly state: string | null;
  readonly timeline: readonly Transition[];
  /** The start of the state, if it is known from another source than the checks, or else null. */
  readonly since: StateSince | null;
}

/** Returns the key that copies one line for the next shift. */
export function handOverKey({ app, session }: Here, about: HandedOver): Action {
  const { kind, supplier, number, serviceNumber, state, timeline } = about;
  const lastNoteOf = async (): Promise<LastNote | null> => {
    if (kind !== "account") return null;
    const writes = await session.existingWrites(app.end);
    if (writes === null) return null;
    const { lastNote } = await import("../writes/activity-detail.ts");
    const { baseUrl } = session;
    return lastNote(writes.context.journal, { baseUrl, supplier, account: number });
  };
  const run = async () => {
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
      state,
      command,
      since: about.since ?? sinceChecked(timeline),
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

/** Returns the start of the current state by the checks, or null before the first check. */
function sinceChecked(timeline: readonly Transition[]): StateSince | null {
  const start = stateStart(timeline);
  return start && { at: start.at, orEarlier: start.kind !== "seen" };
}
