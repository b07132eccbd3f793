/** The roles of a ledger and their rights: members execute functions and read, and change nothing else. */
import type { LedgerNames } from "./tables.ts";

/** Returns the SQL that creates the roles if they do not exist. It needs the right to create roles. */
export const roles = ({ team, ci }: LedgerNames) => `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${bare(team)}') THEN
    CREATE ROLE ${team} NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${bare(ci)}') THEN
    CREATE ROLE ${ci} NOLOGIN IN ROLE ${team};
  END IF;
END $$;
`;

/** The columns of entries that members read: every column but the token, with which one publishes. */
const readableColumns = `id, journal, local_id, service, profile, operation, moves_money, import_supplier,
  external_account_number, external_identifier, run, line, machine, person, login, sha256, recorded_at, claimed_at,
  lease_until, state, took_effect, reason, doubt, http_status, code, attempts, settled_at, removed_at, changed`;

/** Returns the SQL that grants the rights. */
export const rights = ({ schema, team }: LedgerNames) => `
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;
GRANT USAGE ON SCHEMA ${schema} TO ${team};
GRANT SELECT ON ${schema}.ledger, ${schema}.journal, ${schema}.item, ${schema}.account_lock, ${schema}.event TO ${team};
GRANT SELECT (${readableColumns}) ON ${schema}.entry TO ${team};
GRANT EXECUTE ON FUNCTION ${schema}.claim, ${schema}.renew, ${schema}.publish, ${schema}.close TO ${team};
`;

/** Returns a quoted name without its quotes. */
function bare(name: string): string {
  return name.slice(1, -1);
}
