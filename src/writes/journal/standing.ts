/**
 * Compares a journal with the position that this user's config folder remembers. A journal that was
 * restored from a backup or copied does not know what was sent since.
 */
import { lstatSync } from "node:fs";
import { maybeWhole, type Rows, text, whole } from "../../sqlite/rows.ts";
import { openPositionMemory, type PositionMemory } from "./position.ts";

export type Standing =
  | { readonly kind: "current" }
  /** The journal lacks `attempts` attempts that were begun later. */
  | { readonly kind: "older"; readonly attempts: number }
  /** The file is not the remembered one. It was copied, restored or moved to another disk. */
  | { readonly kind: "copied" };

export type Doubtful = Exclude<Standing, { readonly kind: "current" }>;

interface RememberOptions {
  readonly rows: Rows;
  readonly path: string;
  readonly folder: string;
  readonly pid: number;
  /** False on network file systems, where the number of a file can change. */
  readonly hasStableFiles: boolean;
}

export function rememberJournal(options: RememberOptions) {
  let memory: PositionMemory | null = null;
  let problem: unknown = null;
  let remembered = 0;
  const attempt = (work: () => void) => {
    try {
      work();
      problem = null;
    } catch (error) {
      problem = error;
    }
  };
  /** Remembers the position after a commit. Never throws. */
  const committed = () => {
    // The memory stays that of the original, which might still be in use.
    if (standing.kind !== "current" || memory === null) return;
    const { remember } = memory;
    attempt(() => {
      const { position } = identityIn(options.rows);
      if (position <= remembered) return;
      remember(position);
      remembered = position;
    });
  };
  const open = (): Standing => {
    const { id, found } = identityIn(options.rows);
    if (found !== null) return found;
    memory = openPositionMemory(options.folder, id, options.pid);
    // The memory is read first: another process raises the journal's position before the memory.
    const before = memory.read();
    remembered = before.position;
    const { position } = identityIn(options.rows);
    const file = options.hasStableFiles ? fileIdentity(options.path) : null;
    if (position < before.position) return { kind: "older", attempts: before.position - position };
    if (file !== null && before.file !== null && file !== before.file) return { kind: "copied" };
    if (file !== null && before.file === null) memory.rememberFile(file);
    return current;
  };
  const compare = () => {
    standing = current;
    attempt(() => {
      standing = open();
    });
    committed();
  };
  /** Ends the old identity of the journal, and remembers the new one. */
  const renew = () => {
    memory?.close();
    memory = null;
    compare();
  };
  let standing: Standing = current;
  compare();
  return {
    get standing(): Standing {
      // Another process can have repaired the journal since.
      if (standing.kind !== "current" && identityIn(options.rows).found === null) renew();
      return standing;
    },
    problem: () => problem,
    committed,
    renew,
    close: () => attempt(() => memory?.close()),
  };
}

const current: Standing = { kind: "current" };

function identityIn(rows: Rows) {
  const row = rows.get("SELECT id, position, lacks FROM identity") ?? {};
  const attempts = maybeWhole(row, "lacks");
  const found: Doubtful | null =
    attempts === null ? null : attempts === 0 ? { kind: "copied" } : { kind: "older", attempts };
  return { id: text(row, "id"), position: whole(row, "position"), found };
}

/**
 * Marks a journal as older or copied, because new attempts raise its position. Only
 * {@link renewIdentity} removes the mark.
 */
export function markDoubtful(rows: Rows, found: Doubtful): void {
  rows.run("UPDATE identity SET lacks = ?", found.kind === "older" ? found.attempts : 0);
}

/**
 * Returns the number and the time of creation of a file, or null if the system reports no time of
 * creation. Such a system reports the time of the last change instead. File systems use a number
 * again after its file was removed.
 */
function fileIdentity(path: string): string | null {
  const { ino, birthtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return birthtimeNs === ctimeNs ? null : `${ino} ${birthtimeNs}`;
}

/** Gives a journal a new identity without a remembered position, and stores the reason. */
export function renewIdentity(
  rows: Rows,
  { reason, at }: { readonly reason: string; readonly at: number },
): void {
  rows.run("UPDATE identity SET id = ?, lacks = NULL", crypto.randomUUID());
  rows.insert("repair", { at, reason });
}
