/** Checks every row of a bulk input in one pass, before anything is sent. */
import { isRecord } from "../json/exact.ts";
import { kindOf } from "../writes/kinds/kinds.ts";
import { Contents } from "../writes/words/contents.ts";
import { type HeldBack, type HeldBackCounter, type HeldRow, nothingHeldBack } from "./held-back.ts";
import { type InputIssue, type InputIssues, IssueCollector } from "./input/issues.ts";
import { NamedSuppliers } from "./input/named-suppliers.ts";
import { type Planned, type PlannedRequest, subjectOf } from "./input/planner.ts";
import { readPlanned } from "./input/read-planned.ts";
import type { ReadingOptions } from "./run-settings.ts";
import { hashWhileReading } from "./source.ts";

export interface Checked {
  readonly reading: ReadingOptions;
  /** Number of rows, including rows with errors. */
  readonly rows: number;
  readonly requests: number;
  readonly issues: InputIssues;
  /** The rows that the duplicate guard bars unless the user enters a reason. */
  readonly heldBack: HeldBack;
  /** The sum of the amounts of all transactions, as exact decimal text, or null for other kinds. */
  readonly sum: string | null;
  /** The number and the amounts of the items in words, or null if there is no request. */
  readonly contents: string | null;
  /** True if a second run adds nothing, because the service recognizes or refuses each request. */
  readonly repeatable: boolean;
  /** The number and amounts of each supplier's items in words, in the order of the input. */
  readonly suppliers: readonly { readonly supplier: string; readonly contents: string }[];
  readonly first: readonly PlannedRequest[];
  readonly last: PlannedRequest | null;
  /**
   * SHA-256 of the input's bytes, as hexadecimal. Empty if there is an error of the input as a
   * whole, because the input might not have been read to its end.
   */
  readonly sha256: string;
}

export interface CheckProgress {
  readonly rows: number;
  readonly errors: number;
  readonly bytes: number;
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** Finds the rows that were sent before, or null if there is no journal. */
  readonly guard: HeldBackCounter | null;
  /** The suppliers of the profile. Default: none, and no supplier is unknown. */
  readonly suppliers?: readonly string[];
  readonly issuesOf?: (request: PlannedRequest) => Promise<readonly InputIssue[]>;
  /** Called about every 5,000 rows. */
  readonly onProgress?: (progress: CheckProgress) => void;
}

const maxFirst = 5;

/** Maximum number of listed suppliers. Further suppliers are counted as one. */
const maxSuppliers = 20;
const otherSuppliers = "others";

const rowsBetweenProgress = 5000;

/** Maximum time of checking before keys and signals are handled, in milliseconds. */
const maxTurnMs = 8;

/**
 * Reads an input and checks each row. Rejects with the reason of the signal, even while the input
 * stalls, or with the error of the input or the journal.
 */
export async function checkRows(
  input: AsyncIterable<Uint8Array>,
  reading: ReadingOptions,
  { signal, guard, suppliers = [], issuesOf, onProgress }: CheckOptions,
): Promise<Checked> {
  signal.throwIfAborted();
  const { bytes, digest, size } = hashWhileReading(input);
  const counting = new InputCounter(guard, suppliers);
  const planned = readPlanned(bytes, reading);
  let rejectNext: (reason: unknown) => void = () => {};
  const onAbort = () => rejectNext(signal.reason);
  // One listener serves all waits, because a listener for each row would use too much memory.
  const next = () =>
    new Promise<IteratorResult<Planned>>((resolve, reject) => {
      rejectNext = reject;
      planned.next().then(resolve, reject);
    });
  signal.addEventListener("abort", onAbort);
  let isEnded = false;
  let reportedAt = 0;
  let turnSince = performance.now();
  try {
    for (;;) {
      const { done, value } = await next();
      signal.throwIfAborted();
      isEnded = done === true;
      if (isEnded) break;
      counting.add(value as Planned);
      if (issuesOf !== undefined && value?.kind === "request")
        for (const issue of await issuesOf(value.request)) counting.issues.listIssue(issue);
      if (guard?.isDue === true) counting.listBarred(await guard.askTeam());
      if (counting.rows - reportedAt >= rowsBetweenProgress) {
        reportedAt = counting.rows;
        onProgress?.({ rows: counting.rows, errors: counting.issues.errors, bytes: size() });
      }
      if (performance.now() - turnSince < maxTurnMs) continue;
      // Buffered rows arrive without a pause.
      await new Promise((resolve) => setImmediate(resolve));
      turnSince = performance.now();
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // This is not awaited, because an input that hangs would never end.
    if (!isEnded) void planned.return(undefined).catch(() => {});
  }
  counting.listBarred((await guard?.askTeam()) ?? []);
  const result = counting.result();
  return { reading, ...result, sha256: result.issues.ofInput === 0 ? digest() : "" };
}

/**
 * Returns true if the rows without an error can be sent alone: the errors are about single rows, and
 * at least one row is left.
 */
export function canLeaveOutBadRows({ issues, requests }: Checked): boolean {
  return issues.ofInput === 0 && requests > 0;
}

export function withoutBadRows(checked: Checked): Checked {
  return { ...checked, rows: checked.rows - checked.issues.rows };
}

class InputCounter {
  readonly issues = new IssueCollector();
  readonly #guard: HeldBackCounter | null;
  readonly #named: NamedSuppliers;
  #rowsOfRequests = 0;
  #requests = 0;
  readonly #suppliers = new Map<string, Contents>();
  #repeatable = true;
  readonly #first: PlannedRequest[] = [];
  #last: PlannedRequest | null = null;

  constructor(guard: HeldBackCounter | null, suppliers: readonly string[]) {
    this.#guard = guard;
    this.#named = new NamedSuppliers(suppliers);
  }

  get rows(): number {
    return this.#rowsOfRequests + this.issues.rows;
  }

  add(planned: Planned): void {
    if (planned.kind !== "request") {
      this.issues.add(planned.issue, planned.ofInput);
      return;
    }
    const { request } = planned;
    this.#rowsOfRequests += request.lines.length;
    this.#requests += 1;
    if (this.#first.length < maxFirst) this.#first.push(request);
    this.#last = request;
    this.#repeatable &&= isRepeatable(request);
    this.#contentsOf(request).addBody(request.write.body, request.lines.length);
    for (const issue of this.#named.add(request)) this.issues.add(issue, false);
    this.listBarred(this.#guard?.add(request) ?? []);
  }

  listBarred(rows: readonly HeldRow[]): void {
    for (const barred of rows) this.issues.listIssue(issueOfBarred(barred));
  }

  #contentsOf({ target, write }: PlannedRequest): Contents {
    const isListed = this.#suppliers.has(target.importSupplier);
    const supplier =
      isListed || this.#suppliers.size < maxSuppliers ? target.importSupplier : otherSuppliers;
    const contents = this.#suppliers.get(supplier) ?? new Contents(write.operation);
    this.#suppliers.set(supplier, contents);
    return contents;
  }

  result(): Omit<Checked, "reading" | "sha256"> {
    const contents = this.#last === null ? null : new Contents(this.#last.write.operation);
    for (const ofSupplier of this.#suppliers.values()) contents?.join(ofSupplier);
    for (const issue of this.#named.rare()) this.issues.add(issue, false);
    return {
      rows: this.rows,
      requests: this.#requests,
      issues: this.issues.result(),
      heldBack: this.#guard?.result() ?? nothingHeldBack,
      sum: contents?.sum ?? null,
      contents: contents?.words() ?? null,
      suppliers: Array.from(this.#suppliers, ([supplier, ofSupplier]) => ({
        supplier,
        contents: ofSupplier.words(),
      })),
      repeatable: this.#repeatable,
      first: this.#first,
      last: this.#last,
    };
  }
}

function issueOfBarred({ line, target, words, earlier }: HeldRow): InputIssue {
  return {
    severity: "held",
    line,
    ...subjectOf(target),
    column: null,
    message: `Held back. ${words}`,
    about: { kind: "entry", id: earlier === null || earlier.isRemoved ? null : earlier.journalId },
  };
}

const utf8 = new TextDecoder();

/** Returns true if a second send of the request would add nothing. */
function isRepeatable({ write }: PlannedRequest): boolean {
  const { operation, query = {}, body } = write;
  const { readBack, isDeduplicated } = kindOf(operation);
  if (readBack.by === "look-up") return true;
  // Only the query decides for transactions, so that a large input is parsed once.
  const isNotes = operation === "notes create";
  return isDeduplicated(query, isNotes ? itemsOf(JSON.parse(utf8.decode(body)), "notes") : []);
}

function itemsOf(payload: unknown, name: string): readonly unknown[] {
  const items = isRecord(payload) ? payload[name] : null;
  return Array.isArray(items) ? items : [];
}
