/** The endpoints of the service: their names in fault specs and the ledger, paths and rules. */
import type { Answer } from "./checks.ts";
import { createNotes } from "./rules/notes.ts";
import { createPaymentInstruction } from "./rules/payment-instructions.ts";
import { listStates, lists, statusEndpoints, statuses } from "./rules/reads.ts";
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

/** The endpoints that accept data (INTERFACE 4.1 to 4.6). A new one needs rules and an entry. */
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

const paths = {
  ...posts,
  ...statuses,
  all: { path: lists.all },
  pending: { path: lists.pending },
  imported: { path: lists.imported },
  /** The call for a token (INTERFACE 5.2). */
  token: { path: "/v1/graphql/" },
};

export type Endpoint = keyof typeof paths;

export const endpointNames = Object.keys(paths) as readonly Endpoint[];

export function pathOf(endpoint: Endpoint): string {
  return paths[endpoint].path;
}

const reads = [...listStates, ...statusEndpoints] as const;

export const groups: Readonly<Record<string, readonly Endpoint[]>> = {
  lists: listStates,
  reads,
  writes: postEndpoints,
  rest: [...reads, ...postEndpoints],
  any: [...reads, ...postEndpoints, "token"],
};

export function isEndpoint(name: string): name is Endpoint {
  return endpointNames.some((endpoint) => endpoint === name);
}
