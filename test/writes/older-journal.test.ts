/**
 * A journal that was restored or copied sends nothing that the service would not recognize, in no
 * way and for no reason, until it is repaired.
 */
import { recordRequests } from "../../src/bulk/record.ts";
import { createRun } from "../../src/bulk/runs.ts";
import type { Journal } from "../../src/writes/journal/open-journal.ts";
import type { Standing } from "../../src/writes/journal/standing.ts";
import { resend } from "../../src/writes/resend.ts";
import type { WriteContext } from "../../src/writes/send/events.ts";
import { recordWrite, sendIntent, submit } from "../../src/writes/submit.ts";
import { verify } from "../../src/writes/verify.ts";
import { carryOut, never, noteRequests, recordedRun, streamed } from "../bulk/bulking.ts";
import { type Act, openService } from "../helpers/service.ts";
import {
  contextFor,
  hurried,
  instruction,
  noted,
  notes,
  overrideFor,
  resendOverrideFor,
  statement,
  supplyPoint,
  transactions,
} from "./writing.ts";

const older: Standing = { kind: "older", attempts: 3 };
const copied: Standing = { kind: "copied" };

/** The same context with a journal that was found to be restored or copied. */
function restored(context: WriteContext, standing: Standing): WriteContext {
  const journal: Journal = { ...context.journal, standing };
  return { ...context, journal };
}

async function desk(acts: readonly Act[], reads: readonly Act[] = []) {
  const server = await openService({ writes: acts, reads });
  return { server, before: await contextFor(server.baseUrl) };
}

const contentsOf = ({ journal }: WriteContext) =>
  journal.read((rows) =>
    ["intent", "attempt", "item", "remark", "override", "run", "run_override"].map((table) =>
      rows.all(`SELECT * FROM ${table}`),
    ),
  );

const { options } = hurried();
const meant = { reason: "compared with the vendor", passes: [] };

/** Each way in which something can leave: prepared before the restore, and sent after it. */
const ways: Readonly<
  Record<
    string,
    (
      before: WriteContext,
      after: (context: WriteContext) => WriteContext,
    ) => Promise<() => Promise<unknown>>
  >
> = {
  "a new payment": async (before, after) => () => submit(after(before), instruction(), options),
  "a new payment with a reason": async (before, after) => () =>
    submit(after(before), instruction(), { ...options, override: meant }),
  "a new payment with a reason for what the guard found": async (before, after) => {
    await submit(before, instruction(), options);
    const override = overrideFor(before, instruction());
    return () => submit(after(before), instruction(), { ...options, override });
  },
  "a new statement": async (before, after) => () => submit(after(before), statement(), options),
  "a new unchecked transaction": async (before, after) => () =>
    submit(after(before), transactions(["T"], { check_previously_added: "false" }), options),
  "a recorded payment": async (before, after) => {
    const id = await recordWrite(before, instruction(), options);
    return () => sendIntent(after(before), id, options);
  },
  "a resend with a reason": async (before, after) => {
    const { journalId } = await submit(before, instruction(), options);
    const override = resendOverrideFor(before, journalId);
    return () => resend(after(before), journalId, { ...options, override });
  },
  "a resend of what the service recognizes": async (before, after) => {
    const { journalId } = await submit(before, notes("one"), options);
    return () => resend(after(before), journalId, options);
  },
  "a new run": async (before, after) => () => recordedRun(after(before), "notes", noteRequests(1)),
  "the rows of a run": async (before, after) => {
    const source = { source: "-", sha256: "", results: null, reading: {} };
    const run = await createRun(before, { ...source, kind: "notes", rows: 1, requests: 1 });
    return () => recordRequests(after(before), run, streamed(noteRequests(1)), { signal: never });
  },
  "a run that is resumed": async (before, after) => {
    const run = await recordedRun(before, "notes", noteRequests(1));
    return () => carryOut(after(before), run);
  },
};

const cases = Object.entries(ways).flatMap(([way, prepare]) =>
  [older, copied].map((standing) => [way, standing, prepare] as const),
);

test.each(cases)(
  "%s is refused with a journal that is %j, and nothing is recorded",
  async (_, standing, prepare) => {
    const { server, before } = await desk(Array<Act>(9).fill("reset"));
    const send = await prepare(before, (context) => restored(context, standing));
    const earlier = { sent: server.writes().length, contents: contentsOf(before) };
    await expect(send()).rejects.toMatchObject({ kind: "older-journal" });
    expect({ sent: server.writes().length, contents: contentsOf(before) }).toEqual(earlier);
  },
);

test.each(Object.entries(ways))(
  "%s is possible with a journal that is current",
  async (_, prepare) => {
    const { server, before } = await desk(Array<Act>(20).fill({ status: 404 }));
    const send = await prepare(before, (context) => context);
    const earlier = { sent: server.writes().length, contents: contentsOf(before) };
    await send().catch(() => {});
    expect({ sent: server.writes().length, contents: contentsOf(before) }).not.toEqual(earlier);
  },
);

test.each([
  ["a note with a text", () => notes("one"), [noted("one")]],
  ["a checked transaction", () => transactions(["T-1"]), [{ status: 201, body: {} }]],
  ["a supply point", () => supplyPoint(), [{ status: 201, body: {} }]],
] as const)("%s is sent: the service recognizes what it has", async (_, request, acts) => {
  const { server, before } = await desk(acts, Array<Act>(9).fill({ status: 404 }));
  await submit(restored(before, older), request(), options);
  expect(server.writes().length).toBeGreaterThan(0);
});

test("an unknown note is verified: the service adds it once", async () => {
  const resets = Array<Act>(4).fill("reset");
  const { before } = await desk([...resets, noted("one")]);
  const { journalId, outcome } = await submit(before, notes("one"), options);
  expect(outcome).toBe("unknown");
  const verified = await verify(restored(before, older), journalId, options);
  expect(verified).toMatchObject({ plan: "checked-resend", outcome: "confirmed" });
});
