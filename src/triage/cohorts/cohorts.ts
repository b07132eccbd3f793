/** Stores named source lists (cohorts) in the state file, and reads them. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { AppError, otherStateFolderRemedy } from "../../errors/app-error.ts";
import { maybeText, type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import { openState, type StatePlace, withState } from "../../state/open-state.ts";
import { nearest } from "../../text/suggest.ts";
import type { SharedCohorts } from "../../writes/team/memory.ts";
import { NumberSet } from "../account-numbers.ts";
import { readSource } from "../source/read-source.ts";
import type { Source, SourceLayout } from "../source/source.ts";

export interface Cohort {
  readonly name: string;
  readonly supplier: string;
  /** SHA-256 of the bytes of the source, as hexadecimal. It identifies the list with its rows. */
  readonly sha256: string;
  /** Number of rows of the source, including repeated and malformed ones. */
  readonly rows: number;
  readonly accounts: number;
  readonly column: string | null;
  readonly layout: SourceLayout;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

interface NewCohort {
  readonly name: string;
  readonly supplier: string;
  readonly bytes: Uint8Array;
  readonly from: string;
  readonly column: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly onRead?: (source: Source) => void;
  /** True to share the cohort with the team. Then the same list can be stored here. Default: false. */
  readonly isShared?: boolean;
}

/** A cohort with who shared it: null for one that the team does not have. */
export interface ListedCohort extends Cohort {
  readonly person: string | null;
  readonly machine: string | null;
  /** False if only the team has it: its list is stored here when it is used. */
  readonly isHere: boolean;
}

/** The facts of a cohort that is on this machine, and that no team is known to have. */
export const notShared = { person: null, machine: null, isHere: true } as const;

export interface CohortTeam {
  /** Calls `work` with the team's cohorts. Resolves with null without a team. Rejects with a team error. */
  use<T>(work: (cohorts: SharedCohorts) => Promise<T>): Promise<T | null>;
}

const noTeam: CohortTeam = { use: async () => null };

/** Maximum bytes of a list that a team shares. */
const maxSharedBytes = 1 << 28;
const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

async function packedList(bytes: Uint8Array): Promise<Uint8Array> {
  return pack(bytes);
}

async function unpackedList(bytes: Uint8Array): Promise<Uint8Array> {
  const list = await unpack(bytes, { maxOutputLength: maxSharedBytes });
  return new Uint8Array(list.buffer, list.byteOffset, list.length);
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

export function openCohorts(place: StatePlace, team: CohortTeam = noTeam) {
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
    const find = () => read(undefined, (rows) => rows.get(`${select} WHERE name = ?`, name));
    const row = (await find()) ?? ((await fetchShared(name)) ? await find() : undefined);
    if (row === undefined) throw await unknown(name);
    return row;
  };
  const store = async (facts: Omit<Cohort, "createdAt">, bytes: Uint8Array, createdAt: number) => {
    const state = typeof place === "string" ? await openState(place) : place;
    try {
      state.commit((rows) => {
        const isTaken = rows.get("SELECT 1 FROM cohort WHERE name = ?", facts.name) !== undefined;
        if (isTaken) throw exists(facts.name);
        rows.insert("cohort", { ...facts, created_at: createdAt, source: bytes });
      });
    } finally {
      if (state !== place) state.close();
    }
  };
  /** Stores the team's cohort with a name here. Returns false if there is none. */
  const fetchShared = async (name: string): Promise<boolean> => {
    const found = (await team.use((cohorts) => cohorts.read(name))) ?? null;
    if (found === null) return false;
    const { machine: _, person: __, createdAt, ...facts } = found.cohort;
    const bytes = await unpackedList(found.bytes);
    if (hashOf(bytes) !== facts.sha256 || facts.name !== name) throw changed(name);
    await store({ ...facts, layout: facts.layout as SourceLayout }, bytes, createdAt);
    return true;
  };
  /** Shares a cohort with the team. Throws if the team has another list with the name. */
  const share = async ({ ...cohort }: Cohort, bytes: Uint8Array): Promise<void> => {
    const packed = await packedList(bytes);
    const isShared = await team.use((cohorts) => cohorts.add(cohort, packed));
    if (isShared === null) throw new AppError("team", "team-not-set-up", "the profile has no team");
    if (!isShared) throw exists(cohort.name);
  };

  return {
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
    async add(added: NewCohort): Promise<Cohort> {
      const { name, supplier, bytes, from, column, now, onRead, isShared = false } = added;
      checkName(name);
      const source = readSource(bytes, { name: from, column: column ?? undefined, supplier });
      const accounts = new NumberSet(source).size;
      if (accounts === 0) throw new AppError("source", "usage", `${from} has no account number`);
      onRead?.(source);
      const { rows: count, layout } = source;
      const sha256 = hashOf(bytes);
      const facts = { name, supplier, sha256, rows: count, accounts, column, layout };
      const cohort = { ...facts, createdAt: now };
      if (isShared) {
        const known = await read(undefined, (all) =>
          all.get(`${selectFacts} WHERE name = ?`, name),
        );
        if (known !== undefined && text(known, "sha256") !== sha256) throw exists(name);
        await share(cohort, bytes);
        if (known !== undefined) return cohortIn(known);
      }
      await store(facts, bytes, now);
      return cohort;
    },
    /** Shares a stored cohort with the team. Rejects with a team error, or if the name has another list. */
    async share(name: string): Promise<void> {
      const row = await rowOf("SELECT * FROM cohort", name);
      if (row.source instanceof Uint8Array) await share(cohortIn(row), row.source);
    },
    /**
     * Returns the cohorts here and those of the team, sorted by name, with who shared them. Rejects with
     * a team error.
     */
    async listAll(): Promise<readonly ListedCohort[]> {
      const own = await read([], (rows) => rows.all(`${selectFacts} ORDER BY name`).map(cohortIn));
      const shared = (await team.use((cohorts) => cohorts.list())) ?? [];
      const sharer = ({ name, sha256 }: Cohort) =>
        shared.find((one) => one.name === name && one.sha256 === sha256);
      const here = own.map((cohort): ListedCohort => {
        const { person, machine } = sharer(cohort) ?? notShared;
        return { ...cohort, person, machine, isHere: true };
      });
      const others = shared
        .filter(({ name, sha256 }) => !own.some((o) => o.name === name && o.sha256 === sha256))
        .map(
          (one): ListedCohort => ({
            ...one,
            layout: one.layout as SourceLayout,
            isHere: false,
          }),
        );
      return [...here, ...others].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
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
      if (hashOf(bytes) !== cohort.sha256) throw changed(name);
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

function changed(name: string): AppError<"cohort"> {
  return new AppError(
    "cohort",
    "changed",
    `the stored list of the cohort ${name} is not the one that was added (its SHA-256 differs)`,
    { remedy: `Remove the cohort and add its list again: supplyline cohorts remove ${name} --yes` },
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
