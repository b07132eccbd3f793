import type { Clock } from "./clock.ts";
import type { ConnectionOptions } from "./connections.ts";
import type { ServiceErrorFacts } from "./errors.ts";
import type { RateLimit, RateLimitPause } from "./rate-limit.ts";

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Total deadline of the call in milliseconds. Default: 30 s, and 10 min for lists, which the idle
   * time limits.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum extension of that deadline by waits that the service requests (429), in milliseconds.
   * Default: ten minutes.
   */
  readonly rateLimitWaitMs?: number | undefined;
  /** Called when the call waits for the rate limit, with the expected end in epoch milliseconds. */
  readonly onRateLimitWait?: ((until: number) => void) | undefined;
  /**
   * Maximum number of resends of a call that got no response or a 5xx. Default: 3. Polling uses
   * none.
   */
  readonly retries?: number | undefined;
}

/** A read's result and its response. */
export interface Answer<T> {
  readonly value: T;
  /** The raw body (untrusted). */
  readonly raw: string;
  readonly httpStatus: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** INTERFACE 2, "Account import status". `status` is an open enumeration, never normalized. */
export interface AccountStatus {
  readonly status: string;
  /** Empty if no account has been created. */
  readonly service_account_number: string;
}

/** INTERFACE 2, "Supply point import process": the reason why an import ended in error. */
interface SupplyPointError {
  readonly code: string;
  readonly detail: string;
  readonly domain: string;
}

/** INTERFACE 2, "Supply point import process". `status` is an open enumeration, never normalized. */
export interface SupplyPointProcess {
  readonly status: string;
  readonly service_identifier: string | null;
  readonly created_at: string | null;
  readonly modified_at: string | null;
  readonly latest_error: SupplyPointError | null;
}

/** The list to read: 4.9 all, 4.10 pending, 4.11 imported. */
export type ListState = "all" | "pending" | "imported";

/** An account list whose body is still arriving. `accounts/ingest` reads its rows. */
export interface ListBody {
  /** Ends early, or throws a ServiceError, if the body was cut short. */
  readonly chunks: AsyncGenerator<Uint8Array, void, void>;
  /** Returns the value of a header. See `HttpAnswer.header`. */
  header(name: string): string | null;
  /** Returns the number of received bytes: compressed ones if the service compresses. */
  wireBytes(): number;
  /** The word in `<brand>_account_number`. */
  readonly brand: string;
  readonly clock: Clock;
  /** Facts about the request, for errors made from the body. */
  readonly facts: ServiceErrorFacts;
}

/** The facts about the token in use, without the token itself. */
export interface TokenFacts {
  /** The source of the token. */
  readonly source: "obtained" | "cached" | "given";
  /** Epoch milliseconds from the token's `exp`, or null if the token has none. */
  readonly expiresAt: number | null;
  /** Epoch milliseconds from the token's `iat`, by the service's clock, or null if it has none. */
  readonly issuedAt: number | null;
  /** The Authorization form that works, once known (INTERFACE 5.3). */
  readonly form: "token" | "bare" | null;
}

/** A write as it is sent. */
export interface PostRequest {
  /** The path below the base URL, from INTERFACE 4. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The bytes of the JSON body, sent unchanged. */
  readonly body: Uint8Array;
  /** Sends it on a new connection: the other side might have closed one that was idle. */
  readonly freshConnection?: boolean;
}

export interface PostOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called when the headers of this request (not of the token call) are sent. */
  readonly onHeadersSent: () => void;
}

export interface PostAnswer {
  readonly httpStatus: number;
  readonly body: string;
}

/** The service as the rest of the program sees it. Every method throws only ServiceError. */
export interface Service {
  readonly baseUrl: string;
  readonly accounts: {
    /** Requests the status of an account (INTERFACE 4.8). */
    status(
      supplier: string,
      account: string,
      options?: CallOptions,
    ): Promise<Answer<AccountStatus>>;
    /**
     * Requests a list (INTERFACE 4.9–4.11). Resolves when the body begins. A list is requested
     * again only before that, because its rows cannot be taken back.
     */
    list(supplier: string, state: ListState, options?: CallOptions): Promise<ListBody>;
  };
  readonly supplyPoints: {
    /** Requests the process of a supply point (INTERFACE 4.7). */
    status(
      supplier: string,
      identifier: string,
      options?: CallOptions,
    ): Promise<Answer<SupplyPointProcess>>;
  };
  /**
   * Returns the whole response to a GET of any path below the base URL, such as
   * `/v1/data-import/…/?limit=5`, at most 64 MiB. Throws `invalid-request` for a path that leads to
   * another place.
   */
  read(path: string, options?: CallOptions): Promise<PostAnswer>;
  /**
   * Sends one write (INTERFACE 4.1–4.6) once. Only after a 401 is the token renewed and the same
   * bytes sent again. Resolves on 2xx with the whole body, and rejects otherwise. `facts.sent` of
   * the error is about this request: false means that the service cannot have seen it, also if the
   * failure was to get a token.
   */
  post(request: PostRequest, options: PostOptions): Promise<PostAnswer>;
  /** Makes sure that there is a token (INTERFACE 5.2). `fresh` requests a new one. */
  authenticate(options?: CallOptions & { readonly fresh?: boolean }): Promise<TokenFacts>;
  /**
   * Shared by every call. Writes wait for their turn themselves, before they are recorded as being
   * sent.
   */
  readonly rateLimit: RateLimit;
  /** Uses new connections from now on. Calls in progress end on their connections. */
  renewConnections(): void;
  /** Requests the base URL without a token. Any response shows that the service can be reached. */
  reach(options?: Pick<CallOptions, "signal" | "timeoutMs">): Promise<void>;
  /**
   * Returns the milliseconds by which this machine's clock is ahead of the Date header of the
   * service's last response, to the second, or null before there was one.
   */
  clockAheadMs(): number | null;
  /**
   * Returns the time of this machine's clock, in epoch milliseconds, if it is within an hour of the
   * last Date header, else (and before there was one) null.
   */
  trustedNow(): number | null;
  /**
   * Returns the milliseconds by which this machine's clock is ahead of the service's if they differ
   * by more than an hour, else 0. It is 0 if no response had a Date header.
   */
  wrongByMs(): number;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** The source of secrets. `settings` implements it, so that `api` has no access to the disk. */
export interface CredentialSource {
  /** Returns the API key to obtain tokens with, or null if there is none. */
  apiKey(signal?: AbortSignal): Promise<string | null>;
  /** Returns a stored token or one given by the user, or null. */
  token(signal?: AbortSignal): Promise<{ token: string; given: boolean } | null>;
  /** Stores a token that was just obtained. Null removes it (after a 401). Never throws. */
  keepToken(token: string | null): Promise<void>;
  /**
   * Returns the known keys and tokens, which responses must not repeat. Runs no helper and never
   * throws.
   */
  secrets(): readonly string[];
  /** Stores the Authorization form that worked. Never throws. */
  keepForm(form: "token" | "bare"): Promise<void>;
}

/** The form of the token in the Authorization header (INTERFACE 5.3, not reconciled there). */
export type AuthForm = "auto" | "token" | "bare";

/**
 * The settings of the connection to a service. Settings that INTERFACE.md leaves open have a
 * default.
 */
export interface ServiceOptions {
  /** An absolute http(s) URL without userinfo. Plain http is for loopback only. */
  readonly baseUrl: string;
  /** Default: `{baseUrl}/v1/graphql/`. */
  readonly graphqlUrl?: string | undefined;
  /**
   * The whole mutation document. Default: a document that requests `obtainToken(input: {APIKey:
   * $apiKey})`.
   */
  readonly mutation?: string | undefined;
  /** Dotted path to the token in the response's `data`. Default: `obtainToken.token`. */
  readonly tokenPath?: string | undefined;
  readonly authForm?: AuthForm | undefined;
  /** The form that worked last time, tried first under `auto`. */
  readonly knownForm?: "token" | "bare" | undefined;
  /** The word in `<brand>_account_number`. Default: `service`. */
  readonly brand?: string | undefined;
  /** True if reads accept gzip. Default: true. Writes and the token call never do. */
  readonly acceptsGzip?: boolean | undefined;
  /** http(s) proxy URL, already chosen for this base URL. */
  readonly proxy?: string | undefined;
  /** The user name and password for the proxy. Overrides those in its URL. */
  readonly proxyLogin?: ConnectionOptions["proxyLogin"] | undefined;
  /** Extra CA certificates, PEM text. */
  readonly ca?: string | undefined;
  readonly credentials: CredentialSource;
  /** The credential helper's program, for the message of a call that waits for it. */
  readonly credentialHelper?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Called when a rate limit pauses every call. Must not throw. */
  readonly onRateLimited?: ((wait: RateLimitPause) => void) | undefined;
  /** Time without a byte after which a call ends. Default: 30 s. */
  readonly idleTimeoutMs?: number | undefined;
  /** Sent as User-Agent. */
  readonly userAgent?: string | undefined;
}
