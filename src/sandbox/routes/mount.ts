import type { Context, Hono, MiddlewareHandler } from "hono";
import type { Endpoint } from "../endpoints.ts";
import { paths } from "../endpoints.ts";
import { respond } from "../http.ts";
import type { SandboxEnv } from "../service.ts";

type Handler = (context: Context<SandboxEnv>) => Response | Promise<Response>;

/** Adds one endpoint of the service; `before` makes what every request to it goes through first. */
export type Mount = (endpoint: Endpoint, method: "GET" | "POST", handler: Handler) => void;

export function mountOn(
  app: Hono<SandboxEnv>,
  before: (endpoint: Endpoint) => readonly MiddlewareHandler<SandboxEnv>[],
): Mount {
  return (endpoint, method, handler) => {
    const path = paths[endpoint];
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
