/**
 * The command `suppliers show`: loads the lists of suppliers and prints their current figures
 * (INTERFACE 4.8–4.11).
 */

import type { Command } from "commander";
import { isServiceError } from "../../api/errors.ts";
import { isAppError } from "../../errors/app-error.ts";
import { recordOf } from "../../text/fields.ts";
import { figureFields, type SupplierFacts } from "../../triage/figures/figure-fields.ts";
import { isCredentialError } from "../../watch/poll.ts";
import { mostSevere } from "../exit-codes.ts";
import { type Failure, failureJson, failureOf } from "../failure.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { withObservations } from "../observing.ts";
import { unknownBySupplier } from "../open-work.ts";
import { identifierArguments } from "../option-values.ts";
import type { Verb } from "../verb.ts";
import { currentFigures, figureColumns, heldBackOf } from "./figures.ts";
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
      const results: SupplierResult[] = [];
      let refusal: unknown = null;
      for (const supplier of suppliers) {
        try {
          if (refusal !== null) throw refusal;
          const figures = await currentFigures(invocation, target, observing, supplier);
          results.push({ supplier, figures, unknown: unknown(supplier), failure: null });
        } catch (error) {
          invocation.io.signal.throwIfAborted();
          if (suppliers.length === 1) throw error;
          // After refused credentials no other request is sent, because the service would refuse
          // every request.
          if (isRefusedCall(error)) refusal = error;
          const failure = failureOf(error);
          results.push({ supplier, figures: null, unknown: unknown(supplier), failure });
        }
      }
      return printResults(invocation, results, options);
    });
  },
  exits: [0, 1, 2, 3, 5, 6, 130],
  examples: [
    "supplyline suppliers show ACME",
    "supplyline suppliers show ACME NORTH --json",
    "supplyline suppliers show ACME NORTH --format prometheus",
  ],
};

interface SupplierResult extends SupplierFacts {
  readonly failure: Failure | null;
}

/**
 * Prints the figures and the failures. Leaves the file of `--output` unchanged if a list failed.
 * Returns the most severe exit code.
 */
async function printResults(
  invocation: Invocation,
  results: readonly SupplierResult[],
  options: OutputOption,
): Promise<number> {
  const failures = results.flatMap(({ failure }) => failure ?? []);
  const listed = results.filter(({ failure }) => failure === null);
  const isPrometheus = invocation.globals.document === "prometheus";
  const isComplete = failures.length === 0;
  if (isComplete || options.output === undefined)
    await printFigures(invocation, isPrometheus ? listed : results, options, {
      isSingle: results.length === 1,
      heldBack: heldBackOf(listed),
      json: (row) =>
        row.failure === null
          ? recordOf(Object.values(figureFields), row)
          : { import_supplier: row.supplier, error: failureJson(row.failure) },
    });
  if (!printsJson(invocation.globals) || options.output !== undefined)
    for (const { message } of failures) invocation.problem(message);
  if (!isComplete && options.output !== undefined)
    invocation.problem(`${options.output} is unchanged: a list is incomplete.`);
  return mostSevere(failures.map((failure) => failure.exitCode));
}

function isRefusedCall(error: unknown): boolean {
  const cause = isAppError(error, "call") ? error.cause : error;
  return isServiceError(cause) && isCredentialError(cause);
}
