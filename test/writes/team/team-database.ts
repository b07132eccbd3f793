/** The database of a team in memory, as commands and the console load its driver. */
import type { ErrorKinds } from "../../../src/errors/app-error.ts";
import { AppError } from "../../../src/errors/app-error.ts";
import type { Ledger, TeamDriver } from "../../../src/writes/team/ledger.ts";
import { memoryWorld } from "./memory-ledger.ts";
import type { TeamWorld } from "./world.ts";

/** The database of a team, which answers unless `away` has a kind of error. */
export interface TeamDatabase {
  readonly world: TeamWorld;
  away: ErrorKinds["team"] | null;
  /** Number of ledgers that were opened. */
  opened: number;
  readonly load: TeamDriver["load"];
}

/** Creates the database. The login of each user of it is the name of the machine. */
export function teamDatabase(): TeamDatabase {
  const world = memoryWorld();
  const check = () => {
    if (database.away !== null)
      throw new AppError("team", database.away, "the team's database db.example.com is away");
  };
  const database: TeamDatabase = {
    world,
    away: null,
    opened: 0,
    load:
      async () =>
      (_, { user, clock }) => {
        database.opened += 1;
        const real = world.ledgerFor(user.machine, user);
        const checked =
          <Given extends readonly unknown[], T>(work: (...given: Given) => Promise<T>) =>
          async (...given: Given) => {
            check();
            return work(...given);
          };
        const claim: Ledger["claim"] = async (...given) => {
          const askedAt = { wall: clock.now(), steady: performance.now() };
          try {
            check();
          } catch (error) {
            return { kind: "away", error: error as AppError<"team"> };
          }
          const answer = await real.claim(...given);
          return answer.kind === "claimed" ? { ...answer, askedAt } : answer;
        };
        return {
          ...real,
          claim,
          ask: checked(real.ask),
          renew: checked(real.renew),
          publish: checked(real.publish),
          closeEntry: checked(real.closeEntry),
          list: checked(real.list),
          since: checked(real.since),
          leave: checked(real.leave),
          rejoin: checked(real.rejoin),
          acts: checked(real.acts),
          closings: checked(real.closings),
          runs: checked(real.runs),
          openWork: checked(real.openWork),
          done: checked(real.done),
        };
      },
  };
  return database;
}
