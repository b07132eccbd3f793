import { exitCodeOf } from "../../src/commands/exit-codes.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { submit } from "../../src/writes/submit.ts";
import { detailOf } from "../../src/writes/words/detail.ts";
import { effectWords, meaningWords } from "../../src/writes/words/outcomes.ts";
import { fakeClock } from "../helpers/clock.ts";
import type { Act } from "../helpers/service.ts";
import {
  hurried,
  instruction,
  noted,
  notes,
  overrideFor,
  sent as sentBy,
  statement,
  transactions,
} from "./writing.ts";

const created = noted("one");
const exists = { status: 201, body: [{ body: "one", status: "NOTE_ALREADY_EXISTS" }] };

/** Waits that the service asks for pass on a clock of their own. */
const sent = (acts: readonly Act[], write = notes("one")) =>
  sentBy(acts, write, { clock: fakeClock() });

describe("doubt is sticky", () => {
  test.each([
    ["a 400", { status: 400, body: { code: "account_failed_validation", errors: [] } }],
    ["a 404", { status: 404 }],
    ["a 403", { status: 403 }],
    ["a 405", { status: 405 }],
    ["a redirect", { status: 302, headers: { location: "/x" } }],
    ["a 429 each time", { status: 429, headers: { "retry-after": "600" } }, 12],
  ])("%s after a lost answer leaves it unknown", async (_what, later, requests = 2) => {
    const { result, shown, server } = await sent(["reset", later]);
    expect(server.writes()).toHaveLength(requests);
    expect(result.outcome).toBe("unknown");
    expect(exitCodeOf(result)).toBe(7);
    expect(shown).toMatchObject({ outcome: "unknown", doubt: "unknown" });
    expect(shown.attempts.map(({ outcome }) => outcome)[0]).toBe("no-answer");
  });

  test("only a confirmation ends it: what exists at the resend took effect", async () => {
    const { result, shown } = await sent(["reset", exists]);
    expect(result).toMatchObject({ outcome: "confirmed", attempts: 2 });
    expect(result.items).toEqual([
      { position: 0, label: "one", outcome: "exists", status: "NOTE_ALREADY_EXISTS" },
    ]);
    expect(shown.items).toEqual(result.items);
  });

  test.each([
    ["a refusal", (code: string) => ({ status: 400, body: { code } })],
    ["an answer that confirms nothing", (code: string) => ({ status: 201, body: { code } })],
  ])("an endless code in %s is truncated in the journal", async (_what, answer) => {
    const { context, shown } = await sent([answer("C".repeat(900_000))], statement());
    const rows = context.journal.read((read) =>
      read.all("SELECT code FROM intent UNION ALL SELECT code FROM attempt"),
    );
    expect(rows).toHaveLength(2);
    for (const { code } of rows) expect(String(code)).toMatch(/^C{200}…$/);
    expect(shown.code).toHaveLength(201);
  });

  test.each([
    ["not read, so nothing is confirmed", 65, "unknown"],
    ["read", 40, "confirmed"],
  ] as const)("an answer nested too deeply is %s: %i levels", async (_what, depth, outcome) => {
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const body = `{"service_account_number":"A-1","reference":"R-1","more":${deep}}`;
    const { result } = await sent([{ status: 201, body }], instruction());
    expect(result.outcome).toBe(outcome);
  });

  test("a refusal with no doubt before it is a refusal", async () => {
    const { result } = await sent([
      { status: 429, headers: { "retry-after": "1" } },
      { status: 404 },
    ]);
    expect(result).toMatchObject({ outcome: "rejected", httpStatus: 404 });
    expect(exitCodeOf(result)).toBe(5);
  });

  test("a 500 and then a 400 of a payment instruction: unknown, and the form is blocked", async () => {
    const { result, context } = await sent(
      [{ status: 500 }, { status: 400, body: {} }],
      instruction(),
    );
    expect(result.outcome).toBe("unknown");
    await expect(submit(context, instruction(), hurried().options)).rejects.toMatchObject({
      kind: "blocked",
      facts: { journalId: result.journalId },
    });
  });
});

describe("a write is not known to be without effect", () => {
  test.each([301, 302, 303, 304, 307, 308])("after a redirect (%i)", async (status) => {
    const redirect = { status, headers: { location: "/elsewhere/" } };
    const { server, result, context, shown } = await sent([redirect], instruction());
    expect(server.received.filter(({ path }) => path === "/elsewhere/")).toEqual([]);
    expect(server.writes()).toHaveLength(1);
    expect(result).toMatchObject({ outcome: "unknown", mayHaveTakenEffect: true });
    expect(exitCodeOf(result)).toBe(7);
    expect(shown).toMatchObject({ outcome: "unknown", doubt: "unknown" });
    expect(effectWords(result)).toBe("It might have taken effect.");
    await expect(submit(context, instruction(), hurried().options)).rejects.toMatchObject({
      kind: "duplicate",
    });
  });

  test.each([408, 425, 444, 460, 499])("after a gateway gave up (%i)", async (status) => {
    const { server, result } = await sent([{ status }], instruction());
    expect(server.writes()).toHaveLength(1);
    expect(result).toMatchObject({ outcome: "unknown", mayHaveTakenEffect: true });
    expect(exitCodeOf(result)).toBe(7);
  });

  test.each([409, 423])("although it was rejected (%i)", async (status) => {
    const body = { detail: "Another request for this account is open." };
    const { result, context, shown } = await sent([{ status, body }], instruction());
    expect(result).toMatchObject({ outcome: "rejected", mayHaveTakenEffect: true });
    expect(exitCodeOf(result)).toBe(4);
    expect(shown).toMatchObject({ outcome: "rejected", doubt: "unknown" });
    expect(effectWords(result)).toBe("It might have taken effect.");
    expect(meaningWords(shown)).toContain("might have taken effect");
    const detail = detailOf({
      ...result,
      position: null,
      itemOutcome: null,
      doubt: shown.doubt,
      note: null,
    });
    expect(detail.words).toMatch(/^It might have taken effect\. .*Another request/);
    await expect(submit(context, instruction(), hurried().options)).rejects.toMatchObject({
      kind: "duplicate",
    });
  });

  test("a conflict is unknown if an earlier attempt was in doubt", async () => {
    const { result } = await sent(["reset", { status: 409 }]);
    expect(result).toMatchObject({ outcome: "unknown", attempts: 2 });
  });
});

describe("payment instructions", () => {
  test("three 500s leave it retryable, with the exit code of an unknown outcome", async () => {
    const { result, server } = await sent([{ status: 500 }], instruction());
    expect(server.writes()).toHaveLength(3);
    expect(result.outcome).toBe("retryable");
    expect(exitCodeOf(result)).toBe(7);
  });

  test("a 500 and then no answer is unknown", async () => {
    const { result, server } = await sent([{ status: 500 }, "reset"], instruction());
    expect(server.writes()).toHaveLength(2);
    expect(result.outcome).toBe("unknown");
  });

  test("a form that had a 400 is refused before anything is sent or recorded, however it is laid out", async () => {
    const { result, context, server } = await sent([{ status: 400, body: {} }], instruction());
    expect(result).toMatchObject({ outcome: "rejected", httpStatus: 400 });
    const text = new TextDecoder().decode(instruction().body);
    const reversed = JSON.stringify(
      Object.fromEntries(Object.entries(JSON.parse(text)).reverse()),
      null,
      2,
    );
    const write = { ...instruction(), body: new TextEncoder().encode(reversed) };
    await expect(submit(context, write, hurried().options)).rejects.toMatchObject({
      kind: "blocked",
    });
    const another = await submit(context, instruction("GOODPAY", "R-2"), hurried().options);
    expect(another.outcome).toBe("rejected");
    expect(server.writes()).toHaveLength(2);
  });

  test("a blocked form is sent with a reason, which is kept", async () => {
    const ok = { status: 201, body: { acme_account_number: "A-1", reference: "R-1" } };
    const { context } = await sent([{ status: 400, body: {} }, ok], instruction());
    const override = overrideFor(context, instruction(), "the vendor is back");
    const { options } = hurried({ override });
    const result = await submit(context, instruction(), options);
    expect(result.outcome).toBe("confirmed");
    expect(showActivity(context.journal, result.journalId).remarks).toMatchObject([
      { kind: "again", text: "the vendor is back" },
    ]);
  });
});

describe("transactions of which one is refused", () => {
  const refusing = (id: string) => ({
    status: 400,
    body: {
      status: "TRANSACTION_IMPORT_ERROR",
      error_detail: "not within the open statement period",
      transaction_data: { transaction_id: id },
    },
  });

  test("the first one: nothing can have taken effect", async () => {
    const { result } = await sent([refusing("T-1")], transactions(["T-1", "T-2"]));
    expect(result).toMatchObject({ outcome: "rejected", code: "TRANSACTION_IMPORT_ERROR" });
    expect(result.items.map(({ outcome }) => outcome)).toEqual(["rejected", "not-reached"]);
    expect(exitCodeOf(result)).toBe(4);
  });

  test("a later one: those before it are unknown, item by item", async () => {
    const { result, shown } = await sent(
      [refusing("T-3")],
      transactions(["T-1", "T-2", "T-3", "T-4"]),
    );
    expect(result.outcome).toBe("unknown");
    expect(exitCodeOf(result)).toBe(7);
    expect(shown.items.map(({ label, outcome }) => [label, outcome])).toEqual([
      ["T-1", "unknown"],
      ["T-2", "unknown"],
      ["T-3", "rejected"],
      ["T-4", "not-reached"],
    ]);
  });

  test.each([
    ["one that names no transaction of ours", refusing("T-9")],
    ["one of a gateway", { status: 400, body: "<html>" }],
    ["one without a body", { status: 400 }],
  ])("%s: everything is unknown", async (_what, act) => {
    const { result } = await sent([act], transactions(["T-1", "T-2"]));
    expect(result.outcome).toBe("unknown");
    expect(result.items.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
  });

  test("validation errors refuse the whole request", async () => {
    const listed = { detail: "no", code: "account_failed_validation", errors: [] };
    const mirrored = { transactions: [{}, { amount: ["A number is expected."] }] };
    for (const body of [listed, mirrored]) {
      const { result } = await sent([{ status: 400, body }], transactions(["T-1", "T-2"]));
      expect(result.outcome).toBe("rejected");
    }
  });
});

const added = (id: string) => ({
  status: "TRANSACTION_ADDED_TO_ACCOUNT",
  transaction_data: { transaction_id: id },
});

describe("a success that does not speak of everything sent counts as no answer", () => {
  test.each([
    ["an empty list", []],
    ["one result for two notes", [{ status: "NOTE_CREATION_SUCCESS" }]],
    ["three results for two notes", Array(3).fill({ status: "NOTE_CREATION_SUCCESS" })],
    ["an undocumented status", [{ status: "NOTE_CREATION_SUCCESS" }, { status: "NOTE_QUEUED" }]],
    ["an object", { results: [] }],
    ["null", "null"],
    ["nothing", ""],
  ])("notes: %s", async (_what, body) => {
    const { result, server } = await sent([{ status: 201, body }], notes("one", "two"));
    expect(result).toMatchObject({ outcome: "unknown", reason: "no-answer" });
    expect(server.writes()).toHaveLength(4);
  });

  test.each([
    ["statements", statement(), { import_supplier: "ACME" }],
    ["a payment instruction", instruction(), { reference: "R-1" }],
    ["a payment instruction", instruction(), { service_account_number: "A-1" }],
    ["statements", statement(), { statements: [null] }],
    ["statements", statement(), { statements: [{ statement_id: "ST-OTHER" }] }],
  ])("%s: a shorter body that is still JSON, or another's", async (_what, write, body) => {
    const { result, server } = await sent([{ status: 201, body }], write);
    expect(result.outcome).toBe("unknown");
    expect(server.writes()).toHaveLength(1);
  });

  test("transactions: results that name other transactions", async () => {
    const body = { results: [added("T-8"), added("T-9")] };
    const write = transactions(["T-1", "T-2"]);
    const { result, server } = await sent([{ status: 201, body }], write);
    expect(result).toMatchObject({ outcome: "unknown", reason: "no-answer" });
    expect(server.writes()).toHaveLength(4);
  });

  test("results in another order belong to the items they name", async () => {
    const there = { ...added("T-2"), status: "TRANSACTION_ALREADY_EXISTS" };
    const body = { results: [there, added("T-1")] };
    const { result } = await sent([{ status: 201, body }], transactions(["T-1", "T-2"]));
    expect(result.items).toMatchObject([
      { label: "T-1", outcome: "created" },
      { label: "T-2", outcome: "exists" },
    ]);
    const notesBody = [
      { body: "two", status: "NOTE_ALREADY_EXISTS" },
      { body: "one", status: "NOTE_CREATION_SUCCESS" },
    ];
    const noted = await sent([{ status: 201, body: notesBody }], notes("one", "two"));
    expect(noted.result.items).toMatchObject([
      { label: "one", outcome: "created" },
      { label: "two", outcome: "exists" },
    ]);
  });

  test("a note's answer with more fields than documented is a confirmation", async () => {
    const body = [{ ...created.body[0], extra: { deep: [1] } }];
    expect((await sent([{ status: 201, body }])).result.outcome).toBe("confirmed");
  });
});
