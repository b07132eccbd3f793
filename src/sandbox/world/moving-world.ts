/**
 * A supplier whose migration is in progress. About two thirds of the accounts were imported in the
 * past weeks, a third of those in the last day. Most of the others are imported while the sandbox
 * runs. Every state is a function of the seed, the row and the elapsed time, so a million accounts
 * need no memory and no timers. Some accounts have a script and a fixed position, so that the tour
 * and tests can be repeated.
 */

import { createdBy, historyTimes, lastDayInstants } from "./history.ts";
import { externalNumber, fraction, mix, numberOf, serviceNumber } from "./numbers.ts";
import type { AccountStatus, AccountWorld, WorldSettings } from "./world.ts";
import { instantAfter, secondsBetween, toSeconds } from "./world.ts";

/** The state of an account from `at` seconds (at natural pace) on. */
interface Step {
  readonly at: number;
  readonly status: AccountStatus;
}

interface ScriptedAccount {
  readonly account: string;
  /** The start of the timeline: the sandbox's start, or the first 4.8 request for the account. */
  readonly from: "start" | "first look";
  /**
   * The steps in ascending order, the first at 0. Empty for an account that was imported in the
   * past.
   */
  readonly steps: readonly Step[];
}

const unknown = (at: number): Step => ({ at, status: "UNKNOWN" });
const busy = (at: number): Step => ({ at, status: "IN_PROGRESS" });
const done = (at: number): Step => ({ at, status: "COMPLETED" });
const imported = (account: string): ScriptedAccount => ({ account, from: "start", steps: [] });

/** The scripted accounts in list order. docs/sandbox.md describes the purpose of each. */
export const scriptedAccounts: readonly ScriptedAccount[] = [
  imported("EXT-0000001"),
  { account: "EXT-0000002", from: "start", steps: [unknown(0), busy(5), done(15)] },
  { account: "EXT-0000003", from: "start", steps: [unknown(0), busy(5), unknown(15)] },
  { account: "EXT-0000004", from: "start", steps: [unknown(0)] },
  { account: "EXT-0000005", from: "start", steps: [busy(0), done(20)] },
  { account: "EXT-0000006", from: "start", steps: [busy(0)] },
  { account: "EXT-0000007", from: "first look", steps: [unknown(0), busy(5), done(15)] },
  { account: "EXT-0000008", from: "first look", steps: [unknown(0), busy(5), unknown(15)] },
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
/** Milliseconds before the start within which the pending accounts were staged. */
const stagedWithinMs = 10 * 86_400_000;
const salts = { fate: 1, past: 2, begin: 3, length: 4, outcome: 5, staged: 6 } as const;

interface MovingWorldSettings extends WorldSettings {
  readonly size: number;
  /**
   * Returns the time (epoch ms) of the first status request for an account whose script starts with
   * it.
   */
  readonly firstLook: (externalNumber: string) => number | undefined;
}

/** Seconds after the start at which an account's turn begins and ends. */
interface Turn {
  readonly begin: number;
  readonly end: number;
  readonly outcome: "created" | "failed";
}

export function movingWorld(settings: MovingWorldSettings): AccountWorld {
  const { size, seed, clock, firstNumber, firstLook } = settings;
  // Created with the first list, because counting eight weeks would delay the start of a sandbox.
  let pastTable: readonly string[] | undefined;
  const pastText = (row: number, at: number): string | undefined => {
    pastTable ??= pastTexts(clock.epoch, seed, pastTableSize(size));
    const place = Math.floor(fraction(seed, salts.past, row) * pastTable.length);
    return createdBy(clock, at, pastTable[place]);
  };
  const queueSeconds = queueLength(size);
  const named = new Map(
    scriptedAccounts.slice(0, size).map((script, row) => [script.account, row]),
  );
  const fate = mix(seed ^ mix(salts.fate));
  const importedBelow = Math.floor(importedShare * 0x1_0000_0000);
  const createdText = textCache();

  const isPast = (row: number): boolean => {
    const script = scriptedAccounts[row];
    return script === undefined ? mix(row ^ fate) < importedBelow : script.steps.length === 0;
  };

  const turnOf = (row: number): Turn | undefined => {
    const outcome = fraction(seed, salts.outcome, row);
    // One in ten always stays in the queue, and one in thirty-three fails.
    if (outcome < 0.1) return undefined;
    const begin = fraction(seed, salts.begin, row) * queueSeconds;
    const end = begin + 5 + 25 * fraction(seed, salts.length, row);
    return { begin, end, outcome: outcome < 0.13 ? "failed" : "created" };
  };

  const scriptStart = (script: ScriptedAccount): number | undefined =>
    script.from === "start" ? clock.epoch : firstLook(script.account);

  const scriptStep = (script: ScriptedAccount, at: number) => {
    const start = scriptStart(script);
    const elapsed = start === undefined ? 0 : secondsBetween(clock, start, at);
    return script.steps.findLast((step) => step.at <= elapsed) ?? script.steps[0];
  };

  const status = (row: number, at: number): AccountStatus => {
    if (isPast(row)) return pastText(row, at) === undefined ? "UNKNOWN" : "COMPLETED";
    const script = scriptedAccounts[row];
    if (script !== undefined) return scriptStep(script, at)?.status ?? "UNKNOWN";
    const elapsed = secondsBetween(clock, clock.epoch, at);
    const turn = turnOf(row);
    if (turn === undefined || elapsed < turn.begin) return "UNKNOWN";
    if (elapsed < turn.end) return "IN_PROGRESS";
    return turn.outcome === "created" ? "COMPLETED" : "UNKNOWN";
  };

  const createdAt = (row: number, at: number): string | undefined => {
    if (isPast(row)) return pastText(row, at);
    if (status(row, at) !== "COMPLETED") return undefined;
    const script = scriptedAccounts[row];
    if (script !== undefined) {
      const step = scriptStep(script, at);
      return createdText(instantAfter(clock, scriptStart(script) ?? at, step?.at ?? 0));
    }
    return createdText(instantAfter(clock, clock.epoch, turnOf(row)?.end ?? 0));
  };

  return {
    size,
    externalNumber: (row) => scriptedAccounts[row]?.account ?? externalNumber("EXT", row + 1),
    rowOf: (text) => {
      const row = named.get(text);
      if (row !== undefined) return row;
      const number = numberOf("EXT", text);
      const inside = number !== undefined && number > scriptedAccounts.length && number <= size;
      return inside ? number - 1 : undefined;
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

/** Returns import times of eight weeks, a third of them in the last day, oldest first. */
function pastTexts(epoch: number, seed: number, size: number): readonly string[] {
  const ofLastDay = Math.floor(size / 3);
  return [
    ...historyTimes(epoch, seed, size - ofLastDay),
    ...lastDayInstants(epoch, seed, ofLastDay),
  ];
}

/** Returns the number of distinct past imports. They share seconds only in very large worlds. */
function pastTableSize(size: number): number {
  return Math.min(65_536, Math.max(size, 256));
}

/**
 * Returns the seconds in which the pending accounts are imported: a pace that can be watched, at
 * most six hours.
 */
function queueLength(size: number): number {
  return Math.min(6 * 3600, Math.max(60, size * (1 - importedShare) * 12));
}

/**
 * Returns a formatter that caches the text of each second, because many accounts of a long list
 * share one.
 */
function textCache(): (epochMs: number) => string {
  const known = new Map<number, string>();
  return (epochMs) => {
    const second = Math.floor(epochMs / 1000);
    const text = known.get(second) ?? toSeconds(second * 1000);
    known.set(second, text);
    return text;
  };
}
