/** Opens the journal for commands that send entries, and reports the progress of sending. */

import { plural } from "../../text/numbers.ts";
import { countActivity } from "../../writes/activity.ts";
import { olderJournalWords } from "../../writes/older-journal.ts";
import { openWrites, type Writes } from "../../writes/open-writes.ts";
import type { SubmitEvent, WriteContext } from "../../writes/send/events.ts";
import { readTeamFacts } from "../../writes/team/claims.ts";
import type { TeamDriver, TeamFacts } from "../../writes/team/ledger.ts";
import { eventWords } from "../../writes/words/events.ts";
import { unpublishedWords } from "../../writes/words/team.ts";
import type { Invocation } from "../invocation.ts";
import type { Target } from "../target.ts";
import { journalOptions } from "../with-journal.ts";

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
    profile,
    teamDriver: driverOf(invocation),
    pid: io.pid,
    clock: io.clock,
  });
  writes.context.team?.ledger.connect();
  const { path, standing } = writes.context.journal;
  if (standing.kind !== "current") invocation.warn(olderJournalWords(path, standing), "lasting");
  try {
    return await work(writes);
  } finally {
    const unpublished = (await writes.context.team?.drain()) ?? 0;
    if (unpublished > 0) invocation.warn(unpublishedWords(unpublished), "lasting");
    await writes.close();
  }
}

export function driverOf({ io, settings }: Invocation): TeamDriver {
  const { env, home, loadLedger: load } = io;
  return { env, home, load, profiles: () => settings().profiles() };
}

/**
 * Publishes an outcome for a few seconds. Resolves with the facts of the entry at the team's ledger, or
 * null without a team.
 */
export async function publishedFacts(
  { journal, team }: WriteContext,
  id: number,
): Promise<TeamFacts | null> {
  if (team === null) return null;
  await team.drain();
  return journal.read((rows) => readTeamFacts(rows, id)) ?? { teamId: null, isPublished: false };
}

export function warnAboutUnknown(invocation: Invocation, { context }: Writes): void {
  const { baseUrl } = context.service;
  const unknown = countActivity(context.journal, { outcomes: ["unknown"], baseUrl });
  if (unknown === 0) return;
  invocation.progress(
    `${plural(unknown, "earlier entry", "earlier entries")} ended with an unknown outcome: \`supplyline activity list --outcome unknown\` shows which.`,
  );
}

/**
 * Returns the options for sending a write. `settleMs` is the wait before a request that might still
 * be running is sent again.
 */
export function sendingOf(invocation: Invocation, settleMs: number | undefined) {
  return { ...invocation.request, onEvent: progressOf(invocation), settleMs };
}

function progressOf(invocation: Invocation): (event: SubmitEvent) => void {
  const { clock } = invocation.io;
  return (event) => {
    if (isSilent(event)) return;
    const words = eventWords(event, clock.now());
    if (words !== null) invocation.progress(words);
  };
}

/** Returns true for an event without a line, because the next event explains more. */
function isSilent(event: SubmitEvent): boolean {
  switch (event.kind) {
    case "sending":
      return event.n === 1;
    case "looking-up":
      return event.purpose === "before";
    case "headers-sent":
      return true;
    case "queued":
    case "waiting-for-account":
    case "waiting-for-colleague":
    case "sent-by-colleague":
    case "found-before":
    case "attempt-ended":
    case "waiting":
    case "outcome":
      return false;
  }
}
