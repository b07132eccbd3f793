import { plural } from "../../text/numbers.ts";

/**
 * Returns the number of a team's machines whose lists show a time: `, by 4 machines`. Returns an empty text
 * without a team.
 */
export function byMachines(machines: number | null): string {
  return machines === null ? "" : `, by ${plural(machines, "machine")}`;
}
