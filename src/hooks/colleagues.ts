/** A React hook that reads the entries of colleagues from the team's ledger, again every few seconds. */
import { useCallback } from "react";
import { isAppError } from "../errors/app-error.ts";
import { capital } from "../text/connection-words.ts";
import { formatInstant } from "../text/dates.ts";
import {
  type ColleagueFilter,
  findTeamEntry,
  listColleagues,
  type TeamActivityRow,
} from "../writes/team/colleagues.ts";
import type { ListedEntry } from "../writes/team/ledger.ts";
import type { LedgerAct, TeamRun } from "../writes/team/ledger-views.ts";
import { useApp, useSession } from "./app.tsx";
import { useRead } from "./reading.ts";

const askEveryMs = 5_000;

/** Maximum number of entries, and of runs, that are listed. */
const maxRows = 500;
const maxRuns = 50;

export interface Colleagues {
  readonly rows: readonly TeamActivityRow[];
  readonly hasMore: boolean;
  /** The runs of colleagues. Their entries are not among the rows. */
  readonly runs: readonly TeamRun[];
  /** A sentence if the entries cannot be read now, or null. Those that were read before stay. */
  readonly missing: string | null;
}

/** The outcomes of the entries that are listed before all others. */
const openOutcomes = ["unknown", "retryable", "sending"] as const;

const noColleagues: Colleagues = { rows: [], hasMore: false, runs: [], missing: null };

/**
 * Returns the entries of colleagues for a supplier and an account or identifier, newest first, while the
 * screen is on top. Empty without a team. With `folded`, the entries of a run are one run, if they are
 * not limited to a supplier.
 */
export function useColleagues(
  supplier: string | null,
  account: string | null,
  folded = false,
): Colleagues {
  const session = useSession();
  const { clock } = useApp();
  const hasTeam = session.profile.team !== undefined;
  const read = useCallback(
    async function* (signal: AbortSignal): AsyncGenerator<Colleagues, void, void> {
      let last = noColleagues;
      let missingSince: number | null = null;
      const hasRuns = folded && supplier === null && account === null;
      for (;;) {
        const { team } = (await session.writes()).context;
        if (team === null) return;
        const ofSupplier =
          supplier === null
            ? { isOfRun: hasRuns ? false : undefined }
            : { importSupplier: supplier };
        const filters =
          account === null
            ? [ofSupplier]
            : [
                { ...ofSupplier, externalAccountNumber: account },
                { ...ofSupplier, externalIdentifier: account },
              ];
        try {
          const listed = (filter: ColleagueFilter) =>
            listColleagues(team.ledger, team.folder, { ...filter, limit: maxRows });
          // Open entries are listed however old they are.
          const open = await Promise.all(
            filters.map((filter) => listed({ ...filter, outcomes: openOutcomes })),
          );
          const newest = await Promise.all(filters.map(listed));
          const all = [...open, ...newest].flat();
          const runs = hasRuns ? await team.ledger.runs(maxRuns) : [];
          last = {
            rows: [...new Map(all.map((row) => [row.team_id, row])).values()],
            hasMore: newest.some((page) => page.length === maxRows),
            ...{ runs, missing: null },
          };
          missingSince = null;
        } catch (error) {
          if (!isAppError(error, "team")) throw error;
          missingSince ??= clock.now();
          const since = formatInstant(missingSince).slice(11, 16);
          const missing = `The team's entries are missing since ${since}. ${capital(error.message)}.`;
          last = { ...last, missing };
        }
        yield last;
        await clock.sleep(askEveryMs, signal);
      }
    },
    [session, clock, supplier, account, folded],
  );
  return useRead(hasTeam ? read : null) ?? noColleagues;
}

/** A colleague's entry at the last answer. `missing` has a sentence about why there is none. */
export type TeamEntryView =
  | {
      readonly kind: "read";
      /** The entry, or null if the ledger has none with this number. */
      readonly entry: ListedEntry | null;
      /** The acts of people on the entry, the oldest first. */
      readonly acts: readonly LedgerAct[];
    }
  | { readonly kind: "missing"; readonly words: string };

/** Returns the entry with a number in the ledger, or null before the first answer. */
export function useTeamEntry(id: number): TeamEntryView | null {
  const session = useSession();
  const { clock } = useApp();
  return useRead(
    useCallback(
      async function* (signal: AbortSignal): AsyncGenerator<TeamEntryView, void, void> {
        for (;;) {
          const { team, teamRefusal } = (await session.writes()).context;
          try {
            if (team === null) {
              yield { kind: "missing", words: capital(`${teamRefusal?.message ?? "no team"}.`) };
              return;
            }
            const [entry, acts] = [
              await findTeamEntry(team.ledger, id),
              await team.ledger.acts(id),
            ];
            yield { kind: "read", entry, acts };
          } catch (error) {
            if (!isAppError(error, "team")) throw error;
            yield { kind: "missing", words: `${capital(error.message)}.` };
          }
          await clock.sleep(askEveryMs, signal);
        }
      },
      [session, clock, id],
    ),
  );
}

const noRuns: readonly TeamRun[] = [];

/** Returns the latest runs of colleagues, at most `most`, again every few seconds. Empty without a team. */
export function useTeamRuns(most: number): readonly TeamRun[] {
  const session = useSession();
  const { clock } = useApp();
  const read = useCallback(
    async function* (signal: AbortSignal): AsyncGenerator<readonly TeamRun[], void, void> {
      for (;;) {
        const { team } = (await session.writes()).context;
        if (team === null) return;
        try {
          yield await team.ledger.runs(most);
        } catch (error) {
          // The header says that the team is away. The runs that were read before stay.
          if (!isAppError(error, "team")) throw error;
        }
        await clock.sleep(askEveryMs, signal);
      }
    },
    [session, clock, most],
  );
  return useRead(session.profile.team === undefined ? null : read) ?? noRuns;
}
