/** The endpoints that are read (INTERFACE 4.7 to 4.11): their paths, and the rules of their answers. */
import { type Answer, notFound } from "../checks.ts";
import { accountRows, type ListState } from "../lists.ts";
import type { SandboxEnv, Service } from "../service.ts";
import type { Owner } from "../store/store.ts";
import { scriptedAccounts } from "../world/moving-world.ts";
import { supplyPointStatus } from "./supply-points.ts";

interface StatusRead {
  readonly path: string;
  readonly answer: (service: Service, owner: Owner) => Answer;
}

/** The reads of one object of a supplier (4.7, 4.8). A new one needs only an entry here. */
export const statuses = {
  "account-status": {
    path: "/v1/data-import/account-transfer-status/:supplier/:identifier/",
    answer: accountStatus,
  },
  "supply-point-status": {
    path: "/v2/data-import/supply-points/:supplier/:identifier/",
    answer: supplyPointStatus,
  },
} satisfies Readonly<Record<string, StatusRead>>;

export const statusEndpoints = Object.keys(statuses) as readonly (keyof typeof statuses)[];

/** The paths of the lists (4.9 to 4.11). */
export const lists: Readonly<Record<ListState, string>> = {
  all: "/v1/data-import/all-account-import-processes/:supplier/",
  pending: "/v1/data-import/pending-account-import-processes/:supplier/",
  imported: "/v1/data-import/imported-account-import-processes/:supplier/",
};

export const listStates = Object.keys(lists) as readonly ListState[];

/** Returns the rows of a list as JSON, or null if no supplier has the code. */
export function listedRows(
  service: Service,
  code: string,
  state: ListState,
  { lagMs, maxRows }: Pick<SandboxEnv["Variables"], "lagMs" | "maxRows">,
) {
  const supplier = service.suppliers.get(code);
  if (supplier === undefined) return null;
  const now = service.clock.now();
  if (supplier.beginsWithList) {
    storeFirstRequest(service, "first-list", { supplier: supplier.code, identifier: "" }, now);
  }
  return accountRows(supplier.accounts, state, now - lagMs, service.brand, maxRows);
}

const startedByStatus = new Set(
  scriptedAccounts.filter(({ from }) => from === "first status").map(({ account }) => account),
);

function storeFirstRequest({ store }: Service, kind: string, owner: Owner, at: number): void {
  if (store.find(kind, owner, "").length === 0) store.add(kind, owner, "", at);
}

/** Returns the status of one account import (4.8). */
function accountStatus(service: Service, owner: Owner): Answer {
  const { clock, brand } = service;
  const world = service.suppliers.get(owner.supplier)?.accounts;
  const row = world?.rowOf(owner.identifier);
  const now = clock.now();
  if (owner.supplier === "ACME" && startedByStatus.has(owner.identifier) && row !== undefined) {
    storeFirstRequest(service, "first-look", owner, now);
  }
  const status = row === undefined ? undefined : world?.status(row, now);
  if (world === undefined || row === undefined || status === undefined) {
    return notFound("No account of this import supplier has this external account number.");
  }
  const number = status === "COMPLETED" ? world.serviceNumber(row, now) : "";
  return { status: 200, body: { status, [`${brand}_account_number`]: number } };
}
