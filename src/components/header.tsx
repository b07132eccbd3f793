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
import { noTeamState, type TeamState, waitingFor } from "../session/team-state.ts";
import { formatAge } from "../text/ages.ts";
import { zoneLabel } from "../text/dates.ts";
import { count } from "../text/numbers.ts";
import { truncate, widthOf } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import {
  type Open,
  type OpenKind,
  openParts,
  openTones,
  unreadParts,
} from "../triage/open/open.ts";
import { Line, type Piece, partGap } from "./text.tsx";

const outdatedWords = { moved: "profile changed", gone: "profile removed" } as const;

const noLink = createStore<Link>({ kind: "unknown" });
const noTeam = createStore(noTeamState);
const noRateLimit = createStore<number | null>(null);

/**
 * Shows the first line of every screen. On the left is the current place. On the right are the
 * states: items that need attention, the link, the profile, its environment, and the time zone.
 */
export function Header(props: {
  readonly trail: readonly string[];
  /** The supplier of the place, which stays in the breadcrumb at any width, or null. */
  readonly supplier: string | null;
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
  const team = useStore(session?.team ?? noTeam);
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
  const states: HeaderState[] = [
    ...withColleagues(openStates(open), open, team),
    ...linkStates(link, now, linear),
    ...teamStates(team, now, linear),
  ];
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
  return (
    <Box height={1} flexShrink={0}>
      <Line pieces={headerLine(props.trail, props.supplier, states, columns)} />
    </Box>
  );
}

/**
 * Returns the first line: the breadcrumb on the left, the states on the right. The last place and
 * the supplier stay at any width, in at most half of the line.
 */
export function headerLine(
  trail: readonly string[],
  supplier: string | null,
  states: readonly HeaderState[],
  columns: number,
): readonly Piece[] {
  const minTrail = Math.min(
    Math.floor(columns / 2),
    Math.max(minTrailCells, widthOf(shortTrail(trail, supplier).join(trailSign))),
  );
  const right = headerPieces(states, columns, minTrail);
  const rightWidth = widthOfPieces(right);
  const left = trailPieces(
    trail,
    supplier,
    Math.max(minTrailCells, columns - rightWidth - partGap.length),
  );
  const gap = Math.max(1, columns - widthOfPieces(left) - rightWidth);
  return [...left, { text: " ".repeat(gap) }, ...right];
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
  "watched-unchecked": 17,
  "watch-unread": 12,
  unlisted: 14,
  retryable: 16,
  unsent: 15,
  watched: 20,
};

export function openStates(open: Open): HeaderState[] {
  return [...openParts(open), ...unreadParts(open)].flatMap(({ kind, short, brief }) => {
    const drop = dropOrder[kind];
    return drop === undefined ? [] : [{ text: short, brief, tone: openTones[kind], drop }];
  });
}

function withColleagues(
  states: readonly HeaderState[],
  open: Open,
  { open: team }: TeamState,
): readonly HeaderState[] {
  const theirs = team.reduce((sum, { unknown }) => sum + unknown, 0);
  if (theirs === 0) return states;
  const own = openParts(open).find(({ kind }) => kind === "unknown");
  const total = count((own?.count.count ?? 0) + theirs);
  const state: HeaderState = {
    text: `${total} unknown (${count(theirs)} of colleagues)`,
    brief: `${total}?`,
    tone: openTones.unknown,
    drop: dropOrder.unknown ?? 1,
  };
  return [state, ...states.filter(({ text }) => text !== own?.short)];
}

function teamStates(
  { awaySince, requests }: TeamState,
  now: number,
  linear: boolean,
): readonly HeaderState[] {
  const states: HeaderState[] = [];
  const waiting = waitingFor(requests ?? []);
  if (waiting > 0) {
    const text = waiting === 1 ? "1 approval waits" : `${count(waiting)} approvals wait`;
    states.push({ text, brief: `${count(waiting)} appr`, tone: "waiting", drop: 2 });
  }
  if (awaySince === null) return states;
  const awayMs = now - awaySince;
  const duration = awayMs < 10_000 || linear ? "" : ` ${formatAge(awayMs)}`;
  return [...states, { text: `team away${duration}`, tone: "bad", drop: 2 }];
}

/** The linear console leaves out the duration of a failure. */
function linkStates(link: Link, now: number, linear: boolean): HeaderState[] {
  if (link.kind !== "offline" && link.kind !== "silent") return [];
  const lostMs = now - link.since;
  const duration = lostMs < 10_000 || linear ? "" : ` ${formatAge(lostMs)}`;
  const word = link.kind === "offline" ? "offline" : "no answer";
  return [{ text: word + duration, tone: "bad", drop: 2 }];
}

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
  return name === environment ? [nameState] : [nameState, { text: environment, tone: "plain" }];
}

function leftWords(ms: number): string {
  if (ms > 60_000) return `${Math.ceil(ms / 60_000)} min`;
  return `${Math.max(0, Math.ceil(ms / 1_000))} s`;
}

const minTrailCells = 8;

const trailSign = " › ";

/**
 * Returns the places that a narrow breadcrumb shows: the supplier and the last place. Without a
 * supplier it shows the last two, because a name such as `r8x2ab` is unclear alone.
 */
function shortTrail(trail: readonly string[], supplier: string | null): readonly string[] {
  const isKept = (place: string, at: number) => at === trail.length - 1 || place === supplier;
  const kept = trail.filter(isKept);
  return kept.length === 1 && kept[0] !== supplier ? trail.slice(-2) : kept;
}

/**
 * Returns the breadcrumb in at most `width` cells. The outer places are left out one by one, then
 * those between the supplier and the last place. The last place is cut before the supplier is.
 */
function trailPieces(
  trail: readonly string[],
  supplier: string | null,
  width: number,
): readonly Piece[] {
  const fits = (places: readonly string[]) => widthOf(places.join(trailSign)) <= width;
  const short = shortTrail(trail, supplier);
  const outermost = trail.slice(1).map((_, at) => ["…", ...trail.slice(at + 1)]);
  const whole = [trail, ...outermost].filter((places) =>
    short.every((part) => places.includes(part)),
  );
  const last = trail.slice(-1);
  const places =
    [...whole, short].find(fits) ?? (supplier !== null && short.includes(supplier) ? short : last);
  const outer = places.slice(0, -1).map((place) => place + trailSign);
  const lastCells = Math.min(minNameCells, widthOf(last.join()));
  const before = truncate(outer.join(""), Math.max(4, width - lastCells), { where: "middle" });
  return [
    { text: before, tone: "muted" },
    {
      text: truncate(last.join(), Math.max(4, width - widthOf(before)), { where: "middle" }),
      tone: "title",
    },
  ];
}

function LinearHeader(props: {
  readonly trail: readonly string[];
  readonly profile: string | null;
  readonly environment: string | null;
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

export interface HeaderState {
  readonly text: string;
  readonly brief?: string;
  readonly tone: Tone;
  /**
   * The number by which states are left out in a narrow window, the highest first. Default: the
   * state always stays.
   */
  readonly drop?: number;
  /**
   * True if the text can be cut to make room. Default: false.
   */
  readonly shorten?: boolean;
}

const maxNameCells = 24;
const minNameCells = 6;

/** The order in which the name of the profile is shortened, among the `drop` numbers. */
const shortenOrder = 19;

/**
 * Returns the states that fit beside a breadcrumb of at least `trail` cells, in their order. Counts
 * are shortened first, the least important first. Then the name of the profile is cut, and states
 * are left out in the order of `drop`. The environment and read-only stay.
 */
function headerPieces(
  states: readonly HeaderState[],
  columns: number,
  trail: number,
): readonly Piece[] {
  const room = columns - trail - partGap.length;
  let shown = states.map((state) =>
    state.shorten ? { ...state, text: truncate(state.text, maxNameCells) } : state,
  );
  const over = () =>
    shown.reduce((sum, { text }) => sum + widthOf(text + partGap), -partGap.length) - room;
  /** Replaces states one by one, the highest order first, until all fit. */
  const reduce = (
    orderOf: (state: HeaderState) => number,
    replacement: (state: HeaderState) => readonly HeaderState[],
  ) => {
    for (const state of shown.toSorted((a, b) => orderOf(b) - orderOf(a))) {
      if (over() <= 0 || orderOf(state) === 0) return;
      shown = shown.flatMap((other) => (other === state ? replacement(other) : [other]));
    }
  };
  reduce(
    ({ brief, drop = 0 }) => (brief === undefined ? 0 : drop),
    (state) => [{ ...state, text: state.brief ?? state.text }],
  );
  reduce(
    ({ shorten = false, drop = 0 }) => (shorten ? shortenOrder : drop),
    (state) => (state.shorten ? [withoutCells(state, over())] : []),
  );
  return shown.flatMap(({ text, tone }, at) => [
    ...(at === 0 ? [] : [{ text: partGap }]),
    { text, tone },
  ]);
}

function withoutCells(state: HeaderState, cells: number): HeaderState {
  const { text } = state;
  return { ...state, text: truncate(text, Math.max(minNameCells, widthOf(text) - cells)) };
}

function widthOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}
