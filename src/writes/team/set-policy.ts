/** Sets the policy of a service in a team's ledger, as its owner. */
import type { TeamAddress } from "../../settings/team-address.ts";
import type { FourEyes } from "./approvals.ts";
import { type Connect, withOwnerConnection } from "./connection.ts";

/** A policy, the service that it is for, and the person who sets it. */
interface Policy {
  readonly service: string;
  readonly person: string;
  readonly fourEyes: FourEyes;
}

/** Sets the policy. Rejects with a team error, `team-not-set-up` if the login is not the owner's. */
export async function setPolicy(
  connect: Connect,
  { host, schema }: Pick<TeamAddress, "host" | "schema">,
  { service, person, fourEyes }: Policy,
): Promise<void> {
  const value = fourEyes === "none" ? null : fourEyes;
  const call = `SELECT "${schema}".set_policy($1, $2, $3)`;
  await withOwnerConnection(connect, host, (own) => own.query(call, [service, person, value]));
}
