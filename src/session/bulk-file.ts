import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { checkRows } from "../bulk/check.ts";
import { HeldBackCounter } from "../bulk/held-back.ts";
import type { InputIssue } from "../bulk/input/issues.ts";
import { onlyMatchingKind, possibleKinds } from "../bulk/input/kind-of-input.ts";
import { formatOf } from "../bulk/input/layout.ts";
import type { ReadingOptions } from "../bulk/run-settings.ts";
import { AppError } from "../errors/app-error.ts";
import type { Action } from "../keys/scopes.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { commandLine } from "../text/as-command.ts";
import { localZone, shortInstant } from "../text/dates.ts";
import { codeOf } from "../text/disk-words.ts";
import type { Target } from "../writes/kinds/kind.ts";
import type { Here } from "./app.ts";
import { KnownPending } from "./known-pending.ts";
import type { Session } from "./open-session.ts";
import { type FileStamp, openSourceFile, unreadable } from "./source-file.ts";
import type { Surroundings } from "./surroundings.ts";
import type {
  CheckedFile,
  FileCheckRequest,
  FileEnd,
  FileTask,
  Finished,
  TaskControls,
} from "./tasks.ts";

/** Enough for any header. */
const headBytes = 256 * 1024;

/** The options of a check before any are chosen. */
export const defaultOptions: FileCheckRequest["options"] = {
  group: "none",
  query: {},
  allowMissing: false,
};

/**
 * Checks all rows of an input, as a task of the session that outlives its screen. The task fails
 * with a source error if the file cannot be read. Returns null if a check of this file is running.
 */
export function startFileCheck(
  session: Session,
  asked: FileCheckRequest,
  { clock }: Pick<Surroundings, "clock">,
): Promise<Finished<FileTask>> | null {
  return session.tasks.files.start(
    asked.path,
    { asked, rows: 0, errors: 0, share: 0 },
    (controls) => check(session, asked, clock.now, controls),
  );
}

type Controls = TaskControls<FileTask["progress"]>;

async function check(
  session: Session,
  asked: FileCheckRequest,
  now: () => number,
  { stop, update }: Controls,
): Promise<FileEnd> {
  const { path, options } = asked;
  const format = formatOf(path);
  const file = await openSourceFile(path, stop);
  try {
    const kinds =
      asked.kind === null ? await possibleKinds(await file.head(headBytes), format) : [];
    // An input without a record has one problem, whatever its kind.
    const kind = asked.kind ?? (kinds.length === 0 ? "notes" : onlyMatchingKind(kinds));
    if (kind === null) return { kind: "which", kinds };
    const typedAt = { now: now(), timeZone: localZone() };
    const reading: ReadingOptions = { ...options, kind, format, typedAt };
    const counted = counting(file.bytes);
    const known = new KnownPending(session.finder, session.now(), (at) =>
      shortInstant(at, session.now()),
    );
    let pending = 0;
    const { size } = file.stamp;
    const checked = await checkRows(counted.bytes, reading, {
      signal: stop,
      guard: await guardOf(session, stop),
      issuesOf: async ({ target, lines }) => {
        if (target.kind !== "account") return [];
        await known.read(target.importSupplier, stop);
        const found = pendingIssues(known, lines, target);
        pending += found.length;
        return found;
      },
      onProgress: (progress) =>
        update((before) => ({
          ...before,
          ...progress,
          share: size === 0 ? 1 : Math.min(1, counted.read() / size),
        })),
    });
    if (!isSame(await stampOf(path), file.stamp))
      throw new AppError("source", "usage", `${path} was changed while it was read`, {
        remedy: "Read it again.",
      });
    return {
      kind: "checked",
      file: { ...checked, path, pending, stamp: file.stamp, checkedAt: now() },
    };
  } catch (error) {
    stop.throwIfAborted();
    throw "code" in Object(error) ? unreadable(path, error) : error;
  } finally {
    await file.close();
  }
}

function pendingIssues(
  known: KnownPending,
  lines: readonly number[],
  { importSupplier: supplier, externalAccountNumber: number }: AccountTarget,
): readonly InputIssue[] {
  const message = known.wordsOf(supplier, number);
  if (message === null) return [];
  return lines.map((line) => ({
    ...{ severity: "warning", line, account: number, column: null, message },
    about: { kind: "account", supplier, number },
  }));
}

type AccountTarget = Extract<Target, { readonly kind: "account" }>;

function counting(bytes: AsyncIterable<Uint8Array>) {
  let read = 0;
  async function* passing(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      read += chunk.length;
      yield chunk;
    }
  }
  return { bytes: passing(), read: () => read };
}

/**
 * Checks each request with the duplicate guard. Returns null without a journal, because there are
 * no entries then.
 */
async function guardOf(session: Session, signal: AbortSignal): Promise<HeldBackCounter | null> {
  const writes = await session.existingWrites(signal);
  if (writes === null) return null;
  const { journal, service } = writes.context;
  return new HeldBackCounter(journal, service.baseUrl);
}

/** The result of comparing a file with the one that was checked, and the stamp of the file. */
export interface FileChange {
  readonly kind: "same" | "changed" | "missing";
  readonly stamp: FileStamp | null;
}

/**
 * Compares a file with the one that was checked: by its stamp, and by its digest if only the stamp
 * differs. `last` is the previous result, which is valid while the stamp is unchanged.
 */
export async function fileChange(
  { path, sha256, stamp }: CheckedFile,
  last: FileChange | null,
  signal: AbortSignal,
): Promise<FileChange> {
  const now = await stampOf(path);
  if (now === null) return { kind: "missing", stamp: null };
  if (isSame(now, stamp)) return { kind: "same", stamp: now };
  if (last !== null && isSame(now, last.stamp)) return last;
  if (sha256 === "" || now.size !== stamp.size) return { kind: "changed", stamp: now };
  try {
    const file = await openSourceFile(path, signal);
    const hash = createHash("sha256");
    for await (const chunk of file.bytes) hash.update(chunk);
    return { kind: hash.digest("hex") === sha256 ? "same" : "changed", stamp: now };
  } catch {
    return { kind: "changed", stamp: now };
  }
}

async function stampOf(path: string): Promise<FileStamp | null> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return { size, changedAt: mtimeMs, inode: ino };
  } catch (error) {
    // A folder that cannot be entered now holds a file that cannot be read.
    if (codeOf(error) === "unknown") throw error;
    return null;
  }
}

function isSame(one: FileStamp | null, other: FileStamp | null): boolean {
  return (
    one !== null &&
    other !== null &&
    one.size === other.size &&
    one.changedAt === other.changedAt &&
    one.inode === other.inode
  );
}

/** Returns the command that checks a file, or null if its path cannot be an argument. */
function fileCommand(
  { path, reading }: Pick<CheckedFile, "path" | "reading">,
  profile: string | null,
): string | null {
  const { kind, group, query, allowMissing } = reading;
  const off = Object.keys(query).map((name) => `--no-${name.replaceAll("_", "-")}`);
  return commandLine(
    {
      words: [
        ...["bulk", "run", kind],
        ...(allowMissing ? ["--allow-missing"] : []),
        ...(group === "account" ? ["--group-by-account"] : []),
        ...off,
        "--dry-run",
      ],
      options: [["--from", path]],
    },
    profile,
  );
}

/** Returns the key that shows the check of a file as a command. */
export function fileCommandKey({ app, session }: Here, file: CheckedFile): Action {
  return {
    run: () =>
      app.overlays.command({
        command: fileCommand(file, profileFlag(session.profile)),
        note: "With --dry-run it checks every row and sends nothing.",
      }),
  };
}
