import type { OpenJournalOptions } from "../../writes/journal/open-journal.ts";
import type { Invocation } from "../invocation.ts";
import { printProgress } from "./progress.ts";

/**
 * Returns the options for opening the journal of a command. `folder` is null for a journal in
 * memory. A notice is printed while another process has locked the journal.
 */
export function journalOptions(invocation: Invocation, folder: string | null): OpenJournalOptions {
  return {
    folder,
    signal: invocation.io.signal,
    onWait: () =>
      printProgress(
        invocation,
        "Another process has locked the journal; waiting for it. Nothing is sent meanwhile; Ctrl-C ends the wait.",
      ),
  };
}
