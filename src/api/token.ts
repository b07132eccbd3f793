/** Sends requests with a token, and obtains, renews and hides tokens. */
import { hideFromLog } from "../log/log.ts";
import { abortError, untilAborted } from "./deadline.ts";
import { errorOf } from "./error-body.ts";
import { errorMessage, isServiceError, ServiceError, type ServiceErrorFacts } from "./errors.ts";
import type { HttpRequest, HttpResponse } from "./http.ts";
import { expiryOf, issuedAtOf } from "./jwt.ts";
import {
  checkedToken,
  type ObtainTokenOptions,
  obtainToken,
  redactSecret,
} from "./obtain-token.ts";
import { readErrorText } from "./read-body.ts";
import type { AuthForm, CredentialSource, TokenFacts } from "./service.ts";

/** Minimum characters of a secret that is hidden. A shorter text can be part of a word. */
const minHiddenLength = 8;
/** Maximum number of hidden secrets. A response in progress might contain an older token. */
const maxHidden = 12;

/**
 * Time from the renewal of a token to its expiry, in milliseconds. A new token with a lifetime of
 * less than ten times this value is renewed after nine tenths of its lifetime.
 */
const renewalMarginMs = 60_000;

interface AuthorizationOptions extends ObtainTokenOptions {
  readonly credentials: CredentialSource;
  readonly credentialHelper: string | undefined;
  readonly authForm: AuthForm;
  /** The form of the header that the service accepted earlier, or null if none is known. */
  readonly knownForm: "token" | "bare" | null;
  readonly now: () => number;
}

interface UsableToken {
  readonly token: string;
  readonly source: TokenFacts["source"];
  /** Time at which the token expires, in epoch milliseconds, or null if unknown. */
  readonly expiresAt: number | null;
  /**
   * Time from which a new token is obtained, in epoch milliseconds, or null if the token is used
   * until a 401. A given token is used after this time if no new token can be obtained.
   */
  readonly renewAt: number | null;
}

/** Sends requests with a token in the Authorization header (INTERFACE 5), and renews it. */
export interface Authorization {
  /** Sends a request and returns its response. Throws `unauthorized` for a 401 after a renewal. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Returns the facts about a valid token. `fresh` requests a new one even if it is valid. */
  authenticate(options: { fresh: boolean; signal?: AbortSignal | undefined }): Promise<TokenFacts>;
  /** Removes known tokens and API keys from a text of the service. */
  hide(text: string): string;
}

/** Creates the {@link Authorization}. Concurrent calls share one renewal. */
export function createAuthorization(options: AuthorizationOptions): Authorization {
  const { http, credentials } = options;
  let currentToken: UsableToken | null = null;
  let renewal: Promise<UsableToken> | null = null;
  /** True while the renewal waits for the credential source and not for the service. */
  let waitsForCredentials = false;
  const secrets = new Set<string>();
  /** The form of the header that is sent, or null if both forms must be tried. */
  let form: "token" | "bare" | null =
    options.authForm === "auto" ? options.knownForm : options.authForm;

  const isUsable = ({ renewAt }: UsableToken) => renewAt === null || renewAt > options.now();
  const hide = (text: string) => {
    let redacted = text;
    for (const secret of secrets) redacted = redactSecret(secret, redacted);
    return redacted;
  };
  /** Makes a token the current one, and hides it in later texts. */
  const makeCurrent = (next: UsableToken) => {
    currentToken = next;
    hideFromLog(...credentials.secrets(), next.token);
    for (const secret of [...credentials.secrets(), next.token]) {
      if (secret.length < minHiddenLength) continue;
      secrets.delete(secret);
      secrets.add(secret);
    }
    for (const oldest of secrets) {
      if (secrets.size <= maxHidden) break;
      secrets.delete(oldest);
    }
  };

  const tokenOf = (token: string, source: TokenFacts["source"]): UsableToken => {
    const expiresAt = expiryOf(checkedToken(token));
    if (expiresAt === null) return { token, source, expiresAt, renewAt: null };
    const left = expiresAt - options.now();
    if (source !== "obtained")
      return { token, source, expiresAt, renewAt: expiresAt - renewalMarginMs };
    // The clocks differ if a new token seems expired, so that token is used until a 401.
    const renewAt = left > 0 ? expiresAt - Math.min(renewalMarginMs, left / 10) : null;
    return { token, source, expiresAt, renewAt };
  };

  /** Runs a request to the source. Throws a ServiceError, and any other error as `credentials`. */
  const fromCredentials = async <T>(request: () => Promise<T>): Promise<T> => {
    waitsForCredentials = true;
    try {
      return await request();
    } catch (error) {
      if (isServiceError(error)) throw error;
      const message = errorMessage(error);
      throw new ServiceError("credentials", message, isHelperError(error) ? culprit() : {});
    } finally {
      waitsForCredentials = false;
    }
  };

  /** Returns the facts of an error of the credential helper, or none without a helper. */
  const culprit = (): ServiceErrorFacts => {
    const { credentialHelper: program } = options;
    return program === undefined ? {} : { culprit: { kind: "helper", program } };
  };

  const storedOrGiven = async (): Promise<UsableToken | null> => {
    const result = await fromCredentials(() => credentials.token(http.closed));
    return result && tokenOf(result.token, result.given ? "given" : "cached");
  };

  /** Returns the stored token if it is usable, a given token always, and otherwise a new token. */
  const storedOrObtained = async (): Promise<UsableToken> => {
    const token = await storedOrGiven();
    return token && (isUsable(token) || token.source === "given") ? token : obtain();
  };

  /** Requests a new token from the service with the API key, and stores the token. */
  const obtain = async (): Promise<UsableToken> => {
    const apiKey = await fromCredentials(() => credentials.apiKey(http.closed));
    if (apiKey === null || apiKey === "") {
      throw new ServiceError("credentials", "There is no API key to obtain a token with.");
    }
    const token = await obtainToken(options, apiKey);
    await credentials.storeToken(token);
    return tokenOf(token, "obtained");
  };

  /**
   * Runs one renewal for all waiting callers. `getToken` returns the token to use. An aborted caller
   * does not end the renewal for the others.
   */
  const renew = async (
    getToken: () => Promise<UsableToken>,
    signal?: AbortSignal,
  ): Promise<UsableToken> => {
    if (signal?.aborted) throw abortError(signal);
    renewal ??= getToken()
      .then((next) => {
        makeCurrent(next);
        return next;
      })
      .finally(() => {
        renewal = null;
      });
    try {
      return await untilAborted(renewal, signal);
    } catch (error) {
      if (!waitsForCredentials || !isServiceError(error, "timeout")) throw error;
      throw new ServiceError("timeout", error.message, { ...error.facts, ...culprit() });
    }
  };

  const current = async (signal?: AbortSignal): Promise<UsableToken> =>
    currentToken && isUsable(currentToken)
      ? currentToken
      : renew(currentToken ? obtainOrGiven : storedOrObtained, signal);

  /**
   * Obtains a token. If a `credentials` error occurs, for example because there is no API key,
   * returns the current token if the user has given it. That token is then used until a 401.
   */
  const obtainOrGiven = async (): Promise<UsableToken> => {
    try {
      return await obtain();
    } catch (error) {
      if (currentToken?.source === "given" && isServiceError(error, "credentials"))
        return currentToken;
      throw error;
    }
  };

  const sendAs = (request: HttpRequest, token: string, sentForm: "token" | "bare") =>
    http.send({
      ...request,
      headers: {
        ...request.headers,
        authorization: sentForm === "token" ? `Token ${token}` : token,
      },
    });

  /**
   * Sends a request with the known form of the Authorization header. If no form is known, tries one
   * form after the other, because INTERFACE 5.3 does not define the form. Returns the first
   * response that is not a 401, or the error of the last 401.
   */
  const tryForms = async (
    request: HttpRequest,
    token: string,
  ): Promise<HttpResponse | ServiceError> => {
    const forms = form === null ? (["token", "bare"] as const) : ([form] as const);
    let unauthorized: ServiceError | null = null;
    for (const triedForm of forms) {
      const response = await sendAs(request, token, triedForm);
      if (response.status !== 401) {
        // A success or a 404 means that the token was accepted. Any other status might be from a
        // gateway.
        if (form === null && (response.status < 300 || response.status === 404)) {
          form = triedForm;
          if (response.status < 300) await credentials.storeForm(triedForm);
        }
        return response;
      }
      unauthorized = errorOf(response, await readErrorText(response), hide);
    }
    return unauthorized as ServiceError;
  };

  /**
   * Returns another token after a 401: the current token if another call has already renewed it, a
   * token that was stored meanwhile, or a new token.
   */
  const replaceToken = async (
    rejected: UsableToken,
    signal?: AbortSignal,
  ): Promise<UsableToken> => {
    if (currentToken && currentToken.token !== rejected.token) return currentToken;
    return renew(async () => {
      await credentials.storeToken(null);
      const other = await storedOrGiven();
      return other && other.token !== rejected.token ? other : obtain();
    }, signal);
  };

  return {
    hide,
    async send(request) {
      const first = await current(request.signal);
      const response = await tryForms(request, first.token);
      if (!isServiceError(response)) return response;
      let next: UsableToken;
      try {
        next = await replaceToken(first, request.signal);
      } catch (error) {
        // A given token cannot be renewed without an API key, so the 401 is reported.
        if (first.source === "given" && isServiceError(error, "credentials")) throw response;
        throw error;
      }
      const second = await tryForms(request, next.token);
      if (!isServiceError(second)) return second;
      // The service might have changed the form that it accepts, so the other form is tried.
      if (options.authForm === "auto" && form !== null) {
        const other = form === "token" ? "bare" : "token";
        const last = await sendAs(request, next.token, other);
        if (last.status !== 401) {
          // Only a success proves that the form is right.
          if (last.status < 300) {
            form = other;
            await credentials.storeForm(other);
          }
          return last;
        }
        await readErrorText(last);
      }
      throw second;
    },
    async authenticate({ fresh, signal }) {
      const token = fresh ? await renew(obtainFresh, signal) : await current(signal);
      const { source, expiresAt } = token;
      return { source, expiresAt, issuedAt: issuedAtOf(token.token), form };
    },
  };

  /**
   * Obtains a token. If a `credentials` error occurs, for example because there is no API key,
   * returns the token that the user has given, if there is one.
   */
  async function obtainFresh(): Promise<UsableToken> {
    try {
      return await obtain();
    } catch (error) {
      const result = isServiceError(error, "credentials")
        ? await fromCredentials(() => credentials.token(http.closed))
        : null;
      if (!result?.given) throw error;
      return tokenOf(result.token, "given");
    }
  }
}

function isHelperError(error: unknown): boolean {
  return error instanceof Error && "kind" in error && error.kind === "helper";
}
