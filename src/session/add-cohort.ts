/** Asks for the details of a new cohort in dialogs, and stores it. */
import { readFile } from "node:fs/promises";
import { AppError, isAppError } from "../errors/app-error.ts";
import { errorLine } from "../errors/error-words.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";
import { plural } from "../text/numbers.ts";
import type { Here } from "./app.ts";
import { expandPath } from "./complete-path.ts";

/**
 * Asks for the name, the supplier and the file of a new cohort, and for the column if the file does
 * not make it clear. Calls `onStored` when the cohort is stored.
 */
export function addCohort({ app, session }: Here, onStored: () => void): void {
  const { overlays, notices, clock, env, settings } = app;
  const store = async (name: string, supplier: string, file: string, column: string | null) => {
    const path = expandPath(file, env.HOME);
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
      const columns =
        isAppError(error, "source") && column === null ? (error.facts.columns ?? []) : [];
      if (columns.length === 0) {
        notices.show(errorLine(error, { doing: "reading the cohorts" }), "bad");
        return;
      }
      overlays.choose(
        "Which column has the external account numbers?",
        columns.map((label) => ({
          label,
          hint: "",
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
