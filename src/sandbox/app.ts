/**
 * The web app of the sandbox: the checks of every request, the endpoints of the service with their
 * faults, and the paths of the sandbox that the service does not have.
 */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { type Answer, notFound } from "./checks.ts";
import { type Endpoint, pathOf, postEndpoints, posts } from "./endpoints.ts";
import { parseExact } from "./exact-json.ts";
import { faultMiddleware } from "./faults/fault-middleware.ts";
import type { Faults } from "./faults/faults.ts";
import type { ListState } from "./lists.ts";
import type { ArrivalLog } from "./observer.ts";
import { listedRows, listStates, statusEndpoints, statuses } from "./rules/reads.ts";
import type { SandboxEnv, Service } from "./service.ts";
import { graphqlHandler } from "./token.ts";

interface AppSettings {
  readonly service: Service;
  readonly faults: Faults;
  readonly apiKey: string;
  /** Returns the port of the server, which is known after the server listens. */
  readonly port: () => number;
  readonly closing: AbortSignal;
  readonly arrivals: ArrivalLog;
}

type Handler = (context: Context<SandboxEnv>) => Response | Promise<Response>;

/** Creates the app with the eleven endpoints (INTERFACE 4.1 to 4.11) and the token call (5.2). */
export function sandboxApp(settings: AppSettings): Hono<SandboxEnv> {
  const { service, faults, apiKey, port, closing, arrivals } = settings;
  const app = new Hono<SandboxEnv>();
  const authorized = requireToken(service);
  app.use(requireLocalClient(port), limitBody);
  // The time of the service is that of its clock, also where that is not the time of the machine.
  app.use(async (context, next) => {
    await next();
    context.res.headers.set("date", new Date(service.clock.now()).toUTCString());
  });

  const mount = (endpoint: Endpoint, method: "GET" | "POST", handler: Handler): void => {
    const path = pathOf(endpoint);
    app.on(method, path, faultMiddleware(faults, endpoint, closing, arrivals));
    if (endpoint !== "token") app.on(method, path, authorized);
    app.on(method, path, handler);
    app.all(path, (context) => {
      const { method: used } = context.req;
      const response = errorResponse(405, "method_not_allowed", `${used} is not allowed here.`);
      response.headers.set("allow", method);
      return response;
    });
  };
  const graphql = graphqlHandler(apiKey, () => {
    const { tokenForm, tokenLifeMs } = faults.settings();
    return service.tokens.issue(tokenForm, tokenLifeMs);
  });
  mount("token", "POST", async ({ req }) => {
    // The body of the raw request might already be read, but Hono has stored it.
    const { url, method, raw } = req;
    return graphql(new Request(url, { method, headers: raw.headers, body: await req.text() }));
  });
  for (const endpoint of postEndpoints) {
    const { rule } = posts[endpoint];
    mount(endpoint, "POST", (context) =>
      respondToBody(context, (body) => rule(service, body, context.req.query())),
    );
  }
  for (const endpoint of statusEndpoints) {
    const { answer } = statuses[endpoint];
    mount(endpoint, "GET", ({ req }) => {
      const { supplier = "", identifier = "" } = req.param();
      return respond(answer(service, { supplier, identifier }));
    });
  }
  for (const state of listStates) mount(state, "GET", (context) => list(service, context, state));
  mountSandboxPaths(app, service, faults, authorized);

  app.notFound(() => errorResponse(404, "not_found", "There is nothing at this address."));
  app.onError(() => errorResponse(500, "error", "An unexpected error happened."));
  return app;
}

/** Maximum size of a request's body. The interface has no limit, and real requests are shorter. */
const maxBodyBytes = 10 * 1024 * 1024;

/**
 * Rejects requests of web pages: those with the host name of another machine, because a page can
 * rebind its name to 127.0.0.1, and those with an Origin header.
 */
function requireLocalClient(port: () => number): MiddlewareHandler<SandboxEnv> {
  return async ({ req }, next) => {
    const host = req.header("host") ?? "";
    const ownHosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port()}`);
    if (!ownHosts.includes(host.toLowerCase())) {
      return errorResponse(403, "host_refused", "This host name is not the sandbox's.");
    }
    if (req.header("origin") !== undefined) {
      return errorResponse(403, "origin_refused", "The sandbox does not answer web pages.");
    }
    return next();
  };
}

/** Rejects a body without a Content-Length or over the limit, before the body is read. */
const limitBody: MiddlewareHandler<SandboxEnv> = async ({ req }, next) => {
  if (req.header("transfer-encoding") !== undefined) {
    return errorResponse(411, "length_required", "A request's body needs a Content-Length.");
  }
  if (Number(req.header("content-length") ?? 0) > maxBodyBytes) {
    return errorResponse(413, "payload_too_large", "The request's body is too large.");
  }
  return next();
};

const tokenErrors = {
  missing: ["not_authenticated", "An Authorization header is needed."],
  wrong: ["authentication_failed", "The token is not valid."],
  expired: ["token_expired", "The token has expired."],
} as const;

/** Accepts only requests with a valid token (INTERFACE part 5). */
function requireToken(service: Service): MiddlewareHandler<SandboxEnv> {
  return async ({ req }, next) => {
    const { authForm } = service.faults.settings();
    const state = service.tokens.check(req.header("authorization"), authForm);
    if (state === "valid") return next();
    const [code, detail] = tokenErrors[state];
    const response = errorResponse(401, code, detail);
    response.headers.set("www-authenticate", "Token");
    return response;
  };
}

/** Returns the response with the rows of a list (4.9 to 4.11). */
function list(service: Service, context: Context<SandboxEnv>, state: ListState): Response {
  const rows = listedRows(service, context.req.param("supplier") ?? "", state, context.var);
  if (rows === null) return respond(notFound("No import supplier has this code."));
  return new Response(rows, { headers: { "content-type": "application/json" } });
}

/**
 * Adds paths that the documented interface does not have: the ledger of effects, for tests in
 * another process, and the armed faults.
 */
function mountSandboxPaths(
  app: Hono<SandboxEnv>,
  service: Service,
  faults: Faults,
  authorized: MiddlewareHandler<SandboxEnv>,
): void {
  app.get("/sandbox/ledger", authorized, () =>
    respond({ status: 200, body: service.store.ledger() }),
  );
  app.put("/sandbox/faults", authorized, async ({ req }) => {
    const specs: unknown = await req.json().catch(() => undefined);
    if (!Array.isArray(specs) || !specs.every((spec) => typeof spec === "string")) {
      return errorResponse(400, "parse_error", "An array of fault specs is expected.");
    }
    try {
      faults.set(specs);
    } catch (error) {
      return errorResponse(
        400,
        "bad_fault",
        error instanceof Error ? error.message : String(error),
      );
    }
    return respond({ status: 204 });
  });
}

function errorResponse(status: number, code: string, detail: string): Response {
  return respond({ status, body: { detail, code } });
}

function respond({ status, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status });
  const headers = { "content-type": "application/json" };
  return new Response(JSON.stringify(body), { status, headers });
}

async function respondToBody(
  { req }: Context<SandboxEnv>,
  rule: (body: unknown) => Answer,
): Promise<Response> {
  if (!/^application\/json\s*(;|$)/i.test(req.header("content-type") ?? "")) {
    return errorResponse(415, "unsupported_media_type", "Request bodies are JSON.");
  }
  const text = await req.text();
  let body: unknown;
  try {
    body = parseExact(text);
  } catch {
    return errorResponse(400, "parse_error", "The request's body is not valid JSON.");
  }
  return respond(rule(body));
}
