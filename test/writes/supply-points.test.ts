import { showActivity } from "../../src/writes/activity-detail.ts";
import { planResend, resend } from "../../src/writes/resend.ts";
import { confirms } from "../../src/writes/send/look-up.ts";
import { verify } from "../../src/writes/verify.ts";
import type { Act } from "../helpers/service.ts";
import { sent, supplyPoint } from "./writing.ts";

const process = (status: string, created_at: string) => ({
  status: 200,
  body: {
    status,
    service_identifier: null,
    created_at,
    modified_at: created_at,
    latest_error: null,
  },
});
const absent: Act = { status: 404, body: { detail: "none", code: "not_found" } };
const now = () => new Date().toISOString();
const longAgo = "2020-01-01T00:00:00+00:00";
const duplicate: Act = {
  status: 400,
  body: {
    non_field_errors: { detail: "there", code: "supply_point_import_process_already_imported" },
    supply_point_identifier: "SP-NEW",
  },
};

const created = (writes: readonly Act[], reads: readonly Act[]) =>
  sent(writes, supplyPoint(), { reads });

describe("creating a supply point", () => {
  test("not there before and there afterwards confirms it, whatever the clocks say", async () => {
    const { result, server } = await created(["reset"], [absent, process("PENDING", longAgo)]);
    expect(result).toMatchObject({ outcome: "confirmed", reason: "looked-up" });
    expect(result.process?.status).toBe("PENDING");
    expect(server.writes()).toHaveLength(1);
  });

  test("a supply point missing after three lookups stays unknown", async () => {
    const { result, server } = await created(["reset"], [absent]);
    expect(result.outcome).toBe("unknown");
    expect(server.received.map(({ method }) => method)).toEqual([
      "GET",
      "POST",
      "GET",
      "GET",
      "GET",
    ]);
  });

  test("a process that was there before, and is still the same one, confirms nothing", async () => {
    const before = process("ERRORED", longAgo);
    const { result, events } = await created([{ status: 500 }], [before]);
    expect(result.outcome).toBe("unknown");
    expect(events.map(({ kind }) => kind)).toContain("found-before");
  });

  test("a newer process in the place of one that was there before confirms", async () => {
    const { result } = await created(
      [{ status: 502 }],
      [process("CANCELLED", longAgo), process("PENDING", now())],
    );
    expect(result.outcome).toBe("confirmed");
  });

  describe("without a look before, the time of its creation by the service's clock decides", () => {
    const broken: Act = { status: 500 };
    /** The outcome if the service's clock is ahead and the process was created `afterMs` later. */
    const outcomeOf = async (aheadMs: number, afterMs: number) => {
      const at = (ms: number) => new Date(Date.now() + aheadMs + ms);
      const found = {
        ...process("PENDING", at(afterMs).toISOString()),
        headers: { date: at(0).toUTCString() },
      };
      return (await created(["reset"], [broken, found])).result.outcome;
    };
    const [minute, day] = [60_000, 86_400_000];

    test.each([0, 2 * day, -2 * day, 60 * minute, -60 * minute])(
      "if that is %d ms ahead",
      async (aheadMs) => {
        expect(await outcomeOf(aheadMs, minute)).toBe("confirmed");
        for (const earlierMs of [day, 30 * minute, 4 * minute])
          expect(await outcomeOf(aheadMs, -earlierMs)).toBe("unknown");
      },
    );

    test("and with five minutes to spare only if the service reports no time", () => {
      const entry = { lookedUp: null, createdAt: Date.parse("2026-01-15T09:00:00Z") };
      const confirmedAt = (created_at: string, clockAheadMs: number | null) => {
        const { body } = process("PENDING", created_at);
        return confirms(entry, { kind: "found", process: body, clockAheadMs });
      };
      expect(confirmedAt("2026-01-15T08:56:00Z", null)).toBe(true);
      expect(confirmedAt("2026-01-15T08:54:00Z", null)).toBe(false);
      expect(confirmedAt("2026-01-15T08:56:00Z", 0)).toBe(false);
      // Both times can be cut to whole seconds.
      expect(confirmedAt("2026-01-15T08:59:59Z", 0)).toBe(true);
      expect(confirmedAt("2026-01-15T08:00:00Z", 3_600_000)).toBe(true);
      expect(confirmedAt("not a time", 0)).toBe(false);
    });
  });

  describe("a look-up that names something else confirms nothing", () => {
    test.each([
      ["identifier", { supply_point: { identifier: "SP-OTHER" } }],
      ["supply_point_identifier", { supply_point_identifier: "SP-OTHER" }],
      ["external_identifier", { external_identifier: "SP-OTHER" }],
      ["identifier in a payload", { payload: { supply_point: { identifier: 7 } } }],
      ["import_supplier", { import_supplier: "NORTH" }],
      ["import_supplier in a payload", { payload: { import_supplier: "NORTH" } }],
    ])("another %s", async (_field, more) => {
      const found = process("PENDING", now());
      const other: Act = { ...found, body: { ...found.body, ...more } };
      const { context, result, options } = await created(["reset"], [absent, other]);
      expect(result.outcome).toBe("unknown");
      const verified = await verify(context, result.journalId, options);
      expect(verified.outcome).toBe("unknown");
    });

    test("the same names confirm", async () => {
      const found = process("PENDING", now());
      const more = { import_supplier: "ACME", supply_point: { identifier: " SP-NEW" } };
      const same: Act = { ...found, body: { ...found.body, ...more } };
      const { result } = await created(["reset"], [absent, same]);
      expect(result.outcome).toBe("confirmed");
    });
  });

  test("a duplicate at the first sending existed before: it is rejected", async () => {
    const { result } = await created([duplicate], [process("PROCESSED", longAgo)]);
    expect(result).toMatchObject({
      outcome: "rejected",
      httpStatus: 400,
      code: "supply_point_import_process_already_imported",
    });
  });

  test("a duplicate at a resend is looked up, and confirmed by what is there", async () => {
    const reads: Act[] = [absent, absent, absent, absent, absent, process("PENDING", now())];
    const { context, result, server, options } = await created(["reset", duplicate], reads);
    expect(result.outcome).toBe("unknown");
    expect(planResend(context, result.journalId)).toMatchObject({ kind: "safe" });
    const again = await resend(context, result.journalId, options);
    expect(again).toMatchObject({ outcome: "confirmed", reason: "looked-up", attempts: 2 });
    expect(server.writes()).toHaveLength(2);
  });

  test("a resend looks first, and sends nothing when it is there", async () => {
    const reads: Act[] = [absent, absent, absent, absent, process("PENDING", longAgo)];
    const { context, result, server, options } = await created(["reset"], reads);
    const again = await resend(context, result.journalId, options);
    expect(again).toMatchObject({ outcome: "confirmed", attempts: 1 });
    expect(server.writes()).toHaveLength(1);
  });

  test("verifying a supply point sends only reads", async () => {
    const reads: Act[] = [absent, absent, absent, absent, process("PENDING", longAgo)];
    const { context, result, server, options } = await created(["reset"], reads);
    const verified = await verify(context, result.journalId, options);
    expect(verified).toMatchObject({ plan: "look-up", outcome: "confirmed" });
    expect(server.writes()).toHaveLength(1);
    expect(showActivity(context.journal, result.journalId).outcome).toBe("confirmed");
  });

  test.each([
    ["a page of another server", "<html>Sign in</html>"],
    ["JSON that says something else", { detail: "Signed out" }],
    ["an empty object", {}],
    ["a list", []],
    ["null", "null"],
  ])("a 201 is empty: one with %s is no confirmation", async (_what, body) => {
    const { result, server } = await created([{ status: 201, body }], [absent]);
    expect(result).toMatchObject({ outcome: "unknown", reason: "no-answer", httpStatus: 201 });
    expect(server.writes()).toHaveLength(1);
  });

  test("a 201 with a body is confirmed by what is there afterwards", async () => {
    const answer: Act = { status: 201, body: { identifier: "SP-NEW" } };
    const { result, server } = await created([answer], [absent, process("PENDING", now())]);
    expect(result).toMatchObject({ outcome: "confirmed", reason: "looked-up", httpStatus: 201 });
    expect(server.writes()).toHaveLength(1);
  });

  test("a 201 with no more than blanks is a confirmation", async () => {
    const { result } = await created([{ status: 201, body: "\r\n" }], [absent]);
    expect(result).toMatchObject({ outcome: "confirmed", reason: "answered" });
  });

  test("is not sent when the look-up finds no token to use", async () => {
    const { result, server } = await created([{ status: 201 }], [{ status: 401 }]);
    expect(result).toMatchObject({ outcome: "unsent", reason: "credentials" });
    expect(server.writes()).toEqual([]);
  });
});
