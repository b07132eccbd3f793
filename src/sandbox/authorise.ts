import type { MiddlewareHandler } from "hono";
import type { SandboxEnv, Service } from "./service.ts";

const refusals = {
  missing: { detail: "An Authorization header is needed.", code: "not_authenticated" },
  wrong: { detail: "The token is not valid.", code: "authentication_failed" },
  expired: { detail: "The token has expired.", code: "token_expired" },
} as const;

/** Lets only requests with a good token through (INTERFACE part 5). */
export function authorise(service: Service): MiddlewareHandler<SandboxEnv> {
  return async (context, next) => {
    const { authForm } = service.faults.settings();
    const verdict = service.tokens.judge(context.req.header("authorization"), authForm);
    if (verdict === "good") return next();
    return context.json(refusals[verdict], 401, { "www-authenticate": "Token" });
  };
}
