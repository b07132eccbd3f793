/** Puts a verdict into words. No other file puts a state and a time together. */
import { agoWords, atLeastAge, atLeastWords, coarseAge, formatAge } from "../text/ages.ts";
import { shortInstant } from "../text/dates.ts";
import { accountStatusWords, notFoundWords, type StatusWords } from "../text/describe-status.ts";
import { minuteMs } from "../text/durations.ts";
import { count } from "../text/numbers.ts";
import { safe } from "../text/sanitize.ts";
import { widthOf } from "../text/width.ts";
import { notFound } from "../watch/timeline.ts";
import { isCurrentList } from "./import-pace.ts";
import { byMachines } from "./observations/by-machines.ts";
import type { Others, Usual, Verdict, VerdictSince } from "./verdict.ts";

export interface VerdictWords {
  readonly badge: StatusWords;
  /**
   * The text after the label, from the longest to the shortest. No text is without the judgment of
   * the duration.
   */
  readonly tails: readonly string[];
  readonly others: string | null;
}

type Form = "long" | "short";

const minPendingLeadMs = minuteMs;

type TimeWriter = (ms: number) => string;

/**
 * Returns a verdict in words. `now` is the service's time in epoch milliseconds. `time` formats the
 * times that are not ages.
 */
export function verdictWords(
  verdict: Verdict,
  now: number,
  time: TimeWriter = (ms) => shortInstant(ms, now),
): VerdictWords {
  const { words: badge, usual } = verdict;
  const parts = (form: Form, by = "") => ({
    age: ageText(verdict, { now, time, form, by }),
    pending: pendingText(verdict, form, by),
  });
  const [named, long, short] = [
    parts("long", byMachines(verdict.machines)),
    parts("long"),
    parts("short"),
  ];
  const withoutPending = long.age + usualText(verdict, "long");
  const brief = short.age + short.pending + usualText(verdict, "short");
  const sentences = [
    named.age + named.pending + usualText(verdict, "long"),
    long.age + long.pending + usualText(verdict, "long"),
    // How long an account was pending before it was gone is a part of that state.
    ...(verdict.wasPending ? [brief, withoutPending] : [withoutPending, brief]),
    short.age + usualText(verdict, "short"),
    short.age + (usual === null || usual.kind === "as-usual" ? "" : `: ${usualNames[usual.kind]}`),
  ];
  return { badge, tails: [...new Set(sentences)], others: othersWords(verdict, now, time) };
}

export function tailIn({ badge, tails }: VerdictWords, columns: number): string {
  const free = columns - widthOf(`${badge.mark} ${badge.label}`);
  return tails.find((tail) => widthOf(tail) <= free) ?? tails.at(-1) ?? "";
}

const usualNames: Readonly<Record<Usual["kind"], string>> = {
  "as-usual": "as usual",
  slow: "slow",
  stuck: "stuck",
};

function usualText({ usual }: Verdict, form: Form): string {
  if (usual === null) return "";
  const median = formatAge(usual.medianMs);
  const reason =
    form === "short" ? `${median} usual` : `others of ${safe(usual.supplier)} take ${median}`;
  return `: ${usualNames[usual.kind]} (${reason})`;
}

/**
 * Returns true if the time in lists is the age that matters: of an account for which nothing was
 * tried since then, or of the accounts of a cohort.
 */
function isAgeOfPending({ kind, state, words, since }: Verdict): boolean {
  if (kind === "cohort") return true;
  return state === "UNKNOWN" && words.tone === "waiting" && since?.isExact !== true;
}

function hasPendingLead({ since, pendingSince, wasPending, state }: Verdict): boolean {
  if (pendingSince === null || state === "pending") return false;
  return wasPending || since === null || since.at - pendingSince >= minPendingLeadMs;
}

interface AgeStyle {
  readonly now: number;
  readonly time: TimeWriter;
  readonly form: Form;
  /** The machines of a team, after a time that lists show. */
  readonly by: string;
}

const statesOfLists: ReadonlySet<string | null> = new Set(["pending", "gone", "removed"]);

function ageText(verdict: Verdict, style: AgeStyle): string {
  const { now, form, by } = style;
  const { since, checkedAt, isCurrent } = verdict;
  const isPending = isAgeOfPending(verdict) && hasPendingLead(verdict);
  const age = isPending ? pendingSpan(verdict, form, by) : stateAge(verdict, style);
  if (isCurrent || checkedAt === null) return age;
  const seen = verdict.isListed ? "listed" : "checked";
  const last =
    form === "long"
      ? ` when last ${seen}, ${agoWords(checkedAt, now)}`
      : ` ${agoWords(checkedAt, now)}`;
  if (age === "" || since === null) return last;
  return isInstant(verdict, since) ? `${age},${last}` : `${last}; then${age.replace(/^,/, "")}`;
}

/**
 * Returns true if the start of a state is described by a time and not by an age. A final state is
 * not checked again, so that its age would stay as it was at the last check.
 */
function isInstant({ state, isOpen }: Verdict, { label }: VerdictSince): boolean {
  return label !== null || (!isOpen && state !== notFound);
}

function stateAge(verdict: Verdict, { now, time, form, by }: AgeStyle): string {
  const { since, checkedAt, confirmedBy, state } = verdict;
  const listedBy = statesOfLists.has(state) ? by : "";
  if (since === null || checkedAt === null) return "";
  const { at, isExact, after, label } = since;
  if (label !== null) return `, ${label} ${formatAge(now - at)} ago`;
  if (isInstant(verdict, since)) {
    const confirmed = confirmedBy === null ? "" : `, ${confirmedWords(confirmedBy, form)}`;
    // A list shows that an account left before the time, but not much before.
    const orEarlier = isExact || verdict.isListed || state === "gone" ? "" : " or earlier";
    return ` since ${time(at)}${orEarlier}${listedBy}${confirmed}`;
  }
  const ms = checkedAt - at;
  if (form === "short") return isExact ? ` for ${formatAge(ms)}` : ` ${atLeastWords(ms)}`;
  if (isExact) return ` for ${formatAge(ms)}, since ${time(at)}`;
  const began = after === null ? "" : `; it began after ${time(after)}`;
  return ` for at least ${formatAge(ms)}${listedBy}${began}`;
}

function confirmedWords(status: string, form: Form): string {
  if (status !== notFound) return accountStatusWords(status).label;
  return form === "long" ? notFoundWords.account.label : notFound;
}

function pendingText(verdict: Verdict, form: Form, by: string): string {
  if (!hasPendingLead(verdict) || isAgeOfPending(verdict)) return "";
  return pendingSpan(verdict, form, statesOfLists.has(verdict.state) ? "" : by);
}

function pendingSpan(verdict: Verdict, form: Form, by: string): string {
  const { pendingSince, pendingUntil, wasPending } = verdict;
  if (pendingSince === null || pendingUntil === null) return "";
  const ms = pendingUntil - pendingSince;
  // One list says nothing about the time before the next.
  if (wasPending && ms === 0) return "";
  const age =
    form === "long" ? `pending for at least ${formatAge(ms)}${by}` : `pending ${atLeastWords(ms)}`;
  if (!wasPending) return `, ${age}`;
  return form === "long" ? `; it was ${age}` : `; was ${age}`;
}

function othersWords({ others, usual }: Verdict, now: number, time: TimeWriter): string | null {
  if (others === null) return null;
  const { stuck } = others;
  const imports = importsWords(others, now, time);
  const isLate = usual !== null && usual.kind !== "as-usual";
  if (isLate && stuck === 0 && others.importedLastHour > 0) return `Only this one: ${imports}.`;
  if (stuck === null || stuck === 0)
    return `${imports.charAt(0).toUpperCase()}${imports.slice(1)}.`;
  const stuckWords = stuck === 1 ? "1 other is stuck" : `${count(stuck)} others are stuck`;
  return isLate
    ? `Not only this one: ${stuckWords}, ${imports}.`
    : `${imports.charAt(0).toUpperCase()}${imports.slice(1)}; ${stuckWords}.`;
}

function importsWords(
  { supplier, listedAt, importedLastHour, newestAt }: Others,
  now: number,
  time: TimeWriter,
): string {
  const isCurrent = isCurrentList(listedAt, now);
  const hour = isCurrent ? "the last hour" : `the hour before ${time(listedAt)}`;
  if (importedLastHour > 0) {
    const newest = newestAt === null || !isCurrent ? "" : `, the newest ${agoWords(newestAt, now)}`;
    return `${safe(supplier)} imported ${count(importedLastHour)} in ${hour}${newest}`;
  }
  if (newestAt === null) return `nothing was imported in ${hour}`;
  const until = isCurrent ? "" : ` until ${time(listedAt)}`;
  return `nothing imported since ${time(newestAt)}${until}`;
}

export interface VerdictCells {
  readonly mark: string;
  readonly state: string;
  readonly tone: StatusWords["tone"];
  readonly since: string;
  /** The time that `since` describes, in epoch milliseconds, or null. */
  readonly sinceAt: number | null;
  readonly usual: Usual["kind"] | null;
  readonly verdict: string;
}

/**
 * Returns a verdict in cells. Ages are as of the last check. `time` formats times that are not ages.
 */
export function verdictCells(
  verdict: Verdict,
  now: number,
  time: TimeWriter = (ms) => shortInstant(ms, now),
): VerdictCells {
  const { kind, words, usual, confirmedBy, since, pendingSince } = verdict;
  const isPending = isAgeOfPending(verdict) && hasPendingLead(verdict);
  const remarks = [
    isPending && kind === "account" ? "pending" : null,
    confirmedBy === null ? null : confirmedWords(confirmedBy, "short"),
  ].filter((remark) => remark !== null);
  const text = sinceCell(verdict, { isPending, now, time });
  return {
    mark: words.mark,
    state: [words.label, ...remarks].join(", "),
    tone: words.tone,
    since:
      text === "" || text === onceSeen || verdict.isCurrent || !verdict.isOpen
        ? text
        : `then ${text}`,
    sinceAt: isPending ? pendingSince : (since?.at ?? null),
    usual: usual?.kind ?? null,
    verdict: usual === null ? "" : usualCell(usual),
  };
}

function usualCell({ kind, medianMs }: Usual): string {
  const median = formatAge(medianMs);
  return kind === "as-usual" ? `as usual (${median})` : `${usualNames[kind]} (${median} usual)`;
}

const onceSeen = "seen once";

function sinceCell(
  verdict: Verdict,
  { isPending, now, time }: { readonly isPending: boolean } & Pick<AgeStyle, "now" | "time">,
): string {
  const { isOpen, since, checkedAt, pendingSince, pendingUntil } = verdict;
  const atLeast = (from: number, until: number) => {
    if (until - from >= minuteMs || now - until < minuteMs) return atLeastAge(until - from);
    return until === from ? onceSeen : atLeastWords(until - from);
  };
  if (isPending && pendingSince !== null && pendingUntil !== null)
    return atLeast(pendingSince, pendingUntil);
  if (since === null || checkedAt === null) return "";
  // A list shows that an account left before the time, but not much before.
  if (!isOpen)
    return since.isExact || verdict.state === "gone" ? time(since.at) : `by ${time(since.at)}`;
  return since.isExact ? coarseAge(checkedAt - since.at) : atLeast(since.at, checkedAt);
}

export function stateCell(cells: VerdictCells): string {
  return `${cells.mark} ${stateText(cells)}`;
}

export function stateText({ state, usual }: VerdictCells): string {
  const isUsual = usual === null || usual === "as-usual";
  return `${state}${isUsual ? "" : `, ${usualNames[usual]}`}`;
}

export function verdictTimes(verdict: Verdict, time: TimeWriter): readonly string[] {
  const { since, checkedAt, isCurrent, confirmedBy, pendingSince, wasPending, usual } = verdict;
  const by = byMachines(verdict.machines);
  const listedBy = statesOfLists.has(verdict.state) ? by : "";
  const pending =
    pendingSince === null || !hasPendingLead(verdict)
      ? null
      : `${wasPending ? "it was " : ""}pending since ${time(pendingSince)} or earlier${listedBy === "" ? by : ""}`;
  return [
    isCurrent || checkedAt === null
      ? null
      : `when last ${verdict.isListed ? "listed" : "checked"} at ${time(checkedAt)}`,
    since === null ? null : sinceTime(since, time, listedBy),
    confirmedBy === null ? null : confirmedWords(confirmedBy, "long"),
    pending,
    usual === null ? null : usualText(verdict, "long").slice(2),
  ].filter((part) => part !== null);
}

function sinceTime({ at, isExact, after }: VerdictSince, time: TimeWriter, by: string): string {
  const began = after === null ? "" : `; it began after ${time(after)}`;
  return `since ${time(at)}${isExact ? "" : " or earlier"}${by}${began}`;
}
