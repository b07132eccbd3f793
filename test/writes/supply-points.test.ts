import { describe, expect, test } from "vitest";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { planResend, resend } from "../../src/writes/resend.ts";
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

  test("without a look before, the time of its creation decides, with five minutes to spare", async () => {
    const broken: Act = { status: 500 };
    const fresh = await created(["reset"], [broken, process("PENDING", now())]);
    expect(fresh.result.outcome).toBe("confirmed");
    const fourMinutesAgo = new Date(Date.now() - 4 * 60_000).toISOString();
    const near = await created(["reset"], [broken, process("PENDING", fourMinutesAgo)]);
    expect(near.result.outcome).toBe("confirmed");
    const old = await created(["reset"], [broken, process("PENDING", longAgo)]);
    expect(old.result.outcome).toBe("unknown");
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
