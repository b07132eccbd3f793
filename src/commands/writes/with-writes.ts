/** Opens the journal for commands that send entries. */

import { plural } from "../../text/numbers.ts";
import { countActivity } from "../../writes/activity.ts";
import { openWrites, type Writes } from "../../writes/open-writes.ts";
import type { Invocation } from "../invocation.ts";
import type { Target } from "../target.ts";
import { journalOptions } from "./journal-options.ts";
import { printProgress } from "./progress.ts";

/**
 * Runs work with the open journal, and closes it afterwards. Rejects with a journal error before
 * anything is sent.
 */
export async function withWrites<T>(
  invocation: Invocation,
  { service, profile }: Target,
  work: (writes: Writes) => Promise<T>,
): Promise<T> {
  const { io } = invocation;
  // Entries of an embedded sandbox are in memory, because they do not belong in the journal on
  // disk.
  const folder = profile.baseUrl === null ? null : invocation.folders.stateDir;
  const writes = await openWrites({
    ...journalOptions(invocation, folder),
    service,
    profile: profile.name,
    pid: io.pid,
    clock: io.clock,
  });
  try {
    return await work(writes);
  } finally {
    await writes.close();
  }
}

/** Prints the number of earlier entries with an unknown outcome. */
export function warnAboutUnknown(invocation: Invocation, { context }: Writes): void {
  const { baseUrl } = context.service;
  const unknown = countActivity(context.journal, { outcomes: ["unknown"], baseUrl });
  if (unknown === 0) return;
  printProgress(
    invocation,
    `${plural(unknown, "earlier write")} ended with an unknown outcome: \`supplyline activity list --outcome unknown\` shows which.`,
  );
}
