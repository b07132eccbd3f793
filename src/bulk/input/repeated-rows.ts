/** Finds rows of an input that repeat an earlier row of the same input. */
import { hash } from "node:crypto";
import type { FormKind } from "../../forms/forms.ts";
import { equalRowMessage } from "../../forms/rules.ts";
import type { JsonObject } from "../../json/exact.ts";
import { normalJson } from "../../json/normal-form.ts";
import { itemKeys } from "../../writes/item-keys.ts";
import { kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import type { CheckedIssue } from "./request-body.ts";

/** Number of values in a slot: two for the hash, and one for the line. Line 0 marks a free slot. */
const slotSize = 3;
/** Maximum share of slots in use. The lookup is slow in a fuller table. */
const maxUse = 0.85;

/**
 * Stores the first line of each key in 14 to 21 bytes per row. It stores 64 bits of a hash, so the
 * chance of a false match in a million rows is about one in tens of millions.
 */
export class DuplicateKeyIndex {
  #slots: Uint32Array;
  #size = 0;

  constructor(slots = 1024) {
    this.#slots = new Uint32Array(slots * slotSize);
  }

  /** Returns the line stored with this key. Stores `line` and returns null if the key is new. */
  firstLine(key: string, line: number): number | null {
    if (this.#size + 1 > (this.#slots.length / slotSize) * maxUse) this.#grow();
    // A binary string needs less memory than a buffer for each of a million rows.
    const digest = hash("sha256", key, "binary");
    const [high, low] = [wordAt(digest, 0), wordAt(digest, 4)];
    const slot = slotFor(this.#slots, high, low);
    const first = this.#slots[slot + 2];
    if (first !== 0 && first !== undefined) return first;
    this.#slots.set([high, low, line], slot);
    this.#size += 1;
    return null;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Uint32Array(Math.ceil((old.length / slotSize) * 1.5) * slotSize);
    for (let at = 0; at < old.length; at += slotSize) {
      const line = old[at + 2] ?? 0;
      if (line === 0) continue;
      const [high, low] = [old[at] ?? 0, old[at + 1] ?? 0];
      slots.set([high, low, line], slotFor(slots, high, low));
    }
    this.#slots = slots;
  }
}

/** Returns the index of the slot with this hash, or of the free slot for this hash. */
function slotFor(slots: Uint32Array, high: number, low: number): number {
  let at = (low % (slots.length / slotSize)) * slotSize;
  while (slots[at + 2] !== 0 && (slots[at] !== high || slots[at + 1] !== low)) {
    at += slotSize;
    if (at === slots.length) at = 0;
  }
  return at;
}

function wordAt(digest: string, at: number): number {
  const byte = (n: number) => digest.charCodeAt(at + n);
  return ((byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3)) >>> 0;
}

/** Finds rows that repeat an earlier row: errors for equal items, and warnings for similar rows. */
export class Repeats {
  readonly #rows = new DuplicateKeyIndex();
  readonly #items = new DuplicateKeyIndex();
  readonly #kind: FormKind;
  readonly #query: Readonly<Record<string, string>>;

  constructor(kind: FormKind, query: Readonly<Record<string, string>>) {
    this.#kind = kind;
    this.#query = query;
  }

  /**
   * Returns the issues of items that equal an item of an earlier line, if the service would not
   * recognize the repetition. The duplicate guard would bar the second item.
   */
  issuesOf(body: JsonObject, lines: readonly number[]): readonly CheckedIssue[] {
    const operation = operationOf(this.#kind);
    const { readBack, readBody, isDeduplicated, item } = kindOf(operation);
    if (readBack.by === "look-up") return [];
    const facts = readBody(body);
    if (isDeduplicated(this.#query, facts.items)) return [];
    return itemKeys(operation, facts).flatMap(({ content }, at) => {
      const line = lines[at] ?? 0;
      if (isDeduplicated(this.#query, [facts.items[at]])) return [];
      const first = this.#items.firstLine(content, line);
      // An item is looked up again if its request is planned again without the rows with errors.
      if (first === null || first === line) return [];
      return [{ at, field: "", message: equalRowMessage(item, `line ${first}`), ofValue: true }];
    });
  }

  /** Returns the warning for a valid row that repeats an earlier row, or null for any other row. */
  warningFor(row: JsonObject, line: number): string | null {
    const { sameRow } = kindOf(operationOf(this.#kind));
    const key = sameRow?.key(row) ?? null;
    if (sameRow === undefined || key === null) return null;
    const first = this.#rows.firstLine(normalJson(key), line);
    return first === null ? null : sameRow.words(first, this.#query);
  }
}
