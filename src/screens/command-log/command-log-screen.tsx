import { useMemo } from "react";
import { type Column, fieldColumn } from "../../components/list-screen/column.ts";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { LoggedCommand } from "../../session/command-log.ts";
import { showInPager } from "../../session/pager.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { sandboxName } from "../../text/as-command.ts";
import { formatInstant, utcInstant } from "../../text/dates.ts";
import { fieldsOf } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";

const idOf = ({ id }: LoggedCommand) => String(id);

const minRowsForLongPreview = 16;

/**
 * Lists the equivalent commands for actions of the console, newest first. The command under the
 * cursor is shown in full.
 */
export function CommandLogScreen() {
  const app = useApp();
  const { navigation, clipboard } = app;
  const { log, profile } = useSession();
  const entries = useStore(log.entries);
  const rows = useMemo(() => entries.toReversed(), [entries]);
  const columns = useMemo(() => columnsOf(rows, profileFlag(profile)), [rows, profile]);
  const list = useRowList({ name: "command log", rows, idOf, columns });
  const { current } = list;
  const previewLines =
    useRoom().rows < minRowsForLongPreview ? { line: 2, detail: 1 } : { line: 3, detail: 2 };
  return (
    <ListScreen
      list={list}
      empty={["Nothing was asked or sent yet."]}
      noun={["command", "commands"]}
      file={{ stem: "commands", fields }}
      below={{
        rows: previewLines.line + previewLines.detail,
        shown: (row) => (
          <>
            <Paragraph most={previewLines.line}>{row.line}</Paragraph>
            <Paragraph most={previewLines.detail}>{row.end?.detail ?? ""}</Paragraph>
          </>
        ),
      }}
      actions={{
        "command-log": { run: navigation.back, label: "close" },
        ...(current === null
          ? {}
          : {
              copy: { run: () => clipboard(current.line, "command"), label: "copy command" },
              pager: () => void showInPager(app, entries.map(asText)),
            }),
      }}
    />
  );
}

CommandLogScreen.help = {
  name: "Command log",
  about: [
    "What this console did with the profile, as commands: newest first, with the outcome and how often it was done.",
    "A line has no body and no secret.",
  ],
  words: ["outcome"],
} as const;

const field = fieldsOf<LoggedCommand>();
const at = field(["at", "Time"], "text, UTC", "The time of the start.", ({ startedAt }) =>
  utcInstant(startedAt),
);
const outcome = field("outcome", "text", "The result, or `running`.", endText);
const took = field(
  ["took_ms", "Took"],
  "number or null",
  "The duration in milliseconds.",
  (of) => of.tookMs,
);
const times = field("times", "number", "The number of repetitions.", (of) => of.times);
const command = field("command", "text", "The command.", ({ line }) => line);
const fields = [at, outcome, took, times, command];

/** `profile` is the value of `--profile`, which is equal in all commands. */
function columnsOf(
  rows: readonly LoggedCommand[],
  profile: string | null,
): readonly Column<LoggedCommand>[] {
  const flag = profile === sandboxName ? " --sandbox" : ` --profile ${profile}`;
  const hasRepeats = rows.some(({ times }) => times > 1);
  return [
    fieldColumn(at, "at", "Time", 8, {
      text: ({ startedAt }) => formatInstant(startedAt).slice(11),
    }),
    fieldColumn(outcome, "outcome", "Outcome", 10, { tone: ({ end }) => end?.tone ?? "busy" }),
    fieldColumn(took, "took", "Took", 7, { text: tookText, drop: 1, align: "right" }),
    fieldColumn(times, "times", "Times", hasRepeats ? 6 : 0, {
      text: timesText,
      drop: 2,
      align: "right",
    }),
    // The preview shows the full line, with the name of the program and the profile.
    fieldColumn(command, "command", "Command", 30, {
      text: ({ line }) => line.replace(/^supplyline /, "").replace(flag, ""),
      minWidth: 10,
      maxWidth: 400,
    }),
  ];
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
