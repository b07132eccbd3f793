/** The ledger of a team in a cluster on this machine, also with as many entries as a team has after years. */
import type { TeamAccess } from "../../src/settings/team-access.ts";
import type { LedgerRow } from "../../src/writes/team/connection.ts";
import { initLedger } from "../../src/writes/team/init-ledger.ts";
import { connectTo } from "../../src/writes/team/postgres.ts";
import type { Cluster } from "../../test/helpers/cluster.ts";

const schema = "supplyline";

/** The figures of a machine without PostgreSQL. */
export const noCluster = { skipped: "PostgreSQL is not on this machine" };

/** Executes a statement as the owner of the ledger. */
export type LedgerOwner = (
  sql: string,
  ...values: readonly unknown[]
) => Promise<readonly LedgerRow[]>;

/** Adds confirmed entries of the service that the ledger has already, each with one item. */
export async function fillLedger(owner: LedgerOwner, entries: number): Promise<void> {
  await owner(
    `WITH made AS (
       INSERT INTO ${schema}.entry (journal, local_id, token, claim_number, service, profile, operation, moves_money, import_supplier,
         external_account_number, machine, person, sha256, recorded_at, lease_until, state, attempts, settled_at)
       SELECT gen_random_uuid(), n, gen_random_uuid(), n, service, 'bench', 'notes create', false, 'ACME', 'EXT-' || n,
         'bench', 'bench', encode(sha256(n::text::bytea), 'hex'), now(), now(), 'confirmed', 1, now()
       FROM generate_series(1, $1::int) n, (SELECT service FROM ${schema}.entry LIMIT 1) s
       RETURNING id, service, sha256)
     INSERT INTO ${schema}.item (entry, position, service, key, recognized, state)
       SELECT id, 0, service, sha256, false, 'confirmed' FROM made`,
    entries,
  );
  await owner(`VACUUM ANALYZE ${schema}.entry, ${schema}.item`);
}

/** Returns the number of rows that scans of whole tables have read. Small tables are not counted. */
export async function rowsReadBySeqScans(owner: LedgerOwner): Promise<number> {
  const [row] = await owner(
    `SELECT sum(seq_tup_read)::float8 AS rows FROM pg_stat_user_tables
     WHERE schemaname = $1 AND relname IN ('entry', 'item', 'event')`,
    schema,
  );
  return Number(row?.rows);
}

/** Returns the access of a login to the ledger at a port of loopback. */
export function accessTo(port: number, login: string): TeamAccess {
  const address = { host: "127.0.0.1", port, database: "postgres", user: login };
  return {
    address: { ...address, schema, isEncrypted: false },
    ca: undefined,
    login: async () => ({ user: login, password: null }),
  };
}

/** Returns the variables of a member's program. */
export function teamAt(port: number) {
  return { SUPPLYLINE_TEAM: `postgresql://bench@127.0.0.1:${port}/postgres?schema=${schema}` };
}

/** Creates a ledger with a member in a cluster. */
export async function openLedgerIn({ port }: Cluster): Promise<LedgerOwner> {
  const connect = connectTo(accessTo(port, "owner"), 600_000);
  await initLedger(connect, { host: "127.0.0.1", schema });
  const owner: LedgerOwner = async (sql, ...values) => {
    const connection = await connect();
    try {
      return await connection.query(sql, values);
    } finally {
      await connection.close(false);
    }
  };
  await owner(`CREATE ROLE bench LOGIN IN ROLE "${schema}_team"`);
  return owner;
}
