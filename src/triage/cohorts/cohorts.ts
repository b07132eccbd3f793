/** Stores named source lists (cohorts) in the state file, and reads them. */
import { createHash } from "node:crypto";
import { AppError, otherStateFolderRemedy } from "../../errors/app-error.ts";
import { maybeText, type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import { openState, type StatePlace, withState } from "../../state/open-state.ts";
import { nearest } from "../../text/suggest.ts";
import { NumberSet } from "../account-numbers.ts";
import { readSource } from "../source/read-source.ts";
import type { Source, SourceLayout } from "../source/source.ts";

/** The facts about a stored source list, without its rows. */
export interface Cohort {
  readonly name: string;
  readonly supplier: string;
  /** SHA-256 of the bytes of the source, as hexadecimal. It identifies the list with its rows. */
  readonly sha256: string;
  /** Number of rows of the source, including repeated and malformed ones. */
  readonly rows: number;
  /** Number of distinct account numbers. */
  readonly accounts: number;
  /** The requested column of the numbers, or null if none was requested. */
  readonly column: string | null;
  readonly layout: SourceLayout;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A cohort to be stored. */
interface NewCohort {
  readonly name: string;
  readonly supplier: string;
  readonly bytes: Uint8Array;
  /** The name of the list in messages: the file name, or `standard input`. */
  readonly from: string;
  readonly column: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Called with the rows of the list before it is stored. */
  readonly onRead?: (source: Source) => void;
}

/** A name is a valid file name on every system, is one word of a filter, and is not an option. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const selectFacts =
  "SELECT name, supplier, sha256, rows, accounts, column, layout, created_at FROM cohort";

/**
 * The cohorts in the state file. A cohort is never changed. Methods reject with a cohort error, or
 * with a settings error if the file cannot be read or written.
 */
export type Cohorts = ReturnType<typeof openCohorts>;

export function openCohorts(place: StatePlace) {
  /** Reads the state file. Returns `empty` if nothing was ever stored. */
  const read = async <T>(empty: T, work: (rows: Rows) => T): Promise<T> => {
    const result = await withState(place, (state) => {
      if (state.unread !== null) throw state.unread;
      return { value: state.read(work) };
    });
    return result === null ? empty : result.value;
  };
  const names = () =>
    read([], (rows) => rows.all("SELECT name FROM cohort ORDER BY name").map(nameIn));
  const unknown = async (name: string) => {
    const all = await names();
    const suggestion = nearest(name, all);
    const hint = suggestion === null ? "" : `, did you mean ${suggestion}`;
    return new AppError("cohort", "unknown", `there is no cohort ${name}${hint}`, {
      remedy:
        all.length === 0
          ? `Add one with: supplyline cohorts add NAME SUPPLIER --source FILE. ${otherStateFolderRemedy}`
          : `\`supplyline cohorts list\` shows them all. ${otherStateFolderRemedy}`,
    });
  };
  const rowOf = async (select: string, name: string): Promise<Row> => {
    checkName(name);
    const row = await read(undefined, (rows) => rows.get(`${select} WHERE name = ?`, name));
    if (row === undefined) throw await unknown(name);
    return row;
  };

  return {
    /** Returns the names alone, for shell completion. */
    names,
    describe: async (name: string): Promise<Cohort> => cohortIn(await rowOf(selectFacts, name)),
    /**
     * Rejects with a cohort error if a list cannot be stored under a name, which is invalid or
     * taken.
     */
    async checkNew(name: string): Promise<void> {
      checkName(name);
      if ((await names()).includes(name)) throw exists(name);
    },
    /** Stores a list under a new name. Rejects with a source error if the list cannot be used. */
    async add({ name, supplier, bytes, from, column, now, onRead }: NewCohort): Promise<Cohort> {
      checkName(name);
      const source = readSource(bytes, { name: from, column: column ?? undefined, supplier });
      const accounts = new NumberSet(source).size;
      if (accounts === 0) throw new AppError("source", "usage", `${from} has no account number`);
      onRead?.(source);
      const { rows: count, layout } = source;
      const sha256 = hashOf(bytes);
      const facts = { name, supplier, sha256, rows: count, accounts, column, layout };
      const state = typeof place === "string" ? await openState(place) : place;
      try {
        state.commit((rows) => {
          const isTaken = rows.get("SELECT 1 FROM cohort WHERE name = ?", name) !== undefined;
          if (isTaken) throw exists(name);
          rows.insert("cohort", { ...facts, created_at: now, source: bytes });
        });
      } finally {
        if (state !== place) state.close();
      }
      return { ...facts, createdAt: now };
    },
    /** Returns the cohorts, sorted by name. */
    list: () => read([], (rows) => rows.all(`${selectFacts} ORDER BY name`).map(cohortIn)),
    /**
     * Verifies the SHA-256 of a cohort of this supplier. Returns its rows, and the set of distinct
     * numbers in them.
     */
    async read(name: string, supplier: string) {
      const row = await rowOf("SELECT * FROM cohort", name);
      const cohort = cohortIn(row);
      if (cohort.supplier !== supplier)
        throw new AppError(
          "cohort",
          "supplier",
          `the cohort ${name} is of supplier ${cohort.supplier}, not of ${supplier}`,
        );
      const bytes = row.source instanceof Uint8Array ? row.source : new Uint8Array();
      if (hashOf(bytes) !== cohort.sha256)
        throw new AppError(
          "cohort",
          "changed",
          `the stored list of the cohort ${name} is not the one that was added (its SHA-256 differs)`,
          {
            remedy: `Remove the cohort and add its list again: supplyline cohorts remove ${name} --yes`,
          },
        );
      const source = readSource(bytes, {
        name: `the cohort ${name}`,
        column: cohort.column ?? undefined,
        supplier,
      });
      return { cohort, source, bytes, numbers: new NumberSet(source) };
    },
    async remove(name: string) {
      checkName(name);
      const removed = await withState(place, (state) => {
        const count = state.commit((rows) => rows.run("DELETE FROM cohort WHERE name = ?", name));
        try {
          if (count > 0) state.erase();
        } catch {
          // The rows are overwritten in the file. A copy can stay in its log until the next start.
        }
        return count;
      });
      if (!removed) throw await unknown(name);
    },
  };
}

function checkName(name: string): void {
  if (namePattern.test(name) && !name.endsWith(".")) return;
  throw new AppError(
    "cohort",
    "name",
    "the name of a cohort must be 1 to 64 letters, digits, dots, hyphens or underscores of ASCII, and begin and end with a letter or digit",
  );
}

function exists(name: string): AppError<"cohort"> {
  return new AppError(
    "cohort",
    "exists",
    `the cohort ${name} already exists, and a cohort is never changed`,
    { remedy: `Choose another name, or remove it first: supplyline cohorts remove ${name}` },
  );
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function nameIn(row: Row): string {
  return text(row, "name");
}

function cohortIn(row: Row): Cohort {
  return {
    name: nameIn(row),
    supplier: text(row, "supplier"),
    sha256: text(row, "sha256"),
    rows: whole(row, "rows"),
    accounts: whole(row, "accounts"),
    column: maybeText(row, "column"),
    layout: text(row, "layout") as SourceLayout,
    createdAt: whole(row, "created_at"),
  };
}
