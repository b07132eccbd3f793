/** Every client that is made wrong on purpose. */
import { answers } from "./answers.ts";
import { guard } from "./guard.ts";
import { records } from "./records.ts";
import { resends } from "./resends.ts";
import type { Sabotage } from "./sabotage.ts";
import { waits } from "./waits.ts";

export const sabotages: readonly Sabotage[] = [
  ...resends,
  ...answers,
  ...guard,
  ...records,
  ...waits,
];

export function sabotageNamed(name: string): Sabotage {
  const found = sabotages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no sabotage "${name}".`);
  return found;
}
