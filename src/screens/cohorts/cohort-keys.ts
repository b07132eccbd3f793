import { readFile } from "node:fs/promises";
import { AppError, isAppError } from "../../errors/app-error.ts";
import { errorLine } from "../../errors/error-words.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useWatchAction } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { expandPath } from "../../session/complete-path.ts";
import { startReconcile } from "../../session/reconcile-task.ts";
import { codeOf, diskWords } from "../../text/disk-words.ts";
import { plural } from "../../text/numbers.ts";
import type { CohortRow } from "./cohort-list.ts";

/** The keys of the cohorts; `again` reads them again. */
export function useCohortKeys(current: CohortRow | null, again: () => void): Actions {
  const app = useApp();
  const { navigation, overlays, notices } = app;
  const session = useSession();
  const add = useAddCohort(again);
  const observed = current?.figures?.kind === "read" ? current.figures.observed : null;
  const supplier = current?.cohort.supplier ?? "";
  const watch = useWatchAction({
    kind: "many",
    find: (most) =>
      (observed?.pendingNumbers ?? [])
        .slice(0, most)
        .map((number) => ({ kind: "account", supplier, number }) as const),
    total: observed?.pending ?? 0,
  });
  const remove = ({ name, accounts }: CohortRow["cohort"]) =>
    overlays.confirm({
      question: `Remove the cohort ${name}?`,
      detail: `Its list of ${plural(accounts, "account")} is deleted from this machine and cannot be restored. Nothing changes at the service.`,
      yes: "Yes, remove it",
      onYes: () => {
        session.cohorts.remove(name).then(
          () => {
            notices.show(`The cohort ${name} is removed.`, "ok");
            again();
          },
          (error: unknown) =>
            notices.show(errorLine(error, { doing: "reading the cohorts" }), "bad"),
        );
      },
    });
  const compare = ({ name }: CohortRow["cohort"]) => {
    startReconcile(session, supplier, { kind: "cohort", name }, app);
    navigation.push({ kind: "reconcile", supplier });
  };
  return {
    ...(current === null
      ? {}
      : {
          open: () => navigation.push({ kind: "cohort", supplier, cohort: current.cohort.name }),
          reconcile: () => compare(current.cohort),
          watch: {
            ...watch,
            label: "watch pending",
            disabled: pendingWords(current),
          },
          remove: () => remove(current.cohort),
        }),
    add,
    refresh: again,
  };
}

/** Why no account of a cohort can be watched from here; null where some can. */
function pendingWords({ cohort, figures }: CohortRow): string | null {
  if (figures?.kind !== "read" || figures.observed === null) {
    return `It is not known which accounts of ${cohort.name} are pending.`;
  }
  return figures.observed.pending === 0 ? `No account of ${cohort.name} is pending.` : null;
}

/** Asks for name, supplier and file of a new cohort, and for the column where that is not certain. */
function useAddCohort(again: () => void): () => void {
  const { overlays, notices, clock, env, settings } = useApp();
  const session = useSession();
  const store = async (name: string, supplier: string, file: string, column: string | null) => {
    const path = expandPath(file, env.HOME);
    try {
      const bytes = await readFile(path).catch((error: unknown) => {
        throw new AppError("source", "usage", `${path}: ${diskWords(codeOf(error))}`);
      });
      const cohort = await session.cohorts.add({
        ...{ name, supplier, bytes, from: path, column, now: clock.now() },
      });
      notices.show(`The cohort ${name} has ${plural(cohort.accounts, "account")}.`, "ok");
      again();
    } catch (error) {
      const columns =
        isAppError(error, "source") && column === null ? (error.facts.columns ?? []) : [];
      if (columns.length === 0) {
        notices.show(errorLine(error, { doing: "reading the cohorts" }), "bad");
        return;
      }
      overlays.choose(
        "Which column has the external account numbers?",
        columns.map((label) => ({
          ...{ label, hint: "" },
          run: () => void store(name, supplier, file, label),
        })),
      );
    }
  };
  const suppliers = (settings.find(session.profile.name) ?? session.profile).suppliers;
  const askFile = (name: string, supplier: string) =>
    overlays.prompt({
      title: `The accounts of the cohort ${name} of ${supplier}`,
      label: "File",
      hint: "One number per line, a JSON array, JSON lines, or CSV.",
      onSubmit: (file) => {
        if (file === "") return "Name a file.";
        void store(name, supplier, file, null);
        return null;
      },
    });
  const askSupplier = (name: string) =>
    overlays.prompt({
      title: `The supplier of the cohort ${name}`,
      label: "Supplier",
      hint: suppliers.length === 0 ? null : `In this profile: ${suppliers.join(", ")}.`,
      initial: suppliers.length === 1 ? (suppliers[0] ?? "") : "",
      onSubmit: (supplier) => {
        if (supplier === "") return "Name a supplier.";
        askFile(name, supplier);
        return null;
      },
    });
  return () =>
    overlays.prompt({
      title: "A new cohort",
      label: "Name",
      hint: "Letters, digits, dots, hyphens and underscores. A cohort never changes.",
      onSubmit: (name) => {
        if (name === "") return "Name the cohort.";
        askSupplier(name);
        return null;
      },
    });
}
