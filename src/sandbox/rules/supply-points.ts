/** The rules of the endpoints for supply points (INTERFACE 4.5–4.7), and their timelines. */
import { createHash } from "node:crypto";
import { type Answer, failedValidation, nestedErrors, notFound } from "../checks.ts";
import type { Service } from "../service.ts";
import type { Owner } from "../store/store.ts";
import { instantAfter, secondsBetween, withOffset } from "../world/world.ts";
import { payloadOf, supplyPointProblems } from "./supply-point-payload.ts";

/** The state of an import process. Its instants are in epoch ms. */
interface Process {
  readonly status: SupplyPointStatus;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** Statuses after which the identifier can be used for another attempt. */
const failed: readonly SupplyPointStatus[] = [
  "ERRORED",
  "CANCELLED",
  "DRY_RUN_SUCCEEDED",
  "DRY_RUN_ERRORED",
];

const hour = 3_600_000;

export function validateSupplyPoint(service: Service, body: unknown): Answer {
  const problems = supplyPointProblems(service, body);
  if (problems.length > 0) return nestedErrors(problems, service.faults.settings().mirror);
  return { status: 200, body };
}

export function createSupplyPoint(service: Service, body: unknown): Answer {
  const problems = supplyPointProblems(service, body);
  if (problems.length > 0) {
    const lead = service.faults.settings().mirror === "payload" ? ["payload"] : [];
    return failedValidation(problems, lead);
  }
  const { import_supplier: supplier, supply_point: supplyPoint } = payloadOf(body);
  const owner: Owner = { supplier, identifier: supplyPoint.identifier };
  const status = service.suppliers.get(supplier)?.status;
  if (status === "Paused") {
    return refused(owner, "import_supplier_paused", "Migrations of this supplier are paused.");
  }
  if (status === "Complete") {
    return refused(owner, "import_supplier_complete", "Migrations of this supplier are finished.");
  }
  const before = processOf(service, owner);
  if (before !== undefined && !failed.includes(before.status)) {
    return refused(
      owner,
      "supply_point_import_process_already_imported",
      "An import process for this supply point exists already.",
    );
  }
  const createdAt = service.clock.now();
  service.store.atomically(() => {
    service.store.replace("supply-point", owner, "", { createdAt });
    service.store.append({
      at: createdAt,
      endpoint: "supply-points-create",
      ...owner,
      key: owner.identifier,
      cause: "request",
      detail: {},
    });
  });
  return { status: 201 };
}

function refused(owner: Owner, code: string, detail: string): Answer {
  return {
    status: 400,
    body: { non_field_errors: { detail, code }, supply_point_identifier: owner.identifier },
  };
}

export function supplyPointStatus(service: Service, owner: Owner): Answer {
  if (owner.supplier === "ACME" && watchable.includes(owner.identifier)) beginOnce(service, owner);
  const process = processOf(service, owner);
  if (process === undefined) return notFound("No import process of this supply point exists.");
  const { status, createdAt, modifiedAt } = process;
  return {
    status: 200,
    body: {
      status,
      [`${service.brand}_identifier`]: status === "PROCESSED" ? serviceIdentifier(owner) : null,
      created_at: withOffset(createdAt),
      modified_at: withOffset(modifiedAt),
      latest_error: errorOf(status),
    },
  };
}

/**
 * Starts a watchable supply point at the first request for it, so that its whole timeline can be
 * watched.
 */
function beginOnce(service: Service, owner: Owner): void {
  if (service.store.find("supply-point", owner, "").length > 0) return;
  service.store.add("supply-point", owner, "", { createdAt: service.clock.now() });
}

function processOf(service: Service, owner: Owner): Process | undefined {
  const { clock, store } = service;
  const created = store.find("supply-point", owner, "").at(-1) as { createdAt: number } | undefined;
  if (created !== undefined) {
    const elapsed = secondsBetween(clock, created.createdAt, clock.now());
    const stops = timelineOf(owner.identifier);
    const stop = stops.findLast(({ at }) => at <= elapsed) ?? stops[0];
    const modifiedAt =
      stop.at === 0 ? created.createdAt : instantAfter(clock, created.createdAt, stop.at);
    return { status: stop.status, createdAt: created.createdAt, modifiedAt };
  }
  const index = standing.findIndex(({ identifier }) => identifier === owner.identifier);
  const fixed = standing[index];
  if (owner.supplier !== "ACME" || fixed === undefined) return undefined;
  const createdAt = clock.epoch - (30 + 7 * index) * hour;
  const modifiedAt = fixed.status === "PENDING" ? createdAt : createdAt + hour / 10;
  return { status: fixed.status, createdAt, modifiedAt };
}

/** Returns ten digits that are always the same for a supply point. */
function serviceIdentifier({ supplier, identifier }: Owner): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([supplier, identifier]))
    .digest();
  return String(hash.readUIntBE(0, 6) % 10_000_000_000).padStart(10, "0");
}

type SupplyPointStatus =
  | "IN_PROGRESS"
  | "PENDING"
  | "CANCELLED"
  | "DRY_RUN_SUCCEEDED"
  | "PROCESSED"
  | "ERRORED"
  | "DRY_RUN_ERRORED";

/** The state of an import process from `at` seconds (at natural pace) after its creation on. */
interface Stop {
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
function timelineOf(identifier: string): readonly [Stop, ...Stop[]] {
  if (identifier.startsWith("PENDING-")) return [{ at: 0, status: "PENDING" }];
  const end = endings.find(([beginning]) => identifier.startsWith(beginning))?.[1] ?? "PROCESSED";
  return [
    { at: 0, status: "PENDING" },
    { at: 4, status: "IN_PROGRESS" },
    { at: 12, status: end },
  ];
}

/** Returns the `latest_error` of a state, or null for a state that is no error. */
function errorOf(status: SupplyPointStatus): unknown {
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
