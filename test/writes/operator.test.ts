import { readFileSync } from "node:fs";
import { toJson } from "../../src/json/exact.ts";
import { countActivity, exportActivity, listActivity } from "../../src/writes/activity.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { close } from "../../src/writes/close-entry.ts";
import { addIntent } from "../../src/writes/journal/changes.ts";
import { prepareWrite, splitWrite } from "../../src/writes/prepare.ts";
import { planResend, resend } from "../../src/writes/resend.ts";
import {
  applyRetention,
  bodyRetentionMs,
  entryRetentionMs,
  purge,
} from "../../src/writes/retention.ts";
import { submit } from "../../src/writes/submit.ts";
import { validateSupplyPoint } from "../../src/writes/validate.ts";
import { planVerification, verify } from "../../src/writes/verify.ts";
import { failureRules } from "../../src/writes/words/failure-rules.ts";
import { clockOf, fakeClock } from "../helpers/clock.ts";
import { type Act, openService } from "../helpers/service.ts";
import {
  account,
  contextFor,
  hurried,
  instruction,
  noted,
  notes,
  request,
  resendOverrideFor,
  sent,
  statement,
  supplyPoint,
  transactions,
} from "./writing.ts";

describe("resending", () => {
  const reason = "not at the vendor";

  test("with a reason, sends the very bytes of the journal as another attempt of the entry", async () => {
    const ok = { status: 201, body: { service_account_number: "A", reference: "R-1" } };
    const { context, server, options, id, result } = await sent(["reset", ok], instruction());
    expect(result.outcome).toBe("unknown");
    expect(planResend(context, id)).toMatchObject({ kind: "might-apply-twice" });
    await expect(resend(context, id, options)).rejects.toMatchObject({ kind: "duplicate" });
    const sentAgain = await resend(context, id, {
      ...options,
      override: resendOverrideFor(context, id, reason),
    });
    expect(sentAgain).toMatchObject({ journalId: id, outcome: "confirmed", attempts: 2 });
    const [first, second] = server.writes();
    expect(second?.sha256).toBe(first?.sha256);
    expect(showActivity(context.journal, id).remarks).toMatchObject([
      { kind: "again", text: "not at the vendor" },
    ]);
  });

  test("a resend waits until the abandoned request can no longer take effect", async () => {
    const clock = fakeClock();
    const server = await openService({ writes: ["reset"] });
    const context = await contextFor(server.baseUrl, { clock });
    const { options } = hurried();
    const { journalId } = await submit(context, statement(), options);
    await clock.advance(3000);
    const waits: number[] = [];
    await resend(context, journalId, {
      ...options,
      override: resendOverrideFor(context, journalId),
      onEvent: (event) => {
        if (event.kind !== "waiting") return;
        waits.push(event.until - clock.now());
        event.skip?.();
      },
    });
    expect(waits).toEqual([7000]);
  });

  test("a clock that was set back does not prevent a resend", async () => {
    const clock = fakeClock();
    const ok = { status: 201, body: { service_account_number: "A", reference: "R-1" } };
    const server = await openService({ writes: ["reset", ok] });
    const context = await contextFor(server.baseUrl, { clock });
    const { options } = hurried();
    const { journalId } = await submit(context, instruction(), options);
    const dayBefore = { ...clock, now: () => clock.now() - 86_400_000 };
    const before = { ...context, clock: dayBefore };
    const override = resendOverrideFor(before, journalId);
    expect(await resend(before, journalId, { ...options, override })).toMatchObject({
      outcome: "confirmed",
      attempts: 2,
    });
  });

  test("a form that had a 400 is refused, whatever it was, unless a reason is given", async () => {
    const { context, server, options, id } = await sent([{ status: 400 }, noted("one")]);
    expect(planResend(context, id)).toMatchObject({
      kind: "refused-before",
      earlier: { journalId: id },
    });
    await expect(resend(context, id, options)).rejects.toMatchObject({ kind: "blocked" });
    expect(server.writes()).toHaveLength(1);
    expect(
      (await resend(context, id, { ...options, override: resendOverrideFor(context, id, reason) }))
        .outcome,
    ).toBe("confirmed");
  });

  test("a resend is allowed after a 404 for an account that was not imported", async () => {
    const { context, options, id, result } = await sent([{ status: 404 }, noted("one")]);
    expect(result).toMatchObject({ outcome: "rejected", httpStatus: 404 });
    expect(planResend(context, id)).toEqual({ kind: "safe" });
    expect((await resend(context, id, options)).outcome).toBe("confirmed");
    expect(showActivity(context.journal, id).remarks).toMatchObject([{ kind: "resent" }]);
  });

  test("resend refuses a confirmed entry and an entry of another service", async () => {
    const { context, options, id } = await sent([noted("one")]);
    await expect(resend(context, id, options)).rejects.toMatchObject({ kind: "not-possible" });
    await expect(resend(context, 99, options)).rejects.toMatchObject({ kind: "not-found" });
    const lost = await sent(["reset"], statement());
    const other = { ...context, journal: lost.context.journal };
    await expect(resend(other, lost.id, options)).rejects.toMatchObject({ kind: "not-possible" });
  });
});

describe("verifying", () => {
  test("notes: the same bytes again, and what exists already is confirmed", async () => {
    const exists = { status: 201, body: [{ body: "one", status: "NOTE_ALREADY_EXISTS" }] };
    const lost = Array.from({ length: 4 }, () => "reset" as const);
    const { context, options, id, server } = await sent([...lost, exists]);
    expect(planVerification(context, id)).toEqual({ kind: "checked-resend" });
    const verified = await verify(context, id, options);
    expect(verified).toMatchObject({ outcome: "confirmed", items: [{ outcome: "exists" }] });
    expect(new Set(server.writes().map(({ sha256 }) => sha256)).size).toBe(1);
  });

  test("a verification that fails leaves it unknown", async () => {
    const lost = Array.from({ length: 4 }, () => "reset" as const);
    const { context, options, id } = await sent([...lost, { status: 404 }]);
    expect((await verify(context, id, options)).outcome).toBe("unknown");
    expect(showActivity(context.journal, id)).toMatchObject({ outcome: "unknown" });
  });

  test.each([
    ["statements", statement(), /cannot be read back: look at the account's statements/],
    ["payment instructions", instruction(), /cannot be read back: look at .*vendor/],
    [
      "unchecked transactions",
      transactions(["T-1"], { check_previously_added: "false" }),
      /would be added again/,
    ],
  ])("verify explains where to check %s", async (_what, write, words) => {
    const { context, options, id, server } = await sent(["reset"], write);
    await expect(verify(context, id, options)).rejects.toMatchObject({
      kind: "not-possible",
      message: expect.stringMatching(words),
    });
    expect(server.writes()).toHaveLength(1);
  });

  const amounts = ["0.10", "12.345678901234567890", "-3"];
  const exact = request(
    "transactions create",
    `{"import_supplier":"ACME","external_account_number":"EXT-0000001","transactions":[${amounts
      .map((amount, n) => `{"transaction_id":"T-${n}","amount":${amount}}`)
      .join(",")}]}`,
  );
  const refusing = (id: string): Act => ({
    status: 400,
    body: { status: "TRANSACTION_IMPORT_ERROR", transaction_data: { transaction_id: id } },
  });
  const answer = (status: string): Act => ({ status: 201, body: { results: [{ status }] } });

  test("transactions of a refused request: one by one, with the amounts' own digits", async () => {
    const { context, options, id, server } = await sent(
      [
        refusing("T-2"),
        answer("TRANSACTION_ALREADY_EXISTS"),
        answer("TRANSACTION_ADDED_TO_ACCOUNT"),
      ],
      exact,
    );
    expect(planVerification(context, id)).toEqual({ kind: "by-item", positions: [0, 1] });
    const verified = await verify(context, id, options);
    expect(verified).toMatchObject({
      ...{ plan: "by-item", outcome: "closed" },
      results: [{ journalId: 2 }, { journalId: 3 }],
    });
    expect(verified.items.map(({ outcome }) => outcome)).toEqual(["exists", "created", "rejected"]);
    expect(
      server
        .writes()
        .slice(1)
        .map(({ body }) => body),
    ).toEqual([
      expect.stringContaining('"transactions":[{"transaction_id":"T-0","amount":0.10}]'),
      expect.stringContaining('[{"transaction_id":"T-1","amount":12.345678901234567890}]'),
    ]);
    expect(showActivity(context.journal, 2).parent).toBe(id);
    expect(showActivity(context.journal, id).remarks.at(-1)?.text).toBe(
      "2 took effect, 1 rejected, 0 not reached",
    );
  });

  test("an item that is still not answered for leaves the whole unknown", async () => {
    const { context, options, id } = await sent(
      [refusing("T-2"), answer("TRANSACTION_ALREADY_EXISTS"), { status: 404 }],
      exact,
    );
    const verified = await verify(context, id, options);
    expect(verified).toMatchObject({
      outcome: "unknown",
      results: [{ journalId: 2 }, { journalId: 3 }],
    });
    expect(planVerification(context, id)).toEqual({ kind: "by-item", positions: [1] });
  });

  test("verify refuses an entry with a known outcome", async () => {
    const { context, options, id } = await sent([noted("one")]);
    await expect(verify(context, id, options)).rejects.toMatchObject({ kind: "not-possible" });
  });
});

test("a request of several transactions can be sent as one for each", () => {
  const amounts = ["0.10", "1e2"].map((n, id) => `{"transaction_id":"T-${id}","amount":${n}}`);
  const head = '{"import_supplier":"ACME","external_account_number":"EXT-0000001"';
  const query = { force_add_to_current_statement: "false" };
  const whole = request("transactions create", `${head},"transactions":[${amounts}]}`, query);
  const parts = splitWrite(whole);
  expect(parts.map(({ body }) => new TextDecoder().decode(body))).toEqual(
    amounts.map((item) => `${head},"transactions":[${item}]}`),
  );
  expect(parts.map((part) => part.query)).toEqual([query, query]);
  expect(splitWrite(instruction())).toEqual([instruction()]);
});

describe("closing", () => {
  test("an unknown outcome is settled by an operator's word, and the reason kept", async () => {
    const { context, id } = await sent(["reset"], statement());
    await close(
      context.journal,
      id,
      { reason: "seen on the support page", tookEffect: "unknown" },
      1_700_000_000_000,
    );
    expect(showActivity(context.journal, id)).toMatchObject({
      outcome: "closed",
      remarks: [
        { kind: "closed", text: "seen on the support page", at: "2023-11-14T22:13:20.000Z" },
      ],
    });
    await expect(
      close(context.journal, id, { reason: "again", tookEffect: "unknown" }, 1),
    ).rejects.toMatchObject({
      kind: "not-possible",
    });
  });

  test("close needs a reason and an open entry", async () => {
    const lost = await sent(["reset"], statement());
    await expect(
      close(lost.context.journal, lost.id, { reason: " ", tookEffect: "unknown" }, 1),
    ).rejects.toMatchObject({
      kind: "invalid",
    });
    const { context, id } = await sent([noted("one")]);
    await expect(
      close(context.journal, id, { reason: "why", tookEffect: "unknown" }, 1),
    ).rejects.toMatchObject({
      kind: "not-possible",
    });
  });
});

describe("the list of writes", () => {
  async function several() {
    const server = await openService({
      writes: [noted("one"), "reset", { status: 404 }, { status: 201 }],
      reads: [{ status: 404 }],
    });
    const context = await contextFor(server.baseUrl, { profile: "north" });
    const { options } = hurried();
    await submit(context, notes("one"), options);
    await submit(context, statement(), options);
    await submit(context, instruction(), { ...options, run: "run-7" });
    await submit(context, supplyPoint(), options);
    return context;
  }

  test("is newest first, in the shape that scripts get", async () => {
    const { journal } = await several();
    const rows = listActivity(journal);
    expect(rows.map(({ journal_id, outcome }) => [journal_id, outcome])).toEqual([
      [4, "confirmed"],
      [3, "rejected"],
      [2, "unknown"],
      [1, "confirmed"],
    ]);
    expect(rows[1]).toEqual({
      journal_id: 3,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      profile: "north",
      operation: "payment-instructions create",
      ...account,
      outcome: "rejected",
      http_status: 404,
      code: null,
      attempts: 1,
      run: "run-7",
    });
    expect(rows[0]).toMatchObject({ external_identifier: "SP-NEW" });
    expect(rows[0]).not.toHaveProperty("external_account_number");
  });

  test("puts what needs an operator first on a screen", async () => {
    const { journal } = await several();
    const ids = listActivity(journal, {}, "unknown-first").map(({ journal_id }) => journal_id);
    expect(ids).toEqual([2, 4, 3, 1]);
  });

  test("filters by outcome, account, profile, run and operation, and counts", async () => {
    const { journal } = await several();
    const ids = (filter: Parameters<typeof listActivity>[1]) =>
      listActivity(journal, filter).map(({ journal_id }) => journal_id);
    expect(ids({ outcomes: ["unknown", "rejected"] })).toEqual([3, 2]);
    expect(ids({ outcomes: ["unsent"] })).toEqual([]);
    expect(ids({ importSupplier: "ACME", externalAccountNumber: "EXT-0000001" })).toEqual([
      3, 2, 1,
    ]);
    expect(ids({ externalIdentifier: "SP-NEW" })).toEqual([4]);
    expect(ids({ profile: "south" })).toEqual([]);
    expect(ids({ run: "run-7" })).toEqual([3]);
    expect(ids({ operation: "notes create" })).toEqual([1]);
    expect(ids({ limit: 2 })).toEqual([4, 3]);
    expect(countActivity(journal, { profile: "north", limit: 1 })).toBe(4);
    expect([...exportActivity(journal, { limit: 3 })].flat().map((row) => row.journal_id)).toEqual([
      4, 3, 2,
    ]);
  });

  test("exports more than a page, each once", async () => {
    const { journal } = await several();
    await journal.commit((rows) => {
      for (let n = 0; n < 1200; n++) {
        rows.run(
          `INSERT INTO intent (profile, base_url, operation, import_supplier, path, query, sha256,
             service, created_at, state)
             VALUES ('p', 'u', 'notes create', 'A', '/', '{}', '', 'u', 1, 'unsent')`,
        );
      }
    });
    const ids = [...exportActivity(journal)].flat().map(({ journal_id }) => journal_id);
    expect(ids).toEqual(Array.from({ length: 1204 }, (_, n) => 1204 - n));
  });

  test("shows a body with the digits its numbers were written with", async () => {
    const body = `{"import_supplier":"ACME","external_account_number":"EXT-0000001","transactions":[{"transaction_id":"T","amount":10.10}]}`;
    const { context, id } = await sent([{ status: 404 }], request("transactions create", body));
    expect(toJson(showActivity(context.journal, id).body)).toBe(body);
  });
});

describe("what is kept, and for how long", () => {
  test("retention removes bodies and responses of old settled entries, and keeps unknown entries whole", async () => {
    const server = await openService({ writes: [noted("Mrs Smith"), "reset"] });
    const context = await contextFor(server.baseUrl);
    const { journal } = context;
    await submit(context, notes("Mrs Smith"), hurried().options);
    await submit(context, statement(), hurried().options);
    const day = 86_400_000;
    expect(await applyRetention(journal, Date.now() + bodyRetentionMs - day)).toMatchObject({
      bodies: 0,
    });
    const late = Date.now() + bodyRetentionMs + day;
    expect(await applyRetention(journal, late)).toEqual({ bodies: 1, entries: 0 });
    const shown = showActivity(journal, 1);
    expect(shown).toMatchObject({
      outcome: "confirmed",
      body: null,
      attempts: [{ response: null }],
    });
    expect(shown.items).toMatchObject([{ label: null, outcome: "created" }]);
    expect(showActivity(journal, 2).body).not.toBeNull();
    const muchLater = Date.now() + entryRetentionMs + day;
    expect(await applyRetention(journal, muchLater)).toMatchObject({ entries: 1 });
    expect(listActivity(journal).map(({ journal_id }) => journal_id)).toEqual([2]);
  });

  test("an entry that was never sent keeps its body, however old, until it is closed", async () => {
    const server = await openService({});
    const { journal } = await contextFor(server.baseUrl);
    await journal.commit((rows) => {
      const id = addIntent(rows, {
        write: prepareWrite(statement()),
        profile: "test",
        baseUrl: server.baseUrl,
        owner: null,
        at: Date.now(),
      });
      rows.run("UPDATE intent SET state = 'unsent' WHERE id = ?", id);
    });
    const muchLater = Date.now() + 10 * entryRetentionMs;
    expect(await applyRetention(journal, muchLater)).toEqual({ bodies: 0, entries: 0 });
    expect(await purge(journal, muchLater, muchLater)).toBe(0);
    expect(showActivity(journal, 1).body).not.toBeNull();
    await close(journal, 1, { reason: "not needed any more", tookEffect: "unknown" }, Date.now());
    expect(await applyRetention(journal, muchLater)).toMatchObject({ entries: 1 });
  });

  test("a purge leaves nothing of a body in the file", async () => {
    const { context, id } = await sent([noted("Mrs Smith")], notes("Mrs Smith"));
    const { journal } = context;
    const held = () =>
      ["", "-wal"].some((end) => readFileSync(journal.path + end, "latin1").includes("Mrs Smith"));
    expect(held()).toBe(true);
    expect(await purge(journal, Date.now() + 1, Date.now())).toBe(1);
    expect(held()).toBe(false);
    await expect(resend(context, id, hurried().options)).rejects.toMatchObject({
      kind: "not-possible",
    });
  });
});

describe("what will happen on failure, in words", () => {
  const terms = { deduplicated: true, settleMs: 10_000, totalMs: 90_000 };
  const then = (...args: Parameters<typeof failureRules>) =>
    new Map(
      failureRules(...args).flatMap((line) => line.situations.map((s) => [s, line.then] as const)),
    );

  test("follows the table, and the condition of the very request", () => {
    expect(then("notes create", terms).get("no-answer")).toMatch(
      /sent again 10 s later, up to 3 times within 90 s/,
    );
    expect(then("notes create", { ...terms, deduplicated: false }).get("no-answer")).toMatch(
      /unknown and it is not sent again/,
    );
    expect(then("payment-instructions create", terms).get("500")).toMatch(/3 times in all/);
    expect(then("payment-instructions create", terms).get("400")).toMatch(/same form is not sent/);
    expect(then("supply-points create", terms).get("5xx")).toMatch(
      /checks 10 s later whether it exists/,
    );
    expect(then("statements create", terms).get("500")).toMatch(/cannot be read back: look at/);
  });

  test("the failure rules list each situation once", () => {
    for (const call of ["notes create", "statements create", "supply-points validate"] as const) {
      const spoken = failureRules(call, terms).flatMap(({ situations }) => situations);
      expect(new Set(spoken).size).toBe(12);
      expect(spoken).toHaveLength(12);
    }
  });
});

describe("validating a supply point", () => {
  const { body } = supplyPoint();
  const fast = { clock: clockOf({ now: () => 0, sleep: async () => {} }), random: () => 0 };
  const signal = new AbortController().signal;
  const ok: Act = { status: 200, body: { payload: {} } };

  test.each<[string, Act]>([
    ["no answer", "reset"],
    ["a 500", { status: 500 }],
    ["a 503", { status: 503 }],
    ["an unreadable answer", { status: 200, body: "<html>" }],
    ["a 429", { status: 429, headers: { "retry-after": "1" } }],
  ])("%s: sent again, for nothing is created by it", async (_what, act) => {
    const server = await openService({ writes: [act, ok] });
    const context = await contextFor(server.baseUrl);
    const answer = await validateSupplyPoint({ ...fast, service: context.service }, body, {
      signal,
    });
    expect(answer.httpStatus).toBe(200);
    expect(server.writes()).toHaveLength(2);
    expect(listActivity(context.journal)).toEqual([]);
  });

  test.each([
    [400, "rejected"],
    [404, "not-found"],
    [403, "forbidden"],
  ])("a %d is the result of the validation", async (status, kind) => {
    const server = await openService({ writes: [{ status, body: {} }] });
    const { service } = await contextFor(server.baseUrl);
    const validating = validateSupplyPoint({ ...fast, service }, body, { signal });
    await expect(validating).rejects.toMatchObject({ kind });
    expect(server.writes()).toHaveLength(1);
  });
});
