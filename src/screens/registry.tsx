/** Maps each kind of place to its screen, whose code is loaded on demand. */
import type { FunctionComponent } from "react";
import type { HelpTopic } from "../components/overlays/help-lines.ts";
import type { Place } from "../session/places.ts";

export type ExplainedScreen<Shown> = FunctionComponent<Shown> & { readonly help: HelpTopic };

export interface ScreenEntry<Shown> {
  readonly needsSession: boolean;
  readonly load: () => Promise<ExplainedScreen<Shown>>;
}

export type Screens = {
  readonly [Kind in Place["kind"]]: ScreenEntry<Extract<Place, { readonly kind: Kind }>>;
};

export const screens: Screens = {
  "first-run": anywhere(
    async () => (await import("./connect/first-run-screen.tsx")).FirstRunScreen,
  ),
  connect: anywhere(async () => (await import("./connect/connect-screen.tsx")).ConnectScreen),
  profiles: anywhere(async () => (await import("./profiles/profiles-screen.tsx")).ProfilesScreen),
  suppliers: inSession(
    async () => (await import("./suppliers/suppliers-screen.tsx")).SuppliersScreen,
  ),
  overview: inSession(async () => (await import("./overview/overview-screen.tsx")).OverviewScreen),
  cohorts: inSession(async () => (await import("./cohorts/cohorts-screen.tsx")).CohortsScreen),
  find: inSession(async () => (await import("./find/find-screen.tsx")).FindScreen),
  "find-many": inSession(async () => (await import("./find/find-many-screen.tsx")).FindManyScreen),
  cohort: inSession(async () => (await import("./overview/cohort-screen.tsx")).CohortScreen),
  accounts: inSession(async () => (await import("./accounts/accounts-screen.tsx")).AccountsScreen),
  changes: inSession(async () => (await import("./changes/changes-screen.tsx")).ChangesScreen),
  reconcile: inSession(
    async () => (await import("./reconcile/reconcile-screen.tsx")).ReconcileScreen,
  ),
  "reconciled-rows": inSession(
    async () => (await import("./reconcile/class-rows-screen.tsx")).ClassRowsScreen,
  ),
  account: inSession(async () => (await import("./account/account-screen.tsx")).AccountScreen),
  "supply-point": inSession(
    async () => (await import("./supply-point/supply-point-screen.tsx")).SupplyPointScreen,
  ),
  activity: inSession(async () => (await import("./activity/activity-screen.tsx")).ActivityScreen),
  watch: inSession(async () => (await import("./watch/watch-screen.tsx")).WatchScreen),
  "command-log": inSession(
    async () => (await import("./command-log/command-log-screen.tsx")).CommandLogScreen,
  ),
  notices: anywhere(async () => (await import("./notices/notices-screen.tsx")).NoticesScreen),
  write: inSession(async () => (await import("./activity/entry-screen.tsx")).EntryScreen),
  compose: inSession(async () => (await import("./compose/form-screen.tsx")).FormScreen),
  review: inSession(async () => (await import("./review/form-review.tsx")).ReviewScreen),
  "compose-marked": inSession(
    async () => (await import("./compose/form-screen.tsx")).MarkedFormScreen,
  ),
  "review-marked": inSession(
    async () => (await import("./review/marked-review.tsx")).MarkedReviewScreen,
  ),
  approvals: inSession(
    async () => (await import("./approvals/approvals-screen.tsx")).ApprovalsScreen,
  ),
  approval: inSession(async () => (await import("./approvals/approval-screen.tsx")).ApprovalScreen),
  runs: inSession(async () => (await import("./runs/runs-screen.tsx")).RunsScreen),
  run: inSession(async () => (await import("./runs/run-screen.tsx")).RunScreen),
  "bulk-file": inSession(
    async () => (await import("./bulk-file/bulk-file-screen.tsx")).BulkFileScreen,
  ),
  "review-file": inSession(async () => (await import("./review/rows-review.tsx")).FileReviewScreen),
  cause: inSession(async () => (await import("./causes/cause-screen.tsx")).CauseScreen),
};

function anywhere<Shown>(load: ScreenEntry<Shown>["load"]): ScreenEntry<Shown> {
  return { needsSession: false, load };
}

function inSession<Shown>(load: ScreenEntry<Shown>["load"]): ScreenEntry<Shown> {
  return { needsSession: true, load };
}
