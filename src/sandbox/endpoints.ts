/** The endpoints of the service: their names in fault specs and the ledger, paths and rules. */
import type { Answer } from "./checks.ts";
import { createNotes } from "./rules/notes.ts";
import { createPaymentInstruction } from "./rules/payment-instructions.ts";
import { createStatements } from "./rules/statements.ts";
import { createSupplyPoint, validateSupplyPoint } from "./rules/supply-points.ts";
import { createTransactions } from "./rules/transactions.ts";
import type { Service } from "./service.ts";

interface Post {
  readonly path: string;
  readonly rule: (
    service: Service,
    body: unknown,
    query: Readonly<Record<string, string>>,
  ) => Answer;
}

/**
 * The endpoints that accept data (INTERFACE 4.1 to 4.6). A new endpoint needs a file of rules and
 * an entry here.
 */
export const posts = {
  notes: { path: "/v1/data-import/notes/create/", rule: createNotes },
  transactions: { path: "/v1/data-import/transactions/create/", rule: createTransactions },
  statements: { path: "/v1/data-import/historical-statements/create/", rule: createStatements },
  "payment-instructions": {
    path: "/v1/data-import/payment-instruction/create/",
    rule: createPaymentInstruction,
  },
  "supply-points-validate": {
    path: "/v2/data-import/supply-points/validate/",
    rule: validateSupplyPoint,
  },
  "supply-points-create": { path: "/v2/data-import/supply-points/", rule: createSupplyPoint },
} satisfies Readonly<Record<string, Post>>;

type PostEndpoint = keyof typeof posts;

export const postEndpoints = Object.keys(posts) as readonly PostEndpoint[];

/** The paths of the reads (INTERFACE 4.7 to 4.11) and of the call for a token (5.2). */
const otherPaths = {
  "supply-point-status": "/v2/data-import/supply-points/:supplier/:identifier/",
  "account-status": "/v1/data-import/account-transfer-status/:supplier/:account/",
  all: "/v1/data-import/all-account-import-processes/:supplier/",
  pending: "/v1/data-import/pending-account-import-processes/:supplier/",
  imported: "/v1/data-import/imported-account-import-processes/:supplier/",
  token: "/v1/graphql/",
};

export type Endpoint = PostEndpoint | keyof typeof otherPaths;

export const endpointNames = [...postEndpoints, ...Object.keys(otherPaths)] as readonly Endpoint[];

export function pathOf(endpoint: Endpoint): string {
  return endpoint in posts
    ? posts[endpoint as PostEndpoint].path
    : otherPaths[endpoint as keyof typeof otherPaths];
}

const lists = ["all", "pending", "imported"] as const;
const reads = [...lists, "account-status", "supply-point-status"] as const;

export const groups: Readonly<Record<string, readonly Endpoint[]>> = {
  lists,
  reads,
  writes: postEndpoints,
  rest: [...reads, ...postEndpoints],
  any: [...reads, ...postEndpoints, "token"],
};

export function isEndpoint(name: string): name is Endpoint {
  return endpointNames.some((endpoint) => endpoint === name);
}
