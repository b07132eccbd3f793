/**
 * Stores watch lists in the state file: one row for each subject that a profile watches at a
 * service.
 */
import { type Row, type Rows, text } from "../sqlite/rows.ts";
import type { State } from "../state/state.ts";
import { keyOf, type StoredWatch, type WatchSubject } from "./timeline.ts";

interface WatchChange {
  readonly removed: Iterable<WatchSubject>;
  readonly added: Iterable<StoredWatch>;
  /**
   * Subjects with the timelines that this program observed. A subject that is not on the list is
   * not added.
   */
  readonly seen: Iterable<StoredWatch>;
}

/** A watch list on the disk, which several programs can share. */
export interface WatchRecord {
  /** Returns the list. Throws a settings error if it cannot be read. */
  read(): readonly StoredWatch[];
  /** Commits a change, and returns the list after it. Throws a settings error `unwritable`. */
  change(change: WatchChange): readonly StoredWatch[];
}

/**
 * Maximum number of single accounts and supply points. With more, the interval would be too long.
 */
export const maxWatched = 500;

/** Maximum number of stored transitions of each timeline. */
const storedTransitions = 20;

/** The owner of a watch list: a number has no meaning at another service. */
interface WatchOwner {
  readonly profile: string;
  readonly service: string;
}

const list = "profile = ?1 AND service = ?2";
const row = `${list} AND kind = ?3 AND supplier = ?4 AND number = ?5`;
const last = (property: string) => `timeline ->> '$[#-1].${property}'`;

/** Adds a subject. Only cohorts are added to a full list. */
const insert = `INSERT OR IGNORE INTO watched SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?3 = 'cohort'
  OR (SELECT count(*) FROM watched WHERE ${list} AND kind <> 'cohort') < ${maxWatched}`;

/**
 * Updates a timeline. A later observation of another program stays, unless this program has read it
 * already: then the order is certain without a clock, which might have been set back.
 */
const update = `UPDATE watched SET timeline = ?6 WHERE ${row} AND ${last("state")} IS NOT ?7
  AND (timeline = ?8 OR ifnull(${last("firstSeenAt")} <= ?9, true))`;

/** Opens the watch list of a profile at a service. */
export function openWatched(state: State, owner: WatchOwner): WatchRecord {
  const { profile, service } = owner;
  /** The timelines of the last read. */
  let known: ReadonlyMap<string, string> = new Map();
  const readList = (rows: Rows) => {
    const found = rows.all(`SELECT * FROM watched WHERE ${list} ORDER BY rowid`, profile, service);
    known = new Map(found.map((one) => [keyOf(watchIn(one)), text(one, "timeline")]));
    return found.map(watchIn);
  };
  return {
    read() {
      if (state.unread !== null) throw state.unread;
      return state.read(readList);
    },
    change: ({ removed, added, seen }) =>
      state.commit((rows) => {
        for (const { kind, supplier, number } of removed)
          rows.run(`DELETE FROM watched WHERE ${row}`, profile, service, kind, supplier, number);
        for (const { kind, supplier, number, addedAt, timeline } of added)
          rows.run(insert, profile, service, kind, supplier, number, addedAt, stored(timeline));
        for (const { kind, supplier, number, timeline } of seen) {
          const news = timeline.at(-1);
          if (news === undefined) continue;
          const before = known.get(keyOf({ kind, supplier, number })) ?? null;
          const facts = [stored(timeline), news.state, before, news.firstSeenAt];
          rows.run(update, profile, service, kind, supplier, number, ...facts);
        }
        return readList(rows);
      }),
  };
}

function stored(timeline: StoredWatch["timeline"]): string {
  return JSON.stringify(timeline.slice(-storedTransitions));
}

function watchIn(row: Row): StoredWatch {
  return {
    kind: text(row, "kind") as WatchSubject["kind"],
    supplier: text(row, "supplier"),
    number: text(row, "number"),
    addedAt: Number(row.added_at),
    timeline: JSON.parse(text(row, "timeline")),
  };
}
