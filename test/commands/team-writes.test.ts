/** Commands of several machines of a team: what each sends, prints and ends with. */
import { cp } from "node:fs/promises";
import { AppError } from "../../src/errors/app-error.ts";
import { errorOf, instruction, note, supplyPoint } from "../helpers/desk.ts";
import { type Act, openSandbox, openService } from "../helpers/service.ts";
import { type World, world } from "../helpers/world.ts";
import { teamDatabase } from "../writes/team/team-database.ts";

const madeAs = (reference: string): Act => ({
  status: 201,
  body: { service_account_number: "A", reference },
});
const made = madeAs("R-1");

type Desk = World<null>;

const address = "postgresql://127.0.0.1:1/ledger";

/** A service and a team, with machines whose state folders are new. */
async function openTeam(service: Readonly<Record<string, string>>) {
  const database = teamDatabase();
  const machine = async (name: string, env: Readonly<Record<string, string>> = {}) => {
    const names = { SUPPLYLINE_MACHINE: name, SUPPLYLINE_PERSON: `person of ${name}` };
    const desk = await world({
      service: null,
      env: { ...service, SUPPLYLINE_TEAM: address, ...names, ...env },
    });
    const run: Desk["run"] = (words, options) =>
      desk.run(words, { loadLedger: database.load, ...options });
    const json: Desk["json"] = async (words) =>
      JSON.parse((await run([...words, "--json"])).stdout);
    return { ...desk, run, json };
  };
  return { database, machine };
}

async function scriptedTeam(...writes: Act[]) {
  const server = await openService({ writes });
  const env = { SUPPLYLINE_BASE_URL: server.baseUrl, SUPPLYLINE_TOKEN: "token-1" };
  return { server, ...(await openTeam(env)) };
}

async function sandboxTeam() {
  const supplier = { code: "BULK", status: "Ongoing", imported: 60, staged: 3 } as const;
  const sandbox = await openSandbox({ suppliers: [supplier] });
  return { sandbox, ...(await openTeam({ ...sandbox.env, SUPPLYLINE_ENVIRONMENT: "sandbox" })) };
}

const pay = instruction("GOODPAY", "--json");
const reason = ["--again", "--reason", "asked for it"];
const again = [...reason, "--yes"];
const payAgain = instruction("GOODPAY", ...again);

test("a payment that a colleague sent is refused by name, and is sent once", async () => {
  const { server, machine } = await scriptedTeam(made, made);
  const [one, other] = [await machine("m1"), await machine("m2")];
  const first = await one.run(pay);
  expect(first.code).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({ team_id: "t1", published: true });
  const second = await other.run(pay);
  expect(second.code).toBe(2);
  expect(errorOf(second)).toMatchObject({
    kind: "duplicate",
    earlier: { team_id: "t1", by: "person of m1", machine: "m1", outcome: "confirmed" },
  });
  expect(errorOf(second).message).toContain("person of m1");
  expect(server.writes()).toHaveLength(1);
});

test("a reason passes a colleague's payment that it names", async () => {
  const { server, machine, database } = await scriptedTeam(made, made, made);
  const [one, two] = [await machine("m1"), await machine("m2")];
  await one.run(pay);
  expect(errorOf(await two.run(pay)).message).toContain("--again --reason TEXT");
  const passed = await two.run(payAgain);
  expect(passed.code).toBe(0);
  expect(passed.stderr).toContain("t1");
  const override = { kind: "override", reason: "asked for it" };
  expect(await database.world.events()).toContainEqual(override);
  expect(server.writes()).toHaveLength(2);
  expect((await (await machine("m3")).run(pay)).code).toBe(2);
});

test("a refused payment is resent with a reason that passes the colleague's", async () => {
  const { server, machine } = await scriptedTeam(made, made);
  const [one, two] = [await machine("m1"), await machine("m2")];
  await one.run(pay);
  await two.run(pay);
  expect((await two.run(["activity", "resend", "1", "--yes"])).code).toBe(2);
  expect((await two.run(["activity", "resend", "1", ...again])).code).toBe(0);
  expect(server.writes()).toHaveLength(2);
});

test("a write is recorded and not sent while the database is away, and resend sends it later", async () => {
  const { server, machine, database } = await scriptedTeam(made);
  const one = await machine("m1");
  database.away = "team-unavailable";
  const first = await one.run(pay);
  expect(first.code).toBe(6);
  expect(errorOf(first)).toMatchObject({ kind: "team-unavailable", journal_id: 1 });
  expect(server.writes()).toEqual([]);
  database.away = null;
  expect((await one.run(["activity", "resend", "1", "--yes"])).code).toBe(0);
  expect(server.writes()).toHaveLength(1);
});

test("an outcome that the team does not have is said, and the next command publishes it", async () => {
  const { machine, database } = await scriptedTeam(made, made);
  const [one, other] = [await machine("m1"), await machine("m2")];
  const realLoad = database.load;
  const first = await one.run(instruction("GOODPAY"), {
    loadLedger: async () => {
      const open = await realLoad();
      return (access, options) => ({
        ...open(access, options),
        publish: () => Promise.reject(new Error("away")),
      });
    },
  });
  expect(first.code).toBe(0);
  expect(first.stderr).toContain("1 outcome");
  expect((await other.run(pay)).code).toBe(2);
  const entries = async () =>
    (await (await database.world.machine("reader")).ledger.since(null)).entries;
  expect((await entries()).map(({ state }) => state)).toContain("sending");
  expect((await one.run(note("--body", "another", "--settle", "0s"))).code).not.toBe(0);
  expect((await entries()).map(({ state }) => state)).not.toContain("sending");
});

test("a machine with earlier entries sends nothing before it joins, and then they bar colleagues", async () => {
  const { server, machine } = await scriptedTeam(made, madeAs("R-2"));
  const one = await machine("m1");
  expect((await one.run(pay, { env: { SUPPLYLINE_TEAM: "" } })).code).toBe(0);
  const other = instruction("GOODPAY", "--reference", "R-2", "--json");
  const early = await one.run(other);
  expect(early.code).toBe(2);
  expect(errorOf(early)).toMatchObject({ kind: "team-not-set-up" });
  expect(errorOf(early).message).toContain("team join");
  const counted = { joined: false, entries: 1, known: 0 };
  expect(await one.json(["team", "join", "--dry-run"])).toEqual(counted);
  expect(await one.json(["team", "join"])).toEqual({ ...counted, joined: true });
  expect((await (await machine("m2")).run(pay)).code).toBe(2);
  expect((await one.run(other)).code).toBe(0);
  expect(server.writes()).toHaveLength(2);
});

test("team publish ends with 6 while the database is away, and publishes later", async () => {
  const { machine, database } = await scriptedTeam(made);
  const one = await machine("m1");
  database.away = "team-unavailable";
  await one.run(pay);
  expect((await one.run(["team", "publish"])).code).toBe(6);
  database.away = "team-credentials";
  expect((await one.run(["team", "publish"])).code).toBe(3);
  database.away = null;
  expect(await one.json(["team", "publish"])).toEqual({ published: 1, left: 0 });
});

test("after a repair, team publish reports back a machine that has sent nothing since", async () => {
  const { machine, database } = await scriptedTeam(made);
  const one = await machine("m1");
  expect((await one.run(pay)).code).toBe(0);
  await database.world.restoreBefore(1);
  expect(await database.world.repair("restored from a backup")).toEqual(["m1"]);
  expect(await one.json(["team", "publish"])).toEqual({ published: 1, left: 0 });
  expect((await database.world.events()).map(({ kind }) => kind)).toEqual(["restored", "repaired"]);
  expect((await (await machine("m2")).run(pay)).code).toBe(2);
});

test("a copied state folder sends nothing before it has an identity of its own", async () => {
  const { server, machine, database } = await scriptedTeam(made, madeAs("R-2"), madeAs("R-4"));
  const one = await machine("m1");
  expect((await one.run(pay)).code).toBe(0);
  const copy = await machine("m2");
  await cp(one.folders.state, copy.folders.state, { recursive: true });
  const second = (n: number) => instruction("GOODPAY", "--reference", `R-${n}`, "--json");
  expect((await one.run(second(2))).code).toBe(0);
  const refused = await copy.run(second(3));
  expect(refused.code).toBe(2);
  expect(errorOf(refused).message).toContain("team join --new");
  expect(server.writes()).toHaveLength(2);
  expect((await copy.run(["team", "join", "--new"])).code).toBe(0);
  expect((await copy.run(second(2))).code).toBe(2);
  expect((await copy.run(second(4))).code).toBe(0);
  expect(server.writes()).toHaveLength(3);
  expect(database.opened).toBeGreaterThan(0);
});

test("a profile of the same service without the team sends nothing", async () => {
  const { server, machine } = await scriptedTeam(made, made);
  const one = await machine("m1", { SUPPLYLINE_TEAM: "" });
  const { baseUrl } = server;
  const add = (name: string, ...more: string[]) =>
    one.run(["profiles", "add", name, "--base-url", baseUrl, "--environment", "test", ...more]);
  expect((await add("shared", "--team", address)).code).toBe(0);
  const refused = await one.run(pay);
  expect(refused.code).toBe(2);
  expect(errorOf(refused).message).toContain("shared");
  expect(server.writes()).toHaveLength(0);
  expect((await one.run(["profiles", "edit", "shared", "--team", ""])).code).toBe(0);
  expect((await one.run(pay)).code).toBe(0);
});

const paymentsCsv = (rows: number) =>
  [
    "import_supplier,external_account_number,vendor,reference,type",
    ...Array.from({ length: rows }, (_, at) => `BULK,BULK-00000${at + 10},GOODPAY,R-${at},CARD`),
  ].join("\n");

test("a run says which rows colleagues have before it sends, and a reason passes exactly these", async () => {
  const { sandbox, machine } = await sandboxTeam();
  const [one, other] = [await machine("m1"), await machine("m2")];
  await one.file("p.csv", paymentsCsv(2));
  await other.file("p.csv", paymentsCsv(3));
  const bulk = ["bulk", "run", "payment-instructions", "--from", "p.csv", "--yes"];
  expect((await one.run(bulk)).code).toBe(0);
  const held = await other.run(bulk);
  expect(held.code).toBe(2);
  expect(held.stderr).toContain("2 rows would be held back");
  expect(held.stderr).toContain("m1 (person of m1) on m1");
  expect(sandbox.ledger()).toHaveLength(3);
  const [run] = await other.json(["bulk", "list"]);
  const { open } = JSON.parse((await other.run(["report", "--json"])).stdout);
  expect(open).toMatchObject({ unsent: 0 });
  const report = await other.run(["bulk", "report", run.run, "--format", "jsonl"]);
  expect(report.stdout).toContain("m1 (person of m1) on m1");
  const resumed = await other.run(["bulk", "resume", run.run, ...reason, "--yes"]);
  expect(resumed.stderr).toContain("2 of them would be held back");
  expect(resumed.code).toBe(0);
  expect(sandbox.ledger()).toHaveLength(5);
  const again = await other.run([...bulk, ...reason, "--results", "again.csv"]);
  expect(again.code).toBe(0);
  expect(sandbox.ledger()).toHaveLength(8);
});

test("a run that could not ask the team says so, and each claim decides", async () => {
  const { sandbox, machine, database } = await sandboxTeam();
  const [one, other] = [await machine("m1"), await machine("m2")];
  for (const desk of [one, other]) await desk.file("p.csv", paymentsCsv(2));
  const bulk = ["bulk", "run", "payment-instructions", "--from", "p.csv", "--yes"];
  expect((await one.run(bulk)).code).toBe(0);
  const second = await other.run(bulk, {
    loadLedger: async () => {
      const open = await database.load();
      const ask = () =>
        Promise.reject(new AppError("team", "team-unavailable", "the team is away"));
      return (access, options) => ({ ...open(access, options), ask });
    },
  });
  expect(second.stderr).toContain("The team is away");
  expect(second.code).toBe(2);
  expect(sandbox.ledger()).toHaveLength(2);
});

test("activity list has everybody's entries, and --mine only those of this machine", async () => {
  const { machine, database } = await scriptedTeam(made, madeAs("R-2"));
  const [one, two] = [await machine("m1"), await machine("m2")];
  await one.run(pay);
  await two.run(instruction("GOODPAY", "--reference", "R-2"));
  const rows = await two.json(["activity", "list"]);
  expect(rows).toMatchObject([
    { journal_id: 1, team_id: "t2", by: "person of m2", machine: "m2", outcome: "confirmed" },
    { journal_id: null, team_id: "t1", by: "person of m1", machine: "m1", outcome: "confirmed" },
  ]);
  expect(await two.json(["activity", "list", "--mine"])).toHaveLength(1);
  expect(await two.json(["activity", "list", "--machine", "m1"])).toMatchObject([
    { team_id: "t1" },
  ]);
  expect(await two.json(["activity", "list", "--by-person", "nobody"])).toEqual([]);
  const shown = await two.run(["activity", "show", "t1"]);
  expect(shown.code).toBe(0);
  expect(shown.stderr).toContain("m1");
  expect((await two.run(["activity", "show", "t9"])).code).toBe(5);
  for (const verb of ["resend", "verify"])
    expect((await two.run(["activity", verb, "t1"])).code).toBe(2);
  database.away = "team-unavailable";
  const alone = await two.run(["activity", "list", "--format", "jsonl"]);
  expect(alone.code).toBe(0);
  expect(alone.stdout.trim().split("\n")).toHaveLength(1);
  expect(alone.stderr).toContain("The team's entries are missing");
  expect((await two.run(["activity", "show", "t1"])).code).toBe(6);
});

test("a colleague's unknown entry is closed with a reason, and no frees its items", async () => {
  const { server, machine } = await scriptedTeam("reset", made);
  const [one, two] = [await machine("m1"), await machine("m2")];
  expect((await one.run(pay)).code).toBe(7);
  expect((await two.run(pay)).code).toBe(2);
  const close = ["activity", "close", "t1", "--reason", "asked m1", "--took-effect", "no"];
  expect((await one.run(close)).code).toBe(2);
  expect(await two.json(close)).toMatchObject({ team_id: "t1", outcome: "closed" });
  expect((await two.run(close)).code).toBe(2);
  expect((await two.run(["activity", "resend", "1", "--yes"])).code).toBe(2);
  expect((await two.run(["activity", "resend", "1", ...again])).code).toBe(0);
  expect(server.writes()).toHaveLength(2);
});

test("an entry that a colleague closed is closed at its machine's next contact", async () => {
  const { machine } = await scriptedTeam("reset");
  const [one, two] = [await machine("m1"), await machine("m2")];
  expect((await one.run(pay)).code).toBe(7);
  expect(await one.json(["activity", "list"])).toMatchObject([{ outcome: "unknown" }]);
  await two.run(["activity", "close", "t1", "--reason", "asked m1", "--took-effect", "yes"]);
  expect(await one.json(["activity", "list"])).toMatchObject([
    {
      ...{ journal_id: 1, outcome: "closed", took_effect: "yes" },
      closing_reason: "asked m1 (m2 (person of m2) on m2)",
    },
  ]);
  expect(await one.json(["activity", "list", "--mine", "--outcome", "unknown"])).toEqual([]);
  expect((await one.json(["activity", "show", "t1"])).acts).toMatchObject([
    { kind: "closed", by: "person of m2", machine: "m2", login: "m2", reason: "asked m1" },
  ]);
  expect(await one.json(["team", "publish"])).toMatchObject({ left: 0 });
  expect(await two.json(["activity", "list"])).toMatchObject([{ outcome: "closed" }]);
});

test("summary, report and check have what colleagues did and have open, by person", async () => {
  const { machine, database } = await scriptedTeam("reset", madeAs("R-2"));
  const [one, two] = [await machine("m1"), await machine("m2")];
  expect((await one.run(pay)).code).toBe(7);
  await two.run(instruction("GOODPAY", "--reference", "R-2"));
  const summary = await two.json(["activity", "summary"]);
  expect(summary).toMatchObject([
    { by: "person of m2", machine: "m2", outcome: "confirmed", took_effect: "yes", rows: 1 },
    { by: "person of m1", machine: "m1", outcome: "unknown", took_effect: "unknown", rows: 1 },
  ]);
  expect(await two.json(["activity", "summary", "--mine"])).toHaveLength(1);
  // The clock of the ledger stands still.
  const since = ["--since", "2020-01-01"];
  const report = JSON.parse((await two.run(["report", "--json", ...since])).stdout);
  const open = { by: "person of m1", machine: "m1", login: "m1", import_supplier: "ACME" };
  expect(report.team).toEqual([{ ...open, unknown: 1, retryable: 0 }]);
  expect(report.done).toEqual(summary);
  const text = (await two.run(["report", ...since])).stdout;
  expect(text).toContain("1 entry of m1 (person of m1) unknown");
  expect(text).toContain(
    "Took effect: 1 payment instruction. By colleagues: Might have taken effect: 1 payment instruction.",
  );
  expect(text).toMatch(
    /^\| person of m1 \| m1 \| payment-instructions create \| ACME \| unknown /m,
  );
  const check = ["check", "ACME", "--unknown-writes"];
  const checked = await two.run(check);
  expect(checked.code).toBe(10);
  expect(await two.json(check)).toMatchObject([{ met: true, figure: 1, sample: ["EXT-0000001"] }]);
  expect((await two.run([...check, "--plugin"])).stdout).toContain("(person of m1 1)");
  database.away = "team-unavailable";
  const missing = await two.run([...check, "--json"]);
  expect(missing.code).toBe(10);
  expect(JSON.parse(missing.stdout)).toMatchObject([{ met: null, figure: 0 }]);
  const partial = JSON.parse((await two.run(["report", "--json", ...since])).stdout);
  expect(partial.team).toBeNull();
  expect(partial.problems.join()).toContain("The team's entries are missing");
});

test("an own entry that is closed is closed for the team at once", async () => {
  const { machine } = await scriptedTeam("reset", made);
  const [one, two] = [await machine("m1"), await machine("m2")];
  expect((await one.run(pay)).code).toBe(7);
  await one.run(["activity", "close", "1", "--reason", "not taken", "--took-effect", "no"]);
  expect(await two.json(["activity", "list"])).toMatchObject([{ outcome: "closed" }]);
  expect((await two.run(pay)).code).toBe(0);
});

test("an outcome that its machine knows is not replaced by a colleague's closing", async () => {
  const { machine, database } = await scriptedTeam("reset", made);
  const [one, two] = [await machine("m1"), await machine("m2")];
  expect((await one.run(pay)).code).toBe(7);
  database.away = "team-unavailable";
  expect((await one.run(["activity", "close", "1", "--reason", "seen here"])).code).toBe(0);
  database.away = null;
  await two.run(["activity", "close", "t1", "--reason", "guessed", "--took-effect", "no"]);
  expect(await one.json(["activity", "list"])).toMatchObject([
    { outcome: "closed", took_effect: "unknown", closing_reason: "seen here" },
  ]);
});

test("a colleague's payment is not verified here: its bytes are on the other machine", async () => {
  const { server, machine } = await scriptedTeam("reset");
  const [one, two] = [await machine("m1"), await machine("m2")];
  expect((await one.run(pay)).code).toBe(7);
  for (const verb of ["verify", "resend"]) {
    const refused = await two.run(["activity", verb, "t1", "--json"]);
    expect(refused.code).toBe(2);
    expect(errorOf(refused).message).toContain("t1 are on m1");
    expect(errorOf(refused).message).toContain("payment-instructions create … --again");
  }
  const own = await one.run(["activity", "verify", "t1", "--json"]);
  expect(errorOf(own).message).toContain("entry 1 of this machine");
  expect(server.writes()).toHaveLength(1);
});

test("a colleague's supply point is verified by its import process", async () => {
  const { sandbox, machine } = await sandboxTeam();
  const [one, two, three] = [await machine("m1"), await machine("m2"), await machine("m3")];
  sandbox.setFaults(["reset-before@supply-points-createx1"]);
  for (const desk of [one, three]) await desk.file("sp.json", supplyPoint("SP-1", "BULK"));
  const create = ["supply-points", "create", "sp.json"];
  expect((await one.run(create)).code).toBe(7);
  const dry = await two.run(["activity", "verify", "t1", "--dry-run"]);
  expect(dry.stdout).toContain("/v2/data-import/supply-points/BULK/SP-1");
  const absent = await two.run(["activity", "verify", "t1"]);
  expect(absent.code).toBe(7);
  expect(absent.stderr).toContain("no import process of BULK/SP-1");
  expect((await three.run([...create, ...again])).code).toBe(0);
  expect(await two.json(["activity", "verify", "t1"])).toMatchObject({
    ...{ team_id: "t1", outcome: "closed", took_effect: "yes" },
    reason: expect.stringContaining("BULK/SP-1"),
  });
  expect((await two.run(["activity", "verify", "t1"])).code).toBe(2);
  const own = await one.json(["activity", "list", "--mine", "--outcome", "unknown"]);
  expect(own).toHaveLength(1);
  await one.run(["team", "publish"]);
  expect(await one.json(["activity", "list", "--mine"])).toMatchObject([
    { outcome: "closed", took_effect: "yes" },
  ]);
});

test.each([
  ["production", 2],
  ["test", 0],
] as const)(
  "leaving the team of a profile on %s without a terminal ends with %i",
  async (environment, code) => {
    const { server, machine } = await scriptedTeam();
    const one = await machine("m1", { SUPPLYLINE_TEAM: "" });
    const { baseUrl } = server;
    const add = ["profiles", "add", "live", "--base-url", baseUrl, "--environment", environment];
    await one.run([...add, "--team", address]);
    const leave = ["profiles", "edit", "live", "--team", ""];
    expect((await one.run(leave)).code).toBe(code);
    expect((await one.run([...leave, "--yes"])).code).toBe(0);
    expect((await one.run(["team", "status", "--profile", "live"])).code).toBe(2);
  },
);

test.each([
  ["at once", null],
  ["at the next contact", "team-unavailable"],
] as const)(
  "a profile that left sends, reports that to the team %s, and joins again",
  async (_, away) => {
    const { server, machine, database } = await scriptedTeam(made, madeAs("R-2"));
    const { baseUrl } = server;
    const one = await machine("m1", { SUPPLYLINE_TEAM: "", SUPPLYLINE_PROFILE: "live" });
    const env = ["--base-url", baseUrl, "--environment", "test", "--team", address];
    delete (one.env as Record<string, string>).SUPPLYLINE_BASE_URL;
    await one.run(["profiles", "add", "live", ...env]);
    expect((await one.run(pay)).code).toBe(0);
    database.away = away;
    const left = await one.run(["profiles", "edit", "live", "--team", ""]);
    expect(left.code).toBe(0);
    expect(left.stderr).toContain(away === null ? "The team sees" : "does not have it yet");
    const second = instruction("GOODPAY", "--reference", "R-2", "--json");
    expect((await one.run(second)).code).toBe(0);
    expect(server.writes()).toHaveLength(2);
    database.away = null;
    await one.run(["profiles", "edit", "live", "--team", address]);
    const third = instruction("GOODPAY", "--reference", "R-3", "--json");
    expect(errorOf(await one.run(third)).message).toContain("team join");
    expect(await one.json(["team", "join"])).toMatchObject({ joined: true, entries: 2 });
    expect(await database.world.left()).toEqual([]);
    expect(await database.world.events()).toEqual([{ kind: "left", reason: null }]);
    const two = await machine("m2");
    const barred = await two.run(second);
    expect(barred.code).toBe(2);
    expect(server.writes()).toHaveLength(2);
  },
);

test.each([
  ["without its profile", ["profiles remove live", "profiles add other --base-url URL"]],
  [
    "after its profile was at another address",
    [
      "profiles edit live --base-url http://127.0.0.1:1/elsewhere",
      "profiles add other --base-url URL",
    ],
  ],
  ["with a profile that was never stored", ["profiles remove live"]],
  [
    "after it joined at two addresses",
    [
      "profiles remove live",
      "profiles add moved --base-url URL --environment test --team postgresql://127.0.0.1:1/b",
      "team join --profile moved",
      "profiles remove moved",
      "profiles add other --base-url URL",
    ],
  ],
] as const)(
  "a machine of a team sends nothing %s, and everything after leaving",
  async (_, steps) => {
    const { server, machine } = await scriptedTeam(made, madeAs("R-2"));
    const one = await machine("m1", { SUPPLYLINE_TEAM: "", SUPPLYLINE_ENVIRONMENT: "test" });
    const { baseUrl } = server;
    const run = async (words: string) => {
      const args = words.split(" ").map((word) => (word === "URL" ? baseUrl : word));
      expect((await one.run(args)).code).toBe(0);
    };
    const addBack = `profiles add back --base-url URL --environment test --team ${address}`;
    await run(addBack.replace("back", "live"));
    expect((await one.run([...pay, "--profile", "live"])).code).toBe(0);
    for (const step of steps) await run(step);
    const profile = steps.length > 1 ? ["--profile", "other"] : [];
    const second = [...instruction("GOODPAY", "--reference", "R-2", "--json"), ...profile];
    const refused = await one.run(second);
    expect(refused.code).toBe(2);
    expect(errorOf(refused).message).toContain("belongs to the team at 127.0.0.1:1/");
    expect(server.writes()).toHaveLength(1);
    await run(addBack);
    expect((await one.run(["profiles", "edit", "back", "--team", ""])).code).toBe(0);
    expect((await one.run(second)).code).toBe(0);
    expect(server.writes()).toHaveLength(2);
  },
);

test("a profile changes its team only when the old one has everything of the machine and sees it leave", async () => {
  const { server, machine, database } = await scriptedTeam(made, madeAs("R-2"));
  const other = teamDatabase();
  const load: typeof database.load = async () => {
    const [open, openOther] = [await database.load(), await other.load()];
    return (access, options) =>
      (access.address.database === "other" ? openOther : open)(access, options);
  };
  const one = await machine("m1", { SUPPLYLINE_TEAM: "", SUPPLYLINE_PROFILE: "live" });
  delete (one.env as Record<string, string>).SUPPLYLINE_BASE_URL;
  const run: typeof one.run = (words) => one.run(words, { loadLedger: load });
  const env = ["--base-url", server.baseUrl, "--environment", "production", "--team", address];
  await run(["profiles", "add", "live", ...env]);
  expect((await run([...pay, "--yes"])).code).toBe(0);
  const edit = ["profiles", "edit", "live", "--team"];
  const move = [...edit, "postgresql://127.0.0.1:1/other"];
  const teamNow = async () =>
    JSON.parse((await run(["profiles", "show", "live", "--json"])).stdout).team;
  // Only the login is another one.
  expect((await run([...edit, "postgresql://op1@127.0.0.1:1/ledger"])).code).toBe(0);
  expect((await run(move)).code).toBe(2);
  database.away = "team-unavailable";
  const away = await run([...move, "--yes", "--json"]);
  expect(away.code).toBe(6);
  expect(errorOf(away).message).toContain("Nothing was changed");
  expect((await run([...move, "--brand", "", "--proxy", "no", "--yes"])).code).toBe(2);
  expect(await teamNow()).toBe("postgresql://op1@127.0.0.1:1/ledger");
  expect(await database.world.events()).toEqual([]);
  database.away = null;
  const moved = await run([...move, "--yes"]);
  expect(moved.code).toBe(0);
  expect(moved.stderr).toContain("The team sees that live has left it.");
  expect(await database.world.events()).toEqual([{ kind: "left", reason: null }]);
  expect(await teamNow()).toBe("postgresql://127.0.0.1:1/other");
  const second = [...instruction("GOODPAY", "--reference", "R-2", "--json"), "--yes"];
  expect(errorOf(await run(second)).message).toContain("team join");
  expect((await run(["team", "join"])).code).toBe(0);
  const [entry] = JSON.parse((await run(["activity", "list", "--mine", "--json"])).stdout);
  expect(entry).toMatchObject({ journal_id: 1, team_id: null });
  expect(JSON.parse((await run(second)).stdout)).toMatchObject({ published: true, team_id: "t2" });
  expect(await other.world.events()).toEqual([]);
});

test("a profile with an outcome that its team does not have keeps the team", async () => {
  const { server, machine, database } = await scriptedTeam(made);
  const one = await machine("m1", { SUPPLYLINE_TEAM: "", SUPPLYLINE_PROFILE: "live" });
  delete (one.env as Record<string, string>).SUPPLYLINE_BASE_URL;
  const env = ["--base-url", server.baseUrl, "--environment", "test", "--team", address];
  await one.run(["profiles", "add", "live", ...env]);
  server.onRequest = () => {
    database.away = "team-unavailable";
  };
  expect((await one.run(pay)).code).toBe(0);
  const move = ["profiles", "edit", "live", "--team", "postgresql://127.0.0.1:1/other", "--json"];
  const kept = await one.run(move);
  expect(kept.code).toBe(6);
  expect(errorOf(kept).message).toContain("does not have 1 outcome of this machine");
  database.away = null;
  expect((await one.run(move)).code).toBe(0);
  const entries = await database.world.machine("reader").then(({ ledger }) => ledger.since(null));
  expect(entries).toMatchObject({ entries: [{ state: "confirmed" }] });
});

test("without a team, no driver is loaded", async () => {
  const { machine, database } = await scriptedTeam(made);
  const alone = await machine("m1", { SUPPLYLINE_TEAM: "" });
  expect((await alone.run(pay)).code).toBe(0);
  expect(database.opened).toBe(0);
});
