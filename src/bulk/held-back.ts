/** The rows of an input that the duplicate guard would hold back, found before anything is sent. */
import { ExactSum } from "../forms/decimals.ts";
import { plural } from "../text/numbers.ts";
import { askAboutItems, barOf, type EarlierEntry, sameIdsOf } from "../writes/guard.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Target } from "../writes/kinds/kind.ts";
import { kindOf } from "../writes/kinds/kinds.ts";
import { prepareWrite } from "../writes/prepare.ts";
import { barWords, describeEarlierEntry, sameIdWords } from "../writes/words/guard.ts";
import type { PlannedRequest } from "./planned.ts";

/** A row with an item of an earlier entry. */
export interface HeldRow {
  readonly line: number;
  readonly target: Target;
  readonly earlier: EarlierEntry;
  /** The earlier entry and its state, as a sentence. */
  readonly words: string;
}

export interface HeldBack {
  /**
   * Number of all rows that are not sent without a reason. A request is sent as a whole or not at
   * all.
   */
  readonly rows: number;
  readonly requests: number;
  /** The sum of their amounts as decimal text, or 0 if there are none. */
  readonly sum: string;
  /**
   * Number of rows that repeat an earlier entry. The others are in one request with one of those.
   */
  readonly repeated: number;
  /** The first rows that repeat an earlier entry. */
  readonly first: readonly HeldRow[];
  /** Rows that were sent before and that the service does not add twice, and the first of them. */
  readonly recognized: number;
  readonly firstRecognized: string | null;
  /** Rows whose ID an earlier entry has with other content, and the first of them in words. */
  readonly sameIds: number;
  readonly firstSameId: string | null;
}

export const nothingHeldBack: HeldBack = {
  rows: 0,
  requests: 0,
  sum: "0",
  repeated: 0,
  first: [],
  recognized: 0,
  firstRecognized: null,
  sameIds: 0,
  firstSameId: null,
};

/** Maximum number of rows that are stored for a list. */
const mostListed = 100;

/** Asks the guard about one request after another; each item costs a look into an index. */
export class HeldBackCounter {
  readonly #journal: Journal;
  readonly #baseUrl: string;
  readonly #sum = new ExactSum();
  readonly #first: HeldRow[] = [];
  #found: HeldBack = nothingHeldBack;

  constructor(journal: Journal, baseUrl: string) {
    this.#journal = journal;
    this.#baseUrl = baseUrl;
  }

  /** Returns the rows of a request that repeat an earlier entry. Throws a journal error. */
  add({ write: request, lines, target }: PlannedRequest): readonly HeldRow[] {
    const write = prepareWrite(request);
    const guarded = { baseUrl: this.#baseUrl, write };
    const { findings, sameIds } = this.#journal.read((rows) => ({
      findings: askAboutItems(rows, guarded, null),
      sameIds: sameIdsOf(rows, guarded),
    }));
    const held = findings.flatMap((finding, at): readonly HeldRow[] => {
      const bar = barOf(finding);
      const line = lines[at] ?? 0;
      // In the list each row is on its own, whatever it is sent with.
      return bar === null
        ? []
        : [{ line, target, earlier: bar.earlier, words: barWords({ ...bar, items: 1 }) }];
    });
    const reported = findings.filter((finding) => finding.kind === "reported");
    const [known] = reported;
    const { rows, requests, repeated, recognized, firstRecognized, firstSameId } = this.#found;
    const [sameId] = sameIds;
    this.#found = {
      ...this.#found,
      rows: rows + (held.length === 0 ? 0 : lines.length),
      requests: requests + (held.length === 0 ? 0 : 1),
      repeated: repeated + held.length,
      recognized: recognized + reported.length,
      firstRecognized:
        firstRecognized ??
        (known === undefined ? null : describeEarlierEntry({ ...known, items: 1 })),
      sameIds: this.#found.sameIds + sameIds.length,
      firstSameId:
        firstSameId ??
        (sameId === undefined
          ? null
          : `Line ${lines[sameId.position] ?? 0}: ${sameIdWords([sameId], write.facts.labels)}`),
    };
    if (held.length === 0) return held;
    this.#first.push(...held.slice(0, mostListed - this.#first.length));
    const { amounts } = kindOf(write.operation);
    for (const amount of amounts?.(write.facts.payload) ?? []) this.#sum.add(amount);
    return held;
  }

  result(): HeldBack {
    return { ...this.#found, sum: this.#sum.text(), first: this.#first };
  }
}

/** The row of each line that repeats an earlier entry, and those beside them; empty for none. */
export function heldBackLines(
  { rows, repeated, first }: HeldBack,
  nameOf = ({ line }: HeldRow) => `Line ${line}`,
): readonly string[] {
  const [more, beside] = [repeated - first.length, rows - repeated];
  return [
    ...first.map((row) => `${nameOf(row)}: ${row.words}`),
    ...(more > 0 ? [`and ${plural(more, "more row")}`] : []),
    ...(beside > 0
      ? [`${plural(beside, "row")} beside them: a request goes out as a whole or not at all.`]
      : []),
  ];
}

/**
 * Describes the rows whose ID was used with other content in one line, or returns null if there are
 * none.
 */
export function sameIdsWords({ sameIds, firstSameId }: HeldBack): string | null {
  if (firstSameId === null) return null;
  return sameIds === 1 ? firstSameId : `${firstSameId} So were ${plural(sameIds - 1, "other ID")}.`;
}

/** Takes the rows that are held back off all of an input; `sum` is null if there are no amounts. */
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
