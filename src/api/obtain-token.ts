/** Obtains a token from the service with an API key, and removes secrets from responses. */
import { setImmediate } from "node:timers/promises";
import { exactJsonOf } from "../json/exact.ts";
import { hideFromLog } from "../log/log.ts";
import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError, type ServiceErrorFacts } from "./errors.ts";
import type { Http, HttpResponse } from "./http.ts";
import { parseJson, readErrorText, readText } from "./read-body.ts";
import { graphqlResponse } from "./response-schemas.ts";

const defaultMutation =
  "mutation ObtainToken($apiKey: String!) { obtainToken(input: {APIKey: $apiKey}) { token refreshToken refreshExpiresIn } }";
const defaultTokenPath = "obtainToken.token";
const replacement = "[hidden]";

/** The options of a token call, whose values the interface does not define. */
export interface ObtainTokenOptions {
  readonly http: Http;
  readonly graphqlUrl: string;
  readonly mutation?: string | undefined;
  readonly tokenPath?: string | undefined;
  readonly timeoutMs: number;
}

/** Returns a token if it can be sent in a header. Throws `credentials` for any other text. */
export function checkedToken(token: string, facts?: ServiceErrorFacts): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new ServiceError("credentials", "The token has characters that no token can have.", facts);
}

/**
 * Calls ObtainToken (INTERFACE 5.2). The key is sent as a variable, never inside the document.
 * Throws `credentials` if the key is rejected or the response has no token, `unreadable` if the
 * response is not from a GraphQL service, or the error of the call.
 */
export async function obtainToken(options: ObtainTokenOptions, apiKey: string): Promise<string> {
  hideFromLog(apiKey);
  const response = await options.http.send({
    method: "POST",
    url: options.graphqlUrl,
    headers: { "content-type": "application/json" },
    body: Buffer.from(
      JSON.stringify({ query: options.mutation ?? defaultMutation, variables: { apiKey } }),
    ),
    timeoutMs: options.timeoutMs,
  });
  const { facts, status } = response;
  const isSuccess = status >= 200 && status < 300;
  const body = await (isSuccess ? readText(response) : readErrorText(response));
  // undici releases the connection one turn of the event loop after the response, so that the next
  // call can use the same connection.
  await setImmediate();
  const hide = (text: string) => redactSecret(apiKey, text);
  // Some GraphQL servers report errors with a 400. Their messages are more useful than the status.
  const messages = status < 500 && status !== 429 ? graphqlErrors(body) : null;
  if (messages !== null) {
    const detail = hide(messages);
    throw new ServiceError("credentials", "ObtainToken was refused.", { ...facts, detail });
  }
  if (!isSuccess) throw tokenCallError(errorOf(response, body, hide));
  return checkedToken(tokenIn(body, response, options.tokenPath ?? defaultTokenPath), facts);
}

/**
 * Converts an error of the token call to an error of the call that needs the token, in which a 404
 * would mean a missing account, and a 400 an invalid payload.
 */
function tokenCallError(error: ServiceError): ServiceError {
  const { httpStatus = 0 } = error.facts;
  switch (error.kind) {
    case "rejected":
    case "unauthorized":
      return new ServiceError(
        "credentials",
        `ObtainToken was refused (${httpStatus}).`,
        error.facts,
      );
    case "not-found":
      return new ServiceError(
        "unexpected-status",
        "There is no ObtainToken at the GraphQL address (404).",
        error.facts,
      );
    default:
      return error;
  }
}

/**
 * Removes a secret from a text: the secret itself, and the secret escaped once or twice as in JSON.
 * Some JSON writers escape more characters than necessary (`\\/`, `\\u002b`). Such escapes are
 * removed only if the text then contains the secret.
 */
export function redactSecret(secret: string, text: string): string {
  const plain = text.includes("\\") ? withoutNeedlessEscapes(text) : text;
  let redacted = plain.includes(secret) ? plain : text;
  for (let form = secret, level = 0; level < 3; level++) {
    redacted = redacted.replaceAll(form, replacement);
    form = JSON.stringify(form).slice(1, -1);
  }
  return redacted;
}

/** Replaces escapes of characters that JSON does not have to escape. */
function withoutNeedlessEscapes(text: string): string {
  return text.replace(/\\+(?:u00([2-7][0-9a-f])|\/)/gi, (escaped, hex: string | undefined) => {
    const character = hex === undefined ? "/" : String.fromCharCode(Number.parseInt(hex, 16));
    return character === '"' || character === "\\" ? escaped : character;
  });
}

/**
 * Returns the token of a GraphQL response. Throws `unreadable` for a response without `data`, for
 * example from a proxy, because a retry might help. Throws `credentials` if the data has no token.
 */
function tokenIn(body: string, response: HttpResponse, path: string): string {
  let value: unknown;
  try {
    value = parseJson(body, response);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    // A part of a response can contain the whole token, so its text is not stored.
    throw new ServiceError(error.kind, `ObtainToken: ${error.message}`, response.facts);
  }
  const data = graphqlResponse.safeParse(value).data?.data ?? null;
  if (data === null) {
    const message = "ObtainToken: The response is JSON, but not from a GraphQL service.";
    throw new ServiceError("unreadable", message, response.facts);
  }
  let token: unknown = data;
  for (const key of path.split(".")) {
    token =
      typeof token === "object" && token !== null
        ? (token as Record<string, unknown>)[key]
        : undefined;
  }
  if (typeof token === "string" && token !== "") return token;
  const message = `ObtainToken's response has no token at data.${path}.`;
  throw new ServiceError("credentials", message, response.facts);
}

function graphqlErrors(body: string): string | null {
  const errors = graphqlResponse.safeParse(exactJsonOf(body)).data?.errors ?? [];
  if (errors.length === 0) return null;
  return errors.filter((message) => message !== null).join("; ") || "no reason was given";
}
