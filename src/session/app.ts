import type { Surroundings } from "./surroundings.ts";

/**
 * Everything that stays the same as long as the console runs. What changes in it is in a store.
 * Screens read it with `useApp`, and functions without React get it as an argument.
 */
export interface App extends Surroundings {}

/** Builds the console's model, before anything is drawn. */
export function createApp(surroundings: Surroundings): App {
  return { ...surroundings };
}
