/** A team whose ledger is in a database: PGlite, or a cluster that a test started. */
import { systemClock } from "../../../src/api/clock.ts";
import {
  type Connect,
  type LedgerRow,
  ledgerConnection,
  type SqlConnection,
} from "../../../src/writes/team/connection.ts";
import { initLedger } from "../../../src/writes/team/init-ledger.ts";
import type { LedgerUser } from "../../../src/writes/team/ledger.ts";
import { sqlLedger } from "../../../src/writes/team/sql-ledger.ts";
import { Folder, type LedgerEvent, Machine, type TeamWorld } from "./world.ts";

/** A database in which tests create ledgers. */
export interface TestDatabase {
  /** The owner of every ledger. */
  readonly owner: SqlConnection;
  connectAs(login: string): Connect;
}

/** A team in a database, with what a test of the SQL needs besides. */
export interface SqlWorld extends TeamWorld {
  readonly schema: string;
  /** Executes a statement as the owner. `LEDGER` stands for the schema. */
  run(sql: string, ...values: readonly unknown[]): Promise<readonly LedgerRow[]>;
  /** Creates a login with the rights of a member, unless it exists. */
  login(name: string): Promise<string>;
  connectAs(login: string): Connect;
}

const schema = "tested";

/** The ledger of a database, empty. */
export async function sqlWorld({ owner, connectAs }: TestDatabase): Promise<SqlWorld> {
  const run = (sql: string, ...values: readonly unknown[]) =>
    owner.query(sql.replaceAll("LEDGER", `"${schema}"`), values);
  // Creating the schema takes longer than most tests, so they share it.
  await initLedger(asOwner(owner), { host: "test", schema });
  const tables = [
    "approval_row",
    "approval",
    "policy",
    "event",
    "account_lock",
    "item",
    "entry",
    "run",
    "journal",
    "cohort",
    "list_machine",
    "list_part",
    "held_list",
    "observation",
    "list",
  ];
  await run(`TRUNCATE ${tables.map((table) => `LEDGER.${table}`).join(", ")} RESTART IDENTITY`);
  await run(
    "UPDATE LEDGER.ledger SET epoch = gen_random_uuid(), earlier_epochs = '{}', repair_since = NULL",
  );
  const login = async (name: string) => {
    const login = `${schema}_${name}`;
    const [known] = await run("SELECT 1 AS r FROM pg_roles WHERE rolname = $1", login);
    if (known === undefined) await run(`CREATE ROLE "${login}" LOGIN IN ROLE "${schema}_team"`);
    return login;
  };
  const ledgerFor = (machine: string, user: LedgerUser) => {
    const ledger = sqlLedger(ledgerConnection(connectAs(`${schema}_${machine}`)), {
      host: "test",
      schema,
      service: "https://service.example",
      user,
      clock: systemClock,
      random: () => 0.5,
    });
    onTestFinished(() => ledger.close());
    return ledger;
  };
  return {
    schema,
    run,
    login,
    connectAs,
    machine: async (name) => {
      await login(name);
      const folder = new Folder(name);
      return new Machine(folder, ledgerFor(name, folder));
    },
    ledgerFor,
    pass: async (ms) => {
      const before = `- $1::float8 * interval '1 ms'`;
      await run(
        `UPDATE LEDGER.entry SET claimed_at = claimed_at ${before}, lease_until = lease_until ${before}`,
        ms,
      );
      await run(`UPDATE LEDGER.journal SET last_at = last_at ${before}`, ms);
    },
    retain: async () => Number((await run("SELECT LEDGER.retain() AS r"))[0]?.r),
    repair: async (reason, dismissed) => {
      const rows = await run(
        "SELECT to_jsonb(LEDGER.repair('owner', $1, $2)) AS r",
        reason,
        dismissed ?? null,
      );
      return rows[0]?.r as readonly string[];
    },
    restoreBefore: async (id) => {
      await run("DELETE FROM LEDGER.event WHERE entry >= $1", id);
      await run("DELETE FROM LEDGER.account_lock WHERE entry >= $1", id);
      await run("DELETE FROM LEDGER.item WHERE entry >= $1", id);
      await run("DELETE FROM LEDGER.entry WHERE id >= $1", id);
      await run(
        "UPDATE LEDGER.journal j SET seq = (SELECT count(*) FROM LEDGER.entry e WHERE e.journal = j.id)",
      );
    },
    events: async () =>
      (await run("SELECT kind, reason FROM LEDGER.event ORDER BY id")) as unknown as LedgerEvent[],
    left: async () => {
      const rows = await run("SELECT machine FROM LEDGER.journal WHERE left_at IS NOT NULL");
      return rows.map(({ machine }) => String(machine));
    },
  };
}

/** Returns a function that connects as the owner, whose one connection stays open. */
export function asOwner(owner: SqlConnection): Connect {
  return async () => ({ ...owner, close: async () => {} });
}
