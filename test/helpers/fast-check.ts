/**
 * fast-check for properties that hold for the same values on every run: a test that passed does not
 * fail later by chance. `PROPERTY_SEED=7 npx vitest run test/forms` tries others.
 */
import { configureGlobal } from "fast-check";

export * from "fast-check";

const { PROPERTY_SEED = "20261121" } = process.env;

configureGlobal({ seed: Number(PROPERTY_SEED) });
