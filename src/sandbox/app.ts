/** The web app of the sandbox: its guards, routes and faults. */
import { type Context, Hono } from "hono";
import { faultMiddleware } from "./faults/fault-middleware.ts";
import type { Faults } from "./faults/faults.ts";
import { graphqlHandler } from "./graphql.ts";
import { authorize, guard, limitBody } from "./guard.ts";
import type { ArrivalLog } from "./observer.ts";
import { mountSandboxRoutes, mountService } from "./routes.ts";
import type { SandboxEnv, Service } from "./service.ts";

interface AppSettings {
  readonly service: Service;
  readonly faults: Faults;
  readonly apiKey: string;
  /** Returns the port of the server, which is known after the server listens. */
  readonly port: () => number;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  readonly arrivals: ArrivalLog;
}

export function sandboxApp({
  service,
  faults,
  apiKey,
  port,
  closing,
  arrivals,
}: AppSettings): Hono<SandboxEnv> {
  const { tokens } = service;
  const app = new Hono<SandboxEnv>();
  const authorized = authorize(service);
  app.use(guard(port), limitBody);

  const graphql = graphqlHandler(apiKey, () => {
    const { tokenForm, tokenLifeMs } = faults.settings();
    return tokens.issue(tokenForm, tokenLifeMs);
  });
  const token = async ({ req }: Context<SandboxEnv>) => {
    // A new request, because a fault might have read the body of this one already.
    const { url, method, raw } = req;
    return graphql(new Request(url, { method, headers: raw.headers, body: await req.text() }));
  };
  mountService(app, service, token, (endpoint) => {
    const injected = faultMiddleware(faults, endpoint, closing, arrivals);
    return endpoint === "token" ? [injected] : [injected, authorized];
  });
  mountSandboxRoutes(app, service, faults, authorized);

  app.notFound((context) =>
    context.json({ detail: "There is nothing at this address.", code: "not_found" }, 404),
  );
  app.onError((_error, context) =>
    context.json({ detail: "An unexpected error happened.", code: "error" }, 500),
  );
  return app;
}
