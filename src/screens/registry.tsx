import type { ReactNode } from "react";
import type { Place } from "../hooks/places.ts";
import { AccountScreen } from "./account/account-screen.tsx";
import { AccountsScreen } from "./accounts/accounts-screen.tsx";
import { ActivityScreen } from "./activity/activity-screen.tsx";
import { WriteScreen } from "./activity/write-screen.tsx";
import { ComposeMarkedScreen } from "./compose/compose-marked-screen.tsx";
import { ComposeScreen } from "./compose/compose-screen.tsx";
import { ConnectScreen } from "./connect/connect-screen.tsx";
import { FirstRunScreen } from "./connect/first-run-screen.tsx";
import { OverviewScreen } from "./overview/overview-screen.tsx";
import { ProfilesScreen } from "./profiles-screen.tsx";
import { ReviewMarkedScreen } from "./review/review-marked-screen.tsx";
import { ReviewScreen } from "./review/review-screen.tsx";
import { RunScreen } from "./runs/run-screen.tsx";
import { RunsScreen } from "./runs/runs-screen.tsx";
import { SuppliersScreen } from "./suppliers/suppliers-screen.tsx";
import { SupplyPointScreen } from "./supply-point/supply-point-screen.tsx";

/** The screen of a place. */
export function screenOf(place: Place): ReactNode {
  switch (place.kind) {
    case "first-run":
      return <FirstRunScreen />;
    case "connect":
      return <ConnectScreen edit={place.edit} />;
    case "profiles":
      return <ProfilesScreen />;
    case "suppliers":
      return <SuppliersScreen />;
    case "overview":
      return <OverviewScreen supplier={place.supplier} />;
    case "accounts":
      return <AccountsScreen supplier={place.supplier} tab={place.tab} />;
    case "account":
      return <AccountScreen supplier={place.supplier} account={place.account} />;
    case "supply-point":
      return <SupplyPointScreen supplier={place.supplier} identifier={place.identifier} />;
    case "activity":
      return <ActivityScreen supplier={place.supplier} account={place.account} />;
    case "review":
      return <ReviewScreen key={place.draft} draft={place.draft} />;
    case "compose":
      return <ComposeScreen key={place.draft} draft={place.draft} />;
    case "compose-marked":
      return <ComposeMarkedScreen key={place.draft} {...place} />;
    case "review-marked":
      return <ReviewMarkedScreen key={place.draft} {...place} />;
    case "runs":
      return <RunsScreen />;
    case "run":
      return <RunScreen key={place.id} id={place.id} />;
    case "write":
      return <WriteScreen key={place.id} id={Number(place.id)} />;
  }
}

/** Whether a place needs an open session. */
export function needsSession(place: Place): boolean {
  return place.kind !== "first-run" && place.kind !== "connect" && place.kind !== "profiles";
}
