/**
 * A supplier whose migration is in progress. About two thirds of the accounts were imported in the
 * past weeks, a third of these in the last day. Most of the others are imported while the sandbox
 * runs. Every state is a function of the seed, the row and the elapsed time, so a million accounts
 * need no memory and no timers. Some accounts have a script and a fixed position, so that the tour
 * and tests can be repeated.
 */
import { createdBy, historyTimes, lastDayTimes } from "./history.ts";
import { externalNumber, fraction, mix, rowNumbered, serviceNumber } from "./numbers.ts";
import type { AccountStatus, AccountWorld, WorldSettings } from "./world.ts";
import { formatDatetime, instantAfter, secondsBetween } from "./world.ts";

interface Step {
  readonly at: number;
  readonly status: AccountStatus;
}

interface ScriptedAccount {
  readonly account: string;
  /** The start of the timeline: that of the sandbox, or the first request for the status (4.8). */
  readonly from: "start" | "first status";
  /** The steps, oldest first, the first at 0. Empty for an account imported before the start. */
  readonly steps: readonly Step[];
}

const unknown = (at: number): Step => ({ at, status: "UNKNOWN" });
const busy = (at: number): Step => ({ at, status: "IN_PROGRESS" });
const done = (at: number): Step => ({ at, status: "COMPLETED" });
const imported = (account: string): ScriptedAccount => ({ account, from: "start", steps: [] });

export const scriptedAccounts: readonly ScriptedAccount[] = [
  imported("EXT-0000001"),
  { account: "EXT-0000002", from: "start", steps: [unknown(0), busy(5), done(15)] },
  { account: "EXT-0000003", from: "start", steps: [unknown(0), busy(5), unknown(15)] },
  { account: "EXT-0000004", from: "start", steps: [unknown(0)] },
  { account: "EXT-0000005", from: "start", steps: [busy(0), done(20)] },
  { account: "EXT-0000006", from: "start", steps: [busy(0)] },
  { account: "EXT-0000007", from: "first status", steps: [unknown(0), busy(5), done(15)] },
  { account: "EXT-0000008", from: "first status", steps: [unknown(0), busy(5), unknown(15)] },
  {
    account: "EXT-0000009",
    from: "start",
    steps: [unknown(0), busy(10), unknown(20), busy(40), done(50)],
  },
  imported("EXT 0000010"),
  imported("EXT/0000011"),
  imported("EXT%0000012"),
  imported("EXT-Ωé-0000013"),
  imported("EXT-日本-0000014"),
  imported("EXT#?&+=0000015"),
  imported("EXT%2F0000016"),
];

const importedShare = 0.64;
const stagedWithinMs = 10 * 86_400_000;
const salts = { fate: 1, past: 2, begin: 3, length: 4, outcome: 5, staged: 6 } as const;

interface MovingWorldSettings extends WorldSettings {
  readonly size: number;
  /** Returns the time (epoch ms) of an account's first status request, if its script starts so. */
  readonly firstStatus: (externalNumber: string) => number | undefined;
}

interface Import {
  /** Seconds after the start at which the import begins. */
  readonly begin: number;
  /** Seconds after the start at which the import ends. */
  readonly end: number;
  readonly outcome: "created" | "failed";
}

export function movingWorld(settings: MovingWorldSettings): AccountWorld {
  const { size, seed, clock, firstNumber, firstStatus } = settings;
  // Created when it is first needed, because the times of eight weeks would delay the start.
  let pastTimes: readonly string[] | undefined;
  const pastTime = (row: number, at: number): string | undefined => {
    pastTimes ??= createPastTimes(clock.epoch, seed, Math.min(65_536, Math.max(size, 256)));
    const index = Math.floor(fraction(seed, salts.past, row) * pastTimes.length);
    return createdBy(clock, at, pastTimes[index]);
  };
  // Each pending account takes 12 s, all of them at least a minute and at most six hours.
  const queueSeconds = Math.min(6 * 3600, Math.max(60, size * (1 - importedShare) * 12));
  const scriptedRows = new Map(
    scriptedAccounts.slice(0, size).map((script, row) => [script.account, row]),
  );
  const fate = mix(seed ^ mix(salts.fate));
  const importedBelow = Math.floor(importedShare * 0x1_0000_0000);
  const formatCached = datetimeCache();

  const isPast = (row: number): boolean => {
    const script = scriptedAccounts[row];
    return script === undefined ? mix(row ^ fate) < importedBelow : script.steps.length === 0;
  };

  /** Returns the import of a pending account, or undefined if it always stays in the queue. */
  const importOf = (row: number): Import | undefined => {
    const outcome = fraction(seed, salts.outcome, row);
    // 10 % always stay in the queue, and 3 % fail.
    if (outcome < 0.1) return undefined;
    const begin = fraction(seed, salts.begin, row) * queueSeconds;
    const end = begin + 5 + 25 * fraction(seed, salts.length, row);
    return { begin, end, outcome: outcome < 0.13 ? "failed" : "created" };
  };

  const scriptStart = (script: ScriptedAccount): number | undefined =>
    script.from === "start" ? clock.epoch : firstStatus(script.account);

  const scriptStep = (script: ScriptedAccount, at: number) => {
    const start = scriptStart(script);
    const elapsed = start === undefined ? 0 : secondsBetween(clock, start, at);
    return script.steps.findLast((step) => step.at <= elapsed) ?? script.steps[0];
  };

  const status = (row: number, at: number): AccountStatus => {
    if (isPast(row)) return pastTime(row, at) === undefined ? "UNKNOWN" : "COMPLETED";
    const script = scriptedAccounts[row];
    if (script !== undefined) return scriptStep(script, at)?.status ?? "UNKNOWN";
    const elapsed = secondsBetween(clock, clock.epoch, at);
    const run = importOf(row);
    if (run === undefined || elapsed < run.begin) return "UNKNOWN";
    if (elapsed < run.end) return "IN_PROGRESS";
    return run.outcome === "created" ? "COMPLETED" : "UNKNOWN";
  };

  const createdAt = (row: number, at: number): string | undefined => {
    if (isPast(row)) return pastTime(row, at);
    if (status(row, at) !== "COMPLETED") return undefined;
    const script = scriptedAccounts[row];
    if (script !== undefined) {
      const step = scriptStep(script, at);
      return formatCached(instantAfter(clock, scriptStart(script) ?? at, step?.at ?? 0));
    }
    return formatCached(instantAfter(clock, clock.epoch, importOf(row)?.end ?? 0));
  };

  return {
    size,
    externalNumber: (row) => scriptedAccounts[row]?.account ?? externalNumber("EXT", row + 1),
    rowOf: (text) => {
      const scripted = scriptedRows.get(text);
      if (scripted !== undefined) return scripted;
      // A scripted account is found by the number in its script only.
      const row = rowNumbered("EXT", text, size);
      return row !== undefined && row >= scriptedAccounts.length ? row : undefined;
    },
    status,
    createdAt,
    serviceNumber: (row) => serviceNumber(seed, firstNumber + row),
    isListed: (row, at) =>
      at >= clock.epoch ||
      isPast(row) ||
      at >= clock.epoch - fraction(seed, salts.staged, row) * stagedWithinMs,
  };
}

function createPastTimes(epoch: number, seed: number, size: number): readonly string[] {
  const ofLastDay = Math.floor(size / 3);
  return [...historyTimes(epoch, seed, size - ofLastDay), ...lastDayTimes(epoch, seed, ofLastDay)];
}

/**
 * Returns a formatter of datetimes that caches the text of each second, because many accounts of a
 * long list are created in the same second.
 */
function datetimeCache(): (epochMs: number) => string {
  const texts = new Map<number, string>();
  return (epochMs) => {
    const second = Math.floor(epochMs / 1000);
    const text = texts.get(second) ?? formatDatetime(second * 1000);
    texts.set(second, text);
    return text;
  };
}
