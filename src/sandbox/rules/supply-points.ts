/**
 * The rules of the endpoints for supply points (INTERFACE 4.5–4.7), and the timelines of their
 * import processes.
 */
import { createHash } from "node:crypto";
import { type Answer, failedValidation, nestedErrors, notFound } from "../checks.ts";
import type { Service } from "../service.ts";
import type { Owner } from "../store/store.ts";
import { formatDatetimeWithOffset, instantAfter, secondsBetween } from "../world/world.ts";
import { payloadOf, supplyPointProblems } from "./supply-point-payload.ts";

/** The state of an import process. The times are in epoch milliseconds. */
interface Process {
  readonly status: SupplyPointStatus;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

const recreatableStatuses: readonly SupplyPointStatus[] = [
  "ERRORED",
  "CANCELLED",
  "DRY_RUN_SUCCEEDED",
  "DRY_RUN_ERRORED",
];

const hourMs = 3_600_000;

export function validateSupplyPoint(service: Service, body: unknown): Answer {
  const problems = supplyPointProblems(service, body);
  if (problems.length > 0) return nestedErrors(problems, service.faults.settings().mirror);
  return { status: 200, body };
}

export function createSupplyPoint(service: Service, body: unknown): Answer {
  const problems = supplyPointProblems(service, body);
  if (problems.length > 0) {
    const prefix = service.faults.settings().mirror === "payload" ? ["payload"] : [];
    return failedValidation(problems, prefix);
  }
  const { import_supplier: supplier, supply_point: supplyPoint } = payloadOf(body);
  const owner: Owner = { supplier, identifier: supplyPoint.identifier };
  const status = service.suppliers.get(supplier)?.status;
  if (status === "Paused") {
    return rejected(owner, "import_supplier_paused", "Migrations of this supplier are paused.");
  }
  if (status === "Complete") {
    return rejected(owner, "import_supplier_complete", "Migrations of this supplier are finished.");
  }
  const existing = processOf(service, owner);
  if (existing !== undefined && !recreatableStatuses.includes(existing.status)) {
    return rejected(
      owner,
      "supply_point_import_process_already_imported",
      "An import process for this supply point already exists.",
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

function rejected(owner: Owner, code: string, detail: string): Answer {
  return {
    status: 400,
    body: { non_field_errors: { detail, code }, supply_point_identifier: owner.identifier },
  };
}

export function supplyPointStatus(service: Service, owner: Owner): Answer {
  if (owner.supplier === "ACME" && createdOnFirstStatus.includes(owner.identifier)) {
    createOnFirstStatus(service, owner);
  }
  const process = processOf(service, owner);
  if (process === undefined) return notFound("No import process of this supply point exists.");
  const { status, createdAt, modifiedAt } = process;
  return {
    status: 200,
    body: {
      status,
      [`${service.brand}_identifier`]: status === "PROCESSED" ? serviceIdentifier(owner) : null,
      created_at: formatDatetimeWithOffset(createdAt),
      modified_at: formatDatetimeWithOffset(modifiedAt),
      latest_error: latestErrorOf(status),
    },
  };
}

function createOnFirstStatus(service: Service, owner: Owner): void {
  if (service.store.find("supply-point", owner, "").length > 0) return;
  service.store.add("supply-point", owner, "", { createdAt: service.clock.now() });
}

function processOf(service: Service, owner: Owner): Process | undefined {
  const { clock, store } = service;
  const created = store.find("supply-point", owner, "").at(-1) as { createdAt: number } | undefined;
  if (created !== undefined) {
    const elapsed = secondsBetween(clock, created.createdAt, clock.now());
    const steps = timelineOf(owner.identifier);
    const step = steps.findLast(({ at }) => at <= elapsed) ?? steps[0];
    const modifiedAt =
      step.at === 0 ? created.createdAt : instantAfter(clock, created.createdAt, step.at);
    return { status: step.status, createdAt: created.createdAt, modifiedAt };
  }
  const index = fixedSupplyPoints.findIndex(({ identifier }) => identifier === owner.identifier);
  const fixed = fixedSupplyPoints[index];
  if (owner.supplier !== "ACME" || fixed === undefined) return undefined;
  // The fixed processes began at different times, all before the start of the sandbox.
  const createdAt = clock.epoch - (30 + 7 * index) * hourMs;
  const modifiedAt = fixed.status === "PENDING" ? createdAt : createdAt + hourMs / 10;
  return { status: fixed.status, createdAt, modifiedAt };
}

/** Returns the service's identifier of a supply point: ten digits that never change. */
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

/**
 * A step of an import process. The process has `status` from `at` on, which is in seconds of the
 * sandbox after the creation of the process.
 */
interface Step {
  readonly at: number;
  readonly status: SupplyPointStatus;
}

interface FixedSupplyPoint {
  readonly identifier: string;
  readonly status: SupplyPointStatus;
}

export const fixedSupplyPoints: readonly FixedSupplyPoint[] = [
  { identifier: "SP-IN-PROGRESS", status: "IN_PROGRESS" },
  { identifier: "SP-PENDING", status: "PENDING" },
  { identifier: "SP-CANCELLED", status: "CANCELLED" },
  { identifier: "SP-DRY-RUN-SUCCEEDED", status: "DRY_RUN_SUCCEEDED" },
  { identifier: "SP-PROCESSED", status: "PROCESSED" },
  { identifier: "SP-ERRORED", status: "ERRORED" },
  { identifier: "SP-DRY-RUN-ERRORED", status: "DRY_RUN_ERRORED" },
  { identifier: "SP/100% Ω", status: "PROCESSED" },
];

/** ACME's supply points that start with their first status request, and change with time. */
export const createdOnFirstStatus: readonly string[] = ["SP-MOVING", "SP-FAILING"];

/**
 * Final statuses by the prefix of the identifier. Identifiers that begin with `PENDING-` stay
 * PENDING. All others end as PROCESSED.
 */
const finalStatuses: readonly (readonly [string, SupplyPointStatus])[] = [
  ["SP-FAILING", "ERRORED"],
  ["ERRORED-", "ERRORED"],
  ["CANCELLED-", "CANCELLED"],
  ["DRY-RUN-ERRORED-", "DRY_RUN_ERRORED"],
  ["DRY-RUN-", "DRY_RUN_SUCCEEDED"],
];

function timelineOf(identifier: string): readonly [Step, ...Step[]] {
  if (identifier.startsWith("PENDING-")) return [{ at: 0, status: "PENDING" }];
  const end = finalStatuses.find(([prefix]) => identifier.startsWith(prefix))?.[1] ?? "PROCESSED";
  return [
    { at: 0, status: "PENDING" },
    { at: 4, status: "IN_PROGRESS" },
    { at: 12, status: end },
  ];
}

function latestErrorOf(status: SupplyPointStatus): unknown {
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
