/** Finds the rows of an input that the duplicate guard would bar, before anything is sent. */
import { type AppError, isAppError } from "../errors/app-error.ts";
import { ExactSum } from "../forms/decimals.ts";
import { capital } from "../text/connection-words.ts";
import { plural } from "../text/numbers.ts";
import {
  askAboutItems,
  barOf,
  type EarlierEntry,
  type GuardScope,
  sameIdsOf,
} from "../writes/guard.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Finding } from "../writes/journal/override.ts";
import type { Target } from "../writes/kinds/kind.ts";
import { type PreparedWrite, prepareWrite } from "../writes/prepare.ts";
import type { TeamBarred } from "../writes/resend.ts";
import { askTeam, type TeamBar } from "../writes/team/ask.ts";
import { Contents } from "../writes/words/contents.ts";
import {
  barWords,
  commonBarWords,
  describeEarlierEntry,
  sameIdWords,
} from "../writes/words/guard.ts";
import { teamBarWords } from "../writes/words/team.ts";
import type { PlannedRequest } from "./input/planner.ts";

/** A row whose item is in an earlier entry. */
export interface HeldRow {
  readonly line: number;
  readonly target: Target;
  /** The earlier entry of this machine, or null for a colleague's. */
  readonly earlier: EarlierEntry | null;
  readonly words: string;
  /** The part of the sentence that rows with the same cause share, without the entry. */
  readonly cause: string;
}

/** The rows of an input that repeat earlier entries, with those that the duplicate guard bars. */
export interface HeldBack {
  /** Number of rows that need a reason, including the other rows of the same requests. */
  readonly rows: number;
  readonly requests: number;
  /** The sum of the amounts of the `rows` as decimal text, or `0` if they have no amounts. */
  readonly sum: string;
  /** Number of barred rows that repeat an earlier entry. The other `rows` are in their requests. */
  readonly repeated: number;
  /** The first barred rows that repeat an earlier entry, at most 100. */
  readonly first: readonly HeldRow[];
  /** The findings about all barred rows. A reason passes exactly these. */
  readonly findings: readonly Finding[];
  /** Number of rows that were sent before and that the service does not add twice. */
  readonly recognized: number;
  readonly firstRecognized: string | null;
  /** Number of rows whose ID an earlier entry used for other content. */
  readonly sameIds: number;
  readonly firstSameId: string | null;
  /** The error if the team could not be asked about all rows, or null. */
  readonly unasked: AppError<"team"> | null;
}

export const nothingHeldBack: HeldBack = {
  rows: 0,
  requests: 0,
  sum: "0",
  repeated: 0,
  first: [],
  findings: [],
  recognized: 0,
  firstRecognized: null,
  sameIds: 0,
  firstSameId: null,
  unasked: null,
};

const maxListed = 100;

const askAtOnce = 500;

type TeamAsked = Parameters<typeof askTeam>[0];

/** A request about which the team was not asked yet. `held` has the items that the journal bars. */
interface Waiting {
  readonly request: PlannedRequest;
  readonly write: PreparedWrite;
  readonly held: ReadonlySet<number>;
}

/** Counts the barred rows of an input. It looks up each item once, in an index of the journal. */
export class HeldBackCounter {
  readonly #journal: Journal;
  readonly #baseUrl: string;
  readonly #sum = new ExactSum();
  readonly #first: HeldRow[] = [];
  readonly #findings: Finding[] = [];
  readonly #counts: { -readonly [Name in keyof HeldBack]: HeldBack[Name] } = { ...nothingHeldBack };

  /** The context whose team is asked, or null without a team. */
  readonly #shared: TeamAsked | null;
  #waiting: Waiting[] = [];

  constructor(journal: Journal, baseUrl: string, shared: TeamAsked | null = null) {
    this.#journal = journal;
    this.#baseUrl = baseUrl;
    this.#shared = shared?.team == null ? null : shared;
  }

  get isDue(): boolean {
    return this.#waiting.length >= askAtOnce;
  }

  /**
   * Asks the team about the rows that were added since the last question. Resolves with those that a
   * colleague's entry bars.
   */
  async askTeam(): Promise<readonly HeldRow[]> {
    const asked = this.#waiting;
    this.#waiting = [];
    if (this.#shared === null || asked.length === 0) return [];
    const questions = asked.map(({ write }) => ({ write, id: null }));
    const bars = await askTeam(this.#shared, questions).catch((error: unknown) => {
      if (!isAppError(error, "team")) throw error;
      // The claim of each row asks again, so the check goes on without the team.
      this.#counts.unasked = error;
      return [];
    });
    return asked.flatMap((one, at) => this.#holdForTeam(one, bars[at] ?? null));
  }

  /**
   * Counts a recorded request that the team's ledger barred when it was last claimed. `isFirst` is true
   * if the journal bars none of its items.
   */
  addForTeam(
    { write, lines, target }: PlannedRequest,
    { findings, words }: Pick<TeamBarred, "findings" | "words">,
    isFirst: boolean,
  ): void {
    this.#findings.push(...findings);
    const row = { line: lines[0] ?? 0, target, earlier: null, words, cause: words };
    this.#hold(prepareWrite(write), lines, [row], isFirst);
  }

  #holdForTeam({ request, write, held }: Waiting, bar: TeamBar | null): readonly HeldRow[] {
    if (bar === null) return [];
    const { lines, target } = request;
    const theirs = bar.byItem
      .filter(({ position }) => !held.has(position))
      .map((worst): HeldRow => {
        const words = teamBarWords({ ...bar, worst }, { ...write, keys: write.keys.slice(0, 1) });
        return { line: lines[worst.position] ?? 0, target, earlier: null, words, cause: words };
      });
    this.#findings.push(...bar.findings);
    this.#hold(write, lines, theirs, held.size === 0);
    return theirs;
  }

  /** Counts rows that repeat an earlier entry. A request is counted once. */
  #hold(
    write: PreparedWrite,
    lines: readonly number[],
    held: readonly HeldRow[],
    isFirst: boolean,
  ): void {
    const counts = this.#counts;
    counts.repeated += held.length;
    this.#first.push(...held.slice(0, maxListed - this.#first.length));
    if (!isFirst || held.length === 0) return;
    counts.rows += lines.length;
    counts.requests += 1;
    const contents = new Contents(write.operation);
    contents.add(write.facts.items);
    if (contents.sum !== null) this.#sum.add(contents.sum);
  }

  /**
   * Counts the rows of a request, and returns those that the guard bars because they repeat an
   * earlier entry. `scope` is for a request that is recorded already. Throws a journal error.
   */
  add(planned: PlannedRequest, scope: GuardScope = {}): readonly HeldRow[] {
    const { lines, target } = planned;
    const write = prepareWrite(planned.write);
    const guarded = { baseUrl: this.#baseUrl, write };
    const { findings, sameIds } = this.#journal.read((rows) => ({
      findings: askAboutItems(rows, guarded, scope),
      sameIds: sameIdsOf(rows, guarded),
    }));
    const bars = findings.flatMap((finding, position) => {
      const bar = barOf(finding);
      return bar === null ? [] : [{ bar, position }];
    });
    // The list shows each row separately, even if its request has several rows.
    const held = bars.map(
      ({ bar, position }): HeldRow => ({
        line: lines[position] ?? 0,
        target,
        earlier: bar.earlier,
        words: barWords({ ...bar, items: 1 }),
        cause: commonBarWords(bar),
      }),
    );
    const reported = findings.filter((finding) => finding.kind === "reported");
    const counts = this.#counts;
    if (this.#shared !== null) {
      const positions = new Set(bars.map(({ position }) => position));
      this.#waiting.push({ request: planned, write, held: positions });
    }
    counts.recognized += reported.length;
    const [recognized] = reported;
    if (recognized !== undefined)
      counts.firstRecognized ??= describeEarlierEntry({ ...recognized, items: 1 });
    counts.sameIds += sameIds.length;
    const [sameId] = sameIds;
    if (sameId !== undefined) {
      const words = sameIdWords([sameId], write.facts.labels);
      counts.firstSameId ??= `Line ${lines[sameId.position] ?? 0}: ${words}`;
    }
    this.#findings.push(...bars.flatMap(({ bar }) => bar.findings));
    this.#hold(write, lines, held, true);
    return held;
  }

  result(): HeldBack {
    return { ...this.#counts, sum: this.#sum.text(), first: this.#first, findings: this.#findings };
  }
}

/**
 * Returns a line for each row that repeats an earlier entry, and one line for the other rows of
 * their requests. Empty if there are none.
 */
export function heldBackLines(
  held: HeldBack,
  nameOf = ({ line }: HeldRow) => `Line ${line}`,
): readonly string[] {
  return [...held.first.map((row) => `${nameOf(row)}: ${row.words}`), ...restLines(held)];
}

/**
 * Returns a line for each cause of the rows that repeat an earlier entry, with the numbers of the
 * lines and the entries, and one line for the other rows. Empty if there are none.
 */
export function heldBackCauses(held: HeldBack): readonly string[] {
  const byCause = Map.groupBy(held.first, ({ cause }) => cause);
  const lines = [...byCause].map(([cause, [first, ...others]]) => {
    if (first === undefined || others.length === 0) return `Line ${first?.line}: ${first?.words}`;
    const rows = [first, ...others];
    const at = rangesText(rows.map(({ line }) => line));
    const entries = rows.flatMap(({ earlier }) => earlier?.journalId ?? []);
    return entries.length === 0
      ? `Lines ${at}: ${cause}`
      : `${plural(rows.length, "row")} ${cause}: lines ${at}, as entries ${rangesText(entries)}.`;
  });
  return [...lines, ...restLines(held)];
}

/** Formats whole numbers in ascending order, for example `2 to 4, 7`. */
function rangesText(numbers: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to + 1 === number) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(", ");
}

function restLines({ rows, repeated, first }: HeldBack): readonly string[] {
  const [unlisted, sharing] = [repeated - first.length, rows - repeated];
  return [
    ...(unlisted > 0 ? [`and ${plural(unlisted, "more row")}`] : []),
    ...(sharing > 0
      ? [`${plural(sharing, "row")} beside them: a request goes out as a whole or not at all.`]
      : []),
  ];
}

export function unaskedWords({ unasked }: Pick<HeldBack, "unasked">): string | null {
  if (unasked === null) return null;
  return `${capital(unasked.message)}, so the rows of colleagues are not known. Each row is claimed before it is sent.`;
}

/** Describes in one line the rows whose ID has other content, or returns null if there are none. */
export function sameIdsWords({ sameIds, firstSameId }: HeldBack): string | null {
  if (firstSameId === null) return null;
  return sameIds === 1 ? firstSameId : `${firstSameId} So were ${plural(sameIds - 1, "other ID")}.`;
}

/** Returns the counts without the barred rows. The `sum` is null if there are no amounts. */
export function withoutHeldBack(
  all: { readonly rows: number; readonly requests: number; readonly sum: string | null },
  held: Pick<HeldBack, "rows" | "requests" | "sum">,
) {
  return {
    rows: all.rows - held.rows,
    requests: all.requests - held.requests,
    sum: all.sum === null ? null : differenceOf(all.sum, held.sum),
  };
}

function differenceOf(all: string, part: string): string {
  const sum = new ExactSum();
  sum.add(all);
  sum.add(part, -1);
  return sum.text();
}
