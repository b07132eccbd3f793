import { Box } from "ink";
import type { AccountListSnapshot } from "../accounts/account-list-snapshot.ts";
import type { AccountListFeed } from "../hooks/account-list.ts";
import { useApp } from "../hooks/app.tsx";
import { useNow } from "../hooks/now.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import type { KeyWords } from "../keys/keymap.ts";
import { checkedWords } from "../text/dates.ts";
import { formatDuration, wholeSeconds } from "../text/durations.ts";
import { count, plural } from "../text/numbers.ts";
import { widthOf } from "../text/width.ts";
import { type ProblemLine, ProblemLines } from "./problem.tsx";
import { Line, type Piece } from "./text.tsx";

/** A piece of the line, and how soon it is left out where there is no room; 0 always stays. */
interface Part {
  readonly piece: Piece;
  readonly drop: number;
}

const gap = 2;

/** The parts that fit into `width` cells, in their order, the least important left out first. */
export function fittingParts(parts: readonly Part[], width: number): readonly Part[] {
  let kept = parts.filter(({ piece }) => piece.text !== "");
  const used = () => kept.reduce((sum, { piece }) => sum + widthOf(piece.text) + gap, -gap);
  while (used() > width) {
    const most = Math.max(...kept.map(({ drop }) => drop));
    if (most === 0) break;
    kept = kept.toSpliced(
      kept.findLastIndex(({ drop }) => drop === most),
      1,
    );
  }
  return kept;
}

/** The lines below a list: what the last load failed with, how many match, what has changed, how old. */
export function ListLine(props: {
  readonly feed: AccountListFeed;
  /** Where the cursor is, from 0; null where the list is shown as a whole, whatever its filter. */
  readonly position: number | null;
  /** What the last load failed with, where rows are shown all the same, and what the filter cannot do. */
  readonly problem: readonly ProblemLine[];
}) {
  const { snapshot } = props.feed;
  const now = useNow(snapshot.load.kind === "loading" ? 1_000 : 10_000);
  const { key } = useApp();
  const linear = useLinear();
  const room = useRoom();
  // In the linear console the row itself has its number.
  const position = linear ? null : props.position;
  const whole = props.position === null;
  const known = snapshot.total > 0 || snapshot.loadedAt !== null;
  const parts = [
    ...countParts(snapshot, { position, whole, known }),
    ...(whole ? [] : orderParts(snapshot, key)),
    ...loadParts(props.feed, { known, now, linear }),
  ];
  const shown = linear ? parts : fittingParts(parts, room.columns);
  return (
    <Box flexDirection="column" flexShrink={0}>
      {props.problem.length > 0 ? <ProblemLines lines={props.problem} /> : null}
      <Line
        pieces={shown.flatMap(({ piece }, index) =>
          index === 0 ? [piece] : [{ text: " ".repeat(gap) }, piece],
        )}
      />
    </Box>
  );
}

function part(drop: number, text: string, tone: NonNullable<Piece["tone"]>): Part {
  return { piece: { text, tone }, drop };
}

/** How many accounts there are, match, and are beyond the memory cap. */
function countParts(
  snapshot: AccountListSnapshot,
  of: { readonly position: number | null; readonly whole: boolean; readonly known: boolean },
): Part[] {
  const { position, whole, known } = of;
  const { load, filter, truncatedAt, came } = snapshot;
  const { total, matched } = snapshot;
  const counted = whole ? total : matched;
  const row = position === null || counted === 0 ? 0 : position + 1;
  const parts: Part[] = [];
  if (known && filter.text !== "" && !whole) {
    // Behind a memory cap the number of all accounts is in a part of its own.
    const all = truncatedAt === null ? ` of ${count(total)}` : "";
    parts.push(part(0, row === 0 ? "" : `row ${count(row)}`, "plain"));
    parts.push(part(0, `${count(matched)}${all} match`, "plain"));
  } else if (known) {
    const all =
      position === null ? plural(counted, "account") : `${count(row)} of ${count(counted)}`;
    parts.push(part(0, all, "plain"));
  } else if (load.kind === "failed") {
    parts.push(part(0, "number of accounts not known", "waiting"));
  }
  if (truncatedAt !== null) {
    parts.push(part(0, `memory cap: first ${count(truncatedAt)} of ${count(came)}`, "bad"));
  }
  return parts;
}

/** The filter, the order and the marks of a list. */
function orderParts({ filter, sort, marks }: AccountListSnapshot, key: KeyWords): Part[] {
  const parts: Part[] = [];
  if (filter.reading) parts.push(part(1, `reading ${filter.reading}…`, "busy"));
  else if (!filter.settled) parts.push(part(1, "filtering…", "busy"));
  if (sort.column === "wire" && sort.descending) {
    parts.push(part(5, "service's order, reversed", "muted"));
  }
  if (!sort.settled) parts.push(part(3, "sorting…", "busy"));
  if (marks > 0) {
    parts.push(part(2, `${count(marks)} marked`, "changed"));
    parts.push(part(5, `${key("compose-marked")} composes for them`, "muted"));
  }
  return parts;
}

/** How the last load went, and when the next one comes. */
function loadParts(
  { snapshot, paused, everyMs }: AccountListFeed,
  of: { readonly known: boolean; readonly now: number; readonly linear: boolean },
): Part[] {
  const { known, now, linear } = of;
  const { load } = snapshot;
  switch (load.kind) {
    case "idle":
      return [];
    case "loading": {
      const waited = linear ? "" : ` ${wholeSeconds(now - load.startedAt)}`;
      const rows = linear || load.rows === 0 ? "" : `, ${plural(load.rows, "row")}`;
      const doing = load.reload ? "loading again" : "loading";
      return [part(1, `${doing}…${waited}${rows}`, "busy")];
    }
    case "failed":
      return known ? [part(1, "incomplete or out of date: last load failed", "bad")] : [];
    case "loaded": {
      const { unreadableRows, at } = load;
      const changes = changesWords(snapshot.changes);
      const every = paused ? "paused" : `every ${formatDuration(everyMs)}`;
      return [
        ...(unreadableRows > 0
          ? [part(1, `${plural(unreadableRows, "row")} unreadable`, "bad")]
          : []),
        ...(changes === "" ? [] : [part(2, changes, "changed")]),
        part(3, loadedWords(at, now), "muted"),
        part(4, every, paused ? "waiting" : "muted"),
      ];
    }
  }
}

/** The age of a list that is shown: `loaded just now`, `loaded 20 s ago`. */
function loadedWords(at: number, now: number): string {
  return checkedWords(at, now).replace("checked", "loaded");
}

/** What changed since the load before, what needs attention first, without zeros. */
export function changesWords(changes: AccountListSnapshot["changes"]): string {
  if (changes === null) return "";
  return [
    changes.gone > 0 ? `-${count(changes.gone)} gone` : "",
    changes.added > 0 ? `+${count(changes.added)} new` : "",
    changes.changed > 0 ? `~${count(changes.changed)} changed` : "",
  ]
    .filter(Boolean)
    .join(", ");
}
