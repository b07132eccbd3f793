import { places } from "../../settings/places.ts";
import type { OpenJournalOptions } from "../../writes/journal/open-journal.ts";
import type { Invocation } from "../invocation.ts";
import { narrate } from "./progress.ts";

/** Where the journal of a command stands, and what is said while another process keeps it. */
export function journalOptions(invocation: Invocation): OpenJournalOptions {
  const { io } = invocation;
  return {
    folder: places(io.env, io.home).stateDir,
    signal: io.signal,
    onWait: () =>
      narrate(
        invocation,
        "Another process keeps the journal to itself; waiting for it. Nothing is sent meanwhile, and Ctrl-C ends the wait.",
      ),
  };
}
