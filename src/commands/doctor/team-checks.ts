/** The checks of `doctor` for the team's ledger, if the profile has a team. */
import { formatDuration } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";
import type { LedgerStatus } from "../../writes/team/ledger-status.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { clockWords, restoredWords } from "../team/status-words.ts";
import { needTeam, readTeamStatus } from "../team/with-team.ts";
import { type Check, failed, ok, skipped, warn } from "./check.ts";

export async function teamChecks(invocation: Invocation): Promise<Check[]> {
  const profile = profileOf(invocation);
  if (profile?.team === undefined) return [];
  try {
    const access = needTeam(invocation, profile);
    const status = await readTeamStatus(invocation, { profile, access });
    return [
      databaseCheck(access.address, status),
      clockCheck(status),
      entriesCheck(status),
      ...policyCheck(status),
    ];
  } catch (error) {
    invocation.io.signal.throwIfAborted();
    const notChecked = "not checked: see above";
    return [
      failed("team database", error),
      skipped("team clock", notChecked),
      skipped("team entries", notChecked),
    ];
  }
}

/** Returns the profile, or null if there is none: another check reports that. */
function profileOf(invocation: Invocation) {
  try {
    return findTarget(invocation)?.profile ?? null;
  } catch {
    return null;
  }
}

function databaseCheck(
  { host, schema }: { readonly host: string; readonly schema: string },
  { serverVersion, tls, version, login, latencyMs, isOwner, isMember }: LedgerStatus,
): Check {
  const check = "team database";
  const secure = tls === null ? "without TLS on loopback" : tls;
  const detail = `${host} answers in ${latencyMs} ms, PostgreSQL ${serverVersion}, ${secure}, ledger version ${version}, login ${login}`;
  if (isOwner) return warn(check, `${detail}. The owner of the ledger must not send.`);
  if (isMember) return ok(check, detail);
  return warn(check, `${detail}. The login is no member: GRANT ${schema}_team TO ${login}.`);
}

function clockCheck(status: LedgerStatus): Check {
  const words = clockWords(status);
  if (words !== null) return warn("team clock", words);
  const seconds = Math.max(1, Math.ceil(Math.abs(status.clockAheadMs) / 1_000));
  return ok("team clock", `agrees with the database within ${formatDuration(seconds * 1_000)}`);
}

function entriesCheck(status: LedgerStatus): Check {
  const words = restoredWords(status);
  if (words !== null) return warn("team entries", words);
  const { unknown, sending, machines } = status;
  const detail = `${plural(machines.length, "machine")}, ${unknown} unknown, ${sending} being sent`;
  return unknown === 0
    ? ok("team entries", detail)
    : warn("team entries", `${detail}. Verify or close the unknown entries.`);
}

/** Reports the policy of the service, and the requests that wait. Reports nothing without a policy. */
function policyCheck({ fourEyes, waiting }: LedgerStatus): readonly Check[] {
  if (fourEyes === "none") return [];
  const detail = `two people for money, ${plural(waiting, "request")} ${waiting === 1 ? "waits" : "wait"}`;
  return [ok("team policy", detail)];
}
