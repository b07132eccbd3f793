/** Commands of several people whose team asks for two of them, with a ledger in PostgreSQL's SQL. */

import { systemClock } from "../../src/api/clock.ts";
import { type Connect, ledgerConnection } from "../../src/writes/team/connection.ts";
import type { TeamDriver } from "../../src/writes/team/ledger.ts";
import { sqlLedger } from "../../src/writes/team/sql-ledger.ts";
import { type Act, openService } from "../helpers/service.ts";
import { world as openWorld, type World } from "../helpers/world.ts";
import { type SqlWorld, sqlWorld, type TestDatabase } from "../writes/team/sql-world.ts";

type Desk = World<null>;

const address = "postgresql://127.0.0.1:1/ledger";

/** A service, a team with a policy for it, and people with a desk and a login of their own. */
export interface TwoPeople {
  /** The calls that the database does not answer. */
  away: "claims" | "all" | null;
  readonly server: Awaited<ReturnType<typeof openService>>;
  readonly world: SqlWorld;
  /** Returns the driver of the ledger with the login of a person. */
  driver(person: string): TeamDriver["load"];
  desk(person: string, env?: Readonly<Record<string, string>>): Promise<Desk>;
  policy(fourEyes: "money" | "none"): Promise<unknown>;
}

/** Answers every write as created. */
export const created = (reference: string): Act => ({
  status: 201,
  body: { service_account_number: "A", reference },
});

export async function twoPeople(
  database: TestDatabase,
  writes: Act[],
  reads: Act[] = [],
): Promise<TwoPeople> {
  const server = await openService({ writes, reads });
  const world = await sqlWorld(database);
  for (const name of ["op1", "op2", "op3", "robot"]) await world.login(name);
  await world.run('GRANT "tested_ci" TO "tested_robot"');
  const service = { SUPPLYLINE_BASE_URL: server.baseUrl, SUPPLYLINE_TOKEN: "token-1" };
  const connectAs =
    (person: string): Connect =>
    async () => {
      const connection = await world.connectAs(`${world.schema}_${person}`)();
      const query: typeof connection.query = (sql, values) =>
        team.away === "all" || (team.away === "claims" && sql.includes(".claim("))
          ? Promise.reject(unreachable())
          : connection.query(sql, values);
      return { ...connection, query };
    };
  const driver =
    (person: string): TeamDriver["load"] =>
    async () =>
    (_, options) =>
      sqlLedger(ledgerConnection(connectAs(person)), {
        ...options,
        host: "test",
        schema: world.schema,
        patienceMs: 0,
      });
  const policy: TwoPeople["policy"] = async (fourEyes) => {
    const { serviceKey } = await import("../../src/api/url.ts");
    const given = [serviceKey(server.baseUrl), fourEyes];
    return world.run("SELECT LEDGER.set_policy($1, 'owner', NULLIF($2, 'none'))", ...given);
  };
  await policy("money");
  const team: TwoPeople = {
    ...{ away: null, server, world, driver, policy },
    desk: async (person, env = {}) => {
      const names = { SUPPLYLINE_MACHINE: `laptop of ${person}`, SUPPLYLINE_PERSON: person };
      const desk = await openWorld({
        service: null,
        clock: systemClock,
        env: { ...service, SUPPLYLINE_TEAM: address, ...names, ...env },
      });
      const run: Desk["run"] = (words, options) =>
        desk.run(words, { loadLedger: driver(person), ...options });
      const json: Desk["json"] = async (words) =>
        JSON.parse((await run([...words, "--json"])).stdout);
      return { ...desk, run, json };
    },
  };
  return team;
}

const unreachable = () =>
  Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
