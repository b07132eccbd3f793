/** Shows two short lists: the accounts that have been pending longest, and the newest accounts. */
import { useServiceNow } from "../hooks/now.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { ago } from "../text/dates.ts";
import { atLeastAge } from "../text/durations.ts";
import { padOrTruncate, widest } from "../text/width.ts";
import type { NewAccount } from "../triage/figures/newest.ts";
import type { PendingAccount } from "../triage/figures/table-figures.ts";
import { Lines, type Piece } from "./text.tsx";

/** Minimum columns for the two lists side by side. */
const sideBySide = 76;
const gap = 2;
const ageWidth = 8;
const agoWidth = 12;
/** Minimum cells of an account number. */
const leastNumber = 10;

/**
 * Shows the accounts pending longest and the newest accounts, side by side if there is room. `rows`
 * is the number of lines, with the titles.
 */
export function Extremes(props: {
  readonly longest: readonly PendingAccount[];
  readonly newest: readonly NewAccount[];
  readonly rows: number;
}) {
  const room = useRoom();
  const linear = useLinear();
  const now = useServiceNow(60_000);
  const most = Math.max(0, props.rows - 1);
  // A new history has no meaningful ages.
  const longest = props.longest.filter(({ since }) => now - since >= 60_000).slice(0, most);
  const newest = props.newest.slice(0, most);
  const isBeside = !linear && room.columns >= sideBySide && longest.length > 0;
  const width = isBeside ? (room.columns - gap) >> 1 : room.columns;
  const left = pendingLines(longest, width, now);
  const right = newLines(newest, width, now);
  if (isBeside && right.length > 0) {
    const blank: Piece[] = [{ text: " ".repeat(width) }];
    const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [
      ...(left[at] ?? blank),
      { text: " ".repeat(gap) },
      ...(right[at] ?? []),
    ]);
    return <Titled title={`${"Pending longest".padEnd(width + gap)}Newest`} lines={lines} />;
  }
  return (
    <>
      {left.length === 0 ? null : <Titled title="Pending longest" lines={left} />}
      {right.length === 0 || (left.length > 0 && !linear) ? null : (
        <Titled title="Newest" lines={right} />
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
  now: number,
): readonly (readonly Piece[])[] {
  const number = Math.min(
    widest(accounts.map(({ external }) => external)),
    Math.max(leastNumber, width - ageWidth - gap),
  );
  return accounts.map(({ external, since }) => [
    { text: cell(external, number) },
    {
      text: padOrTruncate(atLeastAge(now - since), Math.max(0, width - number - gap)),
      tone: "waiting",
    },
  ]);
}

/**
 * Returns the lines of the new accounts: the account's number, the service's number if there is
 * room, and the time.
 */
function newLines(
  accounts: readonly NewAccount[],
  width: number,
  now: number,
): readonly (readonly Piece[])[] {
  const services = widest(accounts.map(({ service }) => service));
  const room = width - agoWidth - gap;
  const number = Math.min(
    widest(accounts.map(({ external }) => external)),
    Math.max(leastNumber, room),
  );
  const hasService = room - number - gap >= services;
  return accounts.map(({ external, service, createdAt }): readonly Piece[] => {
    // Shown to the minute, so that the screen is redrawn at most once a minute.
    const since = now - createdAt < 60_000 ? "within 1 min" : ago(createdAt, now);
    return [
      { text: cell(external, number) },
      { text: hasService ? cell(service, services) : "" },
      { text: since },
    ];
  });
}

function cell(text: string, width: number): string {
  return padOrTruncate(text, width) + " ".repeat(gap);
}
