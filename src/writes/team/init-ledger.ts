/** Creates a team's ledger in its database, or upgrades it. */
import type { TeamAddress } from "../../settings/team-address.ts";
import { codeOf } from "../../text/disk-words.ts";
import { type Connect, type SqlConnection, withConnection } from "./connection.ts";
import { mayNotCreate, teamError, wrongVersion } from "./failures.ts";
import { ledgerVersion, rolesSql, stepsAfter } from "./schema/schema.ts";

/** The number of the advisory lock of a migration: the letters of `SPLJ`. */
const migrationLock = 0x53504c4a;

export interface Initialized {
  readonly kind: "created" | "upgraded" | "unchanged";
  readonly version: number;
}

export function ledgerScript(schema: string): string {
  return ["BEGIN;\n", rolesSql(schema), ...stepsAfter(schema, 0), "COMMIT;\n"].join("");
}

/**
 * Creates the ledger, or upgrades it, one transaction for each version. Rejects with a team error,
 * `team-version` for a ledger of a later version.
 */
export function initLedger(
  connect: Connect,
  { host, schema }: Pick<TeamAddress, "host" | "schema">,
): Promise<Initialized> {
  const work = async (connection: SqlConnection): Promise<Initialized> => {
    let before: number | null = null;
    for (;;) {
      const version = await nextStep(connection, schema);
      before ??= version;
      if (version < ledgerVersion) continue;
      const kind = before === version ? "unchanged" : before === 0 ? "created" : "upgraded";
      return { kind, version: before };
    }
  };
  return withConnection(connect, host, work, (error) =>
    codeOf(error) === "42501" ? mayNotCreate() : teamError(error, host),
  );
}

async function nextStep(connection: SqlConnection, schema: string): Promise<number> {
  await connection.query("BEGIN");
  // Another process that makes the step now is waited for, and its version is read then.
  await connection.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
  const version = await readVersion(connection, schema);
  if (version > ledgerVersion) throw wrongVersion(version);
  if (version === 0) await connection.script(rolesSql(schema));
  const [step] = stepsAfter(schema, version);
  if (step !== undefined) await connection.script(step);
  await connection.query("COMMIT");
  return version;
}

/** Reads the version of the ledger, or 0 if there is none. */
async function readVersion(connection: SqlConnection, schema: string): Promise<number> {
  const [found] = await connection.query("SELECT to_regclass($1) IS NOT NULL AS found", [
    `"${schema}".ledger`,
  ]);
  if (found?.found !== true) return 0;
  const [row] = await connection.query(`SELECT version FROM "${schema}".ledger`);
  return Number(row?.version);
}
