/** Marks a team's ledger as restored from a backup, or dismisses a machine that cannot report back. */
import * as z from "zod/mini";
import type { TeamAddress } from "../../settings/team-address.ts";
import { type Connect, withOwnerConnection } from "./connection.ts";
import { unreadableAnswer } from "./failures.ts";

export interface Repair {
  readonly person: string;
  readonly reason: string;
  /** The name of the machine to dismiss, or null to mark the ledger as restored. */
  readonly dismissed: string | null;
}

/**
 * Calls the owner's function. Resolves with the machines that still owe their entries. Rejects with a
 * team error, `team-not-set-up` if the login is not the owner's.
 */
export async function repairLedger(
  connect: Connect,
  { host, schema }: Pick<TeamAddress, "host" | "schema">,
  { person, reason, dismissed }: Repair,
): Promise<readonly string[]> {
  return withOwnerConnection(connect, host, async (own) => {
    const call = `SELECT to_jsonb("${schema}".repair($1, $2, $3)) AS r`;
    const [row] = await own.query(call, [person, reason, dismissed]);
    const machines = z.safeParse(z.array(z.string()), row?.r);
    if (!machines.success) throw unreadableAnswer(host);
    return machines.data;
  });
}
