import { existsSync } from "node:fs";
import { join } from "node:path";
import { places } from "../settings/places.ts";
import { adHocName } from "../settings/sandbox-profile.ts";
import { type ActivityRow, listActivity } from "../writes/activity.ts";
import { journalFile } from "../writes/journal/journal-file.ts";
import type { Invocation } from "./invocation.ts";
import type { Target } from "./target.ts";

/**
 * The entries of a profile whose outcome is unknown, newest first; none where there is no journal,
 * because reading makes none. Rejects with JournalError.
 */
export async function unknownWrites(
  invocation: Invocation,
  { profile, service }: Target,
): Promise<readonly ActivityRow[]> {
  const { io } = invocation;
  // The entries of an embedded sandbox ended with it.
  if (profile.baseUrl === null) return [];
  if (!existsSync(join(places(io.env, io.home).stateDir, journalFile))) return [];
  const { withJournalToRead } = await import("./activity/with-journal.ts");
  // Every service that the environment names has the same profile.
  const baseUrl = profile.name === adHocName ? service.baseUrl : undefined;
  return withJournalToRead(invocation, async (journal) =>
    listActivity(journal, { outcomes: ["unknown"], profile: profile.name, baseUrl }),
  );
}

/** How many there are of each supplier. */
export async function unknownBySupplier(
  invocation: Invocation,
  target: Target,
): Promise<(supplier: string) => number> {
  const entries = await unknownWrites(invocation, target);
  return (supplier) => entries.filter((one) => one.import_supplier === supplier).length;
}
