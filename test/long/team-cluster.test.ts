/**
 * Promise: the ledger keeps its contract in a real cluster of PostgreSQL, also under what only several
 * sessions, a lost connection and a stopped server can show.
 */
import { afterAll, beforeAll, describe } from "vitest";
import { connectTo } from "../../src/writes/team/postgres.ts";
import { type Cluster, clusterPrograms, startCluster } from "../helpers/cluster.ts";
import { ledgerContract } from "../writes/team/contract.ts";
import { sqlWorld, type TestDatabase } from "../writes/team/sql-world.ts";

if (clusterPrograms === null)
  console.warn("SKIPPED: PostgreSQL is not on this machine, so no ledger runs in a real cluster.");

describe.skipIf(clusterPrograms === null)("a ledger in a cluster", () => {
  let cluster: Cluster;
  let database: TestDatabase;

  const connectAs = (login: string) =>
    connectTo({
      address: {
        host: "127.0.0.1",
        port: cluster.port,
        database: "postgres",
        user: login,
        schema: "any",
        isEncrypted: false,
      },
      ca: undefined,
      login: async () => ({ user: login, password: null }),
    });

  beforeAll(async () => {
    cluster = await startCluster();
    database = { owner: await connectAs("owner")(), connectAs };
  });

  afterAll(async () => {
    await database.owner.close(true);
    cluster[Symbol.dispose]();
  });

  ledgerContract(() => sqlWorld(database));
});
