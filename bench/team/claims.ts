/**
 * Measures claims and outcomes per second at a ledger, and the time of one of each:
 * `node bench/team/claims.ts postgresql://LOGIN@127.0.0.1:5432/DATABASE [WRITES] [AT ONCE]`.
 * The ledger must exist, and the login must be a member.
 */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { systemClock } from "../../src/api/clock.ts";
import { teamAccess } from "../../src/settings/team-access.ts";
import type { ClaimRequest, LedgerState } from "../../src/writes/team/ledger.ts";
import { openLedger } from "../../src/writes/team/postgres.ts";

const [team, writes = "5000", atOnce = "16"] = process.argv.slice(2);
const access = teamAccess(team === undefined ? {} : { team }, {
  env: process.env,
  home: process.env.HOME ?? "/",
});
if (access === null) throw new Error("The first argument is the address of the ledger's database.");

const journal = randomUUID();
let [seq, state]: [number, LedgerState | null] = [0, null];
const ledger = openLedger(access, {
  service: "https://bench.example",
  user: {
    journal,
    machine: "bench",
    person: "bench",
    position: () => ({ seq, state, isComplete: false }),
    seen: (next) => {
      state = next;
    },
  },
  clock: systemClock,
  random: Math.random,
});

/** Claims and publishes one entry. Resolves with the milliseconds of both. */
async function write(
  localId: number,
): Promise<{ readonly claim: number; readonly publish: number }> {
  seq = Math.max(seq, localId);
  const entry = {
    ...{ localId, token: randomUUID(), service: "https://bench.example", profile: "bench" },
    ...{ account: `account ${localId}`, movesMoney: false },
    operation: "notes create" as const,
    ...{
      importSupplier: "ACME",
      externalAccountNumber: `EXT-${localId}`,
      externalIdentifier: null,
    },
    ...{
      run: null,
      runRequests: null,
      line: null,
      sha256: "0".repeat(64),
      content: "0",
      recordedAt: Date.now(),
      claimNumber: localId,
      attempts: 0,
    },
  };
  const item = { key: randomUUID(), name: null, isRecognized: false };
  const request: ClaimRequest = { ...entry, items: [item], override: null };
  const startedAt = performance.now();
  const { kind } = await ledger.claim(request, new AbortController().signal);
  if (kind !== "claimed") throw new Error(`The claim was ${kind}.`);
  const claimedAt = performance.now();
  const result = {
    state: "confirmed",
    tookEffect: null,
    reason: "answered",
    doubt: "none",
  } as const;
  const items = [{ ...item, position: 0, state: "confirmed", isBlocked: false } as const];
  await ledger.publish([{ ...entry, ...result, attempts: 1, httpStatus: 201, code: null, items }]);
  return { claim: claimedAt - startedAt, publish: performance.now() - claimedAt };
}

let next = 1;
const times: Awaited<ReturnType<typeof write>>[] = [];
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (next <= Number(writes)) times.push(await write(next++));
  }),
);
const seconds = (performance.now() - startedAt) / 1_000;
await ledger.close();

const median = (of: "claim" | "publish") =>
  times.map((time) => time[of]).toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
console.log(
  `${times.length} writes in ${seconds.toFixed(1)} s: ${Math.round(times.length / seconds)}/s, ` +
    `median ${median("claim").toFixed(1)} ms a claim, ${median("publish").toFixed(1)} ms an outcome`,
);
