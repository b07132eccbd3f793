import type { PlannedRequest } from "../../src/bulk/input/planner.ts";
import type { RunProgress } from "../../src/bulk/progress.ts";
import { readRunRows } from "../../src/bulk/rows.ts";
import type { RunRow } from "../../src/bulk/run-record.ts";
import { listRuns, readRun } from "../../src/bulk/runs.ts";
import { runExitCodes } from "../../src/commands/bulk/exit-code-of-run.ts";
import { journalFolder } from "../helpers/folders.ts";
import { statement, transaction } from "../writes/writing.ts";
import {
  accountRequest,
  accounts,
  addUnknownRun,
  bulkFor,
  carryOut,
  instructionRequest,
  noteRequest,
  noteRequests,
  recordedRun,
  sandboxWith,
  supplyPointRequest,
} from "./bulking.ts";

const today = () => new Date().toISOString().slice(0, 10);

const charge = (id: string) => transaction(id, { transaction_date: today() });

describe("a run of each kind", () => {
  test.each<
    [
      kind: "notes" | "transactions" | "statements" | "payment-instructions" | "supply-points",
      of: (line: number) => PlannedRequest,
    ]
  >([
    ["notes", (line) => noteRequest(line)],
    [
      "transactions",
      (line) => accountRequest("transactions create", [line], [charge(`T-${line}`)]),
    ],
    [
      "statements",
      (line) =>
        accountRequest(
          "statements create",
          [line],
          [
            {
              ...JSON.parse(new TextDecoder().decode(statement().body)).statements[0],
              statement_id: `ST-${line}`,
            },
          ],
        ),
    ],
    ["payment-instructions", (line) => instructionRequest(line)],
    ["supply-points", (line) => supplyPointRequest(line, `SP-BULK-${line}`)],
  ])("%s: every row is confirmed, once", async (kind, of) => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const requests = Array.from({ length: 40 }, (_, n) => of(n + 2));
    const run = await recordedRun(context, kind, requests);
    expect(sandbox.ledger()).toEqual([]);
    const told: RunRow[] = [];
    const progress: RunProgress[] = [];
    const end = await carryOut(context, run, {
      onRow: (row) => told.push(row),
      onProgress: (one) => progress.push(one),
    });
    expect(end).toEqual({ kind: "ended" });
    expect(sandbox.ledger().filter(({ cause }) => cause === "request")).toHaveLength(40);
    const rows = readRunRows(context.journal, run);
    expect(rows.map(({ line }) => line)).toEqual(requests.map(({ lines }) => lines[0]));
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(["confirmed"]));
    expect(told.toSorted((one, other) => one.line - other.line)).toEqual(rows);
    expect(readRun(context, run)).toMatchObject({
      state: "ended",
      rows: 40,
      counts: { waiting: 0, sending: 0, confirmed: 40 },
    });
    expect(progress.at(-1)).toMatchObject({ inFlight: 0, pause: null, counts: { confirmed: 40 } });
    expect(runExitCodes(context.journal, run)).toEqual(new Set([0]));
    // Nothing is left to do.
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(sandbox.ledger().filter(({ cause }) => cause === "request")).toHaveLength(40);
  });
});

describe("what a row can come to", () => {
  test("a note that already exists is confirmed, with the service's status, and counted as such", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const one = (line: number) => noteRequest(line, "the same", accounts[0]);
    const run = await recordedRun(context, "notes", [one(2), one(3), one(4)]);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(readRunRows(context.journal, run).map(({ status }) => status)).toEqual([
      "NOTE_CREATION_SUCCESS",
      "NOTE_ALREADY_EXISTS",
      "NOTE_ALREADY_EXISTS",
    ]);
    expect(readRun(context, run).counts).toMatchObject({ confirmed: 1, exists: 2 });
    const { journal } = context;
    expect(readRunRows(journal, run, { states: ["exists"] }).map(({ line }) => line)).toEqual([
      3, 4,
    ]);
    expect(
      readRunRows(journal, run, { states: ["confirmed", "exists"], afterLine: 2, limit: 1 }),
    ).toMatchObject([{ line: 3 }]);
  });

  test("a refused transaction does not stop the others, and says what the service says", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const requests = Array.from({ length: 9 }, (_, n) => {
      const line = n + 2;
      const extra = line === 6 ? { type: "NONSENSE" } : {};
      return accountRequest("transactions create", [line], [{ ...charge(`T-${line}`), ...extra }]);
    });
    const run = await recordedRun(context, "transactions", requests);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(readRun(context, run).counts).toMatchObject({ confirmed: 8, rejected: 1 });
    const [refused] = readRunRows(context.journal, run, { states: ["rejected"] });
    expect(refused).toMatchObject({ line: 6, httpStatus: 400, code: "TRANSACTION_IMPORT_ERROR" });
    expect(refused?.detail).toMatch(/NONSENSE/);
    expect(runExitCodes(context.journal, run)).toEqual(new Set([0, 4]));
  });

  test("rows that share a request have separate outcomes, also when one of them is refused", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const items = [charge("T-1"), { ...charge("T-2"), type: "NONSENSE" }, charge("T-3")];
    const run = await recordedRun(context, "transactions", [
      accountRequest("transactions create", [2, 4, 9], items),
      accountRequest("transactions create", [3, 5], [charge("T-4"), charge("T-5")]),
    ]);
    expect(readRun(context, run).rows).toBe(5);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    const rows = readRunRows(context.journal, run);
    // What the refused request left of its first item was found out by asking for it alone.
    expect(rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, "confirmed"],
      [3, "confirmed"],
      [4, "rejected"],
      [5, "confirmed"],
      [9, "rejected"],
    ]);
    expect(rows[4]?.detail).toMatch(/^Not reached/);
    const effects = sandbox.ledger().filter(({ cause }) => cause === "request");
    expect(effects.map(({ key }) => key).toSorted()).toEqual(["T-1", "T-4", "T-5"]);
  });

  test("an account that does not exist is reported as such", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await recordedRun(context, "notes", [
      noteRequest(2),
      noteRequest(3, "x", "NOBODY"),
    ]);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(readRunRows(context.journal, run)[1]).toMatchObject({
      outcome: "rejected",
      httpStatus: 404,
    });
    expect(runExitCodes(context.journal, run)).toEqual(new Set([0, 5]));
  });

  test("a payment form that was refused is not sent again by a later row", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const refused = (line: number) => instructionRequest(line, "REFUSEPAY", accounts[0], "R");
    const run = await recordedRun(context, "payment-instructions", [
      refused(2),
      instructionRequest(3),
      refused(4),
    ]);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    const rows = readRunRows(context.journal, run);
    expect(rows.map(({ outcome, httpStatus }) => [outcome, httpStatus])).toEqual([
      ["rejected", 400],
      ["confirmed", 201],
      ["rejected", null],
    ]);
    expect(rows[2]?.detail).toMatch(/rejected this form before/);
  });
});

describe("order", () => {
  test("one account's writes arrive in the order of the input, however many run at once", async () => {
    const sandbox = await sandboxWith(["latency=3ms@notes%30", "503@notesx6%20"]);
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(160));
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    const order = new Map<string, number[]>();
    for (const { identifier, key } of sandbox.ledger()) {
      const lines = order.get(identifier) ?? [];
      lines.push(Number(key.replace("note ", "")));
      order.set(identifier, lines);
    }
    expect(order.size).toBe(accounts.length);
    for (const lines of order.values()) {
      expect(lines).toHaveLength(160 / accounts.length);
      expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    }
  });
});

describe("the list of runs", () => {
  test("contains every run, newest first, and reports one that does not exist", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const first = await recordedRun(context, "notes", noteRequests(2));
    await carryOut(context, first);
    const second = await recordedRun(context, "notes", noteRequests(1));
    expect(listRuns(context).map(({ id, state }) => [id, state])).toEqual([
      [second, "stopped"],
      [first, "ended"],
    ]);
    expect(first).toMatch(/^r[a-z2-9]{5}$/);
    expect(() => readRun(context, "rxxxxx")).toThrow(
      expect.objectContaining({ about: "run", kind: "not-found" }),
    );
  });

  test("does not claim a run of an unknown kind, so that it is not shown as running", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await addUnknownRun(context, baseUrl);
    await expect(carryOut(context, run)).rejects.toThrow('"status"');
    expect(
      context.journal.read((rows) => rows.get("SELECT owner, state FROM run WHERE id = ?", run)),
    ).toEqual({ owner: null, state: "stopped" });
  });
});
