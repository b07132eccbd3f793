import { join } from "node:path";
import { exitCodeOf } from "../../src/commands/exit-codes.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { close } from "../../src/writes/close-entry.ts";
import { askGuard, type GuardFinding } from "../../src/writes/guard.ts";
import { processLife } from "../../src/writes/owner.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { planResend, resend } from "../../src/writes/resend.ts";
import { applyRetention, bodyRetentionMs, purge } from "../../src/writes/retention.ts";
import type { SubmitOptions, WriteContext, WriteResult } from "../../src/writes/send/events.ts";
import { sendEntry } from "../../src/writes/send/send-entry.ts";
import { recordWrite, sendIntent, submit } from "../../src/writes/submit.ts";
import { eventually } from "../helpers/eventually.ts";
import { journalFolder } from "../helpers/folders.ts";
import { startProcess } from "../helpers/process.ts";
import { type Act, openService, type TestService } from "../helpers/service.ts";
import type { DriverInput } from "./driver.ts";
import {
  account,
  contextFor,
  hurried,
  instruction,
  notes,
  overrideFor,
  request,
  resendOverrideFor,
  sent,
  statement,
  supplyPoint,
  transactions,
} from "./writing.ts";

const made: Act = { status: 201, body: { service_account_number: "A", reference: "R-1" } };

const unchecked = () => transactions(["T-1"], { check_previously_added: "false" });

const documentOnly = () =>
  request("notes create", { ...account, notes: [{ document_paths: ["a.pdf"] }] });

const found = ({ journal, service }: WriteContext, write: WriteRequest): GuardFinding =>
  journal.read((rows) => askGuard(rows, { baseUrl: service.baseUrl, write: prepareWrite(write) }));

describe("what the guard finds", () => {
  test.each<[string, readonly Act[], GuardFinding["kind"]]>([
    ["confirmed", [made], "sent-before"],
    ["unknown", ["reset"], "sent-before"],
    ["retryable after the vendor's failures", [{ status: 500 }], "sent-before"],
    ["refused with 400", [{ status: 400, body: {} }], "refused-before"],
    ["refused with 404, which has no effect", [{ status: 404 }], "clear"],
    ["redirected", [{ status: 303 }], "sent-before"],
    ["rejected because of a conflict", [{ status: 409 }], "sent-before"],
    ["rejected because of a lock", [{ status: 423 }], "sent-before"],
  ])("of a payment that is %s", async (_how, acts, kind) => {
    const { context } = await sent(acts, instruction());
    expect(found(context, instruction()).kind).toBe(kind);
    expect(found(context, instruction("GOODPAY", "R-2")).kind).toBe("clear");
  });

  test("an entry that is closed while in doubt still asks, and names the entry", async () => {
    const { context, id } = await sent(["reset"], instruction());
    await close(context.journal, id, { reason: "seen at the vendor", tookEffect: "unknown" }, 1);
    expect(found(context, instruction())).toMatchObject({
      kind: "sent-before",
      earlier: { journalId: id, state: "closed" },
    });
  });

  test("an entry that had no effect for certain does not ask, closed or not", async () => {
    const { context, id, result } = await sent([{ status: 404 }], instruction());
    expect(result).toMatchObject({ outcome: "rejected", mayHaveTakenEffect: false });
    expect(found(context, instruction()).kind).toBe("clear");
    await close(context.journal, id, { reason: "not needed", tookEffect: "unknown" }, 1);
    expect(found(context, instruction()).kind).toBe("clear");
  });

  test("an entry of another service says nothing", async () => {
    const { context } = await sent([made], instruction());
    const service = { ...context.service, baseUrl: "https://other.example" };
    expect(found({ ...context, service }, instruction()).kind).toBe("clear");
  });

  test("an entry sent by another loopback name is an entry of the same service", async () => {
    const { context, id } = await sent([made], instruction());
    const baseUrl = context.service.baseUrl.replace("127.0.0.1", "localhost");
    expect(baseUrl).not.toBe(context.service.baseUrl);
    const service = { ...context.service, baseUrl };
    expect(found({ ...context, service }, instruction())).toMatchObject({
      kind: "sent-before",
      earlier: { journalId: id },
    });
  });

  test.each<[string, () => WriteRequest, "sent-before" | "reported"]>([
    ["payment instructions", instruction, "sent-before"],
    ["statements", statement, "sent-before"],
    ["unchecked transactions", unchecked, "sent-before"],
    ["notes without a body", documentOnly, "sent-before"],
    ["notes with a body", () => notes("one"), "reported"],
    ["checked transactions", () => transactions(["T-1"]), "reported"],
    ["supply points", supplyPoint, "reported"],
  ])("the guard finds %s that might have taken effect", async (_what, write, kind) => {
    const { context, id } = await sent(["reset"], write());
    expect(found(context, write())).toMatchObject({ kind, earlier: { journalId: id } });
  });

  test("knows the form when retention and purge have taken out the body", async () => {
    const { context, id } = await sent([made], instruction());
    await purge(context.journal, Date.now() + 1, Date.now());
    expect(showActivity(context.journal, id).body).toBeNull();
    expect(found(context, instruction()).kind).toBe("sent-before");
    await applyRetention(context.journal, Date.now() + bodyRetentionMs + 1);
    expect(found(context, instruction()).kind).toBe("sent-before");
  });
});

describe("before anything is recorded", () => {
  test("a closed payment is not sent again without a reason, however its body is laid out", async () => {
    const { context, server, options, id } = await sent(["reset", made], instruction());
    await close(context.journal, id, { reason: "seen at the vendor", tookEffect: "unknown" }, 1);
    const text = JSON.stringify(JSON.parse(new TextDecoder().decode(instruction().body)), null, 2);
    const write = { ...instruction(), body: new TextEncoder().encode(text) };
    await expect(submit(context, write, options)).rejects.toMatchObject({
      about: "write",
      kind: "duplicate",
      facts: { journalId: id },
    });
    expect(listActivity(context.journal)).toHaveLength(1);
    const override = overrideFor(context, write, "the vendor lost it");
    const second = await submit(context, write, { ...options, override });
    expect(second.outcome).toBe("confirmed");
    expect(showActivity(context.journal, second.journalId).remarks).toMatchObject([
      { kind: "again", text: "the vendor lost it" },
    ]);
    expect(server.writes()).toHaveLength(2);
  });

  test("the same note is sent again: the service adds it once", async () => {
    const exists = { status: 201, body: [{ body: "one", status: "NOTE_ALREADY_EXISTS" }] };
    const { context, server, options } = await sent(["reset", exists], notes("one"));
    expect((await submit(context, notes("one"), options)).outcome).toBe("confirmed");
    expect(server.writes().length).toBeGreaterThan(1);
  });

  test("a resend asks for a reason when another entry of its form took effect", async () => {
    const { context, server, options, id } = await sent([{ status: 404 }, made], instruction());
    const twin = await submit(context, instruction(), options);
    expect(twin.outcome).toBe("confirmed");
    const earlierEntry = { journalId: twin.journalId, state: "confirmed" };
    expect(planResend(context, id)).toMatchObject({ kind: "sent-before", earlier: earlierEntry });
    await expect(resend(context, id, options)).rejects.toMatchObject({ kind: "duplicate" });
    expect(server.writes()).toHaveLength(2);
  });
});

/** Another process on the same journal, as far as owners show. */
function otherProcess(pid: number) {
  const { self } = processLife(process.pid);
  return { self: { ...self, pid }, lifeOf: () => "alive" as const };
}

/** Two processes behind a note that is held on the wire, and the way to let it go. */
async function behindNote(acts: readonly Act[]) {
  const noted = { status: 201, body: [{ body: "first", status: "NOTE_CREATION_SUCCESS" }] };
  const server = await openService({ writes: [noted, ...acts] });
  const where = journalFolder();
  const [first, one, two] = await Promise.all([
    contextFor(server.baseUrl, { folder: where }),
    contextFor(server.baseUrl, { folder: where, process: otherProcess(1_000_001) }),
    contextFor(server.baseUrl, { folder: where, process: otherProcess(1_000_002) }),
  ]);
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const note = submit(first, notes("first"), {
    ...hurried().options,
    atPoint: (point) => {
      if (point !== "attempt-committed") return;
      begun.resolve();
      return held.promise;
    },
  });
  await begun.promise;
  return {
    server,
    where,
    one,
    two,
    letGo: async () => {
      held.resolve();
      await note;
    },
  };
}

/** Options, and a promise that resolves once the write waits for the account. */
function waiting(extra: Partial<SubmitOptions> = {}) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { options } = hurried({
    ...extra,
    onEvent: (event) => {
      if (event.kind === "waiting-for-account") resolve();
    },
  });
  return { options, isWaiting: promise };
}

const payments = (server: TestService) =>
  server.writes().filter(({ path }) => path.includes("payment-instruction"));

const byOutcome = (results: readonly WriteResult[]) =>
  results.toSorted((a, b) => a.outcome.localeCompare(b.outcome));

describe("in the commit that begins the attempt", () => {
  test.each<[string, Act, "refused-before" | "sent-before", "rejected" | "confirmed"]>([
    ["refused with 400", { status: 400, body: {} }, "refused-before", "rejected"],
    ["confirmed", made, "sent-before", "confirmed"],
  ])(
    "a twin that waited while the other was %s is not sent",
    async (_how, act, reason, outcome) => {
      const { server, one, two, letGo } = await behindNote([act]);
      const [a, b] = [waiting(), waiting()];
      const sending = [
        submit(one, instruction(), a.options),
        submit(two, instruction(), b.options),
      ];
      await Promise.all([a.isWaiting, b.isWaiting]);
      await letGo();
      const [first, kept] = byOutcome(await Promise.all(sending));
      expect(payments(server)).toHaveLength(1);
      expect(first?.outcome).toBe(outcome);
      expect(kept).toMatchObject({
        outcome: "unsent",
        reason,
        attempts: 0,
        mayHaveTakenEffect: false,
      });
      expect(kept?.bar).toMatchObject({ kind: reason });
      expect(kept && exitCodeOf(kept)).toBe(2);
      const record = showActivity(one.journal, kept?.journalId ?? 0);
      expect(record).toMatchObject({ outcome: "unsent", reason, attempts: [] });
      expect(record.remarks.at(-1)?.text).toContain(`entry ${first?.journalId}`);
    },
  );

  test("a duplicate with a reason that was typed before the other was sent is not sent", async () => {
    const { server, one, two, letGo } = await behindNote([{ status: 400, body: {} }]);
    const override = overrideFor(one, instruction());
    const [a, b] = [waiting({ override }), waiting({ override })];
    const sending = [submit(one, instruction(), a.options), submit(two, instruction(), b.options)];
    await Promise.all([a.isWaiting, b.isWaiting]);
    await letGo();
    const results = byOutcome(await Promise.all(sending));
    expect(results.map(({ outcome }) => outcome)).toEqual(["rejected", "unsent"]);
    expect(payments(server)).toHaveLength(1);
  });

  test("a resend of an unsent twin is not sent after the other was refused", async () => {
    const { server, one, two, letGo } = await behindNote([{ status: 400, body: {} }]);
    const stopped = AbortSignal.abort();
    const id = await recordWrite(one, instruction(), hurried().options);
    await sendIntent(one, id, { signal: stopped });
    expect(planResend(one, id)).toEqual({ kind: "safe" });
    const [a, b] = [waiting(), waiting()];
    const sending = [resend(one, id, a.options), submit(two, instruction(), b.options)];
    await Promise.all([a.isWaiting, b.isWaiting]);
    await letGo();
    const results = byOutcome(await Promise.all(sending));
    expect(payments(server)).toHaveLength(1);
    expect(results.map(({ outcome }) => outcome)).toEqual(["rejected", "unsent"]);
  });

  test("a resend stays as it was where a twin was confirmed after it had been planned", async () => {
    const { context, server, options, id } = await sent([{ status: 404 }, made], instruction());
    expect(planResend(context, id)).toEqual({ kind: "safe" });
    await submit(context, instruction(), options);
    await expect(sendEntry(context, id, ["rejected"], options)).rejects.toMatchObject({
      kind: "duplicate",
    });
    expect(showActivity(context.journal, id)).toMatchObject({ outcome: "rejected" });
    expect(server.writes()).toHaveLength(2);
    const override = resendOverrideFor(context, id);
    expect((await resend(context, id, { ...options, override })).outcome).toBe("confirmed");
  });

  test("an entry is not held back by its own attempts", async () => {
    const { result, server } = await sent([{ status: 500 }, { status: 500 }, made], instruction());
    expect(result).toMatchObject({ outcome: "confirmed", attempts: 3 });
    expect(server.writes()).toHaveLength(3);
  });

  test("of two processes with the same payment one sends it", async () => {
    const { server, where, one, letGo } = await behindNote([{ status: 400, body: {} }]);
    const body = new TextDecoder().decode(instruction().body);
    const input: DriverInput = {
      folder: where,
      baseUrl: server.baseUrl,
      requests: [{ operation: "payment-instructions create", body }],
      token: "test-token",
    };
    const drive = async () => {
      const driver = join(import.meta.dirname, "driver.ts");
      const child = startProcess([process.execPath, driver, JSON.stringify(input)]);
      onTestFinished(() => child[Symbol.asyncDispose]());
      return (await child.result).stdout.trim().split(" ").at(-1);
    };
    const ends = [drive(), drive()];
    await eventually(() => expect(listActivity(one.journal)).toHaveLength(3));
    await letGo();
    expect((await Promise.all(ends)).toSorted()).toEqual(["rejected", "unsent"]);
    expect(payments(server)).toHaveLength(1);
  });
});
