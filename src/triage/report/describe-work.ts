/**
 * Describes the open work of a report in blocks: failures, entries, rows, runs and watched items.
 */

import type { RunRecord } from "../../bulk/run-record.ts";
import { countsText, rowsLeft } from "../../bulk/run-words.ts";
import { formatInstant } from "../../text/dates.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { OpenEntry } from "../../writes/open-entries.ts";
import type { OpenOfPerson } from "../../writes/team/ledger-views.ts";
import { personWords } from "../../writes/words/authors.ts";
import { openOutcomesWords } from "../../writes/words/outcomes.ts";
import { type Block, commands, heading, sentence, table } from "./blocks.ts";
import type { Report, WatchedItem } from "./report.ts";
import type { ReportCommands } from "./report-commands.ts";
import type { ReportedWork } from "./reported-work.ts";

/**
 * Maximum number of items of one supplier and state that are listed one by one. More items are
 * described in one line.
 */
export const maxListed = 20;

/**
 * Describes the open work that follows the suppliers. A part that could not be read has no block
 * here.
 */
export function workBlocks(report: Report, commandsFor: ReportCommands): readonly Block[] {
  const { work, team, watched, since } = report;
  return [
    ...(work === null
      ? []
      : [
          ...causeBlocks(work, since, commandsFor),
          ...openBlocks(work, commandsFor),
          ...runBlocks(work, commandsFor),
        ]),
    ...(team?.kind === "read" ? teamBlocks(team.open, commandsFor) : []),
    ...(watched === null ? [] : watchedBlocks(watched, commandsFor)),
  ];
}

function causeBlocks(
  { causes }: ReportedWork,
  since: number,
  commandsFor: ReportCommands,
): readonly Block[] {
  if (causes.length === 0) return [];
  return [
    heading(2, `Causes of failures since ${utc(since)}`),
    ...table(
      ["Cause", "Count", "Operation", "Status", "Code", "First message"],
      causes.map(({ operation, httpStatus, code, errorCodes, count: rows, message }, at) => [
        ...[String(at + 1), count(rows), operation, httpStatus === null ? "-" : String(httpStatus)],
        ...[
          [code, ...errorCodes].filter((part) => part !== null).join(", ") || "-",
          message ?? "-",
        ],
      ]),
    ),
    ...commands(
      // Failed rows of a run have a command for each cause. Other failures have one command that
      // lists them.
      ...(causes.some(({ runs }) => runs.length === 0) ? commandsFor.ofCauses() : []),
      ...causes.flatMap(commandsFor.ofCause),
    ),
  ];
}

function openBlocks(work: ReportedWork, commandsFor: ReportCommands): readonly Block[] {
  const { entries, rejectedRows } = work;
  if (entries.length + rejectedRows.length === 0) return [];
  const { few, many } = grouped(entries, (entry) => [entry.import_supplier, outcomeCell(entry)]);
  const lines = [
    ...many.map(
      ([first, all]) =>
        `${first.import_supplier}: ${plural(all, "entry", "entries")} ${outcomeCell(first)}.`,
    ),
    ...rejectedRows.map(
      ({ run, supplier, rows }) =>
        `${supplier}: ${plural(rows, "row")} of run ${run} rejected and not confirmed since.`,
    ),
  ];
  return [
    heading(2, "Open entries and rows"),
    ...(entries.length === 0 ? [] : [sentence(openOutcomesWords(entries))]),
    ...lines.map(sentence),
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
        outcomeCell(entry),
        entry.operation,
        entry.import_supplier,
        entry.external_account_number ?? entry.external_identifier ?? "-",
        entry.created_at.slice(0, 19).replace("T", " "),
        [entry.http_status, entry.code].filter((part) => part !== null).join(" ") || "-",
        entry.run ?? "-",
        entry.profile,
      ]),
    ),
    ...commands(
      ...few.map(commandsFor.ofEntry),
      ...many.map(([first]) => commandsFor.ofEntries(first)),
      ...new Set(rejectedRows.flatMap(commandsFor.ofRejectedRows)),
    ),
  ];
}

function outcomeCell({ outcome, might_have_taken_effect: isInDoubt }: OpenEntry): string {
  return isInDoubt && outcome !== "unknown" ? `${outcome}, might have taken effect` : outcome;
}

function runBlocks({ runs }: ReportedWork, commandsFor: ReportCommands): readonly Block[] {
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
    ...commands(...runs.flatMap(commandsFor.ofRun)),
  ];
}

function teamBlocks(open: readonly OpenOfPerson[], commandsFor: ReportCommands): readonly Block[] {
  if (open.length === 0) return [];
  return [
    heading(2, "Open entries of colleagues"),
    ...table(
      ["By", "Machine", "Supplier", "Unknown", "Retryable"],
      open.map((one) => [
        ...[personWords(one), safe(one.machine), one.importSupplier],
        ...[count(one.unknown), count(one.retryable)],
      ]),
    ),
    ...commands(...commandsFor.ofTeam()),
  ];
}

function whyStopped({ state, stoppedBecause }: RunRecord): string {
  if (state === "unrecorded") return "not fully recorded; nothing was sent";
  return stoppedBecause ?? "-";
}

function watchedBlocks(
  watched: readonly WatchedItem[],
  commandsFor: ReportCommands,
): readonly Block[] {
  if (watched.length === 0) return [];
  const groups = Map.groupBy(watched, ({ kind, supplier, cohort }) =>
    JSON.stringify([kind, supplier, cohort]),
  );
  const summaries = [...groups.values()].map(summarizeWatched);
  const few = summaries.flatMap((group) => group.few);
  const many = summaries.flatMap(({ line, first }) => (line === null ? [] : [{ line, first }]));
  const commandGroups = Map.groupBy(few, ({ kind, supplier, finality }) =>
    JSON.stringify([kind, supplier, finality]),
  );
  return [
    heading(2, "Watch list"),
    ...many.map(({ line }) => sentence(line)),
    ...table(
      ["Kind", "Supplier", "Number", "State", "When (UTC)", "End"],
      few.map(({ kind, supplier, number, words, times, end }) => [
        ...[kindWords[kind], supplier, number, words],
        ...[times.length === 0 ? "-" : times.join(", "), ends[end]],
      ]),
    ),
    ...commands(
      ...many.map(({ first }) => commandsFor.ofManyWatched(first)),
      ...[...commandGroups.values()].flatMap(commandsFor.ofWatched),
    ),
  ];
}

const kindWords = { account: "account", "supply-point": "supply point", cohort: "cohort" } as const;
const notSeen = "not seen yet";
const ends = { open: "not yet", reached: "imported", ended: "failed" } as const;

/**
 * Summarizes the watched items of one supplier and cohort in a line if a state has too many of
 * them. Items that are not imported are still listed if their state has few.
 */
function summarizeWatched(group: readonly WatchedItem[]) {
  const states = [...Map.groupBy(group, (item) => `${item.finality} ${item.state}`).values()];
  const large = states.filter((state) => state.length > maxListed);
  const [first] = group.filter(({ finality }) => finality === "open").concat(group);
  if (large.length === 0 || first === undefined) return { few: group, line: null, first };
  const ended = (finality: WatchedItem["finality"]) =>
    group.filter((item) => item.finality === finality).length;
  const open = states.flatMap(([item, ...more]) =>
    item?.finality === "open"
      ? [`${count(more.length + 1)} of ${count(group.length)} ${item.state ?? notSeen}`]
      : [],
  );
  const { kind, supplier, cohort } = first;
  const words = [
    ...(open.length === 0 ? [plural(group.length, kindWords[kind])] : open),
    ...(["reached", "ended"] as const).flatMap((finality) =>
      ended(finality) === 0 ? [] : [`${count(ended(finality))} ${ends[finality]}`],
    ),
  ];
  return {
    few: states
      .filter((state) => !large.includes(state) && state[0]?.finality !== "reached")
      .flat(),
    line: `${supplier}${cohort === null ? "" : `, cohort ${cohort}`}: ${words.join(", ")}.`,
    first,
  };
}

function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => readonly string[],
): { readonly few: readonly T[]; readonly many: readonly (readonly [first: T, count: number])[] } {
  const groups = [...Map.groupBy(items, (item) => JSON.stringify(keyOf(item))).values()];
  const large = new Set(groups.filter((group) => group.length > maxListed));
  return {
    few: groups.filter((group) => !large.has(group)).flat(),
    many: [...large].flatMap((group) =>
      group.slice(0, 1).map((first) => [first, group.length] as const),
    ),
  };
}

function utcTime(ms: number): string {
  return formatInstant(ms, { utc: true, seconds: false });
}

export function utc(ms: number): string {
  return `${utcTime(ms)} UTC`;
}
