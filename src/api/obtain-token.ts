/** Obtains a token from the service with an API key, and removes secrets from responses. */
import { setImmediate } from "node:timers/promises";
import { exactJsonOf } from "../json/exact.ts";
import { graphqlAnswer } from "./answers.ts";
import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError, type ServiceErrorFacts } from "./errors.ts";
import type { Http, HttpAnswer } from "./http.ts";
import { parseJson, readErrorText, readText } from "./read-body.ts";

/** The default GraphQL mutation. */
const defaultMutation =
  "mutation ObtainToken($apiKey: String!) { obtainToken(input: {APIKey: $apiKey}) { token refreshToken refreshExpiresIn } }";
const defaultTokenPath = "obtainToken.token";
const hidden = "[hidden]";

/** The options of a token call. The interface specifies none of their values. */
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
 * Throws `credentials` if the key is refused or the response has no token, `unreadable` if the
 * response is not from a GraphQL service, or the error of the call.
 */
export async function obtainToken(options: ObtainTokenOptions, apiKey: string): Promise<string> {
  const answer = await options.http.send({
    method: "POST",
    url: options.graphqlUrl,
    headers: { "content-type": "application/json" },
    body: Buffer.from(
      JSON.stringify({ query: options.mutation ?? defaultMutation, variables: { apiKey } }),
    ),
    timeoutMs: options.timeoutMs,
  });
  const { facts, status } = answer;
  const good = status >= 200 && status < 300;
  const body = await (good ? readText(answer) : readErrorText(answer));
  // undici releases a connection one turn of the event loop after the response. The call that needs
  // the token can then use the same connection.
  await setImmediate();
  const hide = (text: string) => redactSecret(apiKey, text);
  // Some GraphQL servers report errors with a 400. Their messages are more useful than the status.
  const words = status < 500 && status !== 429 ? graphqlErrors(body) : null;
  if (words !== null) {
    const detail = hide(words);
    throw new ServiceError("credentials", "ObtainToken was refused.", { ...facts, detail });
  }
  if (!good) throw refusedToken(errorOf(answer, body, hide));
  return checkedToken(tokenIn(body, answer, options.tokenPath ?? defaultTokenPath), facts);
}

/**
 * Converts an error of the token call to an error of the call that needs the token. A 404 of the
 * token call does not mean a missing account, and a 400 does not mean a refused payload.
 */
function refusedToken(error: ServiceError): ServiceError {
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
 * Removes a secret from a text: the secret itself and its JSON form, escaped once or twice. Some
 * JSON writers escape more than necessary (`\\/`, `\\u002b`). Such escapes are removed only if they
 * hide the secret.
 */
export function redactSecret(secret: string, text: string): string {
  const plain = text.includes("\\") ? withoutNeedlessEscapes(text) : text;
  let left = plain.includes(secret) ? plain : text;
  for (let form = secret, level = 0; level < 3; level++) {
    left = left.replaceAll(form, hidden);
    form = JSON.stringify(form).slice(1, -1);
  }
  return left;
}

function withoutNeedlessEscapes(text: string): string {
  return text.replace(/\\+(?:u00([2-7][0-9a-f])|\/)/gi, (written, hex: string | undefined) => {
    const character = hex === undefined ? "/" : String.fromCharCode(Number.parseInt(hex, 16));
    return character === '"' || character === "\\" ? written : character;
  });
}

/**
 * Returns the token of a GraphQL response. Throws `unreadable` for a response without `data`, for
 * example from a proxy, because a retry might help. Throws `credentials` if the data has no token.
 */
function tokenIn(body: string, answer: HttpAnswer, path: string): string {
  let value: unknown;
  try {
    value = parseJson(body, answer);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    // A part of a response can contain the whole token, so its text is not stored.
    throw new ServiceError(error.kind, `ObtainToken: ${error.message}`, answer.facts);
  }
  const data = graphqlAnswer.safeParse(value).data?.data ?? null;
  if (data === null) {
    const why = "ObtainToken: The response is JSON, but not from a GraphQL service.";
    throw new ServiceError("unreadable", why, answer.facts);
  }
  let at: unknown = data;
  for (const key of path.split(".")) {
    at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  }
  if (typeof at === "string" && at !== "") return at;
  const why = `ObtainToken's response has no token at data.${path}.`;
  throw new ServiceError("credentials", why, answer.facts);
}

function graphqlErrors(body: string): string | null {
  const errors = graphqlAnswer.safeParse(exactJsonOf(body)).data?.errors ?? [];
  if (errors.length === 0) return null;
  return errors.filter((message) => message !== null).join("; ") || "no reason given";
}
