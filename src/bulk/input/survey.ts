import { isRecord } from "../../json/exact.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { Contents } from "../../writes/words/contents.ts";
import type { Planned, PlannedRequest, RowIssue } from "../planned.ts";

/** A summary of an input, shown before anything is sent. */
export interface Survey {
  /** Rows that requests are made of, and rows with problems. */
  readonly rows: number;
  readonly requests: number;
  /** The first problems. `problemCount` is the number of all. */
  readonly problems: readonly RowIssue[];
  readonly problemCount: number;
  readonly warnings: readonly RowIssue[];
  readonly warningCount: number;
  /** The sum of the amounts of all transactions, as exact decimal text, or null for other kinds. */
  readonly sum: string | null;
  /** The items and their money, in words, or null if nothing is written. */
  readonly contents: string | null;
  /** True if a second run would add nothing: the service recognizes or refuses each request. */
  readonly repeatable: boolean;
  /** The items and their money by supplier, in words, in the order of the input. */
  readonly suppliers: readonly { readonly supplier: string; readonly contents: string }[];
  /** The first requests, a few of them. */
  readonly first: readonly PlannedRequest[];
  readonly last: PlannedRequest | null;
}

const mostFirst = 5;

/** Suppliers that are listed; what goes to more of them is counted as one. */
const mostSuppliers = 20;
const otherSuppliers = "others";

type SurveyCounts = Pick<Survey, "rows" | "requests" | "problemCount" | "warningCount">;

interface SurveyOptions {
  readonly signal: AbortSignal;
  /** Maximum number of problems and of warnings to return. Default: 100. */
  readonly keep?: number;
  /** Called every few thousand rows. */
  readonly onProgress?: (counts: SurveyCounts) => void;
}

const rowsBetweenProgress = 5000;

/**
 * Reads the whole input and summarizes it. Rejects with the signal's reason, also while the input
 * stalls, and with the error of the input.
 */
export async function surveyInput(
  planned: AsyncIterable<Planned>,
  { signal, keep = 100, onProgress }: SurveyOptions,
): Promise<Survey> {
  const counting = new Counting(keep);
  const input = planned[Symbol.asyncIterator]();
  let onAbort: (reason: unknown) => void = () => {};
  const abort = () => onAbort(signal.reason);
  // One listener for all the waiting: a listener, or a race, for each row would pile up.
  const next = () =>
    new Promise<IteratorResult<Planned>>((resolve, reject) => {
      onAbort = reject;
      input.next().then(resolve, reject);
    });
  signal.throwIfAborted();
  signal.addEventListener("abort", abort);
  let isEnded = false;
  let reportedAt = 0;
  try {
    for (;;) {
      const { done, value } = await next();
      signal.throwIfAborted();
      isEnded = done === true;
      if (isEnded) break;
      counting.add(value);
      if (counting.rows - reportedAt < rowsBetweenProgress) continue;
      reportedAt = counting.rows;
      onProgress?.(counting.counts());
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // Not awaited: an input that hangs would not end.
    if (!isEnded) void input.return?.().catch(() => {});
  }
  return counting.survey();
}

class Counting {
  rows = 0;
  readonly #keep: number;
  #requests = 0;
  readonly #problems: RowIssue[] = [];
  #problemCount = 0;
  #problemLine = 0;
  readonly #warnings: RowIssue[] = [];
  #warningCount = 0;
  readonly #suppliers = new Map<string, Contents>();
  #repeatable = true;
  readonly #first: PlannedRequest[] = [];
  #last: PlannedRequest | null = null;

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(planned: Planned): void {
    switch (planned.kind) {
      case "request":
        this.#request(planned.request);
        break;
      case "problem": {
        const { problem } = planned;
        this.#problemCount += 1;
        if (this.#problems.length < this.#keep) this.#problems.push(problem);
        // Several problems of one row come one after another.
        if (problem.line !== this.#problemLine) this.rows += 1;
        this.#problemLine = problem.line;
        break;
      }
      case "warning":
        this.#warningCount += 1;
        if (this.#warnings.length < this.#keep) this.#warnings.push(planned.warning);
    }
  }

  #request(request: PlannedRequest): void {
    this.rows += request.lines.length;
    this.#requests += 1;
    if (this.#first.length < mostFirst) this.#first.push(request);
    this.#last = request;
    this.#repeatable &&= isRepeatable(request);
    this.#contentsOf(request).addBody(request.write.body, request.lines.length);
  }

  #contentsOf({ target, write }: PlannedRequest): Contents {
    const known = this.#suppliers.has(target.importSupplier);
    const supplier =
      known || this.#suppliers.size < mostSuppliers ? target.importSupplier : otherSuppliers;
    const contents = this.#suppliers.get(supplier) ?? new Contents(write.operation);
    this.#suppliers.set(supplier, contents);
    return contents;
  }

  counts(): SurveyCounts {
    return {
      rows: this.rows,
      requests: this.#requests,
      problemCount: this.#problemCount,
      warningCount: this.#warningCount,
    };
  }

  survey(): Survey {
    const contents = this.#last === null ? null : new Contents(this.#last.write.operation);
    for (const one of this.#suppliers.values()) contents?.join(one);
    return {
      ...this.counts(),
      problems: this.#problems,
      warnings: this.#warnings,
      sum: contents?.sum ?? null,
      contents: contents?.words() ?? null,
      suppliers: Array.from(this.#suppliers, ([supplier, one]) => ({
        supplier,
        contents: one.words(),
      })),
      repeatable: this.#repeatable,
      first: this.#first,
      last: this.#last,
    };
  }
}

const utf8 = new TextDecoder();

function isRepeatable({ write }: PlannedRequest): boolean {
  const { operation, query = {}, body } = write;
  const { readBack, isDeduplicated } = kindOf(operation);
  if (readBack.by === "look-up") return true;
  // Transactions are judged by the query alone, so that a large input is parsed once.
  const isNotes = operation === "notes create";
  return isDeduplicated(query, isNotes ? itemsOf(JSON.parse(utf8.decode(body)), "notes") : []);
}

function itemsOf(payload: unknown, name: string): readonly unknown[] {
  const items = isRecord(payload) ? payload[name] : null;
  return Array.isArray(items) ? items : [];
}
