/** The data of a shift report. */

import type { TeamNames } from "../../settings/team-access.ts";
import type { CohortProgress, Finality, WatchSubject } from "../../watch/timeline.ts";
import type { PersonDone } from "../../writes/done.ts";
import type { OpenOfPerson } from "../../writes/team/ledger-views.ts";
import type { PendingAccount } from "../figures/figures.ts";
import type { GoneCount } from "../figures/gone.ts";
import type { CreationRate, Forecast } from "../forecast/forecast.ts";
import type { ChangeKind } from "../observations/observations.ts";
import type { Open, OpenCohort } from "../open/open.ts";
import type { ReportedWork } from "./reported-work.ts";

/** The state of the work for the next shift. Times are epoch milliseconds. */
export interface Report {
  readonly at: number;
  readonly since: number;
  readonly profile: string;
  readonly environment: string;
  readonly baseUrl: string;
  readonly suppliers: readonly SupplierSection[];
  /** The cohorts of these suppliers, sorted by name, or null if they cannot be read. */
  readonly cohorts: readonly CohortSection[] | null;
  /** The open work of the journal, or null if it cannot be read. */
  readonly work: ReportedWork | null;
  /** The work of the team's colleagues, or null without a team. */
  readonly team: ReportedTeam | null;
  /** The watch list, or null if it cannot be read. */
  readonly watched: readonly WatchedItem[] | null;
  readonly open: Open;
  readonly problems: readonly string[];
}

/** The work of colleagues, done and open, or the sentence about why it is missing. */
export type ReportedTeam =
  | {
      readonly kind: "read";
      readonly open: readonly OpenOfPerson[];
      readonly done: readonly PersonDone[];
      readonly names: TeamNames;
    }
  | { readonly kind: "missing"; readonly words: string };

export interface SupplierSection {
  readonly supplier: string;
  /** The name of the cohort, or null for all accounts. */
  readonly cohort: string | null;
  readonly now: CurrentFigures | null;
  /** The counts of the last list before `since`, or null if there is no such list. */
  readonly before: DatedCounts | null;
  /** The reason why the figures are stored ones, or null if they are from the service. */
  readonly problem: string | null;
  readonly rate: CreationRate | null;
  readonly finish: Forecast | null;
  /** Number of changes of each kind after `since`, or null if nothing is stored. */
  readonly changes: Readonly<Record<ChangeKind, number>> | null;
  readonly oldest: readonly PendingAccount[] | null;
  readonly pendingOverADay: number | null;
  readonly gone: (GoneCount & { readonly accounts: readonly string[] }) | null;
  readonly heldBack: { readonly before: number; readonly now: number } | null;
  /** Number of a team's machines that made the lists. Default: null, without a team. */
  readonly machines?: number | null;
}

export interface DatedCounts {
  readonly at: number;
  readonly imported: number;
  readonly pending: number;
}

interface CurrentFigures extends DatedCounts {
  readonly total: number;
}

/** The section about a cohort. Figures are null if they are not known. */
export interface CohortSection extends OpenCohort {
  readonly supplier: string;
  readonly accounts: number;
  readonly imported: number | null;
  readonly pending: number | null;
}

export interface WatchedItem {
  readonly kind: WatchSubject["kind"];
  readonly supplier: string;
  readonly number: string;
  readonly state: string | null;
  readonly since: number | null;
  readonly words: string;
  /** The times of the state in words, in UTC. Empty before the first check. */
  readonly times: readonly string[];
  readonly finality: Finality;
  /** The known end: by the checks, or by a list that is newer than the last check. */
  readonly end: Finality;
  readonly progress: CohortProgress | null;
  readonly cohort: string | null;
}
