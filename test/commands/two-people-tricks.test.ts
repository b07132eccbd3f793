/** Paths × tricks: with the policy on, nothing that moves money is sent without another's approval. */

import { ledgerConnection } from "../../src/writes/team/connection.ts";
import { sqlLedger } from "../../src/writes/team/sql-ledger.ts";
import { hurriedClock } from "../helpers/clock.ts";
import { errorOf } from "../helpers/desk.ts";
import type { Screen } from "../helpers/screen.tsx";
import type { Act } from "../helpers/service.ts";
import { openConsoleAt } from "../screens/opened-console.tsx";
import { openReview } from "../screens/reviewing.tsx";
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
  const resume = ["bulk", "resume", run, "--concurrency", "1", "--yes"];
  // A run waits ten minutes for a database that is away.
  const send = () => desk.run(resume, { clock: hurriedClock() });
  return { request: approval, rows, send };
}

/** The options of a console of the desk that prepares. */
const consoleOf = ({ one, team }: Setting) => ({
  service: { baseUrl: team.server.baseUrl, apiKey: "k" },
  ...{ folders: one.folders, loadLedger: team.driver("op1"), environment: "sandbox" },
  env: {
    ...{ SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger" },
    ...{ SUPPLYLINE_MACHINE: "laptop of op1", SUPPLYLINE_PERSON: "op1" },
  },
});

const reviewOf = (draft: string) =>
  [
    { kind: "suppliers" },
    { kind: "account", supplier: "ACME", account: "EXT-0000001" },
    { kind: "review", draft },
  ] as const;

/** A review whose key publishes the request, and sends after the approval when it is opened again. */
async function ofReview(setting: Setting): Promise<Prepared> {
  const options = consoleOf(setting);
  const values = { vendor: "GOODPAY", reference: "R-1", type: "CARD" };
  const first = await openReview({ ...options, kind: "payment-instructions", values });
  await first.screen.waitFor("s send now");
  await first.screen.press("s").until("Request a1 waits for a second person");
  await first[Symbol.asyncDispose]();
  const places = reviewOf(first.draft);
  const send = async () => {
    if (!first.drafts.find(first.draft)) return;
    await using again = await openConsoleAt({ ...options, places });
    await again.screen.waitFor("s send now");
    await again.screen.press("s").until(/Enter (to the form|done)/);
  };
  return { request: "a1", rows: 1, send };
}

/** A form with two transactions, one per request, which is opened and sent again. */
async function ofSplitReview(setting: Setting): Promise<Prepared> {
  const options = { ...consoleOf(setting), rows: 40 };
  const one = { transaction_date: "2026-11-02", amount: "-6.25", type: "CREDIT" };
  const transactions = ["T-1", "T-2"].map((id) => ({ ...one, transaction_id: id }));
  const first = await openReview({ ...options, kind: "transactions", values: { transactions } });
  const send = async (screen: Screen) => {
    await screen.waitFor("One transaction per request: no");
    await screen.press(",").until("Change how it is sent");
    await screen.press("3", "enter").until("1 of 2: POST");
    return screen.press("s").until(/Enter (to the form|done)/);
  };
  expect(await send(first.screen)).toContain("2 were not sent");
  await first.screen.waitFor("Request a1");
  await first[Symbol.asyncDispose]();
  const places = reviewOf(first.draft);
  return {
    ...{ request: "a1", rows: 2 },
    async send() {
      if (!first.drafts.find(first.draft)) return;
      await using again = await openConsoleAt({ ...options, places });
      await send(again.screen);
    },
  };
}

/** The end of a resumed run. While the database is away, it waits. */
const runEnds =
  /2 of 2 confirmed|Run \w+ has (stopped|ended)|refused request|Request a1 still waits|nothing left|waits for team/;

/** Transactions for the marked accounts of a list, whose run is resumed on its screen. */
async function ofMarkedRows(setting: Setting): Promise<Prepared> {
  const options = { ...consoleOf(setting), rows: 40 };
  const list = [
    { kind: "suppliers" },
    { kind: "accounts", supplier: "ACME", tab: "imported" },
  ] as const;
  const first = await openConsoleAt({ ...options, places: list });
  const { screen } = first;
  await screen.waitFor("EXT-2");
  await screen.press("space").until("1 marked");
  await screen.press("space").until("2 marked");
  await screen.press("B").until("Compose for 2");
  await screen.press("down", "enter").until("Transactions for 2 marked accounts");
  await screen.send("T-{external_account_number}").until("T-EXT-1");
  for (const text of ["today", "-6.25"]) {
    screen.press("tab");
    await screen.send(text).until(text);
  }
  await screen.press("tab", "space", "space").until("CREDIT");
  await screen.press("page-down").until(/▌.*Review/);
  await screen.press("enter").until("-12.50 in all");
  const shown = await screen.press("s").until("Request a1 waits for a second person");
  const [, run = ""] = /Runs › (\w+)/.exec(shown) ?? [];
  await first[Symbol.asyncDispose]();
  const send = async () => {
    const places = [{ kind: "suppliers" }, { kind: "runs" }, { kind: "run", id: run }] as const;
    await using again = await openConsoleAt({ ...options, places });
    await again.screen.waitFor("All 2");
    await again.screen.press("ctrl-r").until(runEnds);
  };
  return { request: "a1", rows: 2, send };
}

/** Rows of a run that ended retryable, marked and sent again together. */
async function ofMarkedEntries(setting: Setting): Promise<Prepared> {
  const { one, team } = setting;
  await team.policy("none");
  const input = await one.file("w.csv", csv("R-1", "R-2"));
  const words = ["bulk", "run", "payment-instructions", "--from", input, "--yes", "--json"];
  const numbers = ["--expect-rows", "2", "--concurrency", "1", "--settle", "0s"];
  const failed = await one.run([...words, ...numbers], { clock: hurriedClock() });
  const { run, retryable } = JSON.parse(failed.stdout);
  expect(retryable).toBe(2);
  await team.policy("money");
  const places = [{ kind: "suppliers" }, { kind: "runs" }, { kind: "run", id: run }] as const;
  const resend = async (wanted: RegExp) => {
    await using opened = await openConsoleAt({ ...consoleOf(setting), places });
    const { screen } = opened;
    // After the first send none is left.
    if (!(await screen.waitFor(/1 of \d/)).includes("retryable")) return;
    await screen.press("space").until("1 marked");
    await screen.press("space").until("2 marked");
    await screen.press("u").until(/Reason|Yes, send|Sent 2 entries|None of them/);
    if (screen.text().includes("Reason")) {
      await screen.send("the vendor has nothing").until("has nothing");
      screen.press("enter");
    }
    await screen.waitFor(wanted);
  };
  await resend(/2 for a second person[\s\S]*Request a1/);
  return { request: "a1", rows: 2, send: () => resend(/Sent 2 entries|None of them/) };
}

/** Commands with two profiles of one service: another name, another label, and no address in the environment. */
async function ofOtherProfile({ one, team }: Setting): Promise<Prepared> {
  const { baseUrl } = team.server;
  const team1 = ["--team", "postgresql://127.0.0.1:1/ledger"];
  const add = async (name: string, label: string) => {
    const words = ["profiles", "add", name, "--base-url", baseUrl, "--environment", label];
    expect((await one.run([...words, ...team1])).code).toBe(0);
  };
  await add("live", "production");
  await add("other", "sandbox");
  const prepared = await ofSingle(one, [...single("R-1"), "--profile", "live"]);
  const words = ["activity", "resend", "1", "--yes", "--profile", "other"];
  return { ...prepared, send: () => one.run(words) };
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
  "another stored profile of the service": ofOtherProfile,
  "a review, and its key again on the same form": ofReview,
  "a review of several transactions, one per request": ofSplitReview,
  "marked rows": ofMarkedRows,
  "marked entries of a run": ofMarkedEntries,
  "an override": async ({ one, team }) => {
    await team.policy("none");
    await one.run(single("R-1"));
    await team.policy("money");
    return ofSingle(one, single("R-1", "--again", "--reason", "the vendor lost it"));
  },
};

/** The list of the service. */
const listed = ["EXT-1", "EXT-2"].map((external) => ({
  external_account_number: external,
  service_account_number: `A-${external}`,
  account_created_at: "2026-11-20T12:00:00Z",
}));

const approve = (desk: Desk, { request, rows }: Prepared, sum?: string) =>
  desk.run([
    ...["approvals", "approve", request, "--expect-rows", String(rows)],
    ...(sum === undefined ? [] : ["--expect-sum", sum]),
  ]);

const sumOf = (path: string) =>
  path.includes("transactions") || path === "marked rows" ? "-12.5" : undefined;

async function approved(desk: Desk, prepared: Prepared, path: string): Promise<void> {
  expect((await approve(desk, prepared, sumOf(path))).code).toBe(0);
}

function prepare(path: string, setting: Setting): Promise<Prepared> {
  const way = paths[path];
  if (way === undefined) throw new Error("The table has no such path.");
  return way(setting);
}

type Trick = (setting: Setting, prepared: Prepared, path: string) => Promise<unknown>;

/** The tricks with which a person could try to send without another's approval. These leave the request as it was. */
const harmless: Readonly<Record<string, Trick>> = {
  "no approval": async () => {},
  "an approval of the preparer": ({ one }, prepared, path) => approve(one, prepared, sumOf(path)),
  "an approval of CI": async ({ team }, prepared, path) =>
    approve(await team.desk("robot"), prepared, sumOf(path)),
  "an approval of more rows": ({ two }, prepared, path) =>
    approve(two, { ...prepared, rows: prepared.rows + 1 }, sumOf(path)),
  "a policy lifted by a member": async ({ team }) => {
    const member = await team.world.connectAs(`${team.world.schema}_op1`)();
    const lift = `DELETE FROM "${team.world.schema}".policy`;
    await expect(member.query(lift)).rejects.toMatchObject({ code: "42501" });
  },
  "an approval of another run": async ({ one, two }) => {
    const other = await ofRun(one, await one.file("other.csv", csv("R-1", "R-2")));
    expect((await approve(two, other)).code).toBe(0);
  },
};

/** The tricks after which another request takes its place, or another reason is asked for. */
const ending: Readonly<Record<string, Trick>> = {
  "an expired approval": async ({ team, two }, prepared, path) => {
    await approved(two, prepared, path);
    await team.world.run("UPDATE LEDGER.approval SET expires_at = clock_timestamp()");
  },
  "a refused approval": async ({ two }, prepared, path) => {
    await approved(two, prepared, path);
    await two.run(["approvals", "refuse", prepared.request, "--reason", "no"]);
  },
  "an approval of other bytes": async ({ team, two }, prepared, path) => {
    await approved(two, prepared, path);
    await team.world.run("UPDATE LEDGER.approval_row SET content = 'other bytes'");
  },
  "a database that is away at that moment": async ({ team, two }, prepared, path) => {
    await approved(two, prepared, path);
    team.away = "claims";
  },
};

const added: Act = { status: 201, body: { results: [{ status: "TRANSACTION_ADDED_TO_ACCOUNT" }] } };

async function setting(path = "a command"): Promise<Setting> {
  const answer = sumOf(path) === undefined ? created("R-1") : added;
  const team = await twoPeople(
    database,
    [
      ...Array.from({ length: path.includes("entries") ? 6 : 0 }, (): Act => ({ status: 500 })),
      ...Array.from({ length: 8 }, () => answer),
    ],
    [{ status: 200, body: listed }],
  );
  return { team, one: await team.desk("op1"), two: await team.desk("op2") };
}

/** The writes that reached the service. The sign-in of a console is a POST, too. */
const sent = ({ team }: Setting) =>
  team.server.writes().filter(({ path }) => path.includes("/data-import/"));

test.each(Object.keys(paths))("%s sends only under an approval, and once", async (path) => {
  const here = await setting(path);
  const prepared = await prepare(path, here);
  const before = sent(here).length;
  for (const [trick, play] of Object.entries(harmless)) {
    await play(here, prepared, path);
    await prepared.send();
    expect(sent(here), trick).toHaveLength(before);
  }
  await approved(here.two, prepared, path);
  for (const _ of ["the first time", "again"]) {
    await prepared.send();
    expect(sent(here)).toHaveLength(before + prepared.rows);
  }
});

const table = Object.keys(paths).flatMap((path) =>
  Object.entries(ending).map(([trick, play]) => [path, trick, play] as const),
);

test.each(table)("%s with %s sends nothing", async (path, _trick, play) => {
  const here = await setting(path);
  const prepared = await prepare(path, here);
  const before = sent(here).length;
  await play(here, prepared, path);
  await prepared.send();
  expect(sent(here)).toHaveLength(before);
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
  const team = await twoPeople(database, ["reset", "reset", "reset", "reset", added]);
  const one = await team.desk("op1");
  await team.policy("none");
  const file = await one.file("t.json", charges);
  const words = ["transactions", "create", "ACME", "EXT-0000001", "--from", file, "--yes"];
  await one.run(words, { clock: hurriedClock() });
  await team.policy("money");
  const before = team.server.writes().length;
  const verify = ["activity", "verify", "1", "--settle", "0s", "--yes"];
  const prepared = { request: "a1", rows: 1, send: () => one.run(verify) };
  await prepared.send();
  await prepared.send();
  expect(team.server.writes()).toHaveLength(before);
  expect((await approve(await team.desk("op2"), prepared, "-12.5")).code).toBe(0);
  expect((await one.run(verify)).code).toBe(0);
  expect(team.server.writes()).toHaveLength(before + 1);
});

const refusing = (id: string): Act => ({
  status: 400,
  body: { status: "TRANSACTION_IMPORT_ERROR", transaction_data: { transaction_id: id } },
});

test("the verification of a refused request by its items is one request, and is sent once", async () => {
  const team = await twoPeople(database, [refusing("T-3"), added, added]);
  const [one, two] = [await team.desk("op1"), await team.desk("op2")];
  await team.policy("none");
  const items = ["T-1", "T-2", "T-3"].map((id) => ({ ...charges[0], transaction_id: id }));
  const file = await one.file("t.json", items);
  const words = ["transactions", "create", "ACME", "EXT-0000001", "--from", file, "--yes"];
  expect((await one.run([...words, "--settle", "0s"])).code).toBe(7);
  await team.policy("money");
  const verify = ["activity", "verify", "1", "--settle", "0s", "--yes", "--json"];
  const asked = await one.run(verify);
  expect(asked.code).toBe(0);
  expect(JSON.parse(asked.stdout)).toMatchObject({
    ...{ outcome: "waiting", approval: "a1", expected_rows: 2, expected_sum: "-25.0" },
    ...{ journal_id: 1, next: "supplyline activity verify 1" },
  });
  const early = await one.run(verify);
  expect(early.code).toBe(2);
  expect(errorOf(early)).toMatchObject({ kind: "not-approved", journal_id: 1 });
  expect(team.server.writes()).toHaveLength(1);
  const copy = await two.file("t.json", items);
  expect((await two.run(["approvals", "show", "a1", "--source", copy])).code).toBe(2);
  const approval = { request: "a1", rows: 2, send: async () => {} };
  expect((await approve(two, approval, "-25")).code).toBe(0);
  const verified = await one.run(verify);
  expect(JSON.parse(verified.stdout)).toMatchObject({ outcome: "closed", children: [2, 3] });
  expect(team.server.writes()).toHaveLength(3);
  expect(await one.json(["approvals", "list"])).toMatchObject([{ approval: "a1", state: "used" }]);
});

test("the resend of an entry that ended retryable says that its request waits", async () => {
  const team = await twoPeople(database, [{ status: 500 }]);
  const one = await team.desk("op1");
  await team.policy("none");
  expect((await one.run([...single("R-1"), "--timeout", "5s"])).code).toBe(7);
  await team.policy("money");
  const resend = ["activity", "resend", "1", "--settle", "0s", "--yes", "--json"];
  const asked = await one.run([...resend, "--again", "--reason", "the vendor has nothing"]);
  expect(JSON.parse(asked.stdout)).toMatchObject({ outcome: "waiting" });
  const before = team.server.writes().length;
  const early = await one.run(resend);
  expect(early.code).toBe(2);
  expect(errorOf(early)).toMatchObject({ kind: "not-approved", journal_id: 1 });
  expect(team.server.writes()).toHaveLength(before);
});
