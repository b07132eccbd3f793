/** One cell of the matrix: writes one after another under a fault, then recovery and a check. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Service } from "../../src/api/service.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { openWrites, type Writes } from "../../src/writes/open-writes.ts";
import type { SubmitOptions } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import { planVerification, verify } from "../../src/writes/verify.ts";
import { type Evidence, landings, placeOf, type Reported, readJournal } from "../evidence.ts";
import { summaryViolations } from "../invariants/done-and-ledger.ts";
import { type Violation, violationsIn } from "../invariants/invariant.ts";
import { afterRecovery, invariants } from "../invariants/journal-and-ledger.ts";
import { secretsIn } from "../secrets.ts";
import { openService } from "../service-client.ts";
import { composeWrite, supplier } from "../writes.ts";
import { campaignClock } from "./campaign-clock.ts";
import { type CellResult, distinct, type Stage, timeoutMs } from "./cell-stage.ts";
import { type History, historyViolations } from "./histories.ts";
import { type Cell, faultNamed } from "./plan.ts";
import { validations } from "./validations.ts";
import { witness } from "./witness.ts";

/** Sleeps of this length are long: what is left of a deadline is longer than any wait for a resend. */
const deadlineMs = 15_000;

/** All attempts of one write; the campaign does not try this one's patience. */
const totalMs = 3_600_000;

/** Runs a cell in a folder of its own below `where`. */
export async function runCell(cell: Cell, where: string): Promise<CellResult> {
  const folder = await mkdtemp(join(where, "cell-"));
  const start = Date.parse("2026-11-20T09:00:00Z");
  const clock = campaignClock(start, deadlineMs, () => watch.isBusy());
  const watch = witness(() => clock.expire());
  const fault = faultNamed(cell.fault);
  const sandbox = await startSandbox({
    seed: cell.seed,
    speed: 0,
    now: clock.now,
    suppliers: [supplier],
    observer: watch,
    faults: fault.specs(cell.endpoint),
  });
  const stage: Stage = { cell, clock, sandbox, watch, folder };
  try {
    return await (cell.kind === "validation" ? validations(stage) : writes(stage));
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function writes(stage: Stage): Promise<CellResult> {
  const { cell, sandbox, watch } = stage;
  const fault = faultNamed(cell.fault);
  const reported: Reported[] = [];
  const histories: History[] = [];
  let shut = 0;
  const client = await openClient(stage);
  try {
    for (let n = 0; n < cell.writes; n++) {
      if (fault.freshConnections === true || cell.endpoint === "token") await client.reconnect();
      // The port stays closed for none, for some, or for all of the resends.
      const closedFor = fault.closesPort === true ? (cell.seed + n) % 6 : 0;
      if (closedFor > 0) shut += 1;
      histories.push(await writeOne(stage, client, n, closedFor, reported));
      if (fault.name.startsWith("late")) await watch.quiet();
    }
    await watch.quiet();
    const first = violationsIn(evidence(stage, reported), invariants);
    const from = performance.now();
    const arrivals = watch.seen.length;
    await client.reopen();
    const recoveryMs = performance.now() - from;
    const resent = watch.seen.length - arrivals;
    const sent = resent === 0 ? [] : [recoverySent(resent)];
    sandbox.setFaults([]);
    const faultless = await verifyAll(client);
    const last = violationsIn(evidence(stage, reported), [...invariants, ...afterRecovery]);
    const { journal } = client.writes.context;
    const sums = await summaryViolations(journal, sandbox.ledger());
    const injected = shut + watch.seen.filter(({ fault: name }) => name !== null).length;
    const outcomes: Record<string, number> = {};
    for (const { outcome } of histories) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const violations = [
      ...historyViolations(histories),
      ...first,
      ...sent,
      ...faultless,
      ...sums,
      ...last,
    ];
    return {
      cell,
      writes: cell.writes,
      injected,
      outcomes,
      violations: distinct(violations),
      recoveryMs,
    };
  } finally {
    await client.close();
  }
}

async function writeOne(
  { cell, sandbox, watch }: Stage,
  client: Client,
  n: number,
  closedFor: number,
  reported: Reported[],
): Promise<History> {
  const { kind } = cell;
  if (kind === "validation") throw new Error("a validation writes nothing");
  const write = composeWrite(kind, `${cell.seed}`, n);
  const from = watch.seen.length;
  if (closedFor > 0) await sandbox.setListening(false);
  let waits = 0;
  const result = await submit(client.writes.context, write.request, {
    ...hurried(reported),
    atPoint: async (point) => {
      if (point !== "waiting") return;
      waits += 1;
      if (waits === closedFor) await sandbox.setListening(true);
    },
  });
  if (closedFor > 0) await sandbox.setListening(true);
  const { journalId, outcome } = result;
  reported.push({ journalId, word: outcome });
  return {
    journalId,
    kind,
    injectedAt: cell.endpoint,
    portClosed: closedFor > 0,
    seen: watch.seen.slice(from),
    outcome,
    tookEffect:
      kind === "supply points" &&
      landings(sandbox.ledger()).has(placeOf(write.identifier, write.identifier)),
  };
}

function recoverySent(requests: number): Violation {
  return { invariant: "recovery sends nothing", what: `${requests} requests at the start` };
}

/** The program's side, which can be opened again as another process would. */
interface Client {
  readonly writes: Writes;
  readonly service: Service;
  /** New connections and a new token. */
  reconnect(): Promise<void>;
  /** Closes the journal and opens it again, recovery included. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

async function openClient({ sandbox, folder, clock }: Stage): Promise<Client> {
  let service = openService(sandbox.baseUrl, sandbox.apiKey, clock);
  const pid = process.pid;
  const openJournal = () =>
    openWrites({
      folder,
      // Stays the same while the connections behind it are made again.
      service: {
        baseUrl: sandbox.baseUrl,
        get rateLimit() {
          return service.rateLimit;
        },
        renewConnections: () => service.renewConnections(),
        trustedNow: () => service.trustedNow(),
        clockAheadMs: () => service.clockAheadMs(),
        post: (request, options) => service.post(request, options),
        get accounts() {
          return service.accounts;
        },
        get supplyPoints() {
          return service.supplyPoints;
        },
      },
      profile: { name: "campaign" },
      pid,
      clock,
      random: () => 0.5,
    });
  let writes = await openJournal();
  return {
    get writes() {
      return writes;
    },
    get service() {
      return service;
    },
    reconnect: async () => {
      await service.close();
      service = openService(sandbox.baseUrl, sandbox.apiKey, clock);
    },
    reopen: async () => {
      await writes.close();
      writes = await openJournal();
    },
    close: async () => {
      await writes.close();
      await service.close();
    },
  };
}

/** Options that skip every countdown, and collect the events. */
function hurried(reported: Reported[]): SubmitOptions {
  return {
    signal: new AbortController().signal,
    timeoutMs,
    totalMs,
    onEvent: (event) => {
      if (event.kind === "queued") reported.push({ journalId: event.journalId, word: "queued" });
      if (event.kind === "waiting") event.skip?.();
    },
  };
}

/** With the faults gone, what can be found out is found out; presence must resolve. */
async function verifyAll({ writes }: Client): Promise<readonly Violation[]> {
  const { context } = writes;
  const found: Violation[] = [];
  const unknown = context.journal.read((rows) =>
    rows.all("SELECT id, operation FROM intent WHERE state = 'unknown'"),
  );
  for (const row of unknown) {
    const id = Number(row.id);
    if (planVerification(context, id).kind === "impossible") continue;
    const { outcome, plan, results } = await verify(context, id, hurried([]));
    // A supply point that is not there may still come, and what is refused now might have taken effect
    // before; everything else that is sent again is answered for.
    if (outcome !== "unknown" || plan !== "checked-resend") continue;
    if (results[0]?.httpStatus === 400) continue;
    found.push({
      invariant: "verified is known",
      what: `entry ${id} is unknown after it was verified`,
    });
  }
  return found;
}

function evidence({ sandbox, watch, folder }: Stage, reported: readonly Reported[]): Evidence {
  return {
    ...readJournal(join(folder, "journal.sqlite")),
    effects: sandbox.ledger(),
    seen: watch.seen,
    reported,
    secretsFound: secretsIn(folder, sandbox.apiKey),
  };
}
