import type { OpenMemory } from "../../src/writes/team/memory.ts";
import { TestMemory } from "../writes/team/memory-memory.ts";

/** Loads the memory of a team that has no list and no cohort. */
export const noMemory = async (): Promise<OpenMemory> => () => new TestMemory().as("nobody");
