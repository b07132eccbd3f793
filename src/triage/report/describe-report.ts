import { countsText, rowsLeft } from "../../bulk/run-counts.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import { formatInstant } from "../../text/dates.ts";
import { atLeastAge } from "../../text/durations.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { forecastWords, rateWords } from "../forecast/words.ts";
import { type Block, commands, heading, sentence, table } from "./blocks.ts";
import type { Report, SupplierSection } from "./report.ts";
import { type ReportCommands, reportCommands } from "./report-commands.ts";

/** The title of a report. */
export function reportTitle({ profile, at }: Pick<Report, "profile" | "at">): string {
  return `Shift report of ${profile}, ${utc(at)}`;
}

/**
 * A report as people read it: first what is open, then each part with the commands that continue it.
 * `profile` is what `--profile` has to say; `wayBack` says how a place without a name is reached.
 */
export function describeReport(
  report: Report,
  { profile, wayBack }: { readonly profile: string | null; readonly wayBack: string | null },
): readonly Block[] {
  const ways = reportCommands(report, profile);
  const { since, at, environment, baseUrl, problems, suppliers } = report;
  return [
    heading(1, reportTitle(report)),
    sentence(`From ${utc(since)} to ${utc(at)}. Environment: ${environment}. Service: ${baseUrl}`),
    ...(wayBack === null ? [] : [sentence(wayBack)]),
    ...problems.map(sentence),
    ...(suppliers.some(({ problem }) => problem !== null)
      ? [sentence("The service did not give every list: some figures are those stored earlier.")]
      : []),
    sentence(openSentence(report)),
    ...(suppliers.length === 0 ? [] : [heading(2, "Suppliers")]),
    ...figuresTable(suppliers),
    ...suppliers.flatMap((section) => supplierBlocks(section, report, ways)),
    ...causeBlocks(report, ways),
    ...entryBlocks(report, ways),
    ...runBlocks(report, ways),
    ...watchedBlocks(report, ways),
  ];
}

function openSentence({ suppliers, entries, runs, watched }: Report): string {
  const unknown = entries.filter(({ outcome }) => outcome === "unknown").length;
  const retryable = entries.length - unknown;
  const gone = suppliers.reduce((sum, one) => sum + (one.gone?.count ?? 0), 0);
  const failed = watched.filter(({ finality }) => finality === "ended").length;
  const held = suppliers.filter(({ heldBack }) => heldBack !== null).length;
  const parts = [
    unknown === 0 ? "" : `${plural(unknown, "entry", "entries")} unknown`,
    retryable === 0 ? "" : `${plural(retryable, "entry", "entries")} retryable`,
    runs.length === 0 ? "" : `${plural(runs.length, "run")} stopped`,
    gone === 0 ? "" : `${plural(gone, "account")} gone`,
    failed === 0 ? "" : `${plural(failed, "watched item")} failed`,
    held === 0 ? "" : `${plural(held, "list")} held back`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "Nothing is open." : `Open: ${parts.join(", ")}.`;
}

function figuresTable(suppliers: readonly SupplierSection[]): readonly Block[] {
  const shown = (figure: number | undefined) => (figure === undefined ? "-" : count(figure));
  const rows = suppliers.map(({ supplier, cohort, now, before, rate, finish }) => [
    cohort === null ? supplier : `${supplier}, cohort ${cohort}`,
    ...[shown(before?.imported), shown(now?.imported), shown(before?.pending), shown(now?.pending)],
    now === null ? "-" : percent(now.imported, now.total),
    rate === null ? "-" : rateWords(rate),
    finish === null ? "-" : forecastWords(finish) || "-",
    before === null ? "-" : utc(before.at),
    now === null ? "never" : utc(now.at),
  ]);
  const titles = [
    ...["Supplier", "Imported then", "Imported now", "Pending then", "Pending now", "Done"],
    ...["Rate", "Forecast", "Then", "Now"],
  ];
  return table(titles, rows);
}

function supplierBlocks(
  section: SupplierSection,
  { at, since }: Report,
  ways: ReportCommands,
): readonly Block[] {
  const { supplier, cohort, now, problem, oldest, pendingOverADay, gone, heldBack } = section;
  const named = gone?.accounts ?? [];
  return [
    heading(3, cohort === null ? supplier : `${supplier}, cohort ${cohort}`),
    ...(problem === null
      ? []
      : [
          sentence(
            `${problem} ${now === null ? "Nothing is stored." : `These figures were stored at ${utc(now.at)}.`}`,
          ),
        ]),
    sentence(changeSentence(section, since)),
    ...(pendingOverADay === 0
      ? []
      : [sentence(`${plural(pendingOverADay, "account")} pending for more than a day.`)]),
    ...table(
      ["Pending longest", "Since (UTC), at least", "For"],
      oldest.map((one) => [one.external, utcTime(one.since), atLeastAge(at - one.since)]),
    ),
    ...(gone === null || gone.count === 0
      ? []
      : [
          sentence(
            `${gone.atLeast ? "At least " : ""}${plural(gone.count, "account")} left the list without being imported${problem === null ? "" : ", as lists show"}.`,
          ),
          ...table(
            ["Gone"],
            named.map((number) => [number]),
          ),
        ]),
    ...(heldBack === null
      ? []
      : [
          sentence(
            `A list with ${plural(heldBack.now, "account")} after ${count(heldBack.before)} is held back. If it is right, confirm it.`,
          ),
        ]),
    ...commands(...ways.ofSupplier(section)),
  ];
}

function changeSentence({ changes }: SupplierSection, since: number): string {
  if (changes === null) return "No list of it was observed on this machine.";
  const words = [
    `${count(changes.imported)} imported`,
    `${count(changes.staged)} staged`,
    `${count(changes.gone)} gone`,
    `${count(changes.returned)} returned`,
    `${count(changes.renumbered)} renumbered`,
    `${count(changes.removed)} removed`,
  ].filter((part) => !part.startsWith("0 "));
  return `Since ${utc(since)}: ${words.length === 0 ? "no changes" : words.join(", ")}.`;
}

function causeBlocks({ causes, since }: Report, ways: ReportCommands): readonly Block[] {
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

function entryBlocks({ entries }: Report, ways: ReportCommands): readonly Block[] {
  if (entries.length === 0) return [];
  return [
    heading(2, "Entries without a known end"),
    sentence(
      "Unknown: it might have taken effect, and verify finds out. Retryable: it had no effect as far as is known.",
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
      ],
      entries.map((entry) => [
        String(entry.journal_id),
        entry.outcome,
        entry.operation,
        entry.import_supplier,
        entry.external_account_number ?? entry.external_identifier ?? "-",
        entry.created_at.slice(0, 19).replace("T", " "),
        [entry.http_status, entry.code].filter((part) => part !== null).join(" ") || "-",
        entry.run ?? "-",
      ]),
    ),
    ...commands(...entries.map(ways.ofEntry)),
  ];
}

function runBlocks({ runs }: Report, ways: ReportCommands): readonly Block[] {
  if (runs.length === 0) return [];
  return [
    heading(2, "Unfinished runs"),
    ...table(
      ["Run", "Kind", "Begun (UTC)", "Rows", "Left", "Of them", "Input", "Why it stopped"],
      runs.map((run) => [
        ...[run.id, run.kind, utcTime(run.createdAt), count(run.rows), count(rowsLeft(run))],
        ...[countsText(run.counts), run.source, whyStopped(run)],
      ]),
    ),
    ...commands(...runs.flatMap(({ id }) => ways.ofRun(id))),
  ];
}

function whyStopped({ state, stoppedBecause }: RunRecord): string {
  if (state === "unrecorded") return "not fully recorded; nothing was sent";
  return stoppedBecause ?? "-";
}

function watchedBlocks({ watched }: Report, ways: ReportCommands): readonly Block[] {
  if (watched.length === 0) return [];
  return [
    heading(2, "Watch list"),
    ...table(
      ["Kind", "Supplier", "Number", "State", "Since (UTC)", "End"],
      watched.map(({ kind, supplier, number, state, since, finality }) => [
        ...[kind === "account" ? "account" : "supply point", supplier, number],
        ...[state ?? "not seen yet", since === null ? "-" : utcTime(since), ends[finality]],
      ]),
    ),
    ...commands(...watched.map(ways.ofWatched)),
  ];
}

const ends = { open: "not yet", reached: "imported", ended: "failed" } as const;

function utcTime(ms: number): string {
  return formatInstant(ms, { utc: true, seconds: false });
}

function utc(ms: number): string {
  return `${utcTime(ms)} UTC`;
}
