/**
 * Asks the ledger of a team before each attempt: claims the entry before the first one, and renews
 * the claim before the others.
 */
import { AppError } from "../../errors/app-error.ts";
import type { Rows } from "../../sqlite/rows.ts";
import { readAttempts } from "../journal/entry.ts";
import { readOverride } from "../journal/override.ts";
import type { PreparedWrite } from "../prepare.ts";
import { hasUnpublished, readClaim, storeClaim } from "../team/claims.ts";
import { teamError } from "../team/failures.ts";
import {
  claimRequestOf,
  ledgerOverrideOf,
  localClaimOf,
  type StoredClaim,
} from "../team/from-journal.ts";
import { isGood, type Permit, type Renewal, type Team } from "../team/ledger.ts";
import { report, type SendOptions, type WriteContext } from "./events.ts";
import type { SendEvent, SendFacts } from "./state.ts";

/** Mean time between two questions while a colleague's entry has the account, in milliseconds. */
const busyPollMs = 1_000;

/**
 * Publishes an outcome of the entry that the ledger does not have, because the ledger would refuse
 * another claim. Rejects with a team error if that is not possible. Nothing is sent then.
 */
export async function publishBefore({ journal }: WriteContext, team: Team, id: number) {
  if (!journal.read((rows) => hasUnpublished(rows, team.place, id))) return;
  await team.publish();
  if (journal.read((rows) => hasUnpublished(rows, team.place, id))) throw unpublishedError(id);
}

function unpublishedError(id: number): AppError<"team"> {
  const words = `the team does not have the last outcome of entry ${id} yet`;
  const remedy = "Nothing was sent. `supplyline team publish` publishes it.";
  return new AppError("team", "team-unavailable", words, { journalId: id, remedy });
}

/** Stores a claim in the commit that takes the account lock. Throws a team error. */
export function claimInCommit(rows: Rows, team: Team, id: number, write: PreparedWrite): void {
  const claim = localClaimOf(crypto.randomUUID(), write);
  if (!storeClaim(rows, team.place, id, claim)) throw unpublishedError(id);
}

export function mayBegin(team: Team | null, permit: Permit | null): boolean {
  return team === null || (permit !== null && isGood(permit, team.now()));
}

/** Asks the ledger for the permission of the next attempt. Never rejects with a team error. */
export async function askLedger(
  context: WriteContext,
  team: Team,
  known: SendFacts,
  options: SendOptions,
): Promise<SendEvent> {
  await options.atPoint?.("claiming");
  const event =
    known.made > 0
      ? await renewClaim(context, team, known)
      : await claimEntry(context, team, known, options);
  await options.atPoint?.("claimed");
  return event;
}

async function renewClaim(
  { journal }: WriteContext,
  { ledger, place, folder, now }: Team,
  { entry: { id } }: SendFacts,
): Promise<SendEvent> {
  const renewal = journal.read((rows) => renewalOf(rows, folder, id));
  const askedAt = now();
  try {
    const renewed = await ledger.renew([renewal]);
    return renewed.has(renewal.token)
      ? { kind: "claimed", permit: { askedAt, id: null }, waitedMs: 0 }
      : { kind: "not-claimed", refusal: { kind: "lost" }, waitedMs: 0 };
  } catch (error) {
    const refusal = { kind: "away", error: teamError(error, place.address) } as const;
    return { kind: "not-claimed", refusal, waitedMs: 0 };
  }
}

/** Time between two renewals of a claim while its entry waits, in milliseconds. */
const renewMs = 60_000;

/**
 * Renews the claim of an entry every minute while `work` waits between two attempts, so that other
 * entries wait for the account. A failed renewal changes nothing: the claim is renewed before the attempt.
 */
export async function whileRenewed<T>(
  { team, journal, clock }: WriteContext,
  { made, entry: { id } }: Pick<SendFacts, "made" | "entry">,
  work: () => Promise<T>,
): Promise<T> {
  if (team === null || made === 0) return work();
  const { ledger, folder } = team;
  const renewal = journal.read((rows) => renewalOf(rows, folder, id));
  const done = new AbortController();
  const renew = async () => {
    for (;;) {
      await clock.sleep(renewMs, done.signal);
      await ledger.renew([renewal]).catch(() => {});
    }
  };
  renew().catch(() => {});
  try {
    return await work();
  } finally {
    done.abort();
  }
}

async function claimEntry(
  { journal, clock, random }: WriteContext,
  team: Team,
  { entry, write, limits }: SendFacts,
  options: SendOptions,
): Promise<SendEvent> {
  await team.ready;
  const { id } = entry;
  const request = journal.read((rows) => {
    const override = readOverride(rows, id);
    const passes = override === null ? null : ledgerOverrideOf(override);
    return claimRequestOf(rows, entry, write, storedClaim(rows, id), passes);
  });
  const began = clock.elapsed();
  let reported: number | null = null;
  for (;;) {
    const answer = await team.ledger.claim(request, options.signal);
    const waitedMs = clock.elapsed() - began;
    if (answer.kind === "claimed") {
      const finding = answer.findings.find(
        ({ kind, earlier }) => kind === "reported" && earlier.journal !== team.folder,
      );
      const facts = { operation: entry.operation, items: write.keys.length };
      if (finding !== undefined)
        report(options, { kind: "sent-by-colleague", journalId: id, write: facts, finding });
      return { kind: "claimed", permit: answer, waitedMs };
    }
    const isOver = options.signal.aborted || waitedMs >= limits.queueMs;
    if (answer.kind !== "busy" || isOver) return { kind: "not-claimed", refusal: answer, waitedMs };
    if (reported !== answer.entry.id) {
      reported = answer.entry.id;
      if (answer.entry.journal === team.folder) {
        // An earlier entry of this machine has ended, and the ledger does not know it yet.
        await team.publish();
        continue;
      }
      report(options, { kind: "waiting-for-colleague", journalId: id, entry: answer.entry });
    }
    const pauseMs = Math.round(busyPollMs * (0.5 + random()));
    await clock.sleep(pauseMs, options.signal).catch(() => {});
  }
}

function renewalOf(rows: Rows, folder: string, id: number): Renewal {
  const { token } = storedClaim(rows, id);
  return { journal: folder, localId: id, token, attempts: readAttempts(rows, id).length };
}

function storedClaim(rows: Rows, id: number): StoredClaim {
  const claim = readClaim(rows, id);
  if (claim === null) throw new Error(`Entry ${id} is not claimed.`);
  return claim;
}
