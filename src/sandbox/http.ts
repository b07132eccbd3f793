/** Between HTTP and the rules: bodies in, answers out. */
import type { Context } from "hono";
import type { Answer } from "./answers.ts";
import { parseExact } from "./exact-json.ts";
import type { SandboxEnv } from "./service.ts";

/** A rule's answer as a response; without a body where the rule gave none. */
export function respond({ status, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status });
  const headers = { "content-type": "application/json" };
  return new Response(JSON.stringify(body), { status, headers });
}

/** Reads a JSON body and answers with what `rule` makes of it. */
export async function answerBody(
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

/** A path parameter of the matched route, decoded. */
export function pathPart(context: Context<SandboxEnv>, part: string): string {
  return context.req.param(part) ?? "";
}
