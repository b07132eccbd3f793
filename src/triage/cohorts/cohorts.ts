import { createHash, randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { chmod, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError, isAppError, otherFolder } from "../../errors/app-error.ts";
import { makeFolder, unfit } from "../../files/private.ts";
import { codeOf, diskWords, writeCodeOf } from "../../text/disk-words.ts";
import { nearest } from "../../text/suggest.ts";
import { NumberSet } from "../number-set.ts";
import { readSource } from "../source/read-source.ts";
import { type Cohort, readDescription, writtenDescription } from "./description.ts";

/** A cohort to be stored. */
interface NewCohort {
  readonly name: string;
  readonly supplier: string;
  readonly bytes: Uint8Array;
  /** The name of the list in messages: a file's name, or `standard input`. */
  readonly from: string;
  readonly column: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

const sourceFile = "source";
const descriptionFile = "cohort.json";

/** A file name on every system, one word of a filter, and no option. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Returns the reason why a name cannot be that of a cohort, as a clause, or null if it can. */
function cohortNameProblem(name: string): string | null {
  if (namePattern.test(name) && !name.endsWith(".")) return null;
  return "must be 1 to 64 letters, digits, dots, hyphens or underscores of ASCII, and begin and end with a letter or digit";
}

export function openCohorts(stateDir: string) {
  const folder = join(stateDir, "cohorts");
  const pathOf = (name: string) => join(folder, name);

  const names = async (): Promise<readonly string[]> => {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory() && cohortNameProblem(entry.name) === null)
        .map(({ name }) => name)
        .sort();
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return [];
      throw unreadable(folder, error);
    }
  };
  const unknown = async (name: string) => {
    const all = await names();
    const meant = nearest(name, all);
    const hint = meant === null ? "" : `, did you mean ${meant}`;
    return new AppError("cohort", "unknown", `there is no cohort ${name}${hint}`, {
      remedy:
        all.length === 0
          ? `Add one with: supplyline cohorts add NAME SUPPLIER --source FILE. ${otherFolder}`
          : `\`supplyline cohorts list\` shows them all. ${otherFolder}`,
    });
  };
  const describe = async (name: string): Promise<Cohort> => {
    checkName(name);
    try {
      const bytes = await readPrivateBytes(join(pathOf(name), descriptionFile));
      return readDescription(bytes.toString("utf8"), name);
    } catch (error) {
      if (isAppError(error, "cohort")) throw error;
      const isMissing = ["ENOENT", "ENOTDIR"].includes(codeOf(error));
      if (isMissing && !(await names()).includes(name)) throw await unknown(name);
      throw isMissing ? damaged(name, "its description is missing") : unreadable(name, error);
    }
  };

  return {
    /** The names alone, unchecked: for completion. */
    names,
    describe,
    /** Stores a list under a name that none has. Rejects with a source error where the list cannot be used. */
    async add({ name, supplier, bytes, from, column, now }: NewCohort): Promise<Cohort> {
      checkName(name);
      const source = readSource(bytes, { name: from, column: column ?? undefined });
      const accounts = new NumberSet(source).size;
      if (accounts === 0) throw new AppError("source", "usage", `${from} holds no account number`);
      const cohort: Cohort = {
        name,
        supplier,
        sha256: hashOf(bytes),
        rows: source.rows,
        accounts,
        column,
        layout: source.layout,
        createdAt: now,
      };
      if ((await names()).includes(name)) throw exists(name);
      const unfinished = join(folder, `.${name}.${randomUUID()}.part`);
      try {
        await makePrivateFolder(stateDir);
        await makePrivateFolder(folder);
        await removeLeftovers(folder, now);
        await makePrivateFolder(unfinished);
        await writeWhole(join(unfinished, sourceFile), bytes);
        await writeWhole(join(unfinished, descriptionFile), writtenDescription(cohort));
        // A folder with files in it is not replaced: of two processes one has the name.
        await rename(unfinished, pathOf(name));
      } catch (error) {
        await rm(unfinished, { recursive: true, force: true }).catch(() => {});
        if (isAppError(error, "cohort")) throw error;
        if (["ENOTEMPTY", "EEXIST"].includes(codeOf(error))) throw exists(name);
        const why = diskWords(writeCodeOf(error, folder));
        const words = `the cohort ${name} could not be stored: ${why}`;
        throw new AppError("cohort", "unwritable", words);
      }
      return cohort;
    },
    /** By name; with those whose description cannot be read. */
    async list() {
      const cohorts: Cohort[] = [];
      const problems: AppError<"cohort">[] = [];
      for (const name of await names()) {
        try {
          cohorts.push(await describe(name));
        } catch (error) {
          if (!isAppError(error, "cohort")) throw error;
          // Another process may have removed it meanwhile.
          if (error.kind !== "unknown") problems.push(error);
        }
      }
      return { cohorts, problems };
    },
    /**
     * The list of a cohort of this supplier, after its SHA-256 was verified: its rows, and the different
     * numbers in them.
     */
    async read(name: string, supplier: string) {
      const cohort = await describe(name);
      if (cohort.supplier !== supplier)
        throw new AppError(
          "cohort",
          "supplier",
          `the cohort ${name} is of supplier ${cohort.supplier}, not of ${supplier}`,
        );
      let bytes: Buffer;
      try {
        bytes = await readPrivateBytes(join(pathOf(name), sourceFile));
      } catch (error) {
        if (isAppError(error, "cohort")) throw error;
        throw codeOf(error) === "ENOENT"
          ? damaged(name, "its list is missing")
          : unreadable(name, error);
      }
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
      });
      return { cohort, source, bytes, numbers: new NumberSet(source) };
    },
    async remove(name: string) {
      checkName(name);
      if (!(await names()).includes(name)) throw await unknown(name);
      // The name is free at once, also where removing the files stops halfway.
      const leaving = join(folder, `.${name}.${randomUUID()}.part`);
      try {
        await rename(pathOf(name), leaving);
        await rm(leaving, { recursive: true, force: true });
      } catch (error) {
        if (codeOf(error) === "ENOENT") throw await unknown(name);
        const why = diskWords(codeOf(error));
        const words = `the cohort ${name} could not be removed: ${why}`;
        throw new AppError("cohort", "unwritable", words);
      }
    },
  };
}

/**
 * The cohorts in a state folder, for their owner alone: `cohorts/NAME/` holds the bytes of the source
 * and its description. A cohort is never changed. Rejects with a cohort error.
 */
export type Cohorts = ReturnType<typeof openCohorts>;

function checkName(name: string): void {
  const problem = cohortNameProblem(name);
  if (problem !== null) throw new AppError("cohort", "name", `the name of a cohort ${problem}`);
}

function exists(name: string): AppError<"cohort"> {
  return new AppError(
    "cohort",
    "exists",
    `the cohort ${name} already exists, and a cohort is never changed`,
    { remedy: `Choose another name, or remove it first: supplyline cohorts remove ${name}` },
  );
}

function damaged(name: string, why: string): AppError<"cohort"> {
  return new AppError("cohort", "damaged", `the cohort ${name} is damaged: ${why}`, {
    remedy: `Remove the cohort and add its list again: supplyline cohorts remove ${name} --yes`,
  });
}

function unreadable(what: string, error: unknown): AppError<"cohort"> {
  return new AppError("cohort", "damaged", `the cohort ${what} cannot be read (${codeOf(error)})`);
}

/** A process that was killed an hour ago does not finish what it began. */
const leftoverMs = 3_600_000;

/** Removes what killed processes have left: it holds account numbers. */
async function removeLeftovers(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\..+\.part$/.test(name)) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats !== null && stats.mtimeMs < now - leftoverMs)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Writes a new file for its owner alone, on the disk when it resolves. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Creates a folder for its owner alone, or checks the one that exists. Throws `exposed` and the system's error. */
async function makePrivateFolder(path: string): Promise<void> {
  const created = makeFolder(path);
  if (created !== undefined) await chmod(path, 0o700);
  // Who can reach what a linked folder leads to is what counts.
  checkPrivate("folder", path, await stat(path));
}

/**
 * The bytes of a file that only its owner may read; checked on the opened file, so that it cannot be
 * exchanged in between. Throws `exposed`, or the system's error.
 */
async function readPrivateBytes(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw Object.assign(new Error("not a file"), { code: "EISDIR" });
    checkPrivate("file", path, stats);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function checkPrivate(what: "file" | "folder", path: string, stats: Stats): void {
  const problem = unfit(what, path, stats);
  if (problem?.kind !== "exposed") return;
  const { words, fix } = problem;
  throw new AppError("cohort", "exposed", `${path} ${words}; it is not used`, { fix });
}
