/** Runs as the journal keeps them: made, listed, read. */
import { randomInt } from "node:crypto";
import { isRecord } from "../json/value.ts";
import { isGone } from "../writes/journal/claims.ts";
import { UnreadableRow } from "../writes/journal/journal-error.ts";
import {
  instant,
  maybeInstant,
  maybeText,
  type Row,
  type Rows,
  text,
  whole,
} from "../writes/journal/rows.ts";
import { ownerFrom, type ProcessLife } from "../writes/owner.ts";
import type { WriteContext } from "../writes/submit.ts";
import type { AtPoint, BulkContext } from "./bulk-context.ts";
import { type BulkKind, isBulkKind } from "./kinds.ts";
import { rowsLeft } from "./run-counts.ts";
import { RunError } from "./run-error.ts";
import { becauseKilled, type RunCounts, type RunRecord, type RunState } from "./run-record.ts";

export interface NewRun {
  readonly kind: BulkKind;
  /** The absolute path of the input, `-` for standard input, `console` for what the console composed. */
  readonly source: string;
  /** Of the input's bytes, as hexadecimal; empty where there was no file. */
  readonly sha256: string;
  readonly results: string | null;
  readonly reading: Readonly<Record<string, string>>;
  readonly rows: number;
  readonly requests: number;
}

/** No letters or digits that are taken for one another. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";

const idLength = 6;

/** Begins a run in the journal and resolves with its id. Rejects with JournalError. */
export async function createRun(
  context: BulkContext,
  run: NewRun,
  options: { readonly atPoint?: AtPoint } = {},
): Promise<string> {
  const { journal, service, profile, clock } = context.writes;
  const id = await journal.commit((rows) => {
    const at = clock.now();
    let made = newId();
    while (rows.get("SELECT 1 FROM run WHERE id = ?", made) !== undefined) made = newId();
    rows.run(
      `INSERT INTO run (id, kind, profile, base_url, source, sha256, results, reading, row_count,
         request_count, created_at, state, renewed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'recording', ?)`,
      made,
      run.kind,
      profile,
      service.baseUrl,
      run.source,
      run.sha256,
      run.results,
      JSON.stringify(run.reading),
      run.rows,
      run.requests,
      at,
      at,
    );
    return made;
  });
  await options.atPoint?.("run-created");
  return id;
}

function newId(): string {
  const rest = Array.from({ length: idLength - 1 }, () => letters[randomInt(letters.length)]);
  return `r${rest.join("")}`;
}

const columns = `id, kind, profile, base_url, source, sha256, results, reading, row_count,
  request_count, created_at, ended_at, state, stopped_by, stopped_because, owner, renewed_at`;

/** What runs are read with: no service is needed for it. */
export type RunReading = Pick<WriteContext, "journal" | "process" | "clock">;

/** Every run of the journal, newest first. Throws JournalError. */
export function listRuns(writes: RunReading): RunRecord[] {
  return writes.journal.read((rows) =>
    rows
      .all(`SELECT ${columns} FROM run ORDER BY created_at DESC, id`)
      .map((row) => recordOf(rows, row, writes)),
  );
}

/** One run. Throws RunError `not-found`, or JournalError. */
export function readRun(writes: RunReading, id: string): RunRecord {
  return writes.journal.read((rows) => {
    const row = rows.get(`SELECT ${columns} FROM run WHERE id = ?`, id);
    if (row === undefined) throw new RunError("not-found", `The journal has no run ${id}.`);
    return recordOf(rows, row, writes);
  });
}

function recordOf(rows: Rows, row: Row, writes: RunReading): RunRecord {
  const id = text(row, "id");
  const kind = text(row, "kind");
  if (!isBulkKind(kind)) throw new UnreadableRow("kind");
  const counts = countsOf(rows, id, whole(row, "row_count"));
  const { state, because } = standingOf(row, counts, writes.process, writes.clock.now());
  const lastSign = instant(row, "renewed_at");
  return {
    id,
    kind,
    profile: text(row, "profile"),
    baseUrl: text(row, "base_url"),
    source: text(row, "source"),
    sha256: text(row, "sha256"),
    results: maybeText(row, "results"),
    reading: readingIn(row),
    createdAt: instant(row, "created_at"),
    endedAt: maybeInstant(row, "ended_at") ?? (state === "ended" ? lastSign : null),
    state,
    stoppedBecause: because,
    rows: whole(row, "row_count"),
    requests: whole(row, "request_count"),
    counts,
  };
}

/** What the command was told, as it was kept with the run. */
export function readingIn(row: Row): Readonly<Record<string, string>> {
  try {
    const kept: unknown = JSON.parse(text(row, "reading"));
    return isRecord(kept) ? (kept as Record<string, string>) : {};
  } catch {
    // A damaged row: what was told is forgotten, the run is not.
    return {};
  }
}

/** A run whose rows have all ended is over, also where its process died before it could say so. */
function standingOf(
  row: Row,
  counts: RunCounts,
  process: ProcessLife,
  at: number,
): { readonly state: RunState; readonly because: string | null } {
  const kept = text(row, "state");
  const because = maybeText(row, "stopped_because");
  if (kept === "ended") return { state: "ended", because: null };
  if (kept === "stopped") {
    // Told to stop while its last rows were in flight: nothing is left that could be resumed.
    return rowsLeft({ counts }) === 0 && maybeText(row, "stopped_by") === "stopped"
      ? { state: "ended", because: null }
      : { state: "stopped", because };
  }
  const owner = ownerFrom(text(row, "owner"));
  const gone = owner === null || isGone(process, owner, whole(row, "renewed_at"), at);
  if (kept === "recording" || kept === "void") {
    return { state: gone ? "unrecorded" : "recording", because };
  }
  if (!gone) return { state: "running", because: null };
  return counts.waiting + counts.sending === 0
    ? { state: "ended", because: null }
    : { state: "stopped", because: becauseKilled };
}

/** How many rows stand how; those that are not written down yet count as waiting. */
export function countsOf(rows: Rows, id: string, all: number): RunCounts {
  const kept = new Map(
    rows
      .all("SELECT outcome, n FROM run_count WHERE run = ?", id)
      .map((row) => [text(row, "outcome"), whole(row, "n")]),
  );
  const count = (outcome: string) => kept.get(outcome) ?? 0;
  let recorded = 0;
  for (const n of kept.values()) recorded += n;
  return {
    waiting: count("waiting") + Math.max(0, all - recorded),
    sending: count("sending"),
    confirmed: count("confirmed"),
    exists: count("exists"),
    rejected: count("rejected"),
    retryable: count("retryable"),
    unknown: count("unknown"),
    closed: count("closed"),
  };
}
