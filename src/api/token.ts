/** Sends requests with a token, and obtains, renews and hides tokens. */
import { abortError, untilAborted } from "./deadline.ts";
import { errorOf } from "./error-body.ts";
import { errorMessage, isServiceError, ServiceError, type ServiceErrorFacts } from "./errors.ts";
import type { HttpAnswer, HttpRequest } from "./http.ts";
import { expiryOf, issueOf } from "./jwt.ts";
import {
  checkedToken,
  type ObtainTokenOptions,
  obtainToken,
  redactSecret,
} from "./obtain-token.ts";
import { readErrorText } from "./read-body.ts";
import type { AuthForm, CredentialSource, TokenFacts } from "./service.ts";

/**
 * Minimum length of a hidden secret. A shorter text can be part of ordinary words and is not a
 * token.
 */
const shortestHidden = 8;
/**
 * Maximum number of hidden secrets. Old tokens stay hidden, because a response in progress might
 * repeat them.
 */
const maxHidden = 12;

/**
 * Time before the expiry at which a token is renewed, in milliseconds. A token with a short life is
 * renewed in its last tenth.
 */
const earlyMs = 60_000;

interface AuthorisationOptions extends ObtainTokenOptions {
  readonly credentials: CredentialSource;
  /** The credential helper's program, or undefined if there is none. */
  readonly credentialHelper: string | undefined;
  readonly authForm: AuthForm;
  readonly knownForm: "token" | "bare" | null;
  readonly now: () => number;
}

interface Held {
  readonly token: string;
  readonly source: TokenFacts["source"];
  readonly expiresAt: number | null;
  /**
   * Time after which the token is not used, in epoch milliseconds, or null if it is used until a
   * 401.
   */
  readonly renewAt: number | null;
}

/** Sends requests with a token in the Authorization header (INTERFACE 5), renewing it when needed. */
export interface Authorisation {
  /**
   * Sends a request and returns its response. Throws `unauthorized` if a 401 remains after a
   * renewal.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Returns the facts about a valid token. `fresh` always requests a new token. */
  authenticate(options: { fresh: boolean; signal?: AbortSignal | undefined }): Promise<TokenFacts>;
  /** Removes known tokens and keys from a text of the service. */
  hide(text: string): string;
}

/** Creates the {@link Authorisation}. Concurrent calls share one renewal. */
export function createAuthorisation(options: AuthorisationOptions): Authorisation {
  const { http, credentials } = options;
  let held: Held | null = null;
  let renewing: Promise<Held> | null = null;
  /** True while the renewal waits for the credential source and not for the service. */
  let asking = false;
  const secrets = new Set<string>();
  let form: "token" | "bare" | null =
    options.authForm === "auto" ? options.knownForm : options.authForm;

  const usable = ({ renewAt }: Held) => renewAt === null || renewAt > options.now();
  const hide = (text: string) => {
    let left = text;
    for (const secret of secrets) left = redactSecret(secret, left);
    return left;
  };
  const use = (next: Held) => {
    held = next;
    for (const secret of [...credentials.secrets(), next.token]) {
      if (secret.length < shortestHidden) continue;
      secrets.delete(secret);
      secrets.add(secret);
    }
    for (const oldest of secrets) {
      if (secrets.size <= maxHidden) break;
      secrets.delete(oldest);
    }
  };

  const holding = (token: string, source: TokenFacts["source"]): Held => {
    const expiresAt = expiryOf(checkedToken(token));
    if (expiresAt === null) return { token, source, expiresAt, renewAt: null };
    const left = expiresAt - options.now();
    if (source !== "obtained") return { token, source, expiresAt, renewAt: expiresAt - earlyMs };
    // A new token that seems expired shows that the clocks differ, so it is used until a 401.
    const renewAt = left > 0 ? expiresAt - Math.min(earlyMs, left / 10) : null;
    return { token, source, expiresAt, renewAt };
  };

  /** Runs a request to the credential source. Every other error becomes a `credentials` error. */
  const fromCredentials = async <T>(ask: () => Promise<T>): Promise<T> => {
    asking = true;
    try {
      return await ask();
    } catch (error) {
      if (isServiceError(error)) throw error;
      const message = errorMessage(error);
      throw new ServiceError("credentials", message, isHelperError(error) ? culprit() : {});
    } finally {
      asking = false;
    }
  };

  const culprit = (): ServiceErrorFacts => {
    const { credentialHelper: program } = options;
    return program === undefined ? {} : { culprit: { kind: "helper", program } };
  };

  /** Returns the stored token or the given one, or null if there is none. */
  const stored = async (): Promise<Held | null> => {
    const found = await fromCredentials(() => credentials.token(http.closed));
    return found && holding(found.token, found.given ? "given" : "cached");
  };

  const find = async (): Promise<Held> => {
    const found = await stored();
    return found && (usable(found) || found.source === "given") ? found : obtain();
  };

  const obtain = async (): Promise<Held> => {
    const apiKey = await fromCredentials(() => credentials.apiKey(http.closed));
    if (apiKey === null || apiKey === "") {
      throw new ServiceError("credentials", "There is no API key to obtain a token with.");
    }
    const token = await obtainToken(options, apiKey);
    await credentials.keepToken(token);
    return holding(token, "obtained");
  };

  /**
   * Runs one renewal for all waiting callers. A caller that is aborted does not end it for the
   * others.
   */
  const renew = async (make: () => Promise<Held>, signal?: AbortSignal): Promise<Held> => {
    if (signal?.aborted) throw abortError(signal);
    renewing ??= make()
      .then((next) => {
        use(next);
        return next;
      })
      .finally(() => {
        renewing = null;
      });
    try {
      return await untilAborted(renewing, signal);
    } catch (error) {
      if (!asking || !isServiceError(error, "timeout")) throw error;
      throw new ServiceError("timeout", error.message, { ...error.facts, ...culprit() });
    }
  };

  const current = async (signal?: AbortSignal): Promise<Held> =>
    held && usable(held) ? held : renew(held ? obtainOrGiven : find, signal);

  /**
   * Obtains a token. Without an API key, returns the token that the user has given, which is used
   * until a 401.
   */
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

  /**
   * Sends a request with the known form of the header, or with both forms (INTERFACE 5.3 leaves it
   * open). Returns the error of the last 401 if every form was refused.
   */
  const tryForms = async (
    request: HttpRequest,
    token: string,
  ): Promise<HttpAnswer | ServiceError> => {
    const forms = form === null ? (["token", "bare"] as const) : ([form] as const);
    let refused: ServiceError | null = null;
    for (const as of forms) {
      const answer = await sendAs(request, token, as);
      if (answer.status !== 401) {
        // A 404 shows that the token was accepted. Other statuses might come from a gateway or a
        // redirect.
        if (form === null && (answer.status < 300 || answer.status === 404)) {
          form = as;
          if (answer.status < 300) await credentials.keepForm(as);
        }
        return answer;
      }
      refused = errorOf(answer, await readErrorText(answer), hide);
    }
    return refused as ServiceError;
  };

  const afterRefusal = async (before: Held, signal?: AbortSignal): Promise<Held> => {
    if (held && held.token !== before.token) return held;
    return renew(async () => {
      await credentials.keepToken(null);
      const found = await stored();
      return found && found.token !== before.token ? found : obtain();
    }, signal);
  };

  return {
    hide,
    async send(request) {
      const first = await current(request.signal);
      const answer = await tryForms(request, first.token);
      if (!isServiceError(answer)) return answer;
      let next: Held;
      try {
        next = await afterRefusal(first, request.signal);
      } catch (error) {
        // Without a key to renew the token, the refusal itself is the error.
        if (first.source === "given" && isServiceError(error, "credentials")) throw answer;
        throw error;
      }
      const again = await tryForms(request, next.token);
      if (!isServiceError(again)) return again;
      // The service might have changed the form, so the other form is tried, too.
      if (options.authForm === "auto" && form !== null) {
        const other = form === "token" ? "bare" : "token";
        const last = await sendAs(request, next.token, other);
        if (last.status !== 401) {
          // A 5xx or a redirect of a gateway does not show that the form is right.
          if (last.status < 300) {
            form = other;
            await credentials.keepForm(other);
          }
          return last;
        }
        await readErrorText(last);
      }
      throw again;
    },
    async authenticate({ fresh, signal }) {
      const token = fresh ? await renew(obtainFresh, signal) : await current(signal);
      const { source, expiresAt } = token;
      return { source, expiresAt, issuedAt: issueOf(token.token), form };
    },
  };

  async function obtainFresh(): Promise<Held> {
    try {
      return await obtain();
    } catch (error) {
      const kept = isServiceError(error, "credentials")
        ? await fromCredentials(() => credentials.token(http.closed))
        : null;
      if (!kept?.given) throw error;
      return holding(kept.token, "given");
    }
  }
}

/** Returns true if the error is from the credential helper. */
function isHelperError(error: unknown): boolean {
  return error instanceof Error && "kind" in error && error.kind === "helper";
}
