/**
 * The command `supply-points validate`: lets the service check a supply point without creating it
 * (INTERFACE 4.5).
 */

import { isServiceError } from "../../api/errors.ts";
import { forms } from "../../forms/forms.ts";
import { parseExact, toJson } from "../../json/exact.ts";
import { numberOf, validateSupplyPointPath } from "../../writes/kinds/kind.ts";
import { bodyFacts } from "../../writes/prepare.ts";
import { validateSupplyPoint } from "../../writes/validate.ts";
import { exitCode } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import { withTarget } from "../target.ts";
import type { Verb } from "../verb.ts";
import { bodyFromFile, withoutFieldErrors } from "../writes/body.ts";
import { dryWrite, printRequests } from "../writes/dry-run.ts";
import { subjectOf } from "../writes/make-write.ts";

export const verb: Verb = {
  description: "validate a supply point at the service; nothing is created",
  declare: (command) =>
    command
      .argument("<file>", "the payload as JSON, or - for standard input")
      .option("--dry-run", "print the exact request; send nothing"),
  /**
   * Lets the service check a supply point (INTERFACE 4.5), and prints the body of the response.
   * Nothing is created, so the command needs no confirmation and no journal entry.
   */
  async run(invocation, file: string, { dryRun }: { readonly dryRun?: boolean }) {
    const { bytes, explain } = await bodyFromFile(invocation, forms["supply-points"], file);
    const { target: supplyPoint } = bodyFacts("supply-points create", bytes);
    const { io, globals, out } = invocation;
    return withTarget(invocation, async (target) => {
      const { service } = target;
      if (dryRun === true) {
        const request = { path: validateSupplyPointPath, query: {}, body: bytes };
        return printRequests(invocation, [dryWrite(service.baseUrl, request)]);
      }
      const context = target.context(
        `validating supply point ${numberOf(supplyPoint)}`,
        subjectOf(supplyPoint),
      );
      try {
        const { body } = await validateSupplyPoint(
          { service, clock: io.clock, random: Math.random },
          bytes,
          invocation.request,
        );
        await out.line(toJson(parseExact(body), globals.format === "jsonl" ? undefined : 2));
        invocation.progress("Valid. The next step is `supplyline supply-points create`.");
        return exitCode.done;
      } catch (error) {
        io.signal.throwIfAborted();
        if (!isServiceError(error)) throw error;
        const failure = failureOf(withoutFieldErrors(error), context);
        invocation.report({
          ...failure,
          errors: error.facts.errors,
          details: explain(error),
        });
        return failure.exitCode;
      }
    });
  },
  exits: [0, 2, 3, 4, 5, 6, 130],
  examples: [
    "supplyline supply-points validate supply-point.json",
    "supplyline supply-points validate - --json < supply-point.json",
  ],
};
