/** Records an account list as an observation from the table that a load fills. */
import { fieldStart, TextColumn } from "../accounts/columns.ts";
import type { AccountBatch } from "../accounts/ingest/batch.ts";
import { betweenEvents } from "../accounts/slices.ts";
import type { AccountTable } from "../accounts/table.ts";
import type { ListRows, LoadRecorder } from "../triage/observations/observations.ts";

/**
 * Records a list after a load has put it into a table. The rows are read from the table, so that
 * there is no second copy of a million rows, and no rows are compared while others arrive. If the
 * table is full, recording begins at once, and only the further rows are copied.
 */
export class RecordedTable {
  /** Resolves when the recording of the list is over. Never rejects. */
  readonly recorded: Promise<void>;
  readonly #table: AccountTable;
  #blocks = 0;
  /** Rows for which the table had no room. */
  readonly #beyond: ListRows[] = [];
  #stage: "open" | "complete" | "dropped" = "open";
  #change = Promise.withResolvers<void>();

  /** `begin` is called when there is something to record. */
  constructor(table: AccountTable, begin: () => LoadRecorder) {
    this.#table = table;
    this.recorded = this.#record(begin).catch(() => {});
  }

  /** Reports that a batch is in the table, or the part of it that fits. */
  added(batch: AccountBatch): void {
    const { truncatedAt, came } = this.#table;
    if (truncatedAt !== null) this.#keep(batch, Math.max(0, truncatedAt - (came - batch.count)));
    this.#wake();
  }

  /** Reports that all rows are in the table and could be read. */
  complete(): void {
    if (this.#stage === "open") this.#stage = "complete";
    this.#wake();
  }

  /** Reports that the list is incomplete. It is not recorded. */
  drop(): void {
    if (this.#stage === "open") this.#stage = "dropped";
    this.#wake();
  }

  async #record(begin: () => LoadRecorder): Promise<void> {
    while (this.#stage === "open" && this.#beyond.length === 0) await this.#next();
    if (this.#stage !== "dropped") await this.#hand(begin());
  }

  async #hand(recorder: LoadRecorder): Promise<void> {
    for (;;) {
      if (this.#stage === "dropped") {
        recorder.discard();
        return;
      }
      const rows = this.#rows();
      if (rows !== null) {
        await recorder.take(rows);
        // Keys are handled between two blocks.
        await betweenEvents.yieldNow();
      } else if (this.#stage === "complete") {
        await recorder.finish();
        return;
      } else {
        await this.#next();
      }
    }
  }

  /** Returns the next rows to record, or null if there are none. */
  #rows(): ListRows | null {
    const block = this.#table.blocks[this.#blocks];
    if (block !== undefined) {
      this.#blocks += 1;
      const { rows: count, text, ends, flags, createdAt } = block;
      return { count, text, ends, flags, createdAt };
    }
    return this.#beyond.shift() ?? null;
  }

  /** Resolves when more rows have arrived or the load has ended. */
  async #next(): Promise<void> {
    await this.#change.promise;
    this.#change = Promise.withResolvers();
  }

  #keep(batch: AccountBatch, from: number): void {
    const { count, text, ends, flags, createdAt } = batch;
    if (from >= count) return;
    const start = fieldStart(batch, from, TextColumn.external);
    this.#beyond.push({
      count: count - from,
      text: text.subarray(start),
      ends: ends.subarray(from * 3).map((end) => end - start),
      flags: flags.subarray(from),
      createdAt: createdAt.subarray(from),
    });
  }

  #wake(): void {
    this.#change.resolve();
  }
}
