/**
 * The timelines of supply point imports: eight that do not change, two that can be watched, and
 * those that requests create.
 */

export type SupplyPointStatus =
  | "IN_PROGRESS"
  | "PENDING"
  | "CANCELLED"
  | "DRY_RUN_SUCCEEDED"
  | "PROCESSED"
  | "ERRORED"
  | "DRY_RUN_ERRORED";

/** The state of an import process from `at` seconds (at natural pace) after its creation on. */
export interface Stop {
  readonly at: number;
  readonly status: SupplyPointStatus;
}

interface FixedSupplyPoint {
  readonly identifier: string;
  readonly status: SupplyPointStatus;
}

/** ACME's supply points that never change. */
export const standing: readonly FixedSupplyPoint[] = [
  { identifier: "SP-IN-PROGRESS", status: "IN_PROGRESS" },
  { identifier: "SP-PENDING", status: "PENDING" },
  { identifier: "SP-CANCELLED", status: "CANCELLED" },
  { identifier: "SP-DRY-RUN-SUCCEEDED", status: "DRY_RUN_SUCCEEDED" },
  { identifier: "SP-PROCESSED", status: "PROCESSED" },
  { identifier: "SP-ERRORED", status: "ERRORED" },
  { identifier: "SP-DRY-RUN-ERRORED", status: "DRY_RUN_ERRORED" },
  { identifier: "SP/100% Ω", status: "PROCESSED" },
];

/** ACME's supply points that are created by the first request for them, and then move. */
export const watchable: readonly string[] = ["SP-MOVING", "SP-FAILING"];

const endings: readonly (readonly [string, SupplyPointStatus])[] = [
  ["SP-FAILING", "ERRORED"],
  ["ERRORED-", "ERRORED"],
  ["CANCELLED-", "CANCELLED"],
  ["DRY-RUN-ERRORED-", "DRY_RUN_ERRORED"],
  ["DRY-RUN-", "DRY_RUN_SUCCEEDED"],
];

/** Returns the stops of a created process. The beginning of its identifier decides its end. */
export function timelineOf(identifier: string): readonly [Stop, ...Stop[]] {
  if (identifier.startsWith("PENDING-")) return [{ at: 0, status: "PENDING" }];
  const end = endings.find(([beginning]) => identifier.startsWith(beginning))?.[1] ?? "PROCESSED";
  return [
    { at: 0, status: "PENDING" },
    { at: 4, status: "IN_PROGRESS" },
    { at: 12, status: end },
  ];
}

/** Returns the `latest_error` of a state, or null for a state that is no error. */
export function errorOf(status: SupplyPointStatus): unknown {
  if (status === "ERRORED") {
    return {
      code: "account_creation_failed",
      detail: "The account could not be created: the substation is not part of this network.",
      domain: "account_import",
    };
  }
  if (status === "DRY_RUN_ERRORED") {
    return {
      code: "supply_point_validation_failed",
      detail: "The dry run stopped: the supply address has no delivery point identifier.",
      domain: "supply_point_import",
    };
  }
  return null;
}
