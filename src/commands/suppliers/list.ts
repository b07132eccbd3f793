import type { Command } from "commander";
import { worstFirst } from "../../triage/figures/worst-first.ts";
import type { Invocation } from "../invocation.ts";
import { observing } from "../observing.ts";
import { unknownBySupplier } from "../open-work.ts";
import { type Target, withTarget } from "../target.ts";
import type { Verb } from "../verb.ts";
import { figureColumns, heldBackOf, storedFigures } from "./figures.ts";
import { addOutput, figureFormats, type OutputOption, printFigures } from "./print-figures.ts";

export const verb: Verb = {
  description:
    "the suppliers of a profile with their figures, worst first, as of the last observed lists; nothing is requested",
  declare: (command: Command) => addOutput(command),
  columns: figureColumns,
  formats: figureFormats,
  /**
   * Prints the stored figures of every supplier that the profile lists or that has stored lists.
   */
  async run(invocation, options: OutputOption) {
    await withTarget(invocation, async (target) => {
      const suppliers = await storedSuppliers(invocation, target);
      if (suppliers.length === 0)
        invocation.notice("No supplier is known. Add one with: supplyline suppliers add CODE");
      const rows = worstFirst(suppliers);
      await printFigures(invocation, rows, options, { heldBack: heldBackOf(suppliers) });
    });
  },
  exits: [0, 1, 2, 3],
  examples: [
    "supplyline suppliers list",
    "supplyline suppliers list --json --columns import_supplier,pending,listed_at",
    "supplyline suppliers list --format prometheus",
  ],
};

async function storedSuppliers(invocation: Invocation, target: Target) {
  const { profile, service } = target;
  const unknown = await unknownBySupplier(invocation, target);
  return observing(invocation, target, async ({ observations }) => {
    const observed = (await observations.stored()).flatMap(({ origin, supplier }) =>
      origin === service.baseUrl ? [supplier] : [],
    );
    const now = invocation.io.clock.now();
    return Promise.all(
      [...new Set([...profile.suppliers, ...observed])].map(async (supplier) => ({
        supplier,
        unknown: unknown(supplier),
        hasFailed: false,
        figures: await storedFigures(observations, supplier, now),
      })),
    );
  });
}
