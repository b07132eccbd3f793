import { Box } from "ink";
import type { AccountListSnapshot } from "../accounts/account-list.ts";
import type { AccountListFeed } from "../hooks/account-list.ts";
import { useKeyWords } from "../hooks/keys.tsx";
import { useLinear } from "../hooks/linear.ts";
import { useNow } from "../hooks/now.tsx";
import { sinceThen } from "../text/dates.ts";
import { describeError, oneLine } from "../text/describe-error.ts";
import { formatDuration, wholeSeconds } from "../text/durations.ts";
import { count, plural } from "../text/numbers.ts";
import { Paragraph } from "./paragraph.tsx";
import { Line, type Piece } from "./text.tsx";

/** The line below a list: how many match of how many, how far the load is, what has changed. */
export function ListLine(props: {
  readonly feed: AccountListFeed;
  /** Where the cursor is, from 0; null where the list is shown as a whole, whatever its filter. */
  readonly position: number | null;
  readonly context: Parameters<typeof describeError>[1];
}) {
  const now = useNow();
  const key = useKeyWords();
  const { snapshot, paused, everyMs } = props.feed;
  const { load, filter } = snapshot;
  const linear = useLinear();
  // Read aloud, the row itself tells where it is.
  const position = linear ? null : props.position;
  const whole = props.position === null;
  const filtered = filter.text !== "" && !whole;
  const counted = whole ? snapshot.total : snapshot.matched;
  const at = counted === 0 ? 0 : (position ?? 0) + 1;
  const pieces: Piece[] = [
    {
      text: position === null ? plural(counted, "account") : `${count(at)} of ${count(counted)}`,
    },
    { text: filtered ? " matching" : "", tone: "muted" },
    ofAll(snapshot, filtered),
  ];
  const add = (piece: Piece) => pieces.push({ text: "  " }, piece);
  if (!whole) {
    if (filter.problem) add({ text: filter.problem, tone: "bad" });
    else if (!filter.settled) add({ text: "filtering…", tone: "busy" });
    if (snapshot.sort.column === "wire" && snapshot.sort.descending) {
      add({ text: "service's order, reversed", tone: "muted" });
    }
    if (!snapshot.sort.settled) add({ text: "sorting…", tone: "busy" });
    if (snapshot.marks > 0)
      add({
        text: `${count(snapshot.marks)} marked, ${key("compose-marked")} for them`,
        tone: "changed",
      });
  }
  switch (load.kind) {
    case "idle":
      break;
    case "loading":
      add({
        text: `${load.reload ? "loading again" : "loading"}…${linear ? "" : ` ${count(load.rows)} rows, ${wholeSeconds(now - load.startedAt)}`}`,
        tone: "busy",
      });
      break;
    case "failed":
      if (snapshot.total > 0) {
        add({ text: "Incomplete or out of date: last load failed.", tone: "bad" });
      }
      break;
    case "loaded": {
      const { changes } = snapshot;
      if (changes && changes.added + changes.changed + changes.gone > 0) {
        add({
          text: `+${count(changes.added)} new, ~${count(changes.changed)} changed, -${count(changes.gone)} gone`,
          tone: "changed",
        });
      }
      if (load.unreadableRows > 0) {
        add({ text: `${count(load.unreadableRows)} rows unreadable`, tone: "bad" });
      }
      const next = paused ? "polling paused" : `every ${formatDuration(everyMs)}`;
      add({ text: `loaded ${sinceThen(load.at, now)}, ${next}`, tone: "muted" });
    }
  }
  return (
    <Box flexDirection="column" flexShrink={0}>
      {load.kind === "failed" && snapshot.total > 0 ? (
        <Paragraph tone="bad" most={2}>
          {oneLine(describeError(load.error, props.context))}
        </Paragraph>
      ) : null}
      <Line pieces={pieces} />
    </Box>
  );
}

/** How many there are in all; where not all are kept, that comes before anything else. */
function ofAll({ truncatedAt, came, total }: AccountListSnapshot, filtered: boolean): Piece {
  if (truncatedAt !== null) {
    return { text: `; memory cap: first ${count(truncatedAt)} of ${count(came)}`, tone: "bad" };
  }
  return { text: filtered ? `, ${count(total)} in all` : "", tone: "muted" };
}
