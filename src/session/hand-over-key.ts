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
  /** The latest state in words, or null before the first answer. */
  readonly state: string | null;
  readonly timeline: readonly Transition[];
  /** A start that is known from another source than the checks, or null if there is none. */
  readonly since: StateSince | null;
}

/** Returns the key that copies one line for the next shift. */
export function handOverKey({ app, session }: Here, about: HandedOver): Action {
  const { kind, supplier, number, serviceNumber, state, timeline } = about;
  const note = async (): Promise<LastNote | null> => {
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
      since: about.since ?? sinceSeen(timeline),
      // If the journal cannot be read, the line has no last note.
      note: await note().catch(() => null),
    });
    app.clipboard(line, "hand-over line");
  };
  const help =
    "Copy one line for the next shift: number, state, since when, last note, and its command";
  return { run: () => void run(), label: "hand-over", help, footer: besideWatch };
}

/**
 * The place in the footer: after the keys that act on the account or supply point, and before the
 * keys that reload it.
 */
const besideWatch = 24;

function sinceSeen(timeline: readonly Transition[]): StateSince | null {
  const began = stateStart(timeline);
  return began && { at: began.at, orEarlier: began.kind !== "seen" };
}
