import { expect, test } from "vitest";
import { formKinds } from "../../src/forms/forms.ts";
import { confirmationOf, type Sending } from "../../src/writes/confirmation.ts";
import { operationOf } from "../../src/writes/kinds/kinds.ts";

type Cell = "none" | "yes" | "target" | "rows" | "rows-and-sum";

/** What is asked of one and of many; of many where the rows have no amounts, and where they do. */
const table: readonly (readonly [
  environment: Sending["environment"],
  inDoubt: boolean,
  one: Cell,
  many: Cell,
  manyAmounts: Cell,
])[] = [
  ["sandbox", false, "none", "none", "none"],
  ["sandbox", true, "none", "none", "none"],
  ["test", false, "none", "yes", "yes"],
  ["test", true, "target", "rows", "rows-and-sum"],
  ["production", false, "target", "rows", "rows-and-sum"],
  ["production", true, "target", "rows", "rows-and-sum"],
];

const cells = table.flatMap(([environment, inDoubt, one, many, manyAmounts]) =>
  formKinds.map(operationOf).flatMap((operation) => {
    const ofMany = operation === "transactions create" ? manyAmounts : many;
    const doubt = inDoubt ? "in doubt" : "not in doubt";
    return [
      { environment, doubt, operation, inDoubt, rows: "one", cell: one },
      { environment, doubt, operation, inDoubt, rows: "many", cell: ofMany },
    ] as const;
  }),
);

test.each(cells)("$environment, $rows $operation, $doubt: $cell", ({ cell, ...sending }) => {
  const asked = confirmationOf(sending);
  expect(asked.kind === "typed" ? asked.what : asked.kind).toBe(cell);
});
