/** Routes requests to the rules that answer them, for the service and for the sandbox itself. */
import type { Context, Hono, MiddlewareHandler } from "hono";
import { type Answer, notFound } from "./answers.ts";
import { type Endpoint, pathOf, postEndpoints, posts } from "./endpoints.ts";
import { parseExact } from "./exact-json.ts";
import type { Faults } from "./faults/faults.ts";
import { supplyPointStatus } from "./rules/supply-points.ts";
import type { SandboxEnv, Service } from "./service.ts";
import type { Owner } from "./store/store.ts";
import { accountRows, type ListState } from "./world/rows.ts";
import { scriptedAccounts } from "./world/scripted-accounts.ts";

type Handler = (context: Context<SandboxEnv>) => Response | Promise<Response>;

/** Adds one endpoint of the service. `before` creates the middleware of its requests. */
type Mount = (endpoint: Endpoint, method: "GET" | "POST", handler: Handler) => void;

function mountOn(
  app: Hono<SandboxEnv>,
  before: (endpoint: Endpoint) => readonly MiddlewareHandler<SandboxEnv>[],
): Mount {
  return (endpoint, method, handler) => {
    const path = pathOf(endpoint);
    for (const middleware of before(endpoint)) app.on(method, path, middleware);
    app.on(method, path, handler);
    app.all(path, (context) => {
      const detail = `${context.req.method} is not allowed here.`;
      const answer = respond({ status: 405, body: { detail, code: "method_not_allowed" } });
      answer.headers.set("allow", method);
      return answer;
    });
  };
}

/** Mounts the eleven endpoints (INTERFACE 4.1 to 4.11) and the call for a token (5.2). */
export function mountService(
  app: Hono<SandboxEnv>,
  service: Service,
  token: Handler,
  before: (endpoint: Endpoint) => readonly MiddlewareHandler<SandboxEnv>[],
): void {
  const mount = mountOn(app, before);
  mount("token", "POST", token);
  for (const endpoint of postEndpoints) {
    const { rule } = posts[endpoint];
    mount(endpoint, "POST", (context) =>
      answerBody(context, (body) => rule(service, body, context.req.query())),
    );
  }
  mount("supply-point-status", "GET", (context) =>
    respond(supplyPointStatus(service, ownerIn(context, "identifier"))),
  );
  mount("account-status", "GET", (context) =>
    respond(accountStatus(service, ownerIn(context, "account"))),
  );
  const states: readonly ListState[] = ["all", "pending", "imported"];
  for (const state of states) {
    mount(state, "GET", (context) => {
      const supplier = service.suppliers.get(context.req.param("supplier") ?? "");
      if (supplier === undefined) return respond(notFound("No import supplier has this code."));
      const now = service.clock.now();
      if (supplier.beginsWithList)
        rememberFirst(service, "first-list", { supplier: supplier.code, identifier: "" }, now);
      const { lagMs, maxRows } = context.var;
      const rows = accountRows(supplier.accounts, state, now - lagMs, service.brand, maxRows);
      return new Response(rows, { headers: { "content-type": "application/json" } });
    });
  }
}

function ownerIn(context: Context<SandboxEnv>, identifier: string): Owner {
  const part = (name: string) => context.req.param(name) ?? "";
  return { supplier: part("supplier"), identifier: part(identifier) };
}

const watchable = new Set(
  scriptedAccounts.filter(({ from }) => from === "first look").map(({ account }) => account),
);

function rememberFirst({ store }: Service, kind: string, owner: Owner, at: number): void {
  if (store.find(kind, owner, "").length === 0) store.add(kind, owner, "", at);
}

/** Returns the status of one account import (4.8). */
function accountStatus(service: Service, owner: Owner): Answer {
  const { clock, brand } = service;
  const world = service.suppliers.get(owner.supplier)?.accounts;
  const row = world?.rowOf(owner.identifier);
  const now = clock.now();
  if (owner.supplier === "ACME" && watchable.has(owner.identifier) && row !== undefined) {
    rememberFirst(service, "first-look", owner, now);
  }
  const status = row === undefined ? undefined : world?.status(row, now);
  if (world === undefined || row === undefined || status === undefined) {
    return notFound("No account of this import supplier has this external account number.");
  }
  const number = status === "COMPLETED" ? world.serviceNumber(row, now) : "";
  return { status: 200, body: { status, [`${brand}_account_number`]: number } };
}

/**
 * Adds the sandbox's own addresses, outside the documented interface: the ledger of effects, for
 * tests in another process, and the armed faults.
 */
export function mountSandboxRoutes(
  app: Hono<SandboxEnv>,
  service: Service,
  faults: Faults,
  authorized: MiddlewareHandler<SandboxEnv>,
): void {
  app.get("/sandbox/ledger", authorized, () =>
    respond({ status: 200, body: service.store.ledger() }),
  );
  app.put("/sandbox/faults", authorized, async (context) => {
    const specs: unknown = await context.req.json().catch(() => undefined);
    if (!Array.isArray(specs) || !specs.every((spec) => typeof spec === "string")) {
      const detail = "An array of fault specs is expected.";
      return respond({ status: 400, body: { detail, code: "parse_error" } });
    }
    try {
      faults.set(specs);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return respond({ status: 400, body: { detail, code: "bad_fault" } });
    }
    return new Response(null, { status: 204 });
  });
}

/** Converts a rule's answer to a response, with a body only if the rule has one. */
function respond({ status, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status });
  const headers = { "content-type": "application/json" };
  return new Response(JSON.stringify(body), { status, headers });
}

/** Reads a JSON body and answers with the result of `rule`. */
async function answerBody(
  context: Context<SandboxEnv>,
  rule: (body: unknown) => Answer,
): Promise<Response> {
  const type = context.req.header("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    const detail = "Request bodies are JSON.";
    return respond({ status: 415, body: { detail, code: "unsupported_media_type" } });
  }
  const text = await context.req.text();
  let body: unknown;
  try {
    body = parseExact(text);
  } catch {
    const detail = "The request's body is not valid JSON.";
    return respond({ status: 400, body: { detail, code: "parse_error" } });
  }
  return respond(rule(body));
}
