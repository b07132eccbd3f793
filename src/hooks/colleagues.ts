/** A React hook that reads the entries of colleagues from the team's ledger, again every few seconds. */
import { useCallback } from "react";
import { isAppError } from "../errors/app-error.ts";
import { capital } from "../text/connection-words.ts";
import { listColleagues, type TeamActivityRow } from "../writes/team/colleagues.ts";
import { useApp, useSession } from "./app.tsx";
import { useRead } from "./reading.ts";

/** The time between two questions, in milliseconds. */
const askEveryMs = 5_000;

/** Maximum number of entries that are listed. */
const maxRows = 500;

/** The entries of colleagues. */
export interface Colleagues {
  readonly rows: readonly TeamActivityRow[];
  /** A sentence if the entries cannot be read now, or null. Those that were read before stay. */
  readonly missing: string | null;
}

const noColleagues: Colleagues = { rows: [], missing: null };

/**
 * Returns the entries of colleagues for a supplier and an account or identifier, newest first, while the
 * screen is on top. Empty without a team.
 */
export function useColleagues(supplier: string | null, account: string | null): Colleagues {
  const session = useSession();
  const { clock } = useApp();
  const hasTeam = session.profile.team !== undefined;
  const read = useCallback(
    async function* (signal: AbortSignal): AsyncGenerator<Colleagues, void, void> {
      let last = noColleagues;
      for (;;) {
        const { team } = (await session.writes()).context;
        if (team === null) return;
        const ofSupplier = supplier === null ? {} : { importSupplier: supplier };
        const filters =
          account === null
            ? [ofSupplier]
            : [
                { ...ofSupplier, externalAccountNumber: account },
                { ...ofSupplier, externalIdentifier: account },
              ];
        try {
          const pages = await Promise.all(
            filters.map((filter) =>
              listColleagues(team.ledger, team.folder, { ...filter, limit: maxRows }),
            ),
          );
          last = { rows: pages.flat(), missing: null };
        } catch (error) {
          if (!isAppError(error, "team")) throw error;
          last = { ...last, missing: `The team's entries are missing: ${capital(error.message)}.` };
        }
        yield last;
        await clock.sleep(askEveryMs, signal);
      }
    },
    [session, clock, supplier, account],
  );
  return useRead(hasTeam ? read : null) ?? noColleagues;
}
