/**
 * Asks the duplicate guard about an entry of the journal: the earlier entries with its items, and
 * its own earlier attempts. A resend is planned with it, and each sending is checked with it in the
 * commit that starts the attempt.
 */
import type { AppError } from "../errors/app-error.ts";
import type { Rows } from "../sqlite/rows.ts";
import { askGuard, type Bar, barOf, type FoundItem, type GuardFinding } from "./guard.ts";
import type { Entry } from "./journal/entry.ts";
import { type Finding, type FindingKind, notPassed } from "./journal/override.ts";
import { isRecognized } from "./kinds/kinds.ts";
import type { PreparedWrite } from "./prepare.ts";
import { barredError, doubtfulError } from "./words/guard.ts";

/** An entry that might have taken effect, and that the service would not recognize. */
interface MightApplyTwice {
  readonly kind: "might-apply-twice";
  readonly entry: Pick<Entry, "id" | "operation">;
  readonly findings: readonly Finding[];
  /** An earlier entry with the same item, which the service recognizes. Absent if there is none. */
  readonly reported?: FoundItem | undefined;
}

type EntryFinding = GuardFinding | MightApplyTwice;

/** A result that bars the entry unless an override passes its findings. */
export type EntryBar = Bar | MightApplyTwice;

type Guarded = Pick<Entry, "id" | "baseUrl" | "operation" | "state" | "createdAt" | "doubt">;

/**
 * Returns the most severe finding about an entry, with all findings that `passes` does not pass. An
 * entry that was rejected with a 400 needs a reason, whatever its kind.
 */
export function askAboutEntry(
  rows: Rows,
  entry: Guarded,
  write: PreparedWrite,
  passes: readonly Finding[],
): EntryFinding {
  const { id, baseUrl, operation, state, createdAt } = entry;
  const found = askGuard(rows, { baseUrl, write }, { except: id, passes });
  const own = notPassed(askAboutAttempts(rows, entry, write), passes);
  const findings = [...(barOf(found)?.findings ?? []), ...own];
  if (found.kind === "sent-before") return { ...found, findings };
  if (own.some(({ kind }) => kind === "refused")) {
    const earlier = { journalId: id, state, at: createdAt, isRemoved: false };
    const facts = { earlier, operation, position: null, items: write.keys.length, others: 0 };
    return { kind: "refused-before", ...facts, findings };
  }
  if (found.kind === "refused-before") return { ...found, findings };
  if (own.length === 0) return found;
  const reported = found.kind === "reported" ? found : undefined;
  return { kind: "might-apply-twice", entry, findings, reported };
}

/**
 * Returns the findings about the earlier attempts of an entry, one for each item: the service
 * refused it with a 400, or it might have taken effect and the service would not recognize it.
 */
function askAboutAttempts(
  rows: Rows,
  { id, doubt }: Guarded,
  { operation, query, keys, facts }: PreparedWrite,
): readonly Finding[] {
  const refused = "SELECT 1 FROM attempt WHERE intent = ? AND outcome = '400'";
  const inDoubt = doubt !== "none" && !isRecognized(operation, query, facts.items);
  const kinds: readonly FindingKind[] = [
    ...(rows.get(refused, id) === undefined ? [] : (["refused"] as const)),
    ...(inDoubt ? (["in-doubt"] as const) : []),
  ];
  return keys.flatMap(({ content: item }) => kinds.map((kind) => ({ item, kind, earlier: id })));
}

export function entryBarOf(finding: EntryFinding): EntryBar | null {
  return finding.kind === "might-apply-twice" ? finding : barOf(finding);
}

export function entryBarError(bar: EntryBar): AppError {
  return bar.kind === "might-apply-twice" ? doubtfulError(bar.entry) : barredError(bar);
}
