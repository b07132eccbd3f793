/** A team's ledger in a cluster of its own, on the clock of the pictures. */
import { serviceKey } from "../../src/api/url.ts";
import type { SqlConnection } from "../../src/writes/team/connection.ts";
import { initLedger } from "../../src/writes/team/init-ledger.ts";
import { connectTo } from "../../src/writes/team/postgres.ts";
import { startCluster } from "../../test/helpers/cluster.ts";
import { asOwner } from "../../test/writes/team/sql-world.ts";

const schema = "supplyline";

/** The members, each with the machine on which the picture shows them. */
const machines = { op1: "laptop", op2: "bastion-2" } as const;

/** A person who sends. The console of a picture is that of `op1`. */
export type Member = keyof typeof machines;

/** A running ledger with its members. */
export interface PictureTeam extends AsyncDisposable {
  /** Returns what a program of a member is started with. */
  envOf(member: Member): Readonly<Record<string, string>>;
  /** Asks for two people for money at a service. */
  askForTwo(baseUrl: string): Promise<void>;
  /** Gives the latest entry and request a time of the pictures' clock. The cluster has a clock of its own. */
  setTimeOfLatest(epochMs: number): Promise<void>;
}

/** Starts the cluster and creates the ledger. Rejects if PostgreSQL is not installed. */
export async function openTeam(): Promise<PictureTeam> {
  const cluster = await startCluster();
  let owner: SqlConnection;
  try {
    owner = await connectTo({
      address: {
        ...{ host: "127.0.0.1", port: cluster.port, database: "postgres", user: "owner", schema },
        isEncrypted: false,
      },
      ca: undefined,
      login: async () => ({ user: "owner", password: null }),
    })();
    await initLedger(asOwner(owner), { host: "127.0.0.1", schema });
    for (const member of Object.keys(machines))
      await owner.query(`CREATE ROLE "${member}" LOGIN IN ROLE "${schema}_team"`);
  } catch (error) {
    cluster[Symbol.dispose]();
    throw error;
  }
  return {
    envOf: (member) => ({
      SUPPLYLINE_TEAM: `postgresql://${member}@127.0.0.1:${cluster.port}/postgres`,
      SUPPLYLINE_PERSON: member,
      SUPPLYLINE_MACHINE: machines[member],
    }),
    async askForTwo(baseUrl) {
      const call = `SELECT ${schema}.set_policy($1, 'owner', 'money')`;
      await owner.query(call, [serviceKey(baseUrl)]);
    },
    async setTimeOfLatest(epochMs) {
      await owner.query(
        `UPDATE ${schema}.entry SET claimed_at = to_timestamp($1::float8 / 1000), recorded_at = to_timestamp($1::float8 / 1000)
         WHERE id = (SELECT max(id) FROM ${schema}.entry)`,
        [epochMs],
      );
      // Its end stays as it is, because the cluster's clock says if it is over.
      await owner.query(
        `UPDATE ${schema}.approval SET at = to_timestamp($1::float8 / 1000)
         WHERE id = (SELECT max(id) FROM ${schema}.approval) AND at > to_timestamp($1::float8 / 1000)`,
        [epochMs],
      );
    },
    async [Symbol.asyncDispose]() {
      await owner.close(true);
      cluster[Symbol.dispose]();
    },
  };
}
