/**
 * The command `suppliers show`: loads the lists of suppliers and prints their current figures
 * (INTERFACE 4.8–4.11).
 */

import type { Command } from "commander";
import { isServiceError } from "../../api/errors.ts";
import { isAppError } from "../../errors/app-error.ts";
import type { SupplierFigures } from "../../triage/figures/supplier-figures.ts";
import { isRefusal } from "../../watch/poll.ts";
import { mostSevere } from "../exit-codes.ts";
import { type Failure, failureJson, failureOf } from "../failure.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { withObservations } from "../observing.ts";
import { unknownBySupplier } from "../open-work.ts";
import { identifierArguments } from "../option-values.ts";
import type { Verb } from "../verb.ts";
import { type FiguresRow, figureColumns, figuresNow, figuresRow, heldBackOf } from "./figures.ts";
import { addOutput, figureFormats, type OutputOption, printFigures } from "./print-figures.ts";

export const verb: Verb = {
  description: "the figures of suppliers, from their lists as they are now",
  declare: (command: Command) =>
    addOutput(command.argument("<supplier...>", "import supplier codes", identifierArguments)),
  columns: figureColumns,
  formats: figureFormats,
  /**
   * Loads one list after the other. Among several suppliers, a failed list is reported in its row
   * and does not stop the others. The most severe error determines the exit code.
   */
  async run(invocation, named: readonly string[], options: OutputOption) {
    const suppliers = [...new Set(named)];
    return withObservations(invocation, async (observing, target) => {
      const unknown = await unknownBySupplier(invocation, target);
      const shown: Shown[] = [];
      let refused: unknown = null;
      for (const supplier of suppliers) {
        try {
          if (refused !== null) throw refused;
          const figures = await figuresNow(invocation, target, observing, supplier);
          const row = figuresRow(supplier, figures, unknown(supplier));
          shown.push({ kind: "listed", supplier, figures, row });
        } catch (error) {
          invocation.io.signal.throwIfAborted();
          if (suppliers.length === 1) throw error;
          // After refused credentials no other request is sent, because the service would refuse
          // that, too.
          if (isRefused(error)) refused = error;
          const row = figuresRow(supplier, null, unknown(supplier));
          shown.push({ kind: "failed", row, failure: failureOf(error) });
        }
      }
      return finish(invocation, shown, options);
    });
  },
  exits: [0, 1, 2, 3, 5, 6, 130],
  examples: [
    "supplyline suppliers show ACME",
    "supplyline suppliers show ACME NORTH --json",
    "supplyline suppliers show ACME NORTH --format prometheus",
  ],
};

/** A supplier with its figures, or with the failure of its list. */
type Shown =
  | {
      readonly kind: "listed";
      readonly supplier: string;
      readonly figures: SupplierFigures;
      readonly row: FiguresRow;
    }
  | { readonly kind: "failed"; readonly row: FiguresRow; readonly failure: Failure };

async function finish(
  invocation: Invocation,
  shown: readonly Shown[],
  options: OutputOption,
): Promise<number> {
  const failures = shown.flatMap((one) => (one.kind === "failed" ? [one] : []));
  const errors = new Map(failures.map(({ row, failure }) => [row, failureJson(failure)]));
  const isPrometheus = invocation.globals.document === "prometheus";
  const rows = shown.filter(({ kind }) => !isPrometheus || kind === "listed").map(({ row }) => row);
  const isWhole = failures.length === 0;
  if (isWhole || options.output === undefined)
    await printFigures(invocation, rows, options, {
      isOne: shown.length === 1,
      heldBack: heldBackOf(shown.flatMap((one) => (one.kind === "listed" ? [one] : []))),
      json: (row) => {
        const error = errors.get(row);
        return error === undefined ? row : { import_supplier: row.import_supplier, error };
      },
    });
  if (!printsJson(invocation.globals) || options.output !== undefined)
    for (const { failure } of failures) invocation.problem(failure.message);
  if (!isWhole && options.output !== undefined)
    invocation.problem(`${options.output} is unchanged: a list is incomplete.`);
  return mostSevere(failures.map(({ failure }) => failure.exitCode));
}

function isRefused(error: unknown): boolean {
  const cause = isAppError(error, "call") ? error.cause : error;
  return isServiceError(cause) && isRefusal(cause);
}
