/** Finds rows of an input that probably name a wrong supplier. */

import { quoted } from "../../rows/record-text.ts";
import { count, plural } from "../../text/numbers.ts";
import { nearest } from "../../text/suggest.ts";
import type { InputIssue } from "./issues.ts";
import { type PlannedRequest, subjectOf } from "./planner.ts";

/** Maximum number of rows of a supplier that only a few rows name. */
const maxFewRows = 5;
/** Minimum number of rows of the input for each row of such a supplier. */
const rowsPerFewRow = 20;
/** Maximum number of suppliers that are counted, so that memory stays bounded. */
const maxSuppliers = 1_000;

interface Named {
  /** The warning about a supplier that the profile does not have, or null. */
  readonly unknown: string | null;
  rows: number;
  readonly requests: PlannedRequest[];
}

export class NamedSuppliers {
  readonly #known: readonly string[];
  readonly #named = new Map<string, Named>();
  #rows = 0;

  /** `known` are the suppliers of the profile. If it has none, no supplier is unknown. */
  constructor(known: readonly string[]) {
    this.#known = known;
  }

  add(request: PlannedRequest): readonly InputIssue[] {
    const { importSupplier: supplier } = request.target;
    this.#rows += request.lines.length;
    const named = this.#named.get(supplier) ?? this.#begin(supplier);
    named.rows += request.lines.length;
    if (named.unknown !== null) return warnings(request, named.unknown);
    if (named.rows <= maxFewRows) named.requests.push(request);
    return [];
  }

  #begin(supplier: string): Named {
    const isUnknown = this.#known.length > 0 && !this.#known.includes(supplier);
    const unknown = isUnknown
      ? `The profile has no supplier ${quoted(supplier)}.${hint(supplier, this.#known)}`
      : null;
    const named = { unknown, rows: 0, requests: [] };
    if (this.#named.size < maxSuppliers) this.#named.set(supplier, named);
    return named;
  }

  /** Returns a warning for each row of a supplier that only a few rows name. */
  rare(): readonly InputIssue[] {
    return [...this.#named].flatMap(([supplier, { unknown, rows, requests }]) => {
      if (unknown !== null || rows > maxFewRows || rows * rowsPerFewRow > this.#rows) return [];
      const others = [...this.#named.keys()].filter((other) => other !== supplier);
      const words = `Only ${count(rows)} of ${plural(this.#rows, "row")} ${rows === 1 ? "names" : "name"} ${quoted(supplier)}.${hint(supplier, others)}`;
      return requests.flatMap((request) => warnings(request, words));
    });
  }
}

function hint(supplier: string, others: readonly string[]): string {
  const suggestion = nearest(supplier, others);
  return suggestion === null ? "" : ` Did you mean ${quoted(suggestion)}?`;
}

function warnings({ lines, target }: PlannedRequest, message: string): readonly InputIssue[] {
  const subject = subjectOf(target);
  const column = "import_supplier";
  return lines.map((line) => ({
    severity: "warning",
    line,
    ...subject,
    column,
    message,
    about: null,
  }));
}
