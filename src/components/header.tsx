/**
 * Shows the first line of every screen: the current place, and the states that are always visible.
 */
import { Box } from "ink";
import { useStore } from "../hooks/context.ts";
import { useNow, useShownZone } from "../hooks/now.ts";
import { useOpenWork } from "../hooks/open-work.ts";
import { useLinear, useShownFreshness } from "../hooks/window.tsx";
import type { Link } from "../session/connection.ts";
import type { Session } from "../session/open-session.ts";
import { createStore } from "../session/store.ts";
import { zoneLabel } from "../text/dates.ts";
import { formatAge } from "../text/durations.ts";
import { truncate, widthOf } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import {
  type Open,
  type OpenKind,
  openParts,
  openTones,
  unreadParts,
} from "../triage/open/open.ts";
import { fittingParts, Line, type Piece, partGap } from "./text.tsx";

/** The words for a profile that was changed or removed after the session was opened. */
const outdatedWords = { moved: "profile changed", gone: "profile removed" } as const;

const noLink = createStore<Link>({ kind: "unknown" });
const noRateLimit = createStore<number | null>(null);

/**
 * Shows the first line of every screen. On the left is the current place. On the right are the
 * states: items that need attention, the link, the profile, its environment, and the time zone.
 */
export function Header(props: {
  readonly trail: readonly string[];
  readonly session: Session | null;
  readonly profile: string | null;
  readonly locked: boolean;
  /**
   * Epoch milliseconds until which writes to production are unlocked, or null if they are locked.
   */
  readonly unlockedUntil: number | null;
  readonly columns: number;
}) {
  const { session, columns } = props;
  const link = useStore(session?.link ?? noLink);
  const waitsUntil = useStore(session?.rateLimit.until ?? noRateLimit);
  const freshness = useShownFreshness();
  const { open } = useOpenWork(session);
  useShownZone();
  const countsDown = props.unlockedUntil !== null || waitsUntil !== null;
  const now = useNow(countsDown ? 1_000 : 10_000);
  const age = freshness ? now - freshness.at : 0;
  const outdated = props.session?.outdated ?? null;
  const linear = useLinear();
  const zone = zoneLabel(now);
  const isStale = freshness !== null && age > freshness.staleAfterMs;
  const states: HeaderState[] = [...openStates(open), ...linkStates(link, now, linear)];
  if (waitsUntil !== null) {
    const label = columns >= 80 ? "asked to wait" : "429";
    states.push({ text: `${label} ${leftWords(waitsUntil - now)}`, tone: "waiting", drop: 4 });
  }
  if (isStale) states.push({ text: `stale ${formatAge(age)}`, tone: "waiting", drop: 5 });
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
  if (outdated !== null) states.push({ text: outdatedWords[outdated], tone: "bad" });
  states.push(...profileStates(session, props.profile));
  if (props.locked) states.push({ text: "read-only", tone: "plain" });
  if (props.unlockedUntil !== null) {
    states.push({ text: `unlocked ${leftWords(props.unlockedUntil - now)}`, tone: "bad" });
  }
  states.push({ text: zone, tone: "muted", drop: 7 });
  const right = headerPieces(states, columns, minTrailWidth(props.trail, Math.floor(columns / 3)));
  const rightWidth = widthOfPieces(right);
  const left = trailPieces(props.trail, Math.max(8, columns - rightWidth - 2));
  const gap = Math.max(1, columns - widthOfPieces(left) - rightWidth);
  return (
    <Box height={1} flexShrink={0}>
      <Line pieces={[...left, { text: " ".repeat(gap) }, ...right]} />
    </Box>
  );
}

/**
 * The `drop` number of each kind of open work in the header. A narrow header leaves out the highest
 * number first. A kind without a number is not in the header.
 */
const dropOrder: Readonly<Partial<Record<OpenKind, number>>> = {
  unknown: 1,
  "entries-unread": 1,
  runs: 3,
  rejected: 9,
  "rejected-rows": 8,
  gone: 11,
  "held-back": 10,
  "watched-failed": 13,
  "watch-unread": 12,
  unlisted: 14,
  retryable: 16,
  unsent: 15,
  watched: 17,
};

/** Returns the states of the open work. */
function openStates(open: Open): HeaderState[] {
  return [...openParts(open), ...unreadParts(open)].flatMap(({ kind, short }) => {
    const drop = dropOrder[kind];
    return drop === undefined ? [] : [{ text: short, tone: openTones[kind], drop }];
  });
}

/**
 * Returns the state of the link to the service. The linear console leaves out the duration of a
 * failure.
 */
function linkStates(link: Link, now: number, linear: boolean): HeaderState[] {
  if (link.kind !== "offline" && link.kind !== "silent") return [];
  const lostMs = now - link.since;
  const duration = lostMs < 10_000 || linear ? "" : ` ${formatAge(lostMs)}`;
  const word = link.kind === "offline" ? "offline" : "no answer";
  return [{ text: word + duration, tone: "bad", drop: 2 }];
}

/** Returns the profile and its environment, or only the name if no session is open. */
function profileStates(session: Session | null, profile: string | null): HeaderState[] {
  if (session === null) {
    return profile ? [{ text: profile, tone: "muted", shorten: true }] : [];
  }
  const { name, environment } = session.profile;
  if (environment === "production") {
    return [
      { text: name, tone: "bad", shorten: true },
      { text: " PROD ", tone: "danger" },
    ];
  }
  const nameState: HeaderState = { text: name, tone: "plain", shorten: true };
  return name === environment
    ? [nameState]
    : [nameState, { text: environment, tone: "plain", drop: 6 }];
}

/** Formats the time left in whole minutes, or in seconds within the last minute. */
function leftWords(ms: number): string {
  if (ms > 60_000) return `${Math.ceil(ms / 60_000)} min`;
  return `${Math.max(0, Math.ceil(ms / 1_000))} s`;
}

/**
 * Returns the minimum width of the breadcrumb in cells, at most `most`. The breadcrumb shows its
 * last two names if both fit, because a name such as `r8x2ab` is unclear alone.
 */
function minTrailWidth(trail: readonly string[], most: number): number {
  const lastTwo = widthOf(trail.slice(-2).join(" › "));
  return lastTwo <= most ? lastTwo : Math.min(widthOf(trail.at(-1) ?? ""), most);
}

/**
 * Returns the breadcrumb in at most `width` cells. The outer places are left out one by one. The
 * last place is cut only if it alone does not fit.
 */
function trailPieces(trail: readonly string[], width: number): readonly Piece[] {
  const last = trail.at(-1) ?? "";
  let outer = trail.slice(0, -1);
  const joined = (parts: readonly string[]) => parts.map((part) => `${part} › `).join("");
  while (outer.length > 0 && widthOf(joined(outer)) + widthOf(last) > width) {
    outer = ["…", ...outer.slice(outer[0] === "…" ? 2 : 1)];
    if (outer.length === 1) outer = [];
  }
  const before = joined(outer);
  return [
    { text: before, tone: "muted" },
    {
      text: truncate(last, Math.max(4, width - widthOf(before)), { where: "middle" }),
      tone: "title",
    },
  ];
}

/** Shows the current place, and on a separate line the states that are always visible, in words. */
function LinearHeader(props: {
  readonly trail: readonly string[];
  readonly profile: string | null;
  readonly environment: string | null;
  /** Further states: the link, the lock, the age of the data. */
  readonly states: readonly string[];
}) {
  const { profile, environment } = props;
  const pieces: Piece[] = [{ text: props.trail.join(" > "), tone: "title" }];
  const profileState =
    profile === null
      ? []
      : [
          `Profile ${profile}${environment === null || environment === profile ? "" : `, ${environment === "production" ? "PRODUCTION" : environment}`}`,
        ];
  const states = [...profileState, ...props.states];
  return (
    <>
      <Line pieces={pieces} />
      {states.length === 0 ? null : <Line pieces={[{ text: `${states.join(", ")}.` }]} />}
    </>
  );
}

/** A state on the right side of the header. */
export interface HeaderState {
  readonly text: string;
  readonly tone: Tone;
  /**
   * The number by which states are left out in a narrow window, the highest first. Default: the
   * state always stays.
   */
  readonly drop?: number;
  /**
   * True if the text can be cut to make room after all optional states are left out. Default:
   * false.
   */
  readonly shorten?: boolean;
}

/** Maximum and minimum cells of a state that can be shortened, such as the name of the profile. */
const maxNameCells = 24;
const minNameCells = 6;

/**
 * Returns the states that fit beside a breadcrumb of at least `trail` cells, in their order. The
 * profile, PROD and read-only stay. The other states are removed one by one, the least important
 * first.
 */
export function headerPieces(
  states: readonly HeaderState[],
  columns: number,
  trail: number,
): readonly Piece[] {
  const room = columns - trail - partGap.length;
  const parts = states.map((state) => ({
    piece: state.shorten ? { ...state, text: truncate(state.text, maxNameCells) } : state,
    drop: state.drop ?? 0,
  }));
  const shown = fittingParts(parts, room).map(({ piece }) => piece);
  const width = shown.reduce((sum, { text }) => sum + widthOf(text + partGap), -partGap.length);
  return shown.flatMap(({ text, tone, shorten = false }, at) => {
    const cells = Math.max(minNameCells, widthOf(text) - (width - room));
    const piece: Piece = { text: shorten && width > room ? truncate(text, cells) : text, tone };
    return at === 0 ? [piece] : [{ text: partGap }, piece];
  });
}

/** Returns the width of several pieces in cells. */
export function widthOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}
