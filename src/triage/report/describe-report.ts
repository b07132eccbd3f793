/** Describes a shift report in blocks of text, tables and commands. */
import { hostname } from "node:os";
import { listedAge } from "../../text/ages.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { forecastWords, rateWords } from "../forecast/words.ts";
import { byMachines } from "../observations/by-machines.ts";
import { type OpenPart, openParts, unreadParts } from "../open/open.ts";
import { type Block, commands, heading, sentence, table } from "./blocks.ts";
import { doneBlocks, doneSentence } from "./describe-done.ts";
import { maxListed, utc, workBlocks } from "./describe-work.ts";
import type { Report, SupplierSection } from "./report.ts";
import { type CommandProfiles, type ReportCommands, reportCommands } from "./report-commands.ts";

export function reportTitle({ profile, at }: Pick<Report, "profile" | "at">): string {
  return `Shift report of ${profile}, ${utc(at)}`;
}

export function storedIn(stateDir: string): string {
  return `${hostname()} in ${stateDir}`;
}

interface WrittenFrom extends CommandProfiles {
  /**
   * A sentence about how to connect to the service without a profile, or null if there is a
   * profile.
   */
  readonly reconnectHint: string | null;
  readonly storedIn: string;
}

/**
 * Describes a report for people: first what was done, then what is open, then each part with the commands that
 * continue it.
 */
export function describeReport(
  report: Report,
  { reconnectHint, storedIn, ...profiles }: WrittenFrom,
): readonly Block[] {
  const commandsFor = reportCommands(report, profiles);
  const { since, at, environment, baseUrl, problems, suppliers } = report;
  return [
    heading(1, reportTitle(report)),
    sentence(doneSentence(report)),
    sentence(openSentence(report)),
    sentence(
      [
        `Service: ${baseUrl} (${environment}), from ${utc(since)} to ${utc(at)}.`,
        ...(hasStored(report)
          ? [
              `Changes, entries, runs, cohorts and watched items are stored on ${storedIn}: their commands work there.`,
            ]
          : []),
      ].join(" "),
    ),
    ...(reconnectHint === null ? [] : [sentence(reconnectHint)]),
    ...problems.map(sentence),
    ...(suppliers.some(({ problem }) => problem !== null)
      ? [sentence("A list could not be loaded: some figures are older, stored ones.")]
      : []),
    ...doneBlocks(report),
    ...(suppliers.length === 0 ? [] : [heading(2, "Suppliers")]),
    ...figuresTable(suppliers),
    ...suppliers.flatMap((section) => supplierSentence(section, report)),
    ...commands(
      ...commandsFor.ofSuppliers(suppliers),
      ...suppliers.flatMap(commandsFor.ofSupplier),
    ),
    ...cohortBlocks(report, commandsFor),
    ...workBlocks(report, commandsFor),
  ];
}

function hasStored({ work, cohorts, watched }: Report): boolean {
  const { done = [], closed = [], entries = [], rejectedRows = [], runs = [] } = work ?? {};
  const parts = [done, closed, entries, rejectedRows, runs, cohorts ?? [], watched ?? []];
  return parts.some(({ length }) => length > 0);
}

function openSentence({ open }: Report): string {
  const words = (parts: readonly OpenPart[]) => parts.map((part) => part.words).join(", ");
  const known = openParts(open);
  const unread = unreadParts(open);
  const summary =
    known.length > 0
      ? `Open: ${words(known)}`
      : unread.length === 0
        ? "Nothing is open"
        : "Nothing is known to be open";
  return unread.length === 0
    ? `${summary}.`
    : `${summary}. Not everything is known: ${words(unread)}.`;
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

function supplierSentence(section: SupplierSection, { at, since }: Report): readonly Block[] {
  const { supplier, cohort, now, problem, oldest, pendingOverADay, gone, heldBack } = section;
  const longest = (oldest ?? []).map(
    (account) => `${account.external} (${listedAge(account.since, now?.at ?? at)})`,
  );
  const by = byMachines(section.machines ?? null);
  const sentences = [
    ...(problem === null
      ? []
      : [
          `${problem} ${now === null ? "Nothing is stored." : `These figures were stored at ${utc(now.at)}.`}`,
        ]),
    ...changeSentences(section, since),
    ...(pendingOverADay === null || pendingOverADay === 0
      ? []
      : [`${plural(pendingOverADay, "account")} pending for more than a day.`]),
    ...(longest.length === 0 ? [] : [`Pending longest: ${longest.join(", ")}${by}.`]),
    ...(gone === null || gone.count === 0 ? [] : [goneSentence(gone, problem !== null)]),
    ...(gone === null ? ["Its gone accounts are not known."] : []),
    ...(heldBack === null
      ? []
      : [
          `A list with ${plural(heldBack.now, "account")} after ${count(heldBack.before)} is held back. If it is right, confirm it.`,
        ]),
  ];
  if (sentences.length === 0) return [];
  const name = cohort === null ? supplier : `${supplier}, cohort ${cohort}`;
  return [sentence(`${name}: ${sentences.join(" ")}`)];
}

function goneSentence(
  { count: all, atLeast, accounts }: NonNullable<SupplierSection["gone"]>,
  isUnverified: boolean,
): string {
  const named = accounts.slice(0, maxListed);
  const more = all - named.length;
  const names = [...named, ...(more > 0 ? [`${count(more)} more`] : [])].join(", ");
  return `${atLeast ? "At least " : ""}${plural(all, "account")} left the list without being imported${isUnverified ? ", as lists show" : ""}: ${names}.`;
}

function cohortBlocks({ cohorts }: Report, commandsFor: ReportCommands): readonly Block[] {
  const shown = (figure: number | null) => (figure === null ? "-" : count(figure));
  if (cohorts === null || cohorts.length === 0) return [];
  return [
    heading(2, "Cohorts"),
    ...table(
      ["Cohort", "Supplier", "Accounts", "Imported", "Pending", "On no list"],
      cohorts.map(({ name, supplier, accounts, imported, pending, unlisted }) => [
        ...[name, supplier, count(accounts), shown(imported), shown(pending), shown(unlisted)],
      ]),
    ),
    ...commands(...cohorts.map(commandsFor.ofCohort)),
  ];
}

function changeSentences({ changes }: SupplierSection, since: number): readonly string[] {
  if (changes === null) return ["No list of it was observed on this machine."];
  const words = [
    `${count(changes.imported)} imported`,
    `${count(changes.staged)} staged`,
    `${count(changes.gone)} left the list`,
    `${count(changes.returned)} returned`,
    `${count(changes.renumbered)} renumbered`,
    `${count(changes.removed)} removed`,
  ].filter((part) => !part.startsWith("0 "));
  return words.length === 0 ? [] : [`Since ${utc(since)}: ${words.join(", ")}.`];
}
