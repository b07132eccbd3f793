import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import type { Http, HttpAnswer, HttpRequest } from "./http.ts";
import { expiryOf } from "./jwt.ts";
import { parseJson, readText } from "./read-body.ts";
import type { AuthForm, CredentialSource, TokenFacts } from "./service.ts";

const defaultMutation =
  "mutation ObtainToken($apiKey: String!) { obtainToken(input: {APIKey: $apiKey}) { token refreshToken refreshExpiresIn } }";
const defaultTokenPath = "obtainToken.token";
/** A token is renewed this long before it ends. */
const earlyMs = 60_000;

export interface AuthorisationOptions {
  readonly http: Http;
  readonly credentials: CredentialSource;
  readonly graphqlUrl: string;
  readonly mutation?: string | undefined;
  readonly tokenPath?: string | undefined;
  readonly authForm: AuthForm;
  readonly knownForm: "token" | "bare" | null;
  readonly now: () => number;
  readonly timeoutMs: number;
}

interface Held {
  readonly token: string;
  readonly source: TokenFacts["source"];
  readonly expiresAt: number | null;
}

/** Sends requests with a token in the Authorization header (INTERFACE 5), renewing it when needed. */
export interface Authorisation {
  /** The answer of the request; a 401 that stands after a renewal is thrown as `unauthorized`. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** A token at hand; `fresh` asks for a new one. */
  authenticate(options: { fresh: boolean; signal?: AbortSignal | undefined }): Promise<TokenFacts>;
}

/** See {@link Authorisation}; concurrent calls share one renewal. */
export function createAuthorisation(options: AuthorisationOptions): Authorisation {
  const { http, credentials } = options;
  let held: Held | null = null;
  let renewing: Promise<Held> | null = null;
  let form: "token" | "bare" | null =
    options.authForm === "auto" ? options.knownForm : options.authForm;

  const usable = (candidate: Held) =>
    candidate.expiresAt === null || candidate.expiresAt - earlyMs > options.now();

  const find = async (): Promise<Held> => {
    const kept = await fromCredentials(() => credentials.token());
    if (kept) {
      const found: Held = {
        token: checkedToken(kept.token),
        source: kept.given ? "given" : "cached",
        expiresAt: expiryOf(kept.token),
      };
      if (usable(found) || kept.given) return found;
    }
    return obtain();
  };

  const obtain = async (): Promise<Held> => {
    const apiKey = await fromCredentials(() => credentials.apiKey());
    if (apiKey === null) {
      throw new ServiceError("credentials", "There is no API key to obtain a token with.");
    }
    const token = await obtainToken(options, apiKey);
    await credentials.keepToken(token);
    return { token, source: "obtained", expiresAt: expiryOf(token) };
  };

  /** One renewal for all who wait; a caller that gives up does not end it for the others. */
  const renew = (make: () => Promise<Held>, signal?: AbortSignal): Promise<Held> => {
    renewing ??= make()
      .then((next) => {
        held = next;
        return next;
      })
      .finally(() => {
        renewing = null;
      });
    return untilAborted(renewing, signal);
  };

  const current = async (signal?: AbortSignal): Promise<Held> =>
    held && usable(held) ? held : renew(held ? obtainOrGiven : find, signal);

  /** A given token cannot be renewed without a key: then it is used until it is refused. */
  const obtainOrGiven = async (): Promise<Held> => {
    try {
      return await obtain();
    } catch (error) {
      if (held?.source === "given" && isServiceError(error, "credentials")) return held;
      throw error;
    }
  };

  const sendAs = (request: HttpRequest, token: string, as: "token" | "bare") =>
    http.send({
      ...request,
      headers: { ...request.headers, authorization: as === "token" ? `Token ${token}` : token },
    });

  /** Tries the known form, or both (INTERFACE 5.3 does not say which); null when both got 401. */
  const tryForms = async (request: HttpRequest, token: string): Promise<HttpAnswer | Refused> => {
    const forms = form === null ? (["token", "bare"] as const) : ([form] as const);
    let refused: Refused | null = null;
    for (const as of forms) {
      const answer = await sendAs(request, token, as);
      if (answer.status !== 401) {
        if (form === null && answer.status < 300) {
          form = as;
          await credentials.keepForm(as);
        }
        return answer;
      }
      refused = new Refused(errorOf(answer, await readText(answer)));
    }
    return refused as Refused;
  };

  const afterRefusal = async (before: Held, signal?: AbortSignal): Promise<Held> => {
    if (held && held.token !== before.token) return held;
    return renew(async () => {
      await credentials.keepToken(null);
      const kept = await fromCredentials(() => credentials.token());
      if (kept && kept.token !== before.token) {
        return {
          token: checkedToken(kept.token),
          source: "given",
          expiresAt: expiryOf(kept.token),
        };
      }
      return obtain();
    }, signal);
  };

  return {
    async send(request) {
      const first = await current(request.signal);
      const answer = await tryForms(request, first.token);
      if (!(answer instanceof Refused)) return answer;
      let next: Held;
      try {
        next = await afterRefusal(first, request.signal);
      } catch (error) {
        // Without a key to renew with, the refusal itself is what there is to tell.
        if (first.source === "given" && isServiceError(error, "credentials")) throw answer.error;
        throw error;
      }
      const again = await tryForms(request, next.token);
      if (!(again instanceof Refused)) return again;
      // A known form may have changed on the other side: both are tried once more before giving up.
      if (options.authForm === "auto" && form !== null) {
        const other = form === "token" ? "bare" : "token";
        const last = await sendAs(request, next.token, other);
        if (last.status !== 401) {
          form = other;
          await credentials.keepForm(other);
          return last;
        }
        await readText(last);
      }
      throw again.error;
    },
    async authenticate({ fresh, signal }) {
      const token = fresh ? await renew(obtainFresh, signal) : await current(signal);
      return { source: token.source, expiresAt: token.expiresAt, form };
    },
  };

  async function obtainFresh(): Promise<Held> {
    try {
      return await obtain();
    } catch (error) {
      const kept = isServiceError(error, "credentials")
        ? await fromCredentials(() => credentials.token())
        : null;
      if (!kept?.given) throw error;
      return { token: checkedToken(kept.token), source: "given", expiresAt: expiryOf(kept.token) };
    }
  }
}

/** A 401 that was read to its end. */
class Refused {
  readonly error: ServiceError;
  constructor(error: ServiceError) {
    this.error = error;
  }
}

/** Whatever a credential source throws is about credentials. */
async function fromCredentials<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isServiceError(error)) throw error;
    throw new ServiceError("credentials", error instanceof Error ? error.message : "unreadable");
  }
}

function checkedToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new ServiceError("credentials", "The token holds characters no token may have.");
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  const cancelled = () => new ServiceError("cancelled", "The call was cancelled.");
  if (signal.aborted) throw cancelled();
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Calls ObtainToken (INTERFACE 5.2); the key travels as a variable, never inside the document. */
async function obtainToken(options: AuthorisationOptions, apiKey: string): Promise<string> {
  const answer = await options.http.send({
    method: "POST",
    url: options.graphqlUrl,
    headers: { "content-type": "application/json" },
    body: Buffer.from(
      JSON.stringify({ query: options.mutation ?? defaultMutation, variables: { apiKey } }),
    ),
    timeoutMs: options.timeoutMs,
  });
  const body = await readText(answer);
  const { facts } = answer;
  // Some GraphQL servers put what went wrong into a 400; its words are of more use than its status.
  const words = graphqlErrors(body);
  if (words !== null) {
    throw new ServiceError("credentials", "ObtainToken was refused.", { ...facts, detail: words });
  }
  if (answer.status < 200 || answer.status > 299) throw errorOf(answer, body);
  let at: unknown = (parseJson(body, answer) as { data?: unknown } | null)?.data;
  for (const key of (options.tokenPath ?? defaultTokenPath).split(".")) {
    at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  }
  if (typeof at !== "string" || at === "") {
    throw new ServiceError("credentials", "ObtainToken's answer holds no token where expected.", {
      ...facts,
    });
  }
  return checkedToken(at);
}

function graphqlErrors(body: string): string | null {
  try {
    const { errors } = JSON.parse(body) as { errors?: unknown };
    if (!Array.isArray(errors) || errors.length === 0) return null;
    const messages = errors.map((error: { message?: unknown } | null) => error?.message);
    return (
      messages.filter((message) => typeof message === "string").join("; ") || "no reason given"
    );
  } catch {
    return null;
  }
}
