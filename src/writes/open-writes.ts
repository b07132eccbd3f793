/** Everything writes are made with, opened once when the program first needs it. */
import type { Clock } from "../api/clock.ts";
import { type OpenJournalOptions, openJournal } from "./journal/open-journal.ts";
import { processLife } from "./owner.ts";
import { type Recovered, recover } from "./recover.ts";
import { applyRetention } from "./retention.ts";
import type { WriteContext } from "./send/events.ts";
import type { WriteService } from "./write-service.ts";

export interface OpenWritesOptions extends OpenJournalOptions {
  readonly service: WriteService;
  /** The profile's name, for the journal. */
  readonly profile: string;
  /** This process's number. */
  readonly pid: number;
  readonly clock: Clock;
  readonly random?: () => number;
}

export interface Writes {
  readonly context: WriteContext;
  /** What earlier processes had left; the unknown ones are to be shown first. */
  readonly recovered: Recovered;
  close(): Promise<void>;
}

/**
 * Opens the journal, settles what ended processes left, and takes out what is kept too long. Sends
 * nothing. Rejects with JournalError; nothing may be written to the service then.
 */
export async function openWrites(options: OpenWritesOptions): Promise<Writes> {
  const { service, profile, pid, clock, random = Math.random } = options;
  const journal = await openJournal(options);
  try {
    const process = processLife(pid);
    const recovered = await recover(journal, process, clock.now());
    await applyRetention(journal, clock.now());
    const context: WriteContext = { journal, service, process, clock, profile, random };
    return { context, recovered, close: () => journal.close() };
  } catch (error) {
    await journal.close();
    throw error;
  }
}
