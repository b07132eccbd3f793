/** Asks for the details of a new cohort in dialogs, and stores it. */
import { readFile } from "node:fs/promises";
import { AppError, isAppError } from "../errors/app-error.ts";
import { errorLine } from "../errors/error-words.ts";
import { checkTypedSuppliers } from "../settings/profile-checks.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";
import { plural } from "../text/numbers.ts";
import type { Cohort } from "../triage/cohorts/cohorts.ts";
import type { App, Here } from "./app.ts";
import { expandPath } from "./complete-path.ts";
import type { Choice } from "./overlays.ts";

function cohortProblem(step: () => Promise<void>): Promise<string | null> {
  return step().then(
    () => null,
    (error: unknown) => errorLine(error, { doing: "storing the cohort" }),
  );
}

export function askCohortName(
  { overlays, notices, key }: Pick<App, "overlays" | "notices" | "key">,
  title: string,
  store: (name: string) => Promise<Pick<Cohort, "accounts">>,
): void {
  overlays.prompt({
    title,
    label: "Name",
    hint: "Letters, digits, dots, hyphens and underscores. A cohort never changes.",
    onSubmit: (name) =>
      name === ""
        ? "Name the cohort."
        : cohortProblem(async () => {
            const { accounts } = await store(name);
            const words = `The cohort ${name} has ${plural(accounts, "account")}; ${key("watch")} watches it.`;
            notices.show(words, "ok");
          }),
  });
}

/**
 * Returns a function that returns true while the question of now is open, so that a late answer
 * opens no question after Esc.
 */
function openedNow({ current }: App["overlays"]): () => boolean {
  const asked = current.get();
  return () => current.get() === asked;
}

/**
 * Asks for the name, the supplier and the file of a new cohort, and for the column if the file does
 * not make it clear. Calls `onStored` when the cohort is stored.
 */
export function addCohort({ app, session }: Here, onStored: () => void): void {
  const { overlays, notices, clock, env, settings } = app;
  const store = async (name: string, supplier: string, file: string, column: string | null) => {
    const path = expandPath(file, env.HOME);
    const isAsked = openedNow(overlays);
    try {
      const bytes = await readFile(path).catch((error: unknown) => {
        throw new AppError("source", "usage", `${path}: ${diskWords(codeOf(error))}`);
      });
      const cohort = await session.cohorts.add({
        name,
        supplier,
        bytes,
        from: path,
        column,
        now: clock.now(),
      });
      notices.show(`The cohort ${name} has ${plural(cohort.accounts, "account")}.`, "ok");
      onStored();
    } catch (error) {
      const choices = columnChoices(error, (chosen) => {
        void cohortProblem(() => store(name, supplier, file, chosen)).then((problem) => {
          if (problem !== null) notices.show(problem, "bad");
        });
      });
      if (column !== null || choices.length === 0) throw error;
      if (!isAsked()) return;
      overlays.choose(columnQuestion, choices);
    }
  };
  const suppliers = (settings.find(session.profile.name) ?? session.profile).suppliers;
  const askFile = (name: string, supplier: string) =>
    overlays.prompt({
      title: `The accounts of the cohort ${name} of ${supplier}`,
      label: "File",
      hint: "One number per line, a JSON array, JSON lines, or CSV.",
      onSubmit: (file) =>
        file === "" ? "Name a file." : cohortProblem(() => store(name, supplier, file, null)),
    });
  const askSupplier = (name: string) =>
    overlays.prompt({
      title: `The supplier of the cohort ${name}`,
      label: "Supplier",
      hint: suppliers.length === 0 ? null : `In this profile: ${suppliers.join(", ")}.`,
      initial: suppliers.length === 1 ? (suppliers[0] ?? "") : "",
      onSubmit: (supplier) => {
        if (supplier === "") return "Name a supplier.";
        const problem = checkTypedSuppliers([supplier]);
        if (problem === null) askFile(name, supplier);
        return problem;
      },
    });
  overlays.prompt({
    title: "A new cohort",
    label: "Name",
    hint: "Letters, digits, dots, hyphens and underscores. A cohort never changes.",
    onSubmit: (name) =>
      name === ""
        ? "Name the cohort."
        : cohortProblem(async () => {
            const isAsked = openedNow(overlays);
            await session.cohorts.checkNew(name);
            if (isAsked()) askSupplier(name);
          }),
  });
}

export const columnQuestion = "Which column has the account numbers?";

/**
 * Returns the columns of a list whose column is unknown as choices, each with its first value, or
 * nothing for another error.
 */
export function columnChoices(
  error: unknown,
  onChoose: (column: string) => void,
): readonly Choice[] {
  const { columns = [], samples = [] } = isAppError(error, "source") ? error.facts : {};
  return columns.map((label, at) => ({
    label,
    hint: samples[at] ?? "",
    run: () => onChoose(label),
  }));
}
