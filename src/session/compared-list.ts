/** Reads the list of a comparison again, to store the list as a cohort or to correct it. */
import { readFile } from "node:fs/promises";
import { unreadable } from "../bulk/source.ts";
import { AppError } from "../errors/app-error.ts";
import { correctedList } from "../triage/reconcile/corrected-list.ts";
import type { Reconciled } from "../triage/reconcile/reconciled.ts";
import { defaultColumn, readSource } from "../triage/source/read-source.ts";
import { askCohortName } from "./add-cohort.ts";
import type { Here } from "./app.ts";
import type { ChosenSource, ReconcileTask } from "./tasks.ts";

/** The task of a comparison that has ended. */
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

/**
 * Asks for a name, and stores the list of a comparison as a cohort. The cohort becomes the source
 * of the comparison.
 */
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

/**
 * Returns the list of a comparison with its suggestions applied: those of `lines`, or all if
 * `lines` is null. A suggestion that several rows share is not applied.
 */
export async function correctedFor(
  here: Here,
  supplier: string,
  { progress, end }: Compared,
  lines: ReadonlySet<number> | null,
) {
  const { chosen } = progress;
  const { result } = end;
  const bytes = await comparedBytes(here, supplier, chosen, result);
  const rows = [...result.suggested()].filter(
    ({ line }) => line !== null && (lines?.has(line) ?? true),
  );
  const bySuggestion = Map.groupBy(rows, ({ suggestion }) => suggestion);
  const corrections = rows.flatMap(({ line, external, suggestion }) =>
    line === null ||
    external === null ||
    suggestion === null ||
    bySuggestion.get(suggestion)?.length !== 1
      ? []
      : [[line, { from: external, to: suggestion }] as const],
  );
  const column = await columnOf(here, supplier, chosen);
  return correctedList(bytes, { layout: result.source.layout, column }, new Map(corrections));
}

/** Returns the name of the column with the account numbers, or the usual name if none was chosen. */
async function columnOf({ session }: Here, supplier: string, chosen: ChosenSource) {
  const column =
    chosen.kind === "cohort"
      ? (await session.cohorts.read(chosen.name, supplier)).cohort.column
      : chosen.kind === "file"
        ? chosen.column
        : null;
  return column ?? defaultColumn;
}
