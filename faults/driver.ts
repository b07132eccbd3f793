/**
 * The program's write path in a process of its own, which may stop itself at a named point. Its one
 * argument is a DriverInput as JSON; it prints what it reports to its user, one per line.
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../src/api/clock.ts";
import type { PlannedRequest } from "../src/bulk/input/planner.ts";
import { recordRequests } from "../src/bulk/record.ts";
import { runBulk } from "../src/bulk/run.ts";
import type { OnCheckpoint } from "../src/bulk/run-record.ts";
import { createRun } from "../src/bulk/runs.ts";
import { isAppError } from "../src/errors/app-error.ts";
import { profileChange } from "../src/settings/profile-change.ts";
import { openSettings } from "../src/settings/settings.ts";
import { dayMs } from "../src/text/durations.ts";
import { close } from "../src/writes/close-entry.ts";
import { askGuard, barOf } from "../src/writes/guard.ts";
import type { Override } from "../src/writes/journal/override.ts";
import { openWrites } from "../src/writes/open-writes.ts";
import { prepareWrite, type WriteRequest } from "../src/writes/prepare.ts";
import { applyRetention, entryRetentionMs } from "../src/writes/retention.ts";
import type { SubmitOptions } from "../src/writes/send/events.ts";
import { recordWrite, sendIntent, submit } from "../src/writes/submit.ts";
import { joinAsNew } from "../src/writes/team/join.ts";
import { planVerification, verify } from "../src/writes/verify.ts";
import { type DriverInput, type RunKind, type Task, writeKindOf } from "./driver-input.ts";
import { requestsIn } from "./forms.ts";
import { openService } from "./service-client.ts";
import { composeWrite } from "./writes.ts";

/** Written at once: a killed process has reported what it has reported. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

const input = JSON.parse(process.argv[2] ?? "{}") as DriverInput;
let aheadMs = input.clockAheadMs ?? 0;
const { now } = Date;
Date.now = () => now() + aheadMs;
let times = 0;
const atPoint: OnCheckpoint = (point) => {
  if (point !== input.at) return;
  times += 1;
  if (times !== (input.time ?? 1)) return;
  if (input.setBackMs === undefined) process.kill(process.pid, input.signal ?? "SIGKILL");
  else aheadMs -= input.setBackMs;
};

const never = new AbortController().signal;
const options: SubmitOptions = {
  signal: never,
  timeoutMs: input.timeoutMs ?? 10_000,
  queueMs: 600_000,
  atPoint,
  onEvent: (event) => {
    if (event.kind === "queued") say(`queued ${event.journalId}`);
    if (event.kind === "outcome") say(`${event.result.outcome} ${event.result.journalId}`);
    if (event.kind === "waiting") event.skip?.();
  },
};

const clock = systemClock;
const service = openService(input.baseUrl, input.apiKey, clock);
const { folder } = input;
const opened = await openWrites({
  folder,
  memoryIn: input.configDir,
  service,
  profile: { name: "campaign", ...(input.team === undefined ? {} : { team: input.team }) },
  teamDriver: {
    env: process.env,
    home: folder,
    profiles: () => [],
    load: async () => (await import("../src/writes/team/postgres.ts")).openLedger,
  },
  pid: process.pid,
  clock,
}).catch((thrown: unknown) => {
  say(`thrown ${thrown instanceof Error && "kind" in thrown ? thrown.kind : String(thrown)}`);
  process.exit();
});
const { context } = opened;
say("opened");
try {
  await carryOut(input.task);
} catch (thrown) {
  say(`thrown ${thrown instanceof Error && "kind" in thrown ? thrown.kind : String(thrown)}`);
} finally {
  await opened.close();
  await service.close();
}

async function carryOut(task: Task): Promise<void> {
  switch (task.kind) {
    case "open":
      return;
    case "publish":
      await context.team?.contact();
      return say(`left ${await context.team?.publish()}`);
    case "join as new":
      if (context.team !== null) await joinAsNew({ ...context, team: context.team });
      return;
    case "write":
      return writeAll(task);
    case "bulk": {
      const override = task.again === true ? overrideOf(requestsOf(task)) : undefined;
      const run = await createRun(context, runFacts(task), { atPoint, override });
      say(`run ${run}`);
      return goOn(run, task);
    }
    case "resume":
      return goOn(task.run, task);
    case "again":
      return sendAgain(task);
    case "synchronous": {
      const row = context.journal.read((rows) => rows.get("PRAGMA synchronous"));
      return say(`synchronous ${row?.synchronous}`);
    }
    case "verify":
      return verifyAll();
    case "blocked twins":
      return sendTwins(task);
    case "closed":
      return sendClosed(task);
    case "changed profile":
      return sendOutdated(task);
    case "forms":
      return sendForms(task);
    case "retire":
      await applyRetention(context.journal, clock.now() + entryRetentionMs + dayMs);
      return;
    case "send":
      for (const id of task.ids) {
        await sendIntent(context, id, options).catch((thrown: unknown) =>
          say(`refused ${id} ${String(thrown)}`),
        );
      }
  }
}

async function writeAll(task: Extract<Task, { readonly kind: "write" }>): Promise<void> {
  const { from = 0 } = task;
  let next = from;
  const one = async () => {
    while (next < from + task.writes) {
      const n = next++;
      const kind = task.kinds[n % task.kinds.length] ?? "notes";
      const { request } = composeWrite(kind, task.mark, n, input.accounts);
      await submit(context, request, options).catch(barred);
    }
  };
  await Promise.all(Array.from({ length: task.together }, one));
}

/** A payment that the vendor refuses, twice: the second is sent after the first was answered 400. */
async function sendTwins({ mark, writes }: { readonly mark: string; readonly writes: number }) {
  for (let n = 0; n < writes; n++) {
    const { request } = composeWrite("payment instructions", mark, n);
    const body = { ...JSON.parse(new TextDecoder().decode(request.body)), vendor: "REFUSEPAY" };
    const refused = { ...request, body: new TextEncoder().encode(JSON.stringify(body)) };
    const one = await recordWrite(context, refused, options);
    const other = await recordWrite(context, refused, options);
    await Promise.all([
      sendIntent(context, one, options).catch(barred),
      sendIntent(context, other, options).catch(barred),
    ]);
  }
}

async function sendAgain({ mark, n, stop }: Extract<Task, { readonly kind: "again" }>) {
  const { request } = composeWrite("payment instructions", mark, n);
  const override = overrideOf([request]);
  if (stop) process.kill(process.pid, "SIGSTOP");
  await submit(context, request, { ...options, override }).catch(barred);
}

/** Returns an override of everything that the guard finds now. */
function overrideOf(requests: readonly WriteRequest[]): Override {
  const { baseUrl } = context.service;
  const passes = context.journal.read((rows) =>
    requests.flatMap((request) => {
      const write = prepareWrite(request);
      return barOf(askGuard(rows, { baseUrl, write }))?.findings ?? [];
    }),
  );
  return { reason: "wanted twice", passes };
}

async function sendClosed({ mark, writes }: { readonly mark: string; readonly writes: number }) {
  for (let n = 0; n < writes; n++) {
    const { request } = composeWrite("payment instructions", mark, n);
    const { journalId, outcome } = await submit(context, request, options);
    if (outcome !== "unknown") continue;
    const closing = { reason: "seen at the vendor", tookEffect: "unknown" } as const;
    await close(context.journal, journalId, closing, clock.now());
    await submit(context, request, options).catch(barred);
  }
}

async function sendForms({ form, mark, writes }: Extract<Task, { readonly kind: "forms" }>) {
  for (let n = 0; n < writes; n++)
    for (const request of requestsIn(form, mark, n))
      await submit(context, request, options).catch(barred);
}

/** Asks before each write, as a console does, whether the profile is still as it was opened. */
async function sendOutdated({ mark, writes }: { readonly mark: string; readonly writes: number }) {
  const configDir = join(folder, "config");
  const own = openSettings({ configDir });
  const elsewhere = openSettings({ configDir });
  const changes: readonly ((name: string) => void)[] = [
    (name) => elsewhere.update(name, { readOnly: true }),
    (name) => elsewhere.update(name, { environment: "production" }),
    (name) => elsewhere.update(name, { baseUrl: "http://127.0.0.1:9" }),
    (name) => elsewhere.remove(name),
  ];
  for (let n = 0; n < writes; n++) {
    const name = `p${n}`;
    const { baseUrl } = input;
    const profile = {
      ...({ name, baseUrl, environment: "test", readOnly: false } as const),
      ...({ authForm: "auto", brand: "service", suppliers: [] } as const),
    };
    own.add(profile);
    changes[n % changes.length]?.(name);
    if (profileChange(profile, own.find(name)).kind !== "same") {
      say(`barred ${name}`);
      continue;
    }
    await submit(context, composeWrite("payment instructions", mark, n).request, options);
  }
}

function barred(thrown: unknown): void {
  if (!isAppError(thrown, "write")) throw thrown;
  say(`barred ${thrown.kind}`);
}

function runFacts({ of, mark, rows }: Extract<Task, { readonly kind: "bulk" }>) {
  const sha256 = mark;
  return { kind: of, source: "-", sha256, results: null, reading: {}, rows, requests: rows };
}

async function goOn(
  run: string,
  { of, mark, rows }: { readonly of: RunKind; readonly mark: string; readonly rows: number },
): Promise<void> {
  // The mark stands for the input's digest: another mark is another input.
  const recording = { signal: never, digest: () => mark, atPoint };
  await recordRequests(context, run, planned(of, mark, rows), recording);
  const end = await runBulk(context, run, {
    signal: never,
    stop: never,
    settleMs: 0,
    timeoutMs: input.timeoutMs ?? 10_000,
    onRow: (row) => say(`row ${row.line} ${row.outcome}`),
    atPoint,
  });
  say(`end ${end.kind}`);
}

function requestsOf({ of, mark, rows }: Extract<Task, { readonly kind: "bulk" }>) {
  return Array.from(
    { length: rows },
    (_, n) => composeWrite(writeKindOf[of], mark, n, input.accounts).request,
  );
}

async function* planned(
  of: RunKind,
  mark: string,
  rows: number,
): AsyncGenerator<PlannedRequest, void, void> {
  for (let n = 0; n < rows; n++) {
    const { request, importSupplier, identifier } = composeWrite(
      writeKindOf[of],
      mark,
      n,
      input.accounts,
    );
    const target =
      of === "supply-points"
        ? ({ kind: "supply-point", importSupplier, externalIdentifier: identifier } as const)
        : ({ kind: "account", importSupplier, externalAccountNumber: identifier } as const);
    yield { lines: [n + 2], target, write: request };
  }
}

async function verifyAll(): Promise<void> {
  const unknown = context.journal.read((rows) =>
    rows.all("SELECT id FROM intent WHERE state = 'unknown' ORDER BY id"),
  );
  for (const row of unknown) {
    const id = Number(row.id);
    if (planVerification(context, id).kind === "impossible") continue;
    await verify(context, id, options);
  }
}
