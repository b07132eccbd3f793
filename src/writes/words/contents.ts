/**
 * Describes the contents of writes in words, such as `CHARGE 99.50 on 2026-11-10, T-9, for EXT-17
 * of ACME`.
 */
import { decimalProblem, ExactSum } from "../../forms/decimals.ts";
import { isJsonNumber, memberOf } from "../../json/exact.ts";
import { count, plural } from "../../text/numbers.ts";
import { textAt } from "../kinds/bodies.ts";
import { numberOf, type Operation, type Target } from "../kinds/kind.ts";
import { isOperation, kindOf } from "../kinds/kinds.ts";
import { bodyFacts, type PreparedWrite } from "../prepare.ts";

const maxListed = 3;
const maxTypes = 20;

export class Contents {
  readonly #operation: Operation;
  readonly #types = new Map<string, number>();
  readonly #sum = new ExactSum();
  #items = 0;
  #amounts = 0;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  /**
   * Adds the items of a body. The body is not read if only the number of items is needed and
   * `items` has it. Throws a write error `invalid` for a body of another operation.
   */
  addBody(body: Uint8Array, items?: number): void {
    const { amount, type } = kindOf(this.#operation).contents;
    if (items !== undefined && amount === null && type === null) this.#items += items;
    else this.add(bodyFacts(this.#operation, body).items);
  }

  /** Adds items that were parsed with exact numbers, each counted `times` times. */
  add(items: readonly unknown[], times = 1): void {
    const { amount, type } = kindOf(this.#operation).contents;
    for (const item of items) {
      this.#items += times;
      const itemAmount = amount === null ? undefined : memberOf(item, amount);
      if (isJsonNumber(itemAmount) && decimalProblem(itemAmount.rawJSON) === null) {
        this.#sum.add(itemAmount.rawJSON, times);
        this.#amounts += times;
      }
      const itemType = type === null ? null : textAt(item, type);
      if (itemType === null || (this.#types.size >= maxTypes && !this.#types.has(itemType)))
        continue;
      this.#types.set(itemType, (this.#types.get(itemType) ?? 0) + times);
    }
  }

  join(other: Contents): void {
    this.#items += other.#items;
    this.#amounts += other.#amounts;
    this.#sum.add(other.#sum.text());
    for (const [type, times] of other.#types)
      if (this.#types.has(type) || this.#types.size < maxTypes)
        this.#types.set(type, (this.#types.get(type) ?? 0) + times);
  }

  /** The exact sum of the amounts (0 without amounts), or null if the user is not shown the sum. */
  get sum(): string | null {
    return kindOf(this.#operation).isSummed ? this.#sum.text() : null;
  }

  /** The exact sum of the amounts of any operation, or null if no item has an amount. */
  get knownAmount(): string | null {
    return this.#amounts === 0 ? null : this.#sum.text();
  }

  /** Describes the items and their amounts: `2 CHARGE of 30.00 in all`, `1 note`. */
  words(): string {
    return `${this.#itemWords()}${this.#moneyWords()}`;
  }

  #itemWords(): string {
    const { item } = kindOf(this.#operation);
    const types = [...this.#types].sort(([, a], [, b]) => b - a);
    const [[mostFrequent, times] = ["", 0]] = types;
    if (times === this.#items && types.length === 1) return `${count(this.#items)} ${mostFrequent}`;
    const unlisted = types.length - maxListed;
    const listed = types.slice(0, maxListed).map(([name, n]) => `${count(n)} ${name}`);
    if (unlisted > 0) listed.push(plural(unlisted, "more type"));
    const typeText = listed.length === 0 ? "" : ` (${listed.join(", ")})`;
    return `${plural(this.#items, item)}${typeText}`;
  }

  #moneyWords(): string {
    if (kindOf(this.#operation).contents.amount === null || this.#items === 0) return "";
    if (this.#amounts === 0) return " without an amount";
    if (this.#items === 1) return ` of ${this.#sum.text()}`;
    const withoutAmount = this.#items - this.#amounts;
    const exception = withoutAmount === 0 ? "" : `, ${count(withoutAmount)} without an amount`;
    return ` of ${this.#sum.text()} in all${exception}`;
  }
}

export function targetWords(target: Target): string {
  return `${numberOf(target)} of ${target.importSupplier}`;
}

/** Describes one item with its amount, its date and its ID: `CHARGE 99.50 on 2026-11-10, T-9`. */
export function oneItemWords(operation: Operation, item: unknown): string {
  const { contents, idField } = kindOf(operation);
  const fieldOf = (field: string | null) => (field === null ? null : textAt(item, field));
  const counted = new Contents(operation);
  counted.add([item]);
  const type = fieldOf(contents.type);
  const start =
    type === null ? counted.words() : `${type} ${counted.knownAmount ?? "without an amount"}`;
  const day = fieldOf(contents.date);
  const name = fieldOf(contents.reference ?? idField);
  return `${start}${day === null ? "" : ` on ${day}`}${name === null ? "" : `, ${name}`}`;
}

/** Describes a write's items and target: `CHARGE 99.50 on 2026-11-10, T-9, for EXT-17 of ACME`. */
export function writeWords({
  operation,
  facts,
}: {
  readonly operation: Operation;
  readonly facts: Pick<PreparedWrite["facts"], "target" | "items">;
}): string {
  const { target, items } = facts;
  const counted = new Contents(operation);
  counted.add(items);
  const isOne = items.length === 1;
  const itemText = isOne ? oneItemWords(operation, items[0]) : counted.words();
  const targetText = `${target.kind === "account" ? "for " : ""}${targetWords(target)}`;
  const hasComma = (isOne && itemText.includes(", ")) || target.kind === "supply-point";
  return `${itemText}${hasComma ? "," : ""} ${targetText}`;
}

/**
 * Describes the contents of an entry from its stored body: `"Called the customer"`, `CHARGE 99.50
 * on 2026-11-10, T-9`. Returns an empty text for a supply point, and for a body that was purged or
 * cannot be read.
 */
export function bodyWords(operation: string, body: string | null): string {
  if (body === null || !isOperation(operation)) return "";
  const { contents, itemsField, naming } = kindOf(operation);
  try {
    const { items, labels, target } = bodyFacts(operation, new TextEncoder().encode(body));
    if (target.kind === "supply-point") return "";
    if (contents.amount === null) {
      const words = items.map((item, at) => {
        const name = naming.sent(item);
        return !name ? labels[at] : itemsField === null ? name : `"${name}"`;
      });
      return words.join(", ");
    }
    const counted = new Contents(operation);
    counted.add(items);
    return items.length === 1 ? oneItemWords(operation, items[0]) : counted.words();
  } catch {
    return "";
  }
}
