/** The open work of a report in blocks: failures, entries, rows, runs and watched items. */
import { countsText, rowsLeft } from "../../bulk/run-counts.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import { formatInstant } from "../../text/dates.ts";
import { count, plural } from "../../text/numbers.ts";
import { type Block, commands, heading, sentence, table } from "./blocks.ts";
import type { Report, WatchedItem } from "./report.ts";
import type { ReportCommands } from "./report-commands.ts";
import type { ReportedWork } from "./reported-work.ts";

/** More items than this of one supplier and state are one line. */
const mostListed = 20;

/** Describes the open work below the suppliers; a part that could not be read has no block here. */
export function workBlocks(report: Report, ways: ReportCommands): readonly Block[] {
  const { work, watched, since } = report;
  return [
    ...(work === null
      ? []
      : [
          ...causeBlocks(work, since, ways),
          ...entryBlocks(work, ways),
          ...rowBlocks(work, ways),
          ...runBlocks(work, ways),
        ]),
    ...(watched === null ? [] : watchedBlocks(watched, ways)),
  ];
}

function causeBlocks(
  { causes }: ReportedWork,
  since: number,
  ways: ReportCommands,
): readonly Block[] {
  if (causes.length === 0) return [];
  return [
    heading(2, "Causes of failures"),
    sentence(`Failures recorded since ${utc(since)}.`),
    ...table(
      ["Cause", "Count", "Operation", "Status", "Code", "First message"],
      causes.map(({ operation, httpStatus, code, errorCodes, count: rows, message }, at) => [
        ...[String(at + 1), count(rows), operation, httpStatus === null ? "-" : String(httpStatus)],
        ...[[code, ...errorCodes].filter((one) => one !== null).join(", ") || "-", message ?? "-"],
      ]),
    ),
    ...commands(...ways.ofCauses(), ...causes.flatMap(ways.ofCause)),
  ];
}

function entryBlocks({ entries }: ReportedWork, ways: ReportCommands): readonly Block[] {
  if (entries.length === 0) return [];
  const { few, many } = grouped(entries, (entry) => [entry.import_supplier, entry.outcome]);
  return [
    heading(2, "Open entries"),
    sentence(
      "Unknown: it might have taken effect, and verify finds out. Rejected: no later entry confirmed it. Retryable: it had no effect as far as is known. Unsent: it was never sent.",
    ),
    ...table(
      [
        "Entry",
        "Outcome",
        "Operation",
        "Supplier",
        "Account or supply point",
        "Recorded (UTC)",
        "Answer",
        "Run",
        "Profile",
      ],
      few.map((entry) => [
        String(entry.journal_id),
        entry.outcome,
        entry.operation,
        entry.import_supplier,
        entry.external_account_number ?? entry.external_identifier ?? "-",
        entry.created_at.slice(0, 19).replace("T", " "),
        [entry.http_status, entry.code].filter((part) => part !== null).join(" ") || "-",
        entry.run ?? "-",
        entry.profile,
      ]),
    ),
    ...table(
      ["Entries", "Outcome", "Supplier"],
      many.map(([first, all]) => [count(all), first.outcome, first.import_supplier]),
    ),
    ...commands(...few.map(ways.ofEntry), ...many.map(([first]) => ways.ofEntries(first))),
  ];
}

function rowBlocks({ rejectedRows }: ReportedWork, ways: ReportCommands): readonly Block[] {
  if (rejectedRows.length === 0) return [];
  return [
    heading(2, "Rejected rows"),
    sentence("No later entry confirmed their items."),
    ...table(
      ["Run", "Supplier", "Rows"],
      rejectedRows.map(({ run, supplier, rows }) => [run, supplier, count(rows)]),
    ),
    ...commands(...new Set(rejectedRows.flatMap(({ run }) => ways.ofRejectedRows(run)))),
  ];
}

function runBlocks({ runs }: ReportedWork, ways: ReportCommands): readonly Block[] {
  if (runs.length === 0) return [];
  return [
    heading(2, "Unfinished runs"),
    ...table(
      [
        "Run",
        "Kind",
        "Begun (UTC)",
        "Rows",
        "Left",
        "Of them",
        "Input",
        "Why it stopped",
        "Profile",
      ],
      runs.map((run) => [
        ...[run.id, run.kind, utcTime(run.createdAt), count(run.rows), count(rowsLeft(run))],
        ...[countsText(run.counts), run.source, whyStopped(run), run.profile],
      ]),
    ),
    ...commands(...runs.flatMap(ways.ofRun)),
  ];
}

function whyStopped({ state, stoppedBecause }: RunRecord): string {
  if (state === "unrecorded") return "not fully recorded; nothing was sent";
  return stoppedBecause ?? "-";
}

function watchedBlocks(watched: readonly WatchedItem[], ways: ReportCommands): readonly Block[] {
  if (watched.length === 0) return [];
  const kindWords = { account: "account", "supply-point": "supply point" } as const;
  const { few, many } = grouped(watched, ({ kind, supplier, state, finality }) => [
    ...[kind, supplier, state ?? "", finality],
  ]);
  return [
    heading(2, "Watch list"),
    ...table(
      ["Kind", "Supplier", "Number", "State", "Since (UTC)", "End"],
      few.map(({ kind, supplier, number, state, since, finality }) => [
        ...[kindWords[kind], supplier, number],
        ...[state ?? "not seen yet", since === null ? "-" : utcTime(since), ends[finality]],
      ]),
    ),
    ...table(
      ["Watched", "Supplier", "State", "End"],
      many.map(([{ kind, supplier, state, finality }, all]) => [
        ...[plural(all, kindWords[kind]), supplier, state ?? "not seen yet", ends[finality]],
      ]),
    ),
    ...commands(...few.map(ways.ofWatched), ...many.map(([first]) => ways.ofManyWatched(first))),
  ];
}

const ends = { open: "not yet", reached: "imported", ended: "failed" } as const;

/** Splits items into those that are listed one by one, and the first and the number of each large group. */
function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => readonly string[],
): { readonly few: readonly T[]; readonly many: readonly (readonly [first: T, count: number])[] } {
  const groups = [...Map.groupBy(items, (item) => JSON.stringify(keyOf(item))).values()];
  const large = new Set(groups.filter((group) => group.length > mostListed));
  return {
    few: groups.filter((group) => !large.has(group)).flat(),
    many: [...large].flatMap((group) =>
      group.slice(0, 1).map((first) => [first, group.length] as const),
    ),
  };
}

/** Formats a time in UTC, without its zone. */
export function utcTime(ms: number): string {
  return formatInstant(ms, { utc: true, seconds: false });
}

/** Formats a time in UTC, with its zone. */
export function utc(ms: number): string {
  return `${utcTime(ms)} UTC`;
}
