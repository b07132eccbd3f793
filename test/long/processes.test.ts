import { join } from "node:path";
import { supplyPointPayload } from "../../faults/supply-point-payload.ts";
import { exitCodeOf } from "../../src/commands/exit-codes.ts";
import { type FormKind, formKinds } from "../../src/forms/forms.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import type { Operation } from "../../src/writes/kinds/kind.ts";
import { isVendorRetry, kindOf, operationOf } from "../../src/writes/kinds/kinds.ts";
import { processLife } from "../../src/writes/owner.ts";
import { recover } from "../../src/writes/recover.ts";
import type { CommitPoint } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import { planVerification, verify } from "../../src/writes/verify.ts";
import { fakeClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { samples } from "../helpers/kinds.ts";
import { startProcess } from "../helpers/process.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import type { DriverInput } from "../writes/driver.ts";
import { writeService } from "../writes/write-service.ts";
import {
  account,
  contextFor,
  hurried,
  instruction,
  journalIn,
  notes,
  statement,
  transaction,
} from "../writes/writing.ts";

function drive(input: DriverInput) {
  const driver = join(import.meta.dirname, "../writes/driver.ts");
  const child = startProcess([process.execPath, driver, JSON.stringify(input)]);
  onTestFinished(() => child[Symbol.asyncDispose]());
  const ended = child.result.then(({ stdout, signal }) => ({
    lines: stdout.split("\n").filter((line) => line !== ""),
    signal,
  }));
  return { child, ended };
}

async function sandboxWith(faults: readonly string[] = []): Promise<TestSandbox> {
  const sandbox = await openSandbox({ speed: 1, faults });
  return sandbox;
}

const effects = (sandbox: TestSandbox) =>
  sandbox.ledger().filter(({ cause }) => cause === "request").length;

const text = (body: unknown) => JSON.stringify(body);

const supplyPointBody = { payload: supplyPointPayload("SP-KILLED", "ACME") };

const bytes = (body: Uint8Array) => new TextDecoder().decode(body);

/** Bodies that need the test's own values; a kind without one is sent as its sample documents it. */
const ownBodies: Readonly<Partial<Record<Operation, string>>> = {
  "notes create": bytes(notes("left behind").body),
  "transactions create": text({
    ...account,
    transactions: [
      { ...transaction("T-1"), transaction_date: new Date().toISOString().slice(0, 10) },
    ],
  }),
  "statements create": bytes(statement().body),
  "payment-instructions create": bytes(instruction().body),
  "supply-points create": text(supplyPointBody),
};

interface Killed {
  readonly at: CommitPoint;
  /** The outcome in the journal before a check, and after the next start. */
  readonly outcome: "none" | "unsent" | "unknown" | "retryable" | "confirmed";
  readonly tookEffect: number;
  /** A fault, for points that are only reached with one. */
  readonly fault?: string;
}

const always: readonly Killed[] = [
  { at: "before-intent", outcome: "none", tookEffect: 0 },
  { at: "intent-committed", outcome: "unsent", tookEffect: 0 },
  { at: "queued-reported", outcome: "unsent", tookEffect: 0 },
  { at: "attempt-committed", outcome: "unknown", tookEffect: 0 },
  { at: "answered", outcome: "unknown", tookEffect: 1 },
  { at: "outcome-committed", outcome: "confirmed", tookEffect: 1 },
  { at: "outcome-reported", outcome: "confirmed", tookEffect: 1 },
];
const resent: readonly Killed[] = [
  { at: "attempt-recorded", outcome: "unknown", tookEffect: 1, fault: "reset-after@writesx1" },
  { at: "waiting", outcome: "unknown", tookEffect: 1, fault: "reset-after@writesx1" },
];
const vendor: Killed = {
  at: "waiting",
  outcome: "retryable",
  tookEffect: 0,
  fault: "500@writesx1",
};
const lookedUp: Killed = { at: "looked-up", outcome: "unsent", tookEffect: 0 };

const bodyOf = (kind: FormKind) =>
  ownBodies[operationOf(kind)] ??
  samples[kind].documented.replaceAll('"EXT-1"', JSON.stringify(account.external_account_number));

const kills = formKinds.flatMap((kind) => {
  const operation = operationOf(kind);
  const body = bodyOf(kind);
  const readBack = kindOf(operation).readBack.by !== "nothing";
  const extra =
    kindOf(operation).readBack.by === "look-up"
      ? [lookedUp]
      : isVendorRetry(operation)
        ? [vendor]
        : [];
  return [...always, ...extra, ...(readBack ? resent : [])].map((kill) => ({
    operation,
    body,
    ...kill,
  }));
});

describe("killed at a named point", () => {
  test.each(kills)("$operation at $at: $outcome, and $tookEffect took effect", async (kill) => {
    const { operation, body, at, outcome, tookEffect, fault } = kill;
    const sandbox = await sandboxWith(fault === undefined ? [] : [fault]);
    const where = journalFolder();
    const { baseUrl, apiKey } = sandbox;
    const requests = [{ operation, body }];
    const { signal } = await drive({ folder: where, baseUrl, apiKey, requests, at, patient: true })
      .ended;
    expect(signal).toBe("SIGKILL");
    expect(effects(sandbox)).toBe(tookEffect);

    const context = await contextFor(baseUrl, { folder: where, credentials: { apiKey } });
    const { journal } = context;
    await recover(journal, context.process, Date.now());
    expect(listActivity(journal).map((row) => row.outcome)).toEqual(
      outcome === "none" ? [] : [outcome],
    );
    expect(effects(sandbox)).toBe(tookEffect);
    if (outcome !== "unknown") return;

    // What can be found out is found out, and takes effect once in all.
    const plan = planVerification(context, 1);
    if (plan.kind === "impossible") {
      expect(plan.why).toMatch(/cannot be read back: look at/);
      return;
    }
    const verified = await verify(context, 1, hurried().options);
    const there = tookEffect === 1 || plan.kind === "checked-resend";
    expect(verified.outcome).toBe(there ? "confirmed" : "unknown");
    expect(effects(sandbox)).toBe(there ? 1 : 0);
    const hashes = showActivity(journal, 1).sha256;
    expect(hashes).toMatch(/^[0-9a-f]{64}$/);
  });

  test("when the headers have just left, it is unknown, and verifying ends with one effect", async () => {
    const sandbox = await sandboxWith();
    const where = journalFolder();
    const { baseUrl, apiKey } = sandbox;
    const requests = [{ operation: "notes create" as const, body: bodyOf("notes") }];
    await drive({ folder: where, baseUrl, apiKey, requests, at: "headers-sent" }).ended;
    const context = await contextFor(baseUrl, { folder: where, credentials: { apiKey } });
    const recovered = await recover(context.journal, context.process, Date.now());
    expect(recovered).toEqual({ unknown: [1], unsent: [] });
    const verified = await verify(context, 1, hurried().options);
    expect(verified.outcome).toBe("confirmed");
    expect(effects(sandbox)).toBe(1);
  });

  test("what is being sent by a process that still runs is left alone", async () => {
    const sandbox = await sandboxWith(["hang@notes"]);
    const where = journalFolder();
    const { baseUrl, apiKey } = sandbox;
    const journal = await journalIn(where);
    const { child } = drive({ folder: where, baseUrl, apiKey, writes: 1 });
    await expect
      .poll(() => listActivity(journal).map(({ outcome }) => outcome))
      .toEqual(["sending"]);
    const life = processLife(process.pid);
    expect(await recover(journal, life, Date.now())).toEqual({ unknown: [], unsent: [] });
    child.kill("SIGKILL");
    await child.result;
    expect(await recover(journal, life, Date.now())).toEqual({ unknown: [1], unsent: [] });
  });
});

describe("several processes on one journal", () => {
  test("four at once lose nothing and send nothing twice; one account's writes never overlap", async () => {
    const sandbox = await sandboxWith(["latency=5ms@notes"]);
    const where = journalFolder();
    const { baseUrl, apiKey } = sandbox;
    const accounts = ["EXT-0000001", "EXT 0000010", "EXT/0000011"];
    const each = 6;
    const runs = Array.from({ length: 4 }, (_, p) =>
      drive({
        folder: where,
        baseUrl,
        apiKey,
        together: true,
        requests: Array.from({ length: each }, (_, n) => ({
          operation: "notes create",
          body: text({
            import_supplier: "ACME",
            external_account_number: accounts[n % accounts.length],
            notes: [{ body: `process ${p}, note ${n}` }],
          }),
        })),
      }),
    );
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    const lines = ends.flatMap((end) => end.lines);
    expect(lines.filter((line) => !line.endsWith(" confirmed"))).toEqual([]);
    expect(lines).toHaveLength(4 * each);
    const keys = sandbox.ledger().map(({ key }) => key);
    expect(new Set(keys).size).toBe(4 * each);
    expect(keys).toHaveLength(4 * each);

    const journal = await journalIn(where);
    for (const name of accounts) {
      const spans = listActivity(journal, { externalAccountNumber: name })
        .flatMap(({ journal_id }) => showActivity(journal, journal_id).attempts)
        .map(({ started_at, ended_at }) => [started_at, ended_at ?? ""] as const)
        .sort();
      expect(spans).toHaveLength((4 * each) / accounts.length);
      for (const [index, [started]] of spans.entries()) {
        const before = spans[index - 1];
        if (before) expect(started >= before[1]).toBe(true);
      }
    }
    expect(journal.read((rows) => rows.all("SELECT * FROM claim"))).toEqual([]);
  });

  test("a stopped process keeps its account; once it is killed the next write goes on", async () => {
    const sandbox = await sandboxWith();
    const where = journalFolder();
    const { baseUrl, apiKey } = sandbox;
    const context = await contextFor(baseUrl, { folder: where, credentials: { apiKey } });
    const at = "attempt-committed";
    const { child, ended } = drive({ folder: where, baseUrl, apiKey, at, signal: "SIGSTOP" });
    await expect
      .poll(() => listActivity(context.journal).map(({ outcome }) => outcome))
      .toEqual(["sending"]);

    const waiting = hurried({ queueMs: 1 });
    const behind = await submit(context, notes("behind"), waiting.options);
    expect(behind).toMatchObject({ outcome: "unsent", reason: "account-busy" });
    expect(exitCodeOf(behind)).toBe(6);
    expect(waiting.events).toContainEqual({
      kind: "waiting-for-account",
      journalId: 2,
      behind: 1,
      pid: child.pid,
    });

    child.kill("SIGKILL");
    await ended;
    const next = await submit(context, notes("next"), hurried().options);
    expect(next.outcome).toBe("confirmed");
    expect(showActivity(context.journal, 1)).toMatchObject({
      outcome: "unknown",
      reason: "process-ended",
    });
    expect(sandbox.ledger().map(({ key }) => key)).toEqual(["next"]);
  });

  test("a claim whose owner cannot be checked expires after a quarter of an hour", async () => {
    const clock = fakeClock();
    const where = journalFolder();
    const self = processLife(process.pid);
    const elsewhere = { self: { ...self.self, host: "another" }, lifeOf: () => "alive" as const };
    const hanging = { post: () => new Promise<never>(() => {}) };
    const service = { ...writeService("http://127.0.0.1:9", {}), ...hanging };
    const theirs = await contextFor("http://127.0.0.1:9", {
      folder: where,
      clock,
      service,
      process: elsewhere,
    });
    const sending = submit(
      theirs,
      notes("theirs"),
      hurried({ timeoutMs: 3_600_000, totalMs: 3_600_000 }).options,
    );
    await clock.untilSleeping();
    const { journal } = theirs;
    expect(await recover(journal, self, clock.now() + 14 * 60_000)).toMatchObject({ unknown: [] });
    expect(await recover(journal, self, clock.now() + 16 * 60_000)).toMatchObject({ unknown: [1] });
    await clock.advance(3_700_000);
    expect(await sending).toMatchObject({ outcome: "unknown", reason: "process-ended" });
    expect(showActivity(journal, 1)).toMatchObject({ outcome: "unknown", reason: "process-ended" });
  });

  test("a process is not mistaken for one that had its number before", () => {
    const { self, lifeOf } = processLife(process.pid);
    expect(lifeOf(self)).toBe("alive");
    expect(lifeOf({ ...self, startedAt: "1" })).toBe("dead");
    expect(lifeOf({ ...self, bootId: "before" })).toBe("dead");
    expect(lifeOf({ ...self, host: "another" })).toBe("unclear");
    expect(lifeOf({ ...self, pid: 4_000_000 })).toBe("dead");
  });

  test("many processes can open a new journal at the same moment", async () => {
    const where = journalFolder();
    const runs = Array.from({ length: 6 }, () =>
      drive({ folder: where, baseUrl: "http://127.0.0.1:9", requests: [] }),
    );
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    expect(ends.flatMap(({ lines }) => lines)).toEqual([]);
  });
});
