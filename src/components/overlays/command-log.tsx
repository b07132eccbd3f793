import { useState } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { moving } from "../../hooks/list-cursor.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { CommandLog, LoggedCommand } from "../../session/command-log.ts";
import { showInPager } from "../../session/pager.ts";
import { formatInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import { type Column, column } from "../column.ts";
import { DataTable } from "../data-table.tsx";
import { Paragraph } from "../paragraph.tsx";
import { Text } from "../text.tsx";

/** Lines below the table: a blank one, the command in full, and where the rest is. */
const roomy = { inFull: 3, below: 2 };
const tight = { inFull: 2, below: 1 };
/** Lower bodies leave the list the lines. */
const roomForMore = 16;

/** What the console did, as commands, newest last; the one under the cursor is shown in full. */
export function CommandLogBody({
  log,
  onClose,
}: {
  readonly log: CommandLog;
  readonly onClose: () => void;
}) {
  const room = useRoom();
  const app = useApp();
  const { clipboard } = app;
  const entries = useStore(log.entries);
  // Null follows the newest one.
  const [chosen, setChosen] = useState<number | null>(null);
  const last = entries.length - 1;
  const held = entries.findIndex(({ id }) => id === chosen);
  const position = held < 0 ? last : held;
  // The title and the blank line of the frame, and the titles of the columns.
  const most = room.rows < roomForMore ? tight : roomy;
  const page = Math.max(1, room.rows - 3 - (1 + most.inFull + most.below));
  const top = Math.max(0, Math.min(position - Math.floor(page / 2), entries.length - page));
  const current = entries[position];
  const to = (next: number) => {
    const bounded = Math.max(0, Math.min(next, last));
    setChosen(bounded === last ? null : (entries[bounded]?.id ?? null));
  };
  useKeys(
    {
      ...moving({ from: position, last, page, to }),
      back: { run: onClose, label: "close" },
      "command-log": { run: onClose, label: "close" },
      ...(current === undefined
        ? {}
        : {
            copy: { run: () => clipboard(current.line, "command"), label: "copy command" },
            pager: () => void showInPager(app, entries.map(asText)),
          }),
    },
    { modal: true },
  );
  if (current === undefined) return <Text tone="muted">Nothing was asked or sent yet.</Text>;
  return (
    <>
      <DataTable
        columns={columnsFor(room.columns)}
        rows={entries.slice(top, top + page).map((row) => ({ id: `${row.id}`, row }))}
        cursor={`${current.id}`}
        first={top}
      />
      <Text> </Text>
      <Paragraph most={most.inFull}>{current.line}</Paragraph>
      <Paragraph tone="muted" most={most.below}>
        {belowText(current, room.columns)}
      </Paragraph>
    </>
  );
}

/** Narrower bodies have how long it took below the list. */
const roomForTook = 72;

function columnsFor(width: number): readonly Column<LoggedCommand>[] {
  const took: readonly Column<LoggedCommand>[] = [
    column("took", "Took", 7, tookText, { align: "right" }),
    column("times", "Times", 6, timesText, { align: "right" }),
  ];
  const first: readonly Column<LoggedCommand>[] = [
    column("at", "Time", 8, timeText),
    column("end", "Outcome", 10, endText, { tone: endTone }),
    ...(width < roomForTook ? [] : took),
  ];
  const used = first.reduce((sum, column) => sum + column.width + 2, 4);
  // Each of them begins with the name of the program, which is shown with the line in full.
  const text = ({ line }: LoggedCommand) => line.replace(/^supplyline /, "");
  return [...first, column("line", "Command", Math.max(10, width - used), text)];
}

/** What the table has no room for, and where the rest is. */
function belowText(entry: LoggedCommand, width: number): string {
  const facts = width < roomForTook ? [tookText(entry), timesText(entry)] : [];
  return [...facts, entry.end?.detail ?? ""].filter((fact) => fact !== "").join("  ");
}

function timeText({ startedAt }: LoggedCommand): string {
  return formatInstant(startedAt).slice(11);
}

function endTone({ end }: LoggedCommand): Tone {
  return end?.tone ?? "busy";
}

function endText({ end }: LoggedCommand): string {
  return end?.text ?? "running";
}

function timesText({ times }: LoggedCommand): string {
  return times === 1 ? "" : `×${count(times)}`;
}

function tookText({ tookMs }: LoggedCommand): string {
  if (tookMs === null) return "";
  return tookMs < 10_000 ? `${Math.round(tookMs)} ms` : `${Math.round(tookMs / 1_000)} s`;
}

function asText(entry: LoggedCommand): string {
  const { startedAt, line } = entry;
  const facts = [formatInstant(startedAt), endText(entry), tookText(entry), timesText(entry)];
  return `${facts.filter((fact) => fact !== "").join("  ")}  ${line}`;
}
