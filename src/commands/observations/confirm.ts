import { toJson } from "../../json/exact.ts";
import { utcInstant } from "../../text/dates.ts";
import { count, plural } from "../../text/numbers.ts";
import { exitCode } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import { withObservations } from "../observing.ts";
import { supplierArgument } from "../option-values.ts";
import type { Verb } from "../verb.ts";

export const verb: Verb = {
  description:
    "record the list that was held back because it lost too many accounts: those it does not have are gone or removed",
  declare: (command) => command.argument(...supplierArgument),
  async run(invocation, supplier: string) {
    const { globals, io, out } = invocation;
    return withObservations(invocation, async ({ observations }) => {
      const heldBack = (await observations.summary(supplier, io.clock.now()))?.heldBack ?? null;
      const isConfirmed = heldBack !== null && (await observations.confirm(supplier));
      if (printsJson(globals)) {
        const list =
          isConfirmed && heldBack !== null
            ? { listed_at: utcInstant(heldBack.at), before: heldBack.before, now: heldBack.now }
            : {};
        await out.line(toJson({ import_supplier: supplier, confirmed: isConfirmed, ...list }));
      } else if (isConfirmed && heldBack !== null) {
        await out.line(
          `Recorded the list of ${utcInstant(heldBack.at)} with ${plural(heldBack.now, "account")}, after ${count(heldBack.before)}.`,
        );
      } else {
        invocation.notice(`No list of ${supplier} is held back.`);
      }
      return exitCode.done;
    });
  },
  exits: [0, 1, 2, 3],
  examples: ["supplyline observations confirm ACME"],
};
