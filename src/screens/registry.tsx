import type { FunctionComponent } from "react";
import type { Place } from "../session/places.ts";

/** The screen of one kind of place; its code is read when the place is opened. */
export interface ScreenEntry<Shown> {
  /** Whether it needs an open session. */
  readonly needsSession: boolean;
  /** Reads the screen's code; the screen is given the place as its props. */
  read(): Promise<FunctionComponent<Shown>>;
}

export type Screens = {
  readonly [Kind in Place["kind"]]: ScreenEntry<Extract<Place, { readonly kind: Kind }>>;
};

/** Every place and its screen, a line each. */
export const screens: Screens = {
  "first-run": anywhere("FirstRunScreen", () => import("./connect/first-run-screen.tsx")),
  connect: anywhere("ConnectScreen", () => import("./connect/connect-screen.tsx")),
  profiles: anywhere("ProfilesScreen", () => import("./profiles/profiles-screen.tsx")),
  suppliers: inSession("SuppliersScreen", () => import("./suppliers/suppliers-screen.tsx")),
  overview: inSession("OverviewScreen", () => import("./overview/overview-screen.tsx")),
  accounts: inSession("AccountsScreen", () => import("./accounts/accounts-screen.tsx")),
  account: inSession("AccountScreen", () => import("./account/account-screen.tsx")),
  "supply-point": inSession(
    "SupplyPointScreen",
    () => import("./supply-point/supply-point-screen.tsx"),
  ),
  activity: inSession("ActivityScreen", () => import("./activity/activity-screen.tsx")),
  watch: inSession("WatchScreen", () => import("./watch/watch-screen.tsx")),
  write: inSession("WriteScreen", () => import("./activity/write-screen.tsx")),
  compose: inSession("ComposeScreen", () => import("./compose/compose-screen.tsx")),
  review: inSession("ReviewScreen", () => import("./review/review-screen.tsx")),
  "compose-marked": inSession(
    "ComposeMarkedScreen",
    () => import("./compose/compose-marked-screen.tsx"),
  ),
  "review-marked": inSession(
    "ReviewMarkedScreen",
    () => import("./review/review-marked-screen.tsx"),
  ),
  runs: inSession("RunsScreen", () => import("./runs/runs-screen.tsx")),
  run: inSession("RunScreen", () => import("./runs/run-screen.tsx")),
};

type Read<Name extends string, Shown> = () => Promise<{
  readonly [Export in Name]: FunctionComponent<Shown>;
}>;

function anywhere<Name extends string, Shown>(
  name: Name,
  read: Read<Name, Shown>,
): ScreenEntry<Shown> {
  return { needsSession: false, read: async () => (await read())[name] };
}

function inSession<Name extends string, Shown>(
  name: Name,
  read: Read<Name, Shown>,
): ScreenEntry<Shown> {
  return { needsSession: true, read: async () => (await read())[name] };
}
