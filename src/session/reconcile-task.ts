/** Compares a list of accounts with the supplier's list, as a task of the session. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { runSliced } from "../accounts/slices.ts";
import { isServiceError } from "../api/errors.ts";
import { unreadable } from "../bulk/source.ts";
import { AppError } from "../errors/app-error.ts";
import { examplePath } from "../program-files.ts";
import { plural } from "../text/numbers.ts";
import { shownPath } from "../text/shown-path.ts";
import { maxLookups } from "../triage/lookups.ts";
import type { Source } from "../triage/source/source.ts";
import type { Session } from "./open-session.ts";
import type { Surroundings } from "./surroundings.ts";
import type { ChosenSource } from "./tasks.ts";

const reportMs = 100;

/** Returns the example list of a supplier of the embedded sandbox, or null for another. */
export function exampleSource({ profile }: Session, supplier: string): ChosenSource | null {
  if (profile.baseUrl !== null || supplier !== "NORTH") return null;
  const path = examplePath("migration-day.csv");
  if (path === null) return null;
  return { kind: "file", path: shownPath(path), column: null };
}

export function sourceName(chosen: ChosenSource): string {
  if (chosen.kind === "file") return basename(chosen.path);
  if (chosen.kind === "cohort") return `cohort ${chosen.name}`;
  const lines = chosen.text.split("\n").filter((line) => line.trim() !== "").length;
  return plural(lines, "pasted line");
}

/**
 * Compares a source with the supplier's list, as a task of the session that outlives its screen.
 * The task fails with a source or cohort error if the source cannot be used, and with ServiceError
 * if the list cannot be loaded. Does nothing while a comparison of this supplier is running.
 */
export function startReconcile(
  session: Session,
  supplier: string,
  chosen: ChosenSource,
  { clock, state }: Pick<Surroundings, "clock" | "state">,
): void {
  const work = session.tasks.reconciles.start(
    supplier,
    { chosen, stage: { phase: "reading" } },
    async ({ stop, update }) => {
      const source =
        chosen.kind === "cohort"
          ? await readCohort(chosen.name, supplier, state)
          : await readList(chosen, supplier, stop);
      // Imported on first use, so that the console starts without this code.
      const [{ reconcile }, { readWholeList }] = await Promise.all([
        import("../triage/reconcile/reconcile.ts"),
        import("../triage/whole-list.ts"),
      ]);
      const { observations } = session;
      let recorded: Promise<unknown> | null = null;
      const list = async function* () {
        const end = yield* readWholeList(session.service, supplier, {
          clock,
          observations,
          signal: stop,
        });
        ({ recorded } = end);
        session.report(null);
        return end;
      };
      let reportedAt = Number.NEGATIVE_INFINITY;
      const result = await reconcile({
        source,
        list: list(),
        lookups: {
          status: async (number, signal) =>
            (await session.service.accounts.status(supplier, number, { signal })).value,
          limit: maxLookups,
          budget: session.budget,
        },
        ages: async () => {
          // The age of an account that is new in this list is known after the list is recorded.
          await recorded?.catch(() => {});
          return await observations.ages(supplier, stop).catch(() => null);
        },
        others: {
          suppliers: session.profile.suppliers.filter((other) => other !== supplier),
          agesOf: (other) => observations.ages(other, stop).catch(() => null),
        },
        extraFacts: true,
        signal: stop,
        onProgress: (stage) => {
          const now = performance.now();
          if (stage.phase === "listing" && now - reportedAt < reportMs) return;
          reportedAt = now;
          update((before) => ({ ...before, stage }));
        },
      });
      return { result, comparedAt: clock.now(), taken: new Set(), corrected: null, isSeen: false };
    },
  );
  void work?.then((end) => {
    if (end.kind === "failed" && isServiceError(end.error)) session.report(end.error);
  });
}

/** Reads the list of a stored cohort. Rejects with a cohort error. */
async function readCohort(
  name: string,
  supplier: string,
  state: Surroundings["state"],
): Promise<Source> {
  const { openCohorts } = await import("../triage/cohorts/cohorts.ts");
  return (await openCohorts(state).read(name, supplier)).source;
}

/** Reads the list of a file or of pasted text. Rejects with a source error. */
async function readList(
  chosen: Exclude<ChosenSource, { readonly kind: "cohort" }>,
  supplier: string,
  signal: AbortSignal,
): Promise<Source> {
  const { readingSource } = await import("../triage/source/read-source.ts");
  const bytes =
    chosen.kind === "file" ? await bytesOf(chosen.path, signal) : Buffer.from(chosen.text);
  const column = chosen.kind === "file" ? chosen.column : null;
  const options = {
    name: chosen.kind === "file" ? chosen.path : "The pasted list",
    supplier,
    ...(column === null ? {} : { column }),
  };
  const source = await runSliced(readingSource(bytes, options), signal);
  if (source.rows === 0) {
    throw new AppError("source", "usage", `${options.name} has no rows`, {
      remedy: "Choose a list with one account number per line.",
    });
  }
  return source;
}

/** Reads a file. Rejects with a source error, or with the signal's reason. */
async function bytesOf(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await readFile(path, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(path, error);
  }
}
