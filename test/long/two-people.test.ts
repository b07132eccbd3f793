/**
 * Promise: where the owner of a ledger asks for two people, a real cluster with logins of their own lets
 * no money through without the approval of another login.
 */

import { ledgerSabotages } from "../../faults/sabotage/team.ts";
import { systemClock } from "../../src/api/clock.ts";
import { connectTo, openLedger } from "../../src/writes/team/postgres.ts";
import { rolesSql, stepsAfter } from "../../src/writes/team/schema/schema.ts";
import { type Cluster, clusterPrograms, startCluster } from "../helpers/cluster.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

if (clusterPrograms === null)
  console.warn("SKIPPED: PostgreSQL is not on this machine, so no two people approve.");

let cluster: Cluster;
let sandbox: TestSandbox;

if (clusterPrograms !== null) {
  beforeAll(async () => {
    cluster = await startCluster();
  });

  beforeEach(async () => {
    sandbox = await openSandbox({ suppliers: [supplier] });
  });

  afterAll(() => cluster[Symbol.dispose]());
}

const supplier = { code: "BULK", status: "Ongoing", imported: 5, staged: 0 } as const;

const pay = (reference: string) => [
  ...["payment-instructions", "create", "BULK", "BULK-0000001", "--vendor", "GOODPAY"],
  ...["--reference", reference, "--type", "CARD", "--settle", "0s", "--yes"],
];

const effects = () => sandbox.ledger().filter(({ cause }) => cause === "request").length;

const connect = () =>
  connectTo({
    address: {
      ...{ host: "127.0.0.1", port: cluster.port, database: "postgres", user: "owner" },
      ...{ schema: "unused", isEncrypted: false },
    },
    ca: undefined,
    login: async () => ({ user: "owner", password: null }),
  })();

/** Opens the desk of a person with a login and a state folder of their own. */
async function person(login: string, schema: string) {
  const desk = await world({
    service: null,
    clock: systemClock,
    team: async () => openLedger,
    env: {
      ...sandbox.env,
      SUPPLYLINE_ENVIRONMENT: "sandbox",
      SUPPLYLINE_TEAM: `postgresql://${login}@127.0.0.1:${cluster.port}/postgres?schema=${schema}`,
      SUPPLYLINE_PERSON: login,
    },
  });
  const run = (...words: readonly string[]) => desk.run(words);
  return { ...desk, run };
}

/** Creates the logins of a ledger: two people, and one of CI. */
async function people(schema: string) {
  const owner = await connect();
  for (const name of ["op1", "op2", "robot"]) {
    const [known] = await owner.query("SELECT 1 AS r FROM pg_roles WHERE rolname = $1", [name]);
    if (known === undefined) await owner.query(`CREATE ROLE "${name}" LOGIN`);
    const role = name === "robot" ? "ci" : "team";
    await owner.query(`GRANT "${schema}_${role}" TO "${name}"`);
  }
  await owner.close(false);
}

describe.skipIf(clusterPrograms === null)("two people for money, on a cluster", () => {
  test("a payment is sent once, after another login has approved it", async () => {
    const owner = await person("owner", "two");
    expect((await owner.run("team", "init")).code).toBe(0);
    await people("two");
    const policy = ["team", "policy", "ad-hoc", "--four-eyes"];
    const [one, two] = [await person("op1", "two"), await person("op2", "two")];
    const robot = await person("robot", "two");
    expect((await owner.run(...policy, "money")).code).toBe(0);
    const lifted = await one.run(...policy, "none");
    expect(lifted.code).toBe(2);
    expect(lifted.stderr).toContain("Only the owner of the team's ledger can do this.");
    expect((await one.run("team", "status")).stdout).toMatch(/Two people for +money/);
    expect((await one.run(...pay("R-1"))).stdout).toContain("request a1");
    const approve = ["approvals", "approve", "a1", "--expect-rows", "1"];
    expect((await one.run(...approve)).code).toBe(2);
    expect((await robot.run(...approve)).code).toBe(2);
    expect((await one.run("activity", "resend", "1", "--yes")).code).toBe(2);
    expect(effects()).toBe(0);
    expect((await two.run(...approve)).code).toBe(0);
    expect((await one.run("activity", "resend", "1", "--yes")).code).toBe(0);
    expect(effects()).toBe(1);
    expect((await owner.run(...policy, "none")).code).toBe(0);
    expect((await one.run(...pay("R-2"))).code).toBe(0);
    expect(effects()).toBe(2);
  });

  test("a ledger that lets a claim without an approval through is noticed", async () => {
    const { from, to } = ledgerSabotages["a claim of money without an approval is let through"];
    const schema = "sabotaged";
    const script = stepsAfter(schema, 0).join("");
    expect(script.split(from)).toHaveLength(2);
    const database = await connect();
    await database.script(rolesSql(schema) + script.replace(from, to));
    await database.close(false);
    await people(schema);
    const owner = await person("owner", schema);
    expect((await owner.run("team", "policy", "ad-hoc", "--four-eyes", "money")).code).toBe(0);
    await (await person("op1", schema)).run(...pay("R-1"));
    // The promise of the test above is broken: it counts 0 effects here.
    expect(effects()).toBe(1);
  });
});
