/** Shows two short lists: the accounts that have been pending longest, and the newest accounts. */
import { useServiceNow } from "../hooks/now.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { cellAgo, listedAge } from "../text/ages.ts";
import { padOrTruncate, widest } from "../text/width.ts";
import type { PendingAccount } from "../triage/figures/figures.ts";
import type { NewAccount } from "../triage/figures/newest.ts";
import { partWords } from "./created-chart.tsx";
import { Lines, type Piece } from "./text.tsx";

const minColumnsBeside = 76;
/** Cells between two columns, of a pending age, and of the time since a creation. */
const gap = 2;
const ageWidth = 8;
const agoWidth = 12;
const minNumberWidth = 10;

/**
 * Shows the accounts pending longest and the newest accounts, side by side if there is room. `rows`
 * is the number of lines, including the title.
 */
export function Extremes(props: {
  readonly longest: readonly PendingAccount[];
  readonly newest: readonly NewAccount[];
  readonly rows: number;
  /** The time of the list (epoch milliseconds), with which the pending times end. */
  readonly listedAt: number;
  readonly isPart: boolean;
}) {
  const room = useRoom();
  const linear = useLinear();
  const now = useServiceNow(60_000);
  const maxAccounts = Math.max(0, props.rows - 1);
  // Ages below a minute are left out, because the first list of a supplier has only such ages.
  const longest = props.longest
    .filter(({ since }) => props.listedAt - since >= 60_000)
    .slice(0, maxAccounts);
  const newest = props.newest.slice(0, maxAccounts);
  const isBeside = !linear && room.columns >= minColumnsBeside && longest.length > 0;
  const width = isBeside ? (room.columns - gap) >> 1 : room.columns;
  const part = props.isPart ? partWords : "";
  const titles = [`Pending longest${part}`, `Newest${part}`] as const;
  const left = pendingLines(longest, width, props.listedAt);
  const right = newLines(newest, width, now);
  if (isBeside && right.length > 0) {
    const blank: Piece[] = [{ text: " ".repeat(width) }];
    const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
      ...(left[index] ?? blank),
      { text: " ".repeat(gap) },
      ...(right[index] ?? []),
    ]);
    return <Titled title={titles[0].padEnd(width + gap) + titles[1]} lines={lines} />;
  }
  return (
    <>
      {left.length === 0 ? null : <Titled title={titles[0]} lines={left} />}
      {right.length === 0 || (left.length > 0 && !linear) ? null : (
        <Titled title={titles[1]} lines={right} />
      )}
    </>
  );
}

function Titled(props: { readonly title: string; readonly lines: readonly (readonly Piece[])[] }) {
  return <Lines lines={[[{ text: props.title, tone: "title" }], ...props.lines]} />;
}

function pendingLines(
  accounts: readonly PendingAccount[],
  width: number,
  listedAt: number,
): readonly (readonly Piece[])[] {
  const numberWidth = Math.min(
    widest(accounts.map(({ external }) => external)),
    Math.max(minNumberWidth, width - ageWidth - gap),
  );
  return accounts.map(({ external, since }) => [
    { text: cell(external, numberWidth) },
    {
      text: padOrTruncate(listedAge(since, listedAt), Math.max(0, width - numberWidth - gap)),
      tone: "waiting",
    },
  ]);
}

/** Returns a line for each new account, with its service number if there is room. */
function newLines(
  accounts: readonly NewAccount[],
  width: number,
  now: number,
): readonly (readonly Piece[])[] {
  const serviceWidth = widest(accounts.map(({ service }) => service));
  const room = width - agoWidth - gap;
  const numberWidth = Math.min(
    widest(accounts.map(({ external }) => external)),
    Math.max(minNumberWidth, room),
  );
  const hasService = room - numberWidth - gap >= serviceWidth;
  return accounts.map(({ external, service, createdAt }): readonly Piece[] => {
    // The time has no seconds, so that the screen is redrawn at most once a minute.
    const since = cellAgo(createdAt, now);
    return [
      { text: cell(external, numberWidth) },
      { text: hasService ? cell(service, serviceWidth) : "" },
      { text: since },
    ];
  });
}

function cell(text: string, width: number): string {
  return padOrTruncate(text, width) + " ".repeat(gap);
}
