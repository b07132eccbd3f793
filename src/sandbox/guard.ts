/** Access control of the sandbox: no web pages, no other machines, no request without a token. */
import type { MiddlewareHandler } from "hono";
import type { SandboxEnv, Service } from "./service.ts";

/** Maximum size of a request's body in bytes, far above any sensible request. */
const largestBody = 10 * 1024 * 1024;

/**
 * Refuses host names of other machines (a page can rebind its name to 127.0.0.1) and anything that
 * a browser sends on behalf of a page.
 */
export function guard(port: () => number): MiddlewareHandler<SandboxEnv> {
  return async (context, next) => {
    const host = context.req.header("host") ?? "";
    const own = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port()}`);
    if (!own.includes(host.toLowerCase())) {
      const detail = "This host name is not the sandbox's.";
      return context.json({ detail, code: "host_refused" }, 403);
    }
    if (context.req.header("origin") !== undefined) {
      const detail = "The sandbox does not answer web pages.";
      return context.json({ detail, code: "origin_refused" }, 403);
    }
    return next();
  };
}

/** Requires a Content-Length within the limit, so that nothing is read just to be counted. */
export const limitBody: MiddlewareHandler<SandboxEnv> = async (context, next) => {
  if (context.req.header("transfer-encoding") !== undefined) {
    const detail = "A request's body needs a Content-Length.";
    return context.json({ detail, code: "length_required" }, 411);
  }
  if (Number(context.req.header("content-length") ?? 0) > largestBody) {
    const detail = "The request's body is too large.";
    return context.json({ detail, code: "payload_too_large" }, 413);
  }
  return next();
};

const refusals = {
  missing: { detail: "An Authorization header is needed.", code: "not_authenticated" },
  wrong: { detail: "The token is not valid.", code: "authentication_failed" },
  expired: { detail: "The token has expired.", code: "token_expired" },
} as const;

/** Accepts only requests with a valid token (INTERFACE part 5). */
export function authorize(service: Service): MiddlewareHandler<SandboxEnv> {
  return async (context, next) => {
    const { authForm } = service.faults.settings();
    const verdict = service.tokens.judge(context.req.header("authorization"), authForm);
    if (verdict === "good") return next();
    return context.json(refusals[verdict], 401, { "www-authenticate": "Token" });
  };
}
