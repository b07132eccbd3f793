import { Box } from "ink";
import { useSyncExternalStore } from "react";
import { useShownFreshness } from "../hooks/freshness.tsx";
import { useUnfinishedWork } from "../hooks/journal.ts";
import { useNow, useShownZone } from "../hooks/now.ts";
import { useStore } from "../hooks/store.ts";
import { useLinear } from "../hooks/window.tsx";
import type { Link } from "../session/connection.ts";
import type { Session } from "../session/open-session.ts";
import { createStore } from "../session/store.ts";
import { formatAge } from "../text/durations.ts";
import { count } from "../text/numbers.ts";
import { zoneLabel } from "../text/shown-zone.ts";
import { truncate, widthOf } from "../text/width.ts";
import { useTheme } from "../theme.tsx";
import { type HeaderState, headerPieces, widthOfPieces } from "./header-pieces.ts";
import { Line, type Piece } from "./text.tsx";

/** What the header shows for a profile that has changed since it was opened. */
const outdatedWords = { moved: "profile changed", gone: "profile removed" } as const;

const noLink = createStore<Link>({ kind: "unknown" });
const noWait = createStore<number | null>(null);

/**
 * The first line of every screen: where we are on the left; on the right what must never be out of
 * sight: what needs someone, the state of the link, the profile, its environment, and the zone.
 */
export function Header(props: {
  readonly trail: readonly string[];
  readonly session: Session | null;
  readonly profile: string | null;
  readonly locked: boolean;
  /** Until when writes to production are unlocked, in epoch milliseconds; null where they are not. */
  readonly unlockedUntil: number | null;
  readonly columns: number;
}) {
  const { session, columns } = props;
  const theme = useTheme();
  const link = useStore(session?.link ?? noLink);
  const waitsUntil = useStore(session?.rateLimit.until ?? noWait);
  const freshness = useShownFreshness();
  const unfinished = useUnfinishedWork(session);
  const watching = useWatchCount(session);
  useShownZone();
  const counts = props.unlockedUntil !== null || waitsUntil !== null;
  const now = useNow(counts ? 1_000 : 10_000);
  const age = freshness ? now - freshness.at : 0;
  const outdated = props.session?.outdated ?? null;
  const linear = useLinear();
  const zone = zoneLabel(now);
  const roomy = columns >= 80;
  const lost = link.kind === "offline" || link.kind === "silent" ? now - link.since : 0;
  const lostWord = link.kind === "offline" ? "offline" : "no answer";
  const isStale = freshness !== null && age > freshness.staleAfterMs;
  const states: HeaderState[] = [];
  const add = (state: HeaderState) => states.push(state);
  if (unfinished.unknown > 0) {
    add({ text: `${count(unfinished.unknown)} unknown`, tone: "bad", drop: 8 });
  }
  if (unfinished.runs > 0) {
    const runs = unfinished.runs === 1 ? "1 run stopped" : `${count(unfinished.runs)} runs stopped`;
    add({ text: runs, tone: "waiting", drop: 6 });
  }
  if (watching > 0) add({ text: `watching ${count(watching)}`, tone: "muted", drop: 1 });
  if (link.kind === "offline" || link.kind === "silent") {
    const since = lost < 60_000 || linear ? "" : ` ${formatAge(lost)}`;
    add({ text: lostWord + since, tone: "bad", drop: 7 });
  }
  if (waitsUntil !== null) {
    const why = roomy ? "asked to wait" : "429";
    add({ text: `${why} ${leftWords(waitsUntil - now)}`, tone: "waiting", drop: 5 });
  }
  if (isStale) add({ text: `stale ${formatAge(age)}`, tone: "waiting", drop: 4 });
  if (linear) {
    return (
      <LinearHeader
        trail={props.trail}
        profile={session?.profile.name ?? props.profile}
        environment={session?.profile.environment ?? null}
        states={[
          ...(outdated === null ? [] : [outdatedWords[outdated]]),
          ...(props.locked ? ["read-only"] : []),
          ...states.filter(({ drop }) => drop !== 4 && drop !== 5).map(({ text }) => text),
          ...(waitsUntil === null ? [] : ["waiting, as the service asks"]),
          ...(isStale ? ["stale"] : []),
          `times in ${zone}`,
        ]}
      />
    );
  }
  if (outdated !== null) add({ text: outdatedWords[outdated], tone: "bad" });
  if (session) {
    const { name, environment } = session.profile;
    const production = environment === "production";
    add({ text: name, tone: production ? "bad" : "plain", shorten: true });
    if (production) add({ text: " PROD ", tone: "danger" });
    else if (name !== environment) add({ text: environment, tone: "ok", drop: 3 });
  } else if (props.profile) add({ text: props.profile, tone: "muted", shorten: true });
  if (props.locked) add({ text: "read-only", tone: "waiting" });
  if (props.unlockedUntil !== null) {
    add({ text: `unlocked ${leftWords(props.unlockedUntil - now)}`, tone: "bad" });
  }
  add({ text: zone, tone: "muted", drop: 2 });
  const last = props.trail.at(-1) ?? "";
  const right = headerPieces(states, columns, Math.min(widthOf(last), Math.floor(columns / 3)));
  const rightWidth = widthOfPieces(right);
  const left = trailPieces(
    props.trail,
    Math.max(8, columns - rightWidth - 2),
    theme.glyphs.separator,
    theme.ascii,
  );
  const gap = Math.max(1, columns - widthOfPieces(left) - rightWidth);
  return (
    <Box height={1} flexShrink={0}>
      <Line pieces={[...left, { text: " ".repeat(gap) }, ...right]} />
    </Box>
  );
}

/** Time left in whole minutes, and in seconds within the last one. */
function leftWords(ms: number): string {
  if (ms > 60_000) return `${Math.ceil(ms / 60_000)} min`;
  return `${Math.max(0, Math.ceil(ms / 1_000))} s`;
}

/** How many are being watched that are not final yet. */
function useWatchCount(session: Session | null): number {
  return useSyncExternalStore(
    session?.watch.subscribe ?? never,
    () => session?.watch.snapshot().open ?? 0,
  );
}

function never(): () => void {
  return () => {};
}

/** The breadcrumb in at most `width` cells: outer places give way first, the last one is cut last. */
function trailPieces(
  trail: readonly string[],
  width: number,
  separator: string,
  ascii: boolean,
): readonly Piece[] {
  const last = trail.at(-1) ?? "";
  let outer = trail.slice(0, -1);
  const joined = (parts: readonly string[]) =>
    parts.map((part) => `${part} ${separator} `).join("");
  while (outer.length > 0 && widthOf(joined(outer)) + widthOf(last) > width) {
    outer = outer[0] === "…" ? ["…", ...outer.slice(2)] : ["…", ...outer.slice(1)];
    if (outer.length === 1 && outer[0] === "…") outer = [];
  }
  const before = joined(outer);
  return [
    { text: before, tone: "muted" },
    {
      text: truncate(last, Math.max(4, width - widthOf(before)), { ascii, where: "middle" }),
      tone: "title",
    },
  ];
}

/** Where we are, and on a line of its own what must never be out of sight, in words. */
function LinearHeader(props: {
  readonly trail: readonly string[];
  readonly profile: string | null;
  readonly environment: string | null;
  /** What else is to be known: the link, the lock, the age of what is shown. */
  readonly states: readonly string[];
}) {
  const { profile, environment } = props;
  const pieces: Piece[] = [{ text: props.trail.join(" > "), tone: "title" }];
  const where =
    profile === null
      ? []
      : [
          `Profile ${profile}${environment === null || environment === profile ? "" : `, ${environment === "production" ? "PRODUCTION" : environment}`}`,
        ];
  const states = [...where, ...props.states];
  return (
    <>
      <Line pieces={pieces} />
      {states.length === 0 ? null : <Line pieces={[{ text: `${states.join(", ")}.` }]} />}
    </>
  );
}
