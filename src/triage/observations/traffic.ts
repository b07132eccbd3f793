import type { ListRows } from "./observations.ts";

/** Copies of rows that are on their way; more than these would only wait. */
const mostUnderWay = 3;

/** How many rows are on their way to the worker, as messages. */
export class Traffic {
  #underWay = 0;
  #room: PromiseWithResolvers<void> | null = null;

  /** `taken` must not reject. */
  add(taken: Promise<void>): void {
    this.#underWay += 1;
    void taken.then(() => {
      this.#underWay -= 1;
      if (this.#underWay >= mostUnderWay) return;
      this.#room?.resolve();
      this.#room = null;
    });
  }

  /** Resolves when one more may be added; null where it may be now. */
  room(): Promise<void> | null {
    if (this.#underWay < mostUnderWay) return null;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }
}

/** Rows that are given away, while these can still be given to the other engine. */
export function copyOf(rows: ListRows): ListRows {
  return {
    count: rows.count,
    text: rows.text.slice(),
    ends: rows.ends.slice(),
    flags: rows.flags.slice(),
    createdAt: rows.createdAt.slice(),
  };
}
