/** The endpoints of the service by the names that fault specs, the ledger and the routes use. */

export const paths = {
  notes: "/v1/data-import/notes/create/",
  transactions: "/v1/data-import/transactions/create/",
  statements: "/v1/data-import/historical-statements/create/",
  "payment-instructions": "/v1/data-import/payment-instruction/create/",
  "supply-points-validate": "/v2/data-import/supply-points/validate/",
  "supply-points-create": "/v2/data-import/supply-points/",
  "supply-point-status": "/v2/data-import/supply-points/:supplier/:identifier/",
  "account-status": "/v1/data-import/account-transfer-status/:supplier/:account/",
  all: "/v1/data-import/all-account-import-processes/:supplier/",
  pending: "/v1/data-import/pending-account-import-processes/:supplier/",
  imported: "/v1/data-import/imported-account-import-processes/:supplier/",
  token: "/v1/graphql/",
} as const;

export type Endpoint = keyof typeof paths;

const lists = ["all", "pending", "imported"] as const;
const reads = [...lists, "account-status", "supply-point-status"] as const;
const writes = [
  "notes",
  "transactions",
  "statements",
  "payment-instructions",
  "supply-points-validate",
  "supply-points-create",
] as const;

/** Names that stand for several endpoints in a fault spec. */
export const groups: Readonly<Record<string, readonly Endpoint[]>> = {
  lists,
  reads,
  writes,
  rest: [...reads, ...writes],
  any: [...reads, ...writes, "token"],
};

export function isEndpoint(name: string): name is Endpoint {
  return Object.hasOwn(paths, name);
}
