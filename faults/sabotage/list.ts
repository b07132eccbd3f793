/** Every client that is made wrong on purpose. */
import { answers } from "./answers.ts";
import { guard } from "./guard.ts";
import { records } from "./records.ts";
import { resends } from "./resends.ts";
import type { Sabotage, SabotagedClient } from "./sabotage.ts";
import { teamSabotages } from "./team.ts";
import { waits } from "./waits.ts";

export const sabotages: readonly Sabotage[] = [
  ...resends,
  ...answers,
  ...guard,
  ...records,
  ...waits,
];

export function sabotageNamed(name: string): Sabotage {
  return named(sabotages, name);
}

/** Returns the changes of a client, whichever test notices them. */
export function clientNamed(name: string): SabotagedClient {
  return named<SabotagedClient>([...sabotages, ...teamSabotages], name);
}

function named<Of extends SabotagedClient>(all: readonly Of[], name: string): Of {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no sabotage "${name}".`);
  return found;
}
