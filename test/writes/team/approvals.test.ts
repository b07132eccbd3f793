/** Two people for money, in the SQL of the ledger: which claims pass, and who may approve. */
import { randomUUID } from "node:crypto";
import { followTeam } from "../../../src/session/team-state.ts";
import type { Writes } from "../../../src/writes/open-writes.ts";
import type { Decision, NewRow } from "../../../src/writes/team/approvals.ts";
import { ledgerConnection } from "../../../src/writes/team/connection.ts";
import type { ClaimRequest } from "../../../src/writes/team/ledger.ts";
import { sqlLedger } from "../../../src/writes/team/sql-ledger.ts";
import { fakeClock } from "../../helpers/clock.ts";
import { pgliteDatabase } from "./pglite.ts";
import { type SqlWorld, sqlWorld } from "./sql-world.ts";
import type { Machine } from "./world.ts";

const database = await pgliteDatabase();
let world: SqlWorld;

beforeEach(async () => {
  world = await sqlWorld(database);
  await policy("money");
});

const service = "https://service.example";

const policy = (fourEyes: string, of = service) =>
  world.run("SELECT LEDGER.set_policy($1, 'owner', NULLIF($2, 'none'))", of, fourEyes);

function rowsOf(claims: readonly ClaimRequest[], more: Partial<NewRow> = {}): readonly NewRow[] {
  return claims.map(({ localId, content, override }, position) => ({
    ...{ position, localId, line: position + 2, content, chain: `chain ${position}` },
    ...{ importSupplier: "ACME", externalAccountNumber: `EXT-${localId}`, amount: null },
    ...{ reference: "R", day: null, itemId: null, again: override },
    ...more,
  }));
}

async function* pages(rows: readonly NewRow[]) {
  yield rows;
}

const request = (machine: Machine, claims: readonly ClaimRequest[], more: Partial<NewRow> = {}) =>
  machine.ledger.approvals.ask(
    {
      ...{
        token: randomUUID(),
        service,
        profile: "live",
        operation: "payment-instructions create",
      },
      ...{ run: "r1", source: "wave3.csv", reading: null },
    },
    pages(rowsOf(claims, more)),
  );

const approve = (machine: Machine, id: number, rows: number, sum: string | null = null) =>
  machine.ledger.approvals.decide(id, { kind: "approve", rows, sum });

const refuse: Decision = { kind: "refuse", reason: "the wrong file" };

/** Two members, and a login of CI. */
async function people() {
  const [op1, op2] = [await world.machine("op1"), await world.machine("op2")];
  const robot = await world.machine("robot");
  await world.run('GRANT "tested_ci" TO "tested_robot"');
  return { op1, op2, robot };
}

const items = (key: string) => [{ key }];

/** Returns a claim of the same entry with another token, as a resend makes it. */
const again = (machine: Machine, claim: ClaimRequest, more: Partial<ClaimRequest> = {}) => ({
  ...machine.request([], { ...claim, token: randomUUID() }),
  ...more,
});

const why = async (machine: Machine, claim: ClaimRequest) => {
  const answer = await machine.claim(claim);
  if (answer.kind === "claimed") return "claimed";
  return answer.kind === "barred" ? (answer.approval?.why ?? answer.why) : answer.kind;
};

test("a request has the numbers of its rows, and allows nothing before it is approved", async () => {
  const { op1, op2 } = await people();
  const claim = op1.request(items("1"));
  expect(await why(op1, claim)).toBe("none");
  const asked = await request(op1, [claim], { amount: "-12.50" });
  expect(asked).toMatchObject({
    ...{ rows: 1, sum: "-12.50", suppliers: ["ACME"], left: 1, standing: "waits" },
    ...{ run: "r1", source: "wave3.csv", chain: "chain 0", isMine: true, login: "tested_op1" },
  });
  expect(asked.expiresAt - asked.at).toBe(86_400_000);
  expect(await why(op1, again(op1, claim))).toBe("waits");
  const seen = await op2.ledger.approvals.list();
  expect(seen).toMatchObject([{ id: asked.id, isMine: false }]);
  expect((await approve(op2, asked.id, 1, "-12.5")).kind).toBe("approved");
  expect(await why(op1, again(op1, claim))).toBe("claimed");
  const kinds = (await world.events()).map(({ kind }) => kind);
  expect(kinds).toEqual(["policy", "requested", "approved"]);
});

test("an approval is used once, unless certainly nothing took effect", async () => {
  const { op1, op2 } = await people();
  const claims = [
    op1.request(items("1"), { account: "1" }),
    op1.request(items("2"), { account: "2" }),
  ];
  const [one, two] = claims as [ClaimRequest, ClaimRequest];
  const { id } = await request(op1, claims);
  await approve(op2, id, 2);
  expect(await why(op1, one)).toBe("claimed");
  await op1.publish(one, "unsent");
  const second = again(op1, one);
  expect(await why(op1, second)).toBe("claimed");
  await op1.publish(second, "retryable", [null], { doubt: "none" });
  const third = again(op1, one, { attempts: 1 });
  expect(await why(op1, third)).toBe("claimed");
  await op1.publish(third, "rejected");
  expect((await op1.ledger.approvals.find(id))?.left).toBe(1);
  expect(await why(op1, again(op1, one, { attempts: 2 }))).toBe("used");
  expect(await why(op1, two)).toBe("claimed");
  expect(await op1.ledger.approvals.find(id)).toMatchObject({ left: 0, standing: "used" });
});

test("only another login approves, and no login of CI does", async () => {
  const { op1, op2, robot } = await people();
  const claim = op1.request(items("1"));
  const { id } = await request(op1, [claim]);
  expect((await approve(op1, id, 1)).kind).toBe("own");
  expect((await approve(op2, id, 2)).kind).toBe("other-amounts");
  expect((await approve(op2, id, 1, "0")).kind).toBe("other-amounts");
  expect((await approve(op2, 99, 1)).kind).toBe("not-found");
  expect((await approve(robot, id, 1)).kind).toBe("ci");
  expect(await why(op1, claim)).toBe("waits");
  expect((await approve(op2, id, 1)).kind).toBe("approved");
  expect((await approve(op2, id, 1)).kind).toBe("not-open");
  const prepared = robot.request(items("2"), { account: "2" });
  const asked = await request(robot, [prepared]);
  expect((await approve(robot, asked.id, 1)).kind).toBe("ci");
  expect((await approve(op1, asked.id, 1)).kind).toBe("approved");
  expect(await why(robot, prepared)).toBe("claimed");
});

test("a refusal ends a request, also an approved one", async () => {
  const { op1, op2 } = await people();
  const claim = op1.request(items("1"));
  const { id } = await request(op1, [claim]);
  await approve(op2, id, 1);
  expect((await op2.ledger.approvals.decide(id, refuse)).kind).toBe("refused");
  expect(await why(op1, claim)).toBe("refused");
  expect((await approve(op2, id, 1)).kind).toBe("not-open");
  expect(await op1.ledger.approvals.find(id)).toMatchObject({
    ...{ standing: "refused", reason: "the wrong file", decidedBy: "tested_op2" },
  });
});

test("a request ends after 24 hours, and a newer one decides", async () => {
  const { op1, op2 } = await people();
  const claim = op1.request(items("1"));
  const first = await request(op1, [claim]);
  await approve(op2, first.id, 1);
  await world.run("UPDATE LEDGER.approval SET expires_at = clock_timestamp()");
  expect(await why(op1, claim)).toBe("expired");
  expect((await approve(op2, first.id, 1)).kind).toBe("not-open");
  const second = await request(op1, [claim]);
  expect(await why(op1, again(op1, claim))).toBe("waits");
  await approve(op2, second.id, 1);
  expect(await why(op1, again(op1, claim))).toBe("claimed");
});

test("an approval is for one folder, one entry, one content and one override", async () => {
  const { op1, op2 } = await people();
  const third = await world.machine("op3");
  const claim = op1.request(items("1"));
  const { id } = await request(op1, [claim]);
  await approve(op2, id, 1);
  expect(await why(op1, op1.request(items("1")))).toBe("none");
  expect(await why(third, third.request(items("1"), { localId: claim.localId }))).toBe("none");
  expect(await why(op1, again(op1, claim, { content: "other bytes" }))).toBe("changed");
  const override = { reason: "asked for it", passes: [] };
  expect(await why(op1, again(op1, claim, { override }))).toBe("changed");
  expect(await why(op1, again(op1, claim, { service: "https://other.example" }))).toBe("claimed");
});

test("a request shows the overrides, and they are part of what is approved", async () => {
  const { op1, op2 } = await people();
  const pass = { key: "1", kind: "sent-before", entry: { of: "ledger", id: 7 } } as const;
  const override = { reason: "the vendor lost it", passes: [pass] };
  const claim = op1.request(items("1"), { override });
  const { id, overrides } = await request(op1, [claim]);
  expect(overrides).toBe(1);
  expect(await op2.ledger.approvals.rows(id, -1)).toMatchObject([
    { again: override, isUsed: false },
  ]);
  await approve(op2, id, 1);
  expect(await why(op1, again(op1, claim, { override: null }))).toBe("changed");
  expect(await why(op1, again(op1, claim))).toBe("claimed");
});

test("without the policy, and for what moves no money, a claim needs no request", async () => {
  const { op1 } = await people();
  expect(await why(op1, op1.request(items("1"), { movesMoney: false }))).toBe("claimed");
  await policy("none");
  expect(await why(op1, op1.request(items("2"), { account: "2" }))).toBe("claimed");
  expect(await op1.ledger.approvals.ofRun("r1")).toEqual({ fourEyes: "none", request: null });
});

test("no member sets the policy, writes a request or a decision", async () => {
  const { op1, op2 } = await people();
  const { id } = await request(op1, [op1.request(items("1"))]);
  const member = await world.connectAs("tested_op2")();
  const statements = [
    `SELECT "tested".set_policy('${service}', 'op2', NULL)`,
    `DELETE FROM "tested".policy`,
    `UPDATE "tested".approval SET state = 'approved', decided_by = 'x' WHERE id = ${id}`,
    `UPDATE "tested".approval_row SET used_at = NULL`,
    `SELECT "tested".use_rows(gen_random_uuid(), 1, NULL)`,
    `SELECT "tested".approval_bar(gen_random_uuid(), '{}')`,
  ];
  for (const sql of statements)
    await expect(member.query(sql)).rejects.toMatchObject({ code: "42501" });
  expect((await approve(op2, id, 1)).kind).toBe("approved");
});

test("a program without the new facts in its claim sends nothing", async () => {
  const { op1, op2 } = await people();
  const { content: _, ...older } = op1.request(items("1"));
  const { id } = await request(op1, [{ ...older, content: "bytes" }]);
  await approve(op2, id, 1);
  const claim = { ...older, movesMoney: undefined } as unknown as ClaimRequest;
  expect(await why(op1, claim)).toBe("changed");
});

test("a request in preparation is not shown, and no other login adds to it", async () => {
  const { op1, op2 } = await people();
  const [one, two] = [op1.request(items("1")), op1.request(items("2"))];
  const token = randomUUID();
  const given = {
    ...{ token, service, profile: "live", operation: "payment-instructions create" as const },
    ...{ run: "r1", source: null, reading: null },
  };
  async function* halfway() {
    yield rowsOf([one]);
    expect(await op2.ledger.approvals.list()).toEqual([]);
    expect(await why(op1, again(op1, one))).toBe("none");
    await expect(op2.ledger.approvals.ask(given, pages(rowsOf([two])))).rejects.toThrow();
    yield rowsOf([two]).map((row) => ({ ...row, position: 1 }));
  }
  expect(await op1.ledger.approvals.ask(given, halfway())).toMatchObject({ rows: 2, isMine: true });
  expect(await op1.ledger.approvals.ask(given, pages(rowsOf([two])))).toMatchObject({ rows: 2 });
});

test("requests end with their retention, and the events about them stay", async () => {
  const { op1 } = await people();
  const { id } = await request(op1, [op1.request(items("1"))]);
  await world.run("UPDATE LEDGER.approval SET at = at - interval '731 days'");
  await world.retain();
  expect(await op1.ledger.approvals.find(id)).toBeNull();
  expect((await world.events()).map(({ kind }) => kind)).toContain("requested");
});

/** Follows the ledger as a console does, and counts the statements and the characters of their answers. */
async function follow(login: string) {
  const clock = fakeClock();
  const counts = { statements: 0, characters: 0 };
  const connect = world.connectAs(await world.login(login));
  const counted = async () => {
    const connection = await connect();
    const query: typeof connection.query = async (...given) => {
      const rows = await connection.query(...given);
      counts.statements += 1;
      counts.characters += JSON.stringify(rows).length;
      return rows;
    };
    return { ...connection, query };
  };
  const ledger = sqlLedger(ledgerConnection(counted), {
    ...{ host: "test", schema: world.schema, service, clock, random: () => 0.5 },
    user: {
      ...{ journal: randomUUID(), machine: "laptop", person: login, seen: () => {} },
      position: () => ({ seq: 0, state: null, isComplete: true }),
    },
  });
  const writes = async () => ({ context: { team: { ledger } } }) as unknown as Writes;
  const profile = { team: "postgresql://127.0.0.1:1/ledger" };
  const store = followTeam({ profile, clock, writes });
  onTestFinished(store.subscribe(() => {}));
  await clock.untilSleeping();
  /** Lets five seconds pass, and returns what that asked for. */
  const pass = async () => {
    const { statements, characters } = counts;
    await clock.advance(5_000);
    await clock.untilSleeping();
    return {
      statements: counts.statements - statements,
      characters: counts.characters - characters,
    };
  };
  const standings = () => store.get().requests?.map((one) => `a${one.id} ${one.standing}`);
  return { store, pass, standings };
}

test("a console asks for the requests that changed, and for none without a policy", async () => {
  const { op1, op2 } = await people();
  await policy("none");
  const claims = [1, 2, 3].map((n) => op1.request(items(`${n}`), { account: `${n}` }));
  for (const claim of claims) await request(op1, [claim]);
  const { store, pass, standings } = await follow("op3");
  expect(store.get().requests).toEqual([]);
  const idle = await pass();
  expect(idle.statements).toBe(1);
  await policy("money");
  expect((await pass()).statements).toBe(2);
  expect(standings()).toEqual(["a3 waits", "a2 waits", "a1 waits"]);
  const before = store.get();
  const quiet = await pass();
  expect(quiet.statements).toBe(2);
  expect(quiet.characters).toBeLessThan(idle.characters + 150);
  expect(store.get()).toBe(before);
  await approve(op2, 2, 1);
  await pass();
  expect(standings()).toEqual(["a3 waits", "a2 approved", "a1 waits"]);
  await op1.claim(claims[1] as ClaimRequest);
  await world.run("UPDATE LEDGER.approval SET expires_at = clock_timestamp() WHERE id = 1");
  await pass();
  expect(standings()).toEqual(["a3 waits", "a2 used", "a1 expired"]);
  // Another epoch: the ledger was restored from a backup, and its marks mean something else.
  await world.run("UPDATE LEDGER.ledger SET epoch = gen_random_uuid()");
  expect((await pass()).statements).toBe(3);
  expect(standings()).toHaveLength(3);
  await policy("none");
  expect((await pass()).statements).toBe(1);
  expect(store.get().requests).toEqual([]);
});
