import type { TeamDriver } from "../../src/writes/team/ledger.ts";

/** Fails a test that connects to the database of a team without one. */
export const noLedger: TeamDriver["load"] = () =>
  Promise.reject(new Error("this test has no database of a team"));
