/**
 * The sandbox's own addresses, outside the documented interface: the ledger of effects for tests
 * that run in another process, and the faults in force.
 */
import type { Hono, MiddlewareHandler } from "hono";
import { respond } from "../http.ts";
import type { SandboxEnv, Service } from "../service.ts";

export function mountOwn(
  app: Hono<SandboxEnv>,
  service: Service,
  authorised: MiddlewareHandler<SandboxEnv>,
): void {
  app.get("/sandbox/ledger", authorised, () =>
    respond({ status: 200, body: service.store.ledger() }),
  );
  app.put("/sandbox/faults", authorised, async (context) => {
    const specs: unknown = await context.req.json().catch(() => undefined);
    if (!Array.isArray(specs) || !specs.every((spec) => typeof spec === "string")) {
      const detail = "An array of fault specs is expected.";
      return respond({ status: 400, body: { detail, code: "parse_error" } });
    }
    try {
      service.faults.set(specs);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return respond({ status: 400, body: { detail, code: "bad_fault" } });
    }
    return new Response(null, { status: 204 });
  });
}
