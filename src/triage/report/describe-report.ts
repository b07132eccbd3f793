import { atLeastAge } from "../../text/durations.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { forecastWords, rateWords } from "../forecast/words.ts";
import { type OpenPart, openParts, unreadParts } from "../open/open.ts";
import { type Block, commands, heading, sentence, table } from "./blocks.ts";
import { utc, utcTime, workBlocks } from "./describe-work.ts";
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
    ...workBlocks(report, ways),
  ];
}

function openSentence({ open }: Report): string {
  const words = (parts: readonly OpenPart[]) => parts.map((part) => part.words).join(", ");
  const known = openParts(open);
  const unread = unreadParts(open);
  const said =
    known.length > 0
      ? `Open: ${words(known)}`
      : unread.length === 0
        ? "Nothing is open"
        : "Nothing is known to be open";
  return unread.length === 0 ? `${said}.` : `${said}. Not everything is known: ${words(unread)}.`;
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
    ...(pendingOverADay === null || pendingOverADay === 0
      ? []
      : [sentence(`${plural(pendingOverADay, "account")} pending for more than a day.`)]),
    ...table(
      ["Pending longest", "Since (UTC), at least", "For"],
      (oldest ?? []).map((one) => [one.external, utcTime(one.since), atLeastAge(at - one.since)]),
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
    ...(gone === null ? [sentence("Its gone accounts are not known.")] : []),
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
    `${count(changes.gone)} left the list`,
    `${count(changes.returned)} returned`,
    `${count(changes.renumbered)} renumbered`,
    `${count(changes.removed)} removed`,
  ].filter((part) => !part.startsWith("0 "));
  if (words.length === 0) return `No changes since ${utc(since)}.`;
  return `Since ${utc(since)}: ${words.join(", ")}.`;
}
