import type { OpenJournalOptions } from "../../writes/journal/open-journal.ts";
import type { Invocation } from "../invocation.ts";
import { narrate } from "./progress.ts";

/**
 * Where the journal of a command is (null: in memory), and what is said while another process keeps
 * it.
 */
export function journalOptions(invocation: Invocation, folder: string | null): OpenJournalOptions {
  return {
    folder,
    signal: invocation.io.signal,
    onWait: () =>
      narrate(
        invocation,
        "Another process keeps the journal to itself; waiting for it. Nothing is sent meanwhile, and Ctrl-C ends the wait.",
      ),
  };
}
