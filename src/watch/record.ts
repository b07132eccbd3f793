/**
 * Stores watch lists in the state file: one row for each subject that a profile watches at a
 * service.
 */
import { type Row, type Rows, text } from "../sqlite/rows.ts";
import type { State } from "../state/state.ts";
import { keyOf, type StoredWatch, type WatchSubject, withFigures } from "./timeline.ts";

interface WatchChange {
  readonly removed: Iterable<WatchSubject>;
  readonly added: Iterable<StoredWatch>;
  /** Subjects with timelines that this program observed. One not on the list is not added. */
  readonly seen: Iterable<StoredWatch>;
}

export interface WatchRecord {
  /** Returns the list. Throws a settings error if it cannot be read. */
  read(): readonly StoredWatch[];
  /** Commits a change, and returns the list after it. Throws a settings error `unwritable`. */
  change(change: WatchChange): readonly StoredWatch[];
}

/** Maximum number of single accounts and supply points. More would need too long an interval. */
export const maxWatched = 500;

const storedTransitions = 20;

/** The owner of a watch list: a number has no meaning at another service. */
interface WatchOwner {
  readonly profile: string;
  readonly service: string;
}

/** The known kinds. A row of another kind was written by hand, and is left alone. */
const kinds: Readonly<Record<WatchSubject["kind"], true>> = {
  account: true,
  "supply-point": true,
  cohort: true,
};

const ofList = "profile = ?1 AND service = ?2";
const ofSubject = `${ofList} AND kind = ?3 AND supplier = ?4 AND number = ?5`;
const lastTransition = (property: string) => `timeline ->> '$[#-1].${property}'`;

/** Adds a subject. Only cohorts are added to a full list. */
const insert = `INSERT OR IGNORE INTO watched SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?3 = 'cohort'
  OR (SELECT count(*) FROM watched WHERE ${ofList} AND kind <> 'cohort') < ${maxWatched}`;

/**
 * Updates a timeline. A later observation of another program stays, unless this program had already
 * read that observation. Then the new observation is certainly later, even if a clock was set back.
 */
const update = `UPDATE watched SET timeline = ?6 WHERE ${ofSubject}
  AND (${lastTransition("state")} IS NOT ?7 OR ${lastTransition("progress")} IS NOT ?8)
  AND (timeline = ?9 OR ifnull(${lastTransition("firstSeenAt")} <= ?10, true))`;

export function openWatched(state: State, owner: WatchOwner): WatchRecord {
  const { profile, service } = owner;
  let lastRead: ReadonlyMap<string, string> = new Map();
  const readList = (rows: Rows) => {
    const watchRows = rows
      .all(`SELECT * FROM watched WHERE ${ofList} ORDER BY rowid`, profile, service)
      .filter((row) => Object.hasOwn(kinds, text(row, "kind")));
    lastRead = new Map(
      watchRows.map((watchRow) => [keyOf(watchIn(watchRow)), text(watchRow, "timeline")]),
    );
    return watchRows.map(watchIn);
  };
  return {
    read() {
      if (state.unread !== null) throw state.unread;
      return state.read(readList);
    },
    change: ({ removed, added, seen }) =>
      state.commit((rows) => {
        for (const { kind, supplier, number } of removed)
          rows.run(
            `DELETE FROM watched WHERE ${ofSubject}`,
            profile,
            service,
            kind,
            supplier,
            number,
          );
        for (const { kind, supplier, number, addedAt, timeline } of added)
          rows.run(
            insert,
            profile,
            service,
            kind,
            supplier,
            number,
            addedAt,
            timelineText(timeline),
          );
        for (const { kind, supplier, number, timeline } of seen) {
          const latest = timeline.at(-1);
          if (latest === undefined) continue;
          const before = lastRead.get(keyOf({ kind, supplier, number })) ?? null;
          const { state, progress, firstSeenAt } = latest;
          const figures = progress === undefined ? null : JSON.stringify(progress);
          const values = [timelineText(timeline), state, figures, before, firstSeenAt];
          rows.run(update, profile, service, kind, supplier, number, ...values);
        }
        return readList(rows);
      }),
  };
}

function timelineText(timeline: StoredWatch["timeline"]): string {
  return JSON.stringify(timeline.slice(-storedTransitions));
}

function watchIn(row: Row): StoredWatch {
  const kind = text(row, "kind") as WatchSubject["kind"];
  const timeline: StoredWatch["timeline"] = JSON.parse(text(row, "timeline"));
  return {
    kind,
    supplier: text(row, "supplier"),
    number: text(row, "number"),
    addedAt: Number(row.added_at),
    timeline: kind === "cohort" ? withFigures(timeline) : timeline,
  };
}
