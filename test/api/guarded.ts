/** Services that want a token, and clients of them. */
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import {
  completed,
  type Handler,
  isTokenCall,
  openSandbox,
  openService,
  reply,
  tokenAnswer,
} from "../helpers/service.ts";
import { connected, type Given, start } from "./connected.ts";

/** A JSON Web Token that ends a number of milliseconds after the start. */
export function jwt(endsAfterMs: number, id = "a"): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: (start + endsAfterMs) / 1000, id })}.c2ln`;
}

/** Hands out `tokens` in turn, and takes `accepted` as the Authorization header. */
export async function guarded(
  tokens: readonly string[],
  accepted: (header: string) => boolean,
  given: Given = {},
) {
  let issued = 0;
  const handler: Handler = (request, response) => {
    if (isTokenCall(request)) {
      reply(response, 200, tokenAnswer(tokens[Math.min(issued++, tokens.length - 1)] ?? ""));
    } else if (accepted(request.headers.authorization ?? "")) reply(response, 200, completed);
    else reply(response, 401, { detail: "Token refused." });
  };
  const { baseUrl, received } = await openService(handler, { ownTokens: true });
  const read = () => service.accounts.status("ACME", "EXT-1");
  const { service, ...rest } = connected(baseUrl, { apiKey: "key-1", ...given });
  return {
    ...rest,
    service,
    read,
    received,
    tokenCalls: () => received.filter(isTokenCall).length,
    headers: () => received.filter((r) => !isTokenCall(r)).map((r) => r.headers.authorization),
  };
}

export async function sandboxed(options: SandboxOptions, given: Given = {}) {
  const sandbox = await openSandbox(options);
  return { sandbox, ...connected(sandbox.baseUrl, { apiKey: sandbox.apiKey, ...given }) };
}
