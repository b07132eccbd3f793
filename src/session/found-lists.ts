/** Compares the numbers of a search with a supplier's list, or stores them as a cohort. */
import { count, plural } from "../text/numbers.ts";
import { askCohortName } from "./add-cohort.ts";
import type { Here } from "./app.ts";
import { startReconcile } from "./reconcile-task.ts";

export interface NumbersBySupplier {
  readonly bySupplier: ReadonlyMap<string, readonly string[]>;
  readonly nowhere: readonly string[];
}

/**
 * Compares numbers with the list of a supplier. Numbers of other suppliers are left out. Asks for the
 * supplier if several have numbers.
 */
export function compareFound(here: Here, numbers: NumbersBySupplier): void {
  const { app, session } = here;
  chooseSupplier(here, "Compare with the list of", numbers, (supplier, chosen) => {
    startReconcile(session, supplier, { kind: "pasted", text: linesOf(chosen) }, app);
    app.navigation.push({ kind: "reconcile", supplier });
  });
}

/**
 * Stores numbers as a cohort of a supplier. Numbers of other suppliers are left out. Asks for the
 * supplier if several have numbers, and for the name.
 */
export function storeFound(here: Here, numbers: NumbersBySupplier): void {
  const { app, session } = here;
  chooseSupplier(here, "Store a cohort of", numbers, (supplier, chosen) =>
    askCohortName(
      app,
      `Store ${plural(chosen.length, "number")} as a cohort of ${supplier}`,
      (name) =>
        session.cohorts.add({
          name,
          supplier,
          bytes: Buffer.from(linesOf(chosen)),
          from: "the pasted text",
          column: null,
          now: app.clock.now(),
        }),
    ),
  );
}

function chooseSupplier(
  { app: { overlays } }: Here,
  title: string,
  { bySupplier, nowhere }: NumbersBySupplier,
  run: (supplier: string, numbers: readonly string[]) => void,
): void {
  const choices = [...bySupplier].toSorted(([, a], [, b]) => b.length - a.length);
  const [only, second] = choices;
  if (only !== undefined && second === undefined) {
    run(only[0], [...only[1], ...nowhere]);
    return;
  }
  const also = nowhere.length === 0 ? "" : ` and the ${count(nowhere.length)} that are nowhere`;
  overlays.choose(
    title,
    choices.map(([supplier, numbers]) => ({
      label: supplier,
      hint: `its ${plural(numbers.length, "number")}${also}`,
      run: () => run(supplier, [...numbers, ...nowhere]),
    })),
  );
}

/** Writes numbers as JSON lines, because a number can contain any separator. */
function linesOf(numbers: readonly string[]): string {
  return numbers.map((number) => JSON.stringify(number)).join("\n");
}
