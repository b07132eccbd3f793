/** All routes together. */
import { Hono } from "hono";
import { authorise } from "./authorise.ts";
import { struckBy } from "./faults/strike.ts";
import type { Watch } from "./faults/watch.ts";
import { graphqlHandler } from "./graphql.ts";
import { guard, limitBody } from "./guard.ts";
import { mountAccounts } from "./routes/accounts.ts";
import { mountOn } from "./routes/mount.ts";
import { mountOwn } from "./routes/own.ts";
import { mountPostImport } from "./routes/post-import.ts";
import { mountSupplyPoints } from "./routes/supply-points.ts";
import type { SandboxEnv, Service } from "./service.ts";

export interface AppSettings {
  readonly service: Service;
  readonly apiKey: string;
  /** The port the server listens on, known once it does. */
  readonly port: () => number;
  /** Fires when the server closes. */
  readonly closing: AbortSignal;
  readonly watch: Watch;
}

export function sandboxApp({
  service,
  apiKey,
  port,
  closing,
  watch,
}: AppSettings): Hono<SandboxEnv> {
  const { faults, tokens } = service;
  const app = new Hono<SandboxEnv>();
  const authorised = authorise(service);
  app.use(guard(port), limitBody);

  const mount = mountOn(app, (endpoint) => {
    const struck = struckBy(faults, endpoint, closing, watch);
    return endpoint === "token" ? [struck] : [struck, authorised];
  });
  const graphql = graphqlHandler(apiKey, () => {
    const { tokenForm, tokenLifeMs } = faults.settings();
    return tokens.issue(tokenForm, tokenLifeMs);
  });
  mount("token", "POST", async ({ req }) => {
    // Made anew, because a fault may have read the request's own body already.
    const { url, method, raw } = req;
    return graphql(new Request(url, { method, headers: raw.headers, body: await req.text() }));
  });
  mountPostImport(mount, service);
  mountSupplyPoints(mount, service);
  mountAccounts(mount, service);
  mountOwn(app, service, authorised);

  app.notFound((context) =>
    context.json({ detail: "There is nothing at this address.", code: "not_found" }, 404),
  );
  app.onError((_error, context) =>
    context.json({ detail: "An unexpected error happened.", code: "error" }, 500),
  );
  return app;
}
