import type { Block } from "./block.ts";
import type { BlockCharacters } from "./block-characters.ts";
import { blockSearchOf, shownTimesOf } from "./block-search.ts";
import { TextColumn } from "./columns.ts";
import { type AccountFacts, FactMatches, type FactsAtTime, noFacts } from "./filter-facts.ts";
import { containsBytes, type Needle, needleOf } from "./filter-needle.ts";
import { type FilterWord, implies, type TextWord } from "./filter-query.ts";
import { bitWords, type RowBits } from "./row-bits.ts";
import { findBytes, findPattern, type Texts } from "./search-texts.ts";
import type { ShownInstant } from "./shown-instant.ts";

/** Maximum number of words with cached results: about 130 kB each for a million rows. */
const maxCachedWords = 32;

interface SearchedColumn {
  readonly texts: Texts;
  readonly characters: BlockCharacters;
}

/** Finds the rows of full blocks that match a word, ignoring its negation. */
export interface RowMatches {
  readonly word: FilterWord;
  /** Returns the stored result of a block, or null if it was not searched. */
  cached(blockIndex: number): RowBits | null;
  /** Returns the matching rows of a full block, and stores them. */
  matchesIn(block: Block, blockIndex: number): RowBits;
  /** Returns the matching rows of `rows`. The result can contain other matching rows, too. */
  matchesAmong(block: Block, blockIndex: number, rows: RowBits): RowBits;
  clear(): void;
}

/** Finds and caches the rows of full blocks that contain a word, ignoring its negation. */
class WordMatches implements RowMatches {
  readonly word: TextWord;
  readonly #needle: Needle;
  readonly #shown: ShownInstant | null;
  /**
   * An earlier word that every row with this word contains, or null. Only its results are searched.
   */
  #wider: WordMatches | null;
  readonly #cached: (RowBits | undefined)[] = [];
  readonly #candidates: RowBits = new Uint32Array(bitWords);

  constructor(word: TextWord, shown: ShownInstant | null, wider: WordMatches | null) {
    this.word = word;
    this.#needle = needleOf(word);
    this.#shown = shown;
    this.#wider = wider;
  }

  cached(blockIndex: number): RowBits | null {
    return this.#cached[blockIndex] ?? null;
  }

  clear(): void {
    this.#cached.length = 0;
    this.#wider = null;
  }

  matchesIn(block: Block, blockIndex: number): RowBits {
    const cached = this.#cached[blockIndex];
    if (cached) return cached;
    const found = this.matchesAmong(block, blockIndex, null);
    this.#cached[blockIndex] = found;
    return found;
  }

  /**
   * Returns the rows of a full block that contain the word. Searches only `rows`, unless it is
   * null.
   */
  matchesAmong(block: Block, blockIndex: number, rows: RowBits | null): RowBits {
    const found: RowBits = new Uint32Array(bitWords);
    const { pending, gone } = blockSearchOf(block);
    const { inPending, inImported, inGone } = this.#needle;
    if (inPending) this.#add(pending, found);
    if (inGone && gone) this.#add(gone, found);
    if (inImported)
      for (let i = 0; i < bitWords; i++)
        found[i] = (found[i] as number) | ~((pending[i] as number) | (gone?.[i] ?? 0));
    if (inPending && inImported && (inGone || gone === null)) return found;
    const within = rows ?? this.#wider?.cached(blockIndex) ?? null;
    const columns = this.#columnsOf(block);
    // The rows found by a common beginning need no other search.
    for (const column of columns) this.#addIfBeginning(column, within, found);
    for (const column of columns) this.#search(column, within, found);
    return found;
  }

  #columnsOf(block: Block): readonly SearchedColumn[] {
    const { text, ends } = block;
    const { columns } = blockSearchOf(block);
    const { word } = this.#needle;
    const first = word.column === "any" ? TextColumn.external : TextColumn[word.column];
    const last = word.column === "any" ? TextColumn.created : first;
    const searched: SearchedColumn[] = [];
    for (let field = first; field <= last; field++) {
      const characters = columns[field] as BlockCharacters;
      searched.push({ texts: { text, ends, fields: 3, field }, characters });
    }
    if (this.#shown === null || last !== TextColumn.created) return searched;
    const shown = shownTimesOf(block, this.#shown);
    if (shown.characters !== null)
      searched.push({
        texts: { text: shown.text, ends: shown.ends, fields: 1, field: 0 },
        characters: shown.characters,
      });
    return searched;
  }

  #addIfBeginning({ characters }: SearchedColumn, within: RowBits | null, found: RowBits): void {
    const { bytes } = this.#needle;
    if (bytes === null) return;
    const rows = characters.rowsIfPrefixMatches((text) =>
      containsBytes(bytes, text, 0, text.length),
    );
    if (rows !== null) this.#add(this.#remaining(rows, within, found), found);
  }

  #search({ texts, characters }: SearchedColumn, within: RowBits | null, found: RowBits): void {
    const { bytes, pattern } = this.#needle;
    const nonAscii = characters.nonAsciiRows;
    if (nonAscii !== null && (bytes === null || bytes.foldsBeyondAscii)) {
      findPattern(pattern, texts, this.#remaining(nonAscii, within, found), found);
    }
    if (bytes === null) return;
    const candidates = this.#remaining(null, within, found);
    if (!characters.removeRowsWithout(bytes.lower, candidates)) return;
    if (bytes.lower.length > 1) findBytes(bytes, texts, candidates, found);
    else this.#add(candidates, found);
  }

  #add(rows: RowBits, found: RowBits): void {
    for (let i = 0; i < bitWords; i++) found[i] = (found[i] as number) | (rows[i] as number);
  }

  /**
   * Returns the rows that are not in `found`, but in `candidates` and `within`. A set that is null
   * excludes no row. The next call overwrites the result.
   */
  #remaining(candidates: RowBits | null, within: RowBits | null, found: RowBits): RowBits {
    const remaining = this.#candidates;
    for (let i = 0; i < bitWords; i++) remaining[i] = ~(found[i] as number);
    for (const rows of [candidates, within]) {
      if (rows)
        for (let i = 0; i < bitWords; i++)
          remaining[i] = (remaining[i] as number) & (rows[i] as number);
    }
    return remaining;
  }
}

/**
 * Caches the results of recent words for one table, so that a return to an earlier filter text
 * needs no search.
 */
export class FilterCache {
  readonly #shown: ShownInstant | null;
  readonly #now: () => number;
  readonly #words = new Map<string, RowMatches>();
  #facts: AccountFacts;

  constructor(
    shown?: ShownInstant,
    { facts = noFacts, now = Date.now }: { facts?: AccountFacts; now?: () => number } = {},
  ) {
    this.#shown = shown ?? null;
    this.#facts = facts;
    this.#now = now;
  }

  factsNow(): FactsAtTime {
    return { facts: this.#facts, now: this.#now() };
  }

  /** Replaces the facts, and drops the results that depend on them. */
  setFacts(facts: AccountFacts): void {
    this.#facts = facts;
    for (const [key, { word }] of this.#words) if (word.kind !== "text") this.#words.delete(key);
  }

  get shown(): ShownInstant | null {
    return this.#shown;
  }

  get(requested: FilterWord): RowMatches {
    const word = { ...requested, negated: false };
    // Words that depend on the current time or the marks are matched again for each filter.
    if (word.kind === "age" || word.kind === "since" || word.kind === "marked")
      return new FactMatches(word, this.factsNow());
    const key = JSON.stringify(word);
    const known = this.#words.get(key) ?? this.#newMatches(word);
    this.#words.delete(key);
    this.#words.set(key, known);
    for (const [oldest, matches] of this.#words) {
      if (this.#words.size <= maxCachedWords) break;
      matches.clear();
      this.#words.delete(oldest);
    }
    return known;
  }

  clear(): void {
    for (const matches of this.#words.values()) matches.clear();
    this.#words.clear();
  }

  #newMatches(word: FilterWord): RowMatches {
    return word.kind === "text"
      ? new WordMatches(word, this.#shown, this.#widerThan(word))
      : new FactMatches(word, this.factsNow());
  }

  /** Returns the longest cached word that every row with `word` contains, or null. */
  #widerThan(word: TextWord): WordMatches | null {
    let best: WordMatches | null = null;
    for (const matches of this.#words.values()) {
      if (!(matches instanceof WordMatches) || !implies(word, matches.word)) continue;
      if (best === null || matches.word.text.length >= best.word.text.length) best = matches;
    }
    return best;
  }
}
