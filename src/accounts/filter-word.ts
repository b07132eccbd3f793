import { type AccountFacts, noFacts } from "./account-facts.ts";
import type { Block } from "./block.ts";
import type { BlockCharacters } from "./block-characters.ts";
import { blockSearchOf, shownTimesOf } from "./block-search.ts";
import { TextColumn } from "./columns.ts";
import { FactFinds, type FilterKnowledge } from "./filter-facts.ts";
import { lookForBytes, lookForPattern, type Texts } from "./filter-look.ts";
import { type Needle, needleOf, standsIn } from "./filter-needle.ts";
import { type FilterWord, finds, type TextWord } from "./filter-query.ts";
import { bitWords, type RowBits } from "./row-bits.ts";
import type { ShownInstant } from "./shown-instant.ts";

/** Words whose finds are kept: some 130 kB each for a million rows. */
const keptWords = 32;

interface SearchedColumn {
  readonly texts: Texts;
  readonly characters: BlockCharacters;
}

/** The rows of full blocks for which a word holds, its negation aside. */
export interface RowFinds {
  readonly word: FilterWord;
  /** What was found in a block, if it was searched. */
  known(at: number): RowBits | null;
  /** The rows of a full block; stored for the next time. */
  in(block: Block, at: number): RowBits;
  /** Those of `rows`; where that is simpler, others too. */
  among(block: Block, at: number, rows: RowBits): RowBits;
  forget(): void;
}

/** One word (without its negation) and the rows of full blocks that hold it, as far as was asked. */
class WordFinds implements RowFinds {
  readonly word: TextWord;
  readonly #needle: Needle;
  readonly #shown: ShownInstant | null;
  /** A shorter word that every row with this one holds too. */
  #wider: WordFinds | null;
  readonly #known: (RowBits | undefined)[] = [];
  readonly #candidates: RowBits = new Uint32Array(bitWords);

  constructor(word: TextWord, shown: ShownInstant | null, wider: WordFinds | null) {
    this.word = word;
    this.#needle = needleOf(word);
    this.#shown = shown;
    this.#wider = wider;
  }

  /** What was found in a block, if it was looked at. */
  known(at: number): RowBits | null {
    return this.#known[at] ?? null;
  }

  /** Lets go of what was found: the word is of no use to others any more. */
  forget(): void {
    this.#known.length = 0;
    this.#wider = null;
  }

  /** The rows of a full block that hold the word; kept for the next time. */
  in(block: Block, at: number): RowBits {
    const known = this.#known[at];
    if (known) return known;
    const found = this.among(block, at, null);
    this.#known[at] = found;
    return found;
  }

  /** The rows of a full block that hold the word, of `rows` only where that is given. */
  among(block: Block, at: number, rows: RowBits | null): RowBits {
    const found: RowBits = new Uint32Array(bitWords);
    const { pending, gone } = blockSearchOf(block);
    const { inPending, inImported, inGone } = this.#needle;
    if (inPending) this.#take(pending, found);
    if (inGone && gone) this.#take(gone, found);
    if (inImported)
      for (let i = 0; i < bitWords; i++)
        found[i] = (found[i] as number) | ~((pending[i] as number) | (gone?.[i] ?? 0));
    if (inPending && inImported && (inGone || gone === null)) return found;
    const within = rows ?? this.#wider?.known(at) ?? null;
    const columns = this.#columnsOf(block);
    // What all of them hold needs no look, and spares the others one.
    for (const column of columns) this.#takeAlike(column, within, found);
    for (const column of columns) this.#look(column, within, found);
    return found;
  }

  /** The texts of a block that the word is looked for in. */
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

  #takeAlike({ characters }: SearchedColumn, within: RowBits | null, found: RowBits): void {
    const { bytes } = this.#needle;
    if (bytes === null) return;
    const rows = characters.rowsBeginning((text) => standsIn(bytes, text, 0, text.length));
    if (rows !== null) this.#take(this.#left(rows, within, found), found);
  }

  #look({ texts, characters }: SearchedColumn, within: RowBits | null, found: RowBits): void {
    const { bytes, pattern } = this.#needle;
    const beyond = characters.beyondAscii;
    if (beyond !== null && (bytes === null || bytes.foldsBeyondAscii)) {
      lookForPattern(pattern, texts, this.#left(beyond, within, found), found);
    }
    if (bytes === null) return;
    const candidates = this.#left(null, within, found);
    if (!characters.keepHolding(bytes.lower, candidates)) return;
    if (bytes.lower.length > 1) lookForBytes(bytes, texts, candidates, found);
    else this.#take(candidates, found);
  }

  #take(rows: RowBits, found: RowBits): void {
    for (let i = 0; i < bitWords; i++) found[i] = (found[i] as number) | (rows[i] as number);
  }

  /** The rows to look at: not found yet, and in both sets where they are given. */
  #left(some: RowBits | null, within: RowBits | null, found: RowBits): RowBits {
    const left = this.#candidates;
    for (let i = 0; i < bitWords; i++) left[i] = ~(found[i] as number);
    for (const rows of [some, within]) {
      if (rows)
        for (let i = 0; i < bitWords; i++) left[i] = (left[i] as number) & (rows[i] as number);
    }
    return left;
  }
}

/** What has been found lately in one table, so that a text changed back is found at once. */
export class KnownWords {
  readonly #shown: ShownInstant | null;
  readonly #now: () => number;
  readonly #words = new Map<string, RowFinds>();
  #facts: AccountFacts;

  constructor(
    shown?: ShownInstant,
    { facts = noFacts, now = Date.now }: { facts?: AccountFacts; now?: () => number } = {},
  ) {
    this.#shown = shown ?? null;
    this.#facts = facts;
    this.#now = now;
  }

  /** What is known at this moment, for rows that are tested one by one. */
  knowledge(): FilterKnowledge {
    return { facts: this.#facts, now: this.#now() };
  }

  /** Answers with other facts from now on. */
  learn(facts: AccountFacts): void {
    this.#facts = facts;
    for (const [key, finds] of this.#words) if (finds.word.kind !== "text") this.#words.delete(key);
  }

  get shown(): ShownInstant | null {
    return this.#shown;
  }

  get(asked: FilterWord): RowFinds {
    const word = { ...asked, negated: false };
    // What depends on the time of asking is found each time; the times it needs are in the blocks.
    if (word.kind === "age" || word.kind === "since") return new FactFinds(word, this.knowledge());
    const key = JSON.stringify(word);
    const known = this.#words.get(key) ?? this.#begin(word);
    this.#words.delete(key);
    this.#words.set(key, known);
    for (const [oldest, word] of this.#words) {
      if (this.#words.size <= keptWords) break;
      word.forget();
      this.#words.delete(oldest);
    }
    return known;
  }

  /** Forgets everything found: the times are written differently now. */
  forget(): void {
    for (const word of this.#words.values()) word.forget();
    this.#words.clear();
  }

  #begin(word: FilterWord): RowFinds {
    return word.kind === "text"
      ? new WordFinds(word, this.#shown, this.#widerThan(word))
      : new FactFinds(word, this.knowledge());
  }

  #widerThan(word: TextWord): WordFinds | null {
    let best: WordFinds | null = null;
    for (const one of this.#words.values()) {
      if (!(one instanceof WordFinds) || !finds(word, one.word)) continue;
      if (best === null || one.word.text.length >= best.word.text.length) best = one;
    }
    return best;
  }
}
