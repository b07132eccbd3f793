/** Checks the rows of an input file as a task of the session, and builds the command of its run. */
import { extname } from "node:path";
import { betweenEvents, inSlices } from "../accounts/slices.ts";
import { checkRows } from "../bulk/check.ts";
import { HeldBackCounter } from "../bulk/held-back.ts";
import type { InputIssue } from "../bulk/input/issues.ts";
import { onlyMatchingKind, possibleKinds } from "../bulk/input/kind-of-input.ts";
import type { ReadingOptions } from "../bulk/run-settings.ts";
import { latestRunOf } from "../bulk/runs.ts";
import { isSameStamp, openSourceFile, stampOf, unreadable } from "../bulk/source.ts";
import { AppError } from "../errors/app-error.ts";
import type { Action } from "../keys/scopes.ts";
import { formatOf } from "../rows/layout.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { commandLine } from "../text/as-command.ts";
import { localZone, shortInstant } from "../text/dates.ts";
import { sourceWords } from "../triage/find/found.ts";
import type { SearchedAccounts } from "../triage/find/searched-accounts.ts";
import type { Target } from "../writes/kinds/kind.ts";
import type { Here } from "./app.ts";
import { stemOf } from "./complete-path.ts";
import type { Session } from "./open-session.ts";
import type { Surroundings } from "./surroundings.ts";
import type {
  CheckedFile,
  FileCheckRequest,
  FileEnd,
  FileTask,
  Finished,
  SentAs,
  TaskControls,
} from "./tasks.ts";

const headBytes = 256 * 1024;

export const defaultOptions: FileCheckRequest["options"] = {
  group: "none",
  query: {},
  allowMissing: false,
};

/**
 * Checks all rows of a file, as a task of the session that outlives its screen. The task fails with
 * a source error if the file cannot be read. Returns null if a check of this file is running.
 */
export function startFileCheck(
  session: Session,
  request: FileCheckRequest,
  { clock }: Pick<Surroundings, "clock">,
): Promise<Finished<FileTask>> | null {
  return session.tasks.files.start(
    request.path,
    { request, rows: 0, errors: 0, share: 0 },
    (controls) => check(session, request, clock.now, controls),
  );
}

type Controls = TaskControls<FileTask["progress"]>;

async function check(
  session: Session,
  request: FileCheckRequest,
  now: () => number,
  { stop, update }: Controls,
): Promise<FileEnd> {
  const { path, options } = request;
  const format = formatOf(path);
  const file = await openSourceFile(path, stop);
  try {
    const kinds =
      request.kind === null ? await possibleKinds(await file.head(headBytes), format) : [];
    // A file without records has the same issue for every kind.
    const kind = request.kind ?? (kinds.length === 0 ? "notes" : onlyMatchingKind(kinds));
    if (kind === null) return { kind: "ambiguous", kinds };
    const typedAt = { now: now(), timeZone: localZone() };
    const reading: ReadingOptions = { ...options, kind, format, typedAt };
    const problemOf = knownProblems(session, stop);
    const counts = { pending: 0, unlisted: 0 };
    const { size } = file.stamp;
    const checked = await checkRows(file.bytes, reading, {
      signal: stop,
      guard: await guardOf(session, stop),
      suppliers: session.profile.suppliers,
      issuesOf: async ({ target, lines }) => {
        if (target.kind !== "account") return [];
        const problem = await problemOf(target);
        if (problem === null) return [];
        counts[problem.kind] += lines.length;
        return lines.map((line) => accountIssue(line, target, problem));
      },
      onProgress: ({ rows, errors, bytes }) => {
        const share = size === 0 ? 1 : Math.min(1, bytes / size);
        update(() => ({ request, rows, errors, share }));
      },
    });
    if (!isSameStamp(await stampOf(path), file.stamp))
      throw new AppError("source", "usage", `${path} was changed while it was read`, {
        remedy: "Read it again.",
      });
    return {
      kind: "checked",
      file: {
        ...checked,
        ...counts,
        path,
        stamp: file.stamp,
        checkedAt: now(),
        sentAs: await sentAs(session, checked, stop),
      },
    };
  } catch (error) {
    stop.throwIfAborted();
    throw "code" in Object(error) ? unreadable(path, error) : error;
  } finally {
    await file.close();
  }
}

async function sentAs(
  session: Session,
  { sha256, reading }: Pick<CheckedFile, "sha256" | "reading">,
  stop: AbortSignal,
): Promise<SentAs | null> {
  const writes = await session.existingWrites(stop);
  if (writes === null) return null;
  const { context } = writes;
  const { baseUrl } = context.service;
  const record = latestRunOf(context, { kind: reading.kind, sha256, baseUrl });
  if (record === null) return null;
  return { run: record.id, at: record.createdAt, isRunning: record.state === "running" };
}

/** Marks a checked file as being sent by a run, so that it is not offered as ready meanwhile. */
export function markAsSending({ tasks }: Session, path: string, run: string, at: number): void {
  const { all } = tasks.files;
  const task = all.get().get(path);
  if (task?.kind !== "ended" || task.end.kind !== "checked") return;
  const file: CheckedFile = { ...task.end.file, sentAs: { run, at, isRunning: true } };
  all.set(new Map([...all.get(), [path, { ...task, end: { kind: "checked", file } }]]));
}

/** Checks a file again as before, because its run has ended. Does nothing if a check is running. */
export function checkAgain(session: Session, path: string, app: Pick<Surroundings, "clock">): void {
  const task = session.tasks.files.all.get().get(path);
  if (task?.kind !== "ended" || task.end.kind !== "checked") return;
  const { kind } = task.end.file.reading;
  void startFileCheck(session, { ...task.progress.request, kind }, app);
}

interface KnownList {
  readonly accounts: SearchedAccounts;
  readonly words: string;
}

interface KnownProblem {
  readonly kind: "pending" | "unlisted";
  readonly words: string;
}

/**
 * Returns a function that finds pending and unlisted accounts without a request: in the lists in
 * memory, or else in the stored lists. It returns null for other accounts, and if no list is known.
 * Each supplier is read once.
 */
function knownProblems(session: Session, stop: AbortSignal) {
  const lists = new Map<string, KnownList | null>();
  return async (target: AccountTarget): Promise<KnownProblem | null> => {
    const { importSupplier: supplier, externalAccountNumber: number } = target;
    if (!lists.has(supplier)) lists.set(supplier, await knownList(session, supplier, stop));
    const known = lists.get(supplier) ?? null;
    if (known === null) return null;
    const { accounts, words } = known;
    const state = accounts.find(number)?.state ?? "gone";
    if (state === "pending")
      return {
        kind: "pending",
        words: `Pending at ${supplier} (${words}): the service answers 404 until it is imported.`,
      };
    if (!accounts.isWhole || (state !== "gone" && state !== "removed")) return null;
    return { kind: "unlisted", words: `On no list of ${supplier} (${words}).` };
  };
}

/** Returns a supplier's complete list from memory, or the stored one, or null if none is known. */
async function knownList(
  session: Session,
  supplier: string,
  stop: AbortSignal,
): Promise<KnownList | null> {
  const sources = session.finder.sources([supplier], false);
  const listed = (await sources.list(supplier, [], stop)).find(({ isWhole }) => isWhole);
  // If the stored lists cannot be read, nothing is known, and the check continues.
  const [stored] = listed === undefined ? await sources.stored(supplier, stop).catch(() => []) : [];
  const accounts = listed ?? stored;
  if (accounts === undefined) return null;
  if (accounts.prepare !== undefined)
    await inSlices(accounts.prepare(), betweenEvents, () => stop.aborted);
  const source = listed === undefined ? "observed" : "list";
  const now = session.now();
  const words = sourceWords({ source, at: accounts.at }, now, (at) => shortInstant(at, now));
  return { accounts, words };
}

function accountIssue(
  line: number,
  { importSupplier: supplier, externalAccountNumber: number }: AccountTarget,
  { words: message }: KnownProblem,
): InputIssue {
  return {
    severity: "warning",
    line,
    supplier,
    account: number,
    column: null,
    message,
    about: { kind: "account", supplier, number },
  };
}

type AccountTarget = Extract<Target, { readonly kind: "account" }>;

/**
 * Returns the duplicate guard for the rows of a check, or null if there is no journal and no team, whose
 * entries it would compare.
 */
export async function guardOf(
  session: Session,
  signal: AbortSignal,
): Promise<HeldBackCounter | null> {
  const hasTeam = session.profile.team !== undefined;
  const writes = hasTeam ? await session.writes() : await session.existingWrites(signal);
  if (writes === null) return null;
  const { journal, service } = writes.context;
  return new HeldBackCounter(journal, service.baseUrl, writes.context);
}

/**
 * Returns the command of a run with these settings, or null if its input cannot be an argument.
 * `badRowsTo` is the file for the rows with an error, or undefined if there are none.
 */
export function runCommand(
  { kind, group, query, allowMissing }: ReadingOptions,
  from: string,
  flag: "--dry-run" | "--yes",
  profile: string | null,
  badRowsTo?: string,
): string | null {
  const disabledOptions = Object.keys(query).filter((name) => query[name] === "false");
  const words = [
    ...["bulk", "run", kind],
    ...(allowMissing ? ["--allow-missing"] : []),
    ...(group === "account" ? ["--group-by-account"] : []),
    ...disabledOptions.map((name) => `--no-${name.replaceAll("_", "-")}`),
    flag,
  ];
  const options = [["--from", from] as const, ["--skip-bad-rows", badRowsTo] as const];
  return commandLine({ words, options }, profile);
}

export function stemToFix(path: string): string {
  return `${stemOf(path)}-to-fix`;
}

export function fileCommandKey({ app, session }: Here, file: CheckedFile): Action {
  const { path, reading, issues } = file;
  const ending = reading.format === "detect" ? extname(path) : `.${reading.format}`;
  const badRowsTo = issues.rows === 0 ? undefined : `${stemToFix(path)}${ending}`;
  return {
    run: () =>
      app.overlays.command({
        command: runCommand(reading, path, "--dry-run", profileFlag(session.profile), badRowsTo),
        note: "With --dry-run it checks every row and sends nothing.",
      }),
  };
}
