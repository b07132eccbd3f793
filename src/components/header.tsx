import { Box } from "ink";
import { useSyncExternalStore } from "react";
import { useShownFreshness } from "../hooks/freshness.tsx";
import { useLinear } from "../hooks/linear.ts";
import { useNow } from "../hooks/now.tsx";
import type { Link, Session } from "../hooks/open-session.ts";
import { createStore, useStore } from "../hooks/store.ts";
import { formatDuration } from "../text/durations.ts";
import { count } from "../text/numbers.ts";
import { truncate, widthOf } from "../text/width.ts";
import { type Tone, useTheme } from "../theme.tsx";
import { LinearHeader } from "./linear-header.tsx";
import { Line, type Piece } from "./text.tsx";

/** From so many cells on there is room for what can also be seen elsewhere. */
const roomy = 80;

/** What the header says of a profile that is not what was opened. */
const outdatedWords = { moved: "profile changed", gone: "profile removed" } as const;

const noLink = createStore<Link>({ kind: "unknown" });
const noWait = createStore<number | null>(null);

/**
 * The first line of every screen: where we are on the left; on the right what must never be out of
 * sight: the state of the link, whether writing is locked, the profile and its environment.
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
  const theme = useTheme();
  const link = useStore(props.session?.link ?? noLink);
  const waitsUntil = useStore(props.session?.asked.until ?? noWait);
  const freshness = useShownFreshness();
  // Nothing ticks in it while the screen on top tells no age.
  const ticking = freshness !== null || props.unlockedUntil !== null || waitsUntil !== null;
  const now = useNow(ticking ? 1_000 : 60_000);
  const age = freshness ? now - freshness.at : 0;
  const outdated = props.session?.outdated ?? null;
  const linear = useLinear();
  const right: Piece[] = [];
  const add = (text: string, tone: Tone) => {
    if (right.length > 0) right.push({ text: "  " });
    right.push({ text, tone });
  };
  const watching = useWatchCount(props.session);
  if (linear) {
    return (
      <LinearHeader
        trail={props.trail}
        profile={props.session?.profile.name ?? props.profile}
        environment={props.session?.profile.environment ?? null}
        states={[
          ...(outdated === null ? [] : [outdatedWords[outdated]]),
          ...(props.locked ? ["read-only"] : []),
          ...(link.kind === "offline" ? ["offline"] : []),
          ...(waitsUntil === null ? [] : ["waiting, as the service asks"]),
          ...(freshness && age > freshness.staleAfterMs ? ["stale"] : []),
          ...(watching > 0 ? [`watching ${count(watching)}`] : []),
        ]}
      />
    );
  }
  if (watching > 0 && props.columns >= roomy) add(`watching ${count(watching)}`, "muted");
  if (link.kind === "offline") add("offline", "bad");
  if (waitsUntil !== null) {
    const why = props.columns >= roomy ? "asked to wait" : "429";
    add(`${why} ${leftWords(waitsUntil - now)}`, "waiting");
  }
  if (freshness && age > freshness.staleAfterMs) add(`stale ${formatDuration(age)}`, "waiting");
  if (outdated !== null) add(outdatedWords[outdated], "bad");
  if (props.locked) add("read-only", "waiting");
  if (props.unlockedUntil !== null) {
    add(`unlocked ${leftWords(props.unlockedUntil - now)}`, "bad");
  }
  if (props.session) {
    const { name, environment } = props.session.profile;
    if (environment === "production") {
      add(truncate(name, 24), "bad");
      add(" PROD ", "danger");
    } else {
      add(truncate(name, 24), "plain");
      if (name !== environment) add(environment, "ok");
    }
  } else if (props.profile) add(truncate(props.profile, 24), "muted");
  const rightWidth = right.reduce((sum, piece) => sum + widthOf(piece.text), 0);
  const left = trailPieces(
    props.trail,
    Math.max(8, props.columns - rightWidth - 2),
    theme.glyphs.separator,
    theme.ascii,
  );
  const leftWidth = left.reduce((sum, piece) => sum + widthOf(piece.text), 0);
  const gap = Math.max(1, props.columns - leftWidth - rightWidth);
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
