/** Paths × tricks: with the policy on, nothing that moves money is sent without another's approval. */

import { ledgerConnection } from "../../src/writes/team/connection.ts";
import { sqlLedger } from "../../src/writes/team/sql-ledger.ts";
import { pgliteDatabase } from "../writes/team/pglite.ts";
import { created, type TwoPeople, twoPeople } from "./two-people-world.ts";

// Each of them runs several commands with a database of its own.
vi.setConfig({ testTimeout: 60_000 });

const database = await pgliteDatabase();

type Desk = Awaited<ReturnType<TwoPeople["desk"]>>;

/** A team, the desk that prepares, and another person's. */
interface Setting {
  readonly team: TwoPeople;
  readonly one: Desk;
  readonly two: Desk;
}

/** The request that a path has prepared, and how it goes on. */
interface Prepared {
  readonly request: string;
  readonly rows: number;
  /** Tries to send. */
  readonly send: () => Promise<unknown>;
}

const pay = ["payment-instructions", "create", "ACME", "EXT-0000001", "--vendor", "GOODPAY"];
const single = (reference: string, ...more: string[]) => [
  ...[...pay, "--reference", reference, "--type", "CARD", "--settle", "0s", "--yes", ...more],
];

const csv = (...references: string[]) =>
  [
    "import_supplier,external_account_number,vendor,reference,type",
    ...references.map((reference, at) => `ACME,EXT-000000${at},GOODPAY,${reference},CARD`),
  ].join("\n");

const charges = [
  { transaction_id: "T-1", transaction_date: "2026-11-02", amount: -12.5, type: "CHARGE" },
].map((one) => ({ ...one, reason: "IMPORTED_CHARGE" }));

/** Runs a command that publishes a request, and returns the object that it prints. */
async function ask(
  desk: Desk,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const { code, stdout, stderr } = await desk.run([...words, "--json"], { env });
  expect([code, stderr.includes('"error"')]).toEqual([0, false]);
  return JSON.parse(stdout);
}

const resendOf =
  (desk: Desk, id: number, env = {}) =>
  () =>
    desk.run(["activity", "resend", String(id), "--yes"], { env });

async function ofSingle(desk: Desk, words: readonly string[], env = {}): Promise<Prepared> {
  const { approval, journal_id: id, expected_rows: rows } = await ask(desk, words, env);
  return { request: approval, rows, send: resendOf(desk, id, env) };
}

async function ofRun(desk: Desk, input: string): Promise<Prepared> {
  const words = ["bulk", "run", "payment-instructions", "--from", input, "--yes"];
  const { approval, run, expected_rows: rows } = await ask(desk, [...words, "--expect-rows", "2"]);
  const send = () => desk.run(["bulk", "resume", run, "--concurrency", "1", "--yes"]);
  return { request: approval, rows, send };
}

/** The paths on which money leaves. */
const paths: Readonly<Record<string, (setting: Setting) => Promise<Prepared>>> = {
  "a command": ({ one }) => ofSingle(one, single("R-1")),
  "a file of transactions": async ({ one }) => {
    const file = await one.file("t.json", charges);
    return ofSingle(one, [
      "transactions",
      "create",
      "ACME",
      "EXT-0000001",
      "--from",
      file,
      "--settle",
      "0s",
      "--yes",
    ]);
  },
  "a run": async ({ one }) => ofRun(one, await one.file("w.csv", csv("R-1", "R-2"))),
  "another label of the service": ({ one }) =>
    ofSingle(one, single("R-1"), { SUPPLYLINE_ENVIRONMENT: "sandbox" }),
  "another spelling of the service": ({ one, team }) =>
    ofSingle(one, single("R-1"), {
      SUPPLYLINE_BASE_URL: `${team.server.baseUrl.replace("127.0.0.1", "LOCALHOST")}/`,
    }),
  "an override": async ({ one, team }) => {
    await team.policy("none");
    await one.run(single("R-1"));
    await team.policy("money");
    return ofSingle(one, single("R-1", "--again", "--reason", "the vendor lost it"));
  },
};

const approve = (desk: Desk, { request, rows }: Prepared, sum?: string) =>
  desk.run([
    ...["approvals", "approve", request, "--expect-rows", String(rows)],
    ...(sum === undefined ? [] : ["--expect-sum", sum]),
  ]);

const sumOf = (path: string) => (path.includes("transactions") ? "-12.5" : undefined);

/** The tricks with which a person could try to send without another's approval. */
const tricks: Readonly<
  Record<string, (setting: Setting, prepared: Prepared, path: string) => Promise<unknown>>
> = {
  "no approval": async () => {},
  "an approval of the preparer": ({ one }, prepared, path) => approve(one, prepared, sumOf(path)),
  "an approval of CI": async ({ team }, prepared, path) =>
    approve(await team.desk("robot"), prepared, sumOf(path)),
  "an expired approval": async ({ team, two }, prepared, path) => {
    await approve(two, prepared, sumOf(path));
    await team.world.run("UPDATE LEDGER.approval SET expires_at = clock_timestamp()");
  },
  "a refused approval": async ({ two }, prepared, path) => {
    await approve(two, prepared, sumOf(path));
    await two.run(["approvals", "refuse", prepared.request, "--reason", "no"]);
  },
  "an approval of other bytes": async ({ team, two }, prepared, path) => {
    await approve(two, prepared, sumOf(path));
    await team.world.run("UPDATE LEDGER.approval_row SET content = 'other bytes'");
  },
  "an approval of more rows": ({ two }, prepared, path) =>
    approve(two, { ...prepared, rows: prepared.rows + 1 }, sumOf(path)),
  "an approval of another run": async ({ one, two }) => {
    const other = await ofRun(one, await one.file("other.csv", csv("R-1", "R-2")));
    expect((await approve(two, other)).code).toBe(0);
  },
  "a policy lifted by a member": async ({ team }) => {
    const member = await team.world.connectAs(`${team.world.schema}_op1`)();
    const lift = `DELETE FROM "${team.world.schema}".policy`;
    await expect(member.query(lift)).rejects.toMatchObject({ code: "42501" });
  },
};

async function setting(): Promise<Setting> {
  const team = await twoPeople(
    database,
    Array.from({ length: 8 }, () => created("R-1")),
  );
  return { team, one: await team.desk("op1"), two: await team.desk("op2") };
}

const table = Object.keys(paths).flatMap((path) =>
  Object.keys(tricks).map((trick) => [path, trick] as const),
);

test.each(table)("%s with %s sends nothing", async (path, trick) => {
  const here = await setting();
  const prepared = await paths[path]?.(here);
  if (prepared === undefined) throw new Error("The table has no such path.");
  const before = here.team.server.writes().length;
  await tricks[trick]?.(here, prepared, path);
  await prepared.send();
  expect(here.team.server.writes()).toHaveLength(before);
});

test.each(Object.keys(paths))("%s is sent under an approval, and not twice", async (path) => {
  const here = await setting();
  const prepared = await paths[path]?.(here);
  if (prepared === undefined) throw new Error("The table has no such path.");
  const before = here.team.server.writes().length;
  expect((await approve(here.two, prepared, sumOf(path))).code).toBe(0);
  await prepared.send();
  expect(here.team.server.writes()).toHaveLength(before + prepared.rows);
  await prepared.send();
  expect(here.team.server.writes()).toHaveLength(before + prepared.rows);
});

test("a program that knows no approvals sends nothing, and its ledger's answer is unreadable to it", async () => {
  const { team, one } = await setting();
  const older: typeof team.driver = () => async () => (_, options) => {
    const ledger = sqlLedger(ledgerConnection(team.world.connectAs(`${team.world.schema}_op1`)), {
      ...options,
      host: "test",
      schema: team.world.schema,
    });
    const claim: typeof ledger.claim = (request, signal) =>
      ledger.claim({ ...request, content: undefined as unknown as string }, signal);
    return { ...ledger, claim };
  };
  await one.run(single("R-1"));
  await (await team.desk("op2")).run(["approvals", "approve", "a1", "--expect-rows", "1"]);
  await one.run(["activity", "resend", "1", "--yes"], { loadLedger: older("op1") });
  expect(team.server.writes()).toEqual([]);
});

test("the verification of an unknown transaction is a send, and waits", async () => {
  const team = await twoPeople(database, ["reset", created("R-1")]);
  const one = await team.desk("op1");
  await team.policy("none");
  const file = await one.file("t.json", charges);
  const words = ["transactions", "create", "ACME", "EXT-0000001", "--from", file, "--yes"];
  await one.run([...words, "--timeout", "50ms", "--settle", "0s"]);
  await team.policy("money");
  const before = team.server.writes().length;
  await one.run(["activity", "verify", "1", "--yes"]);
  expect(team.server.writes()).toHaveLength(before);
});
