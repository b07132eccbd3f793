/** Reads the list of a comparison again, to store the list as a cohort or to correct it. */
import { readFile } from "node:fs/promises";
import { unreadable } from "../bulk/source.ts";
import { AppError } from "../errors/app-error.ts";
import { type Corrected, correctList } from "../triage/reconcile/correct.ts";
import type { Reconciled, ReconciledRow } from "../triage/reconcile/reconciled.ts";
import { defaultColumn, readSource } from "../triage/source/read-source.ts";
import { askCohortName } from "./add-cohort.ts";
import type { Here } from "./app.ts";
import type { ChosenSource, ReconcileTask } from "./tasks.ts";

type Compared = Extract<ReconcileTask, { kind: "ended" }>;

/** Reads the list of a comparison again. Rejects with a source error if its file has changed since. */
async function comparedBytes(
  { session }: Here,
  supplier: string,
  chosen: ChosenSource,
  { source }: Reconciled,
): Promise<Uint8Array> {
  if (chosen.kind === "cohort") return (await session.cohorts.read(chosen.name, supplier)).bytes;
  if (chosen.kind === "pasted") return Buffer.from(chosen.text);
  const { path, column } = chosen;
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const current = readSource(bytes, { name: path, column: column ?? undefined, supplier });
  const isSame = current.rows === source.rows && Buffer.compare(current.text, source.text) === 0;
  if (isSame) return bytes;
  throw new AppError("source", "usage", `${path} has changed since it was compared`, {
    remedy: "Compare it again.",
  });
}

/** Asks for a name, and stores a comparison's list as a cohort, which becomes its source. */
export function storeCompared(here: Here, supplier: string, task: Compared): void {
  const { progress, end } = task;
  const { app, session } = here;
  const { chosen } = progress;
  const store = async (name: string) => {
    const bytes = await comparedBytes(here, supplier, chosen, end.result);
    const stored = await session.cohorts.add({
      name,
      supplier,
      bytes,
      now: app.clock.now(),
      from: end.result.source.name,
      column: chosen.kind === "file" ? chosen.column : null,
    });
    const { all } = session.tasks.reconciles;
    const cohort: ChosenSource = { kind: "cohort", name };
    all.set(
      new Map(all.get()).set(supplier, { ...task, progress: { ...progress, chosen: cohort } }),
    );
    return stored;
  };
  askCohortName(app, `Store the list compared with ${supplier} as a cohort`, store);
}

function update(
  { tasks }: Here["session"],
  supplier: string,
  change: (end: Compared["end"]) => Partial<Compared["end"]>,
): void {
  const { all } = tasks.reconciles;
  const task = all.get().get(supplier);
  if (task?.kind !== "ended") return;
  all.set(new Map(all.get()).set(supplier, { ...task, end: { ...task.end, ...change(task.end) } }));
}

export function markAsSeen(session: Here["session"], supplier: string): void {
  update(session, supplier, () => ({ isSeen: true }));
}

/**
 * Takes the suggestions on these lines, or takes them back if all of them are taken. A corrected
 * list that was written before is no longer the next to compare.
 */
export function toggleSuggestions(
  { session }: Here,
  supplier: string,
  lines: readonly number[],
): void {
  update(session, supplier, ({ taken }) => {
    const next = new Set(taken);
    const areTaken = lines.every((line) => taken.has(line));
    for (const line of lines) {
      if (areTaken) next.delete(line);
      else next.add(line);
    }
    return { taken: next, corrected: null };
  });
}

interface CorrectedFile {
  readonly corrected: Corrected;
  readonly onWritten: (path: string) => void;
}

/**
 * Returns the list of a comparison, corrected by its result: with the suggestions that the user has
 * taken, or with all if none is taken, and without its duplicate and malformed rows.
 */
export async function correctedFor(
  here: Here,
  supplier: string,
  { progress, end }: Compared,
): Promise<CorrectedFile> {
  const { chosen } = progress;
  const { result, taken, comparedAt } = end;
  const bytes = await comparedBytes(here, supplier, chosen, result);
  const column = await columnOf(here, supplier, chosen);
  const isTaken = ({ line }: ReconciledRow) =>
    taken.size === 0 || (line !== null && taken.has(line));
  return {
    corrected: correctList(result, bytes, column ?? defaultColumn, isTaken),
    onWritten: (path) =>
      update(here.session, supplier, (now) =>
        now.comparedAt === comparedAt ? { corrected: { kind: "file", path, column } } : {},
      ),
  };
}

async function columnOf({ session }: Here, supplier: string, chosen: ChosenSource) {
  switch (chosen.kind) {
    case "cohort":
      return (await session.cohorts.read(chosen.name, supplier)).cohort.column;
    case "file":
      return chosen.column;
    case "pasted":
      return null;
  }
}
