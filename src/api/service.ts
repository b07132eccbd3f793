/** Defines the interface of the service's client: its calls, their options and their results. */
import type * as z from "zod/mini";
import type { Clock } from "./clock.ts";
import type { ConnectionOptions } from "./connections.ts";
import type { ServiceErrorFacts } from "./errors.ts";
import type { RateLimit, RateLimitPause } from "./rate-limit.ts";
import type { accountStatus, supplyPointProcess } from "./response-schemas.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of the call in milliseconds. Default: 30 s, and 10 min for lists. The idle time also
   * limits every call.
   */
  readonly timeoutMs?: number | undefined;
  /** Maximum milliseconds by which waits after a 429 extend the time limit. Default: 10 min. */
  readonly rateLimitWaitMs?: number | undefined;
  /** Called when the call waits for the rate limit, with the expected end in epoch milliseconds. */
  readonly onRateLimitWait?: ((until: number) => void) | undefined;
  /** Maximum number of resends if there is no response or a 5xx. Default: 3. Polling uses 0. */
  readonly retries?: number | undefined;
}

export interface ReadResult<T> {
  readonly value: T;
  /** The raw body (untrusted). */
  readonly raw: string;
  readonly httpStatus: number;
  /** Time at which the response arrived, in epoch milliseconds. */
  readonly receivedAt: number;
}

/** An account's import status (INTERFACE 2). `status` is an open enumeration, never normalized. */
export type AccountStatus = Readonly<z.infer<typeof accountStatus>>;

/** An import process (INTERFACE 2). `status` is an open enumeration, never normalized. */
export type SupplyPointProcess = Readonly<z.infer<typeof supplyPointProcess>>;

/** The list to read: all accounts (INTERFACE 4.9), pending ones (4.10) or imported ones (4.11). */
export type ListState = "all" | "pending" | "imported";

/** An account list whose body is still arriving. `accounts/ingest` reads its rows. */
export interface ListBody {
  /** The chunks of the body. They end early or throw a ServiceError if the body is cut short. */
  readonly chunks: AsyncGenerator<Uint8Array, void, void>;
  header(name: string): string | null;
  /** Returns the number of received bytes, before decompression. */
  wireBytes(): number;
  /** The brand word in `<brand>_account_number`. */
  readonly brand: string;
  readonly clock: Clock;
  readonly facts: ServiceErrorFacts;
  /** Removes the secrets of the request from a text of the body. */
  hide(text: string): string;
}

/** The facts about the token in use, without the token itself. */
export interface TokenFacts {
  readonly source: "obtained" | "cached" | "given";
  /** The expiry from the token's `exp`, in epoch milliseconds, or null if the token has none. */
  readonly expiresAt: number | null;
  /** The token's `iat`, in epoch milliseconds of the service's clock, or null if it has none. */
  readonly issuedAt: number | null;
  /** The form of the Authorization header that works, or null if it is unknown (INTERFACE 5.3). */
  readonly form: "token" | "bare" | null;
}

export interface PostRequest {
  /** The path below the base URL, from INTERFACE 4. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The bytes of the JSON body, which are sent unchanged. */
  readonly body: Uint8Array;
  /** True for a new connection, because an idle one might have been closed. Default: false. */
  readonly freshConnection?: boolean;
}

export interface PostOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /**
   * Called just before the headers leave. If it returns false, nothing is sent, and the call rejects
   * with `timeout`. Default: true.
   */
  readonly mayLeave?: () => boolean;
  /** Called when the headers of this request are sent, but not for the token call. */
  readonly onHeadersSent: () => void;
}

/** A response with its raw body (untrusted). */
export interface RawResponse {
  readonly httpStatus: number;
  readonly body: string;
}

/** The client of the service. Every method throws only ServiceError. */
export interface Service {
  readonly baseUrl: string;
  readonly accounts: {
    /** Requests the status of an account (INTERFACE 4.8). */
    status(
      supplier: string,
      account: string,
      options?: CallOptions,
    ): Promise<ReadResult<AccountStatus>>;
    /**
     * Requests a list (INTERFACE 4.9–4.11). Resolves when the headers arrive. The request is
     * repeated only before that, because its rows might already be used later.
     */
    list(supplier: string, state: ListState, options?: CallOptions): Promise<ListBody>;
  };
  readonly supplyPoints: {
    /** Requests the import process of a supply point (INTERFACE 4.7). */
    status(
      supplier: string,
      identifier: string,
      options?: CallOptions,
    ): Promise<ReadResult<SupplyPointProcess>>;
  };
  /**
   * Returns the whole response to a GET of any path below the base URL, such as
   * `/v1/data-import/…/?limit=5`, at most 64 MiB. Throws `invalid-request` for a path that is not
   * below the base URL.
   */
  read(path: string, options?: CallOptions): Promise<RawResponse>;
  /**
   * Sends one write (INTERFACE 4.1–4.6) once. Only after a 401, the token is renewed and the same
   * bytes are sent again. Resolves with the whole body for a 2xx, and rejects otherwise.
   * `facts.sent` of the error is false if the service cannot have received this request, for
   * example because there was no token.
   */
  post(request: PostRequest, options: PostOptions): Promise<RawResponse>;
  /** Obtains a token if none is valid (INTERFACE 5.2). `fresh` always requests a new token. */
  authenticate(options?: CallOptions & { readonly fresh?: boolean }): Promise<TokenFacts>;
  /** The rate limit of all calls. A write waits for its turn before it is recorded as sent. */
  readonly rateLimit: RateLimit;
  /** Replaces the connections for later calls. Calls in progress continue on the old ones. */
  renewConnections(): void;
  /** Requests the base URL without a token. Resolves with any response, rejects without one. */
  reach(options?: Pick<CallOptions, "signal" | "timeoutMs">): Promise<void>;
  /**
   * Returns the milliseconds by which the local clock was ahead of the last Date header, or null if
   * there was none. A Date header has whole seconds.
   */
  clockAheadMs(): number | null;
  /**
   * Returns the time of the local clock in epoch milliseconds. Returns null if that time differs by
   * more than an hour from the last Date header, or if there was none.
   */
  trustedNow(): number | null;
  /**
   * Returns the milliseconds by which the local clock is ahead of the service's if they differ by
   * more than an hour, else 0. Returns 0 if no response had a Date header.
   */
  wrongByMs(): number;
  close(): Promise<void>;
}

/** The source of keys and tokens. `settings` implements it, so that `api` needs no disk. */
export interface CredentialSource {
  apiKey(signal?: AbortSignal): Promise<string | null>;
  /** Returns a stored token, or a token that the user has given, or null if there is none. */
  token(signal?: AbortSignal): Promise<{ token: string; given: boolean } | null>;
  /** Stores a token, or removes the stored one if `token` is null (after a 401). Never throws. */
  storeToken(token: string | null): Promise<void>;
  /** Returns the known keys and tokens, to hide in responses. Runs no helper and never throws. */
  secrets(): readonly string[];
  /** Stores the Authorization form that worked. Never throws. */
  storeForm(form: "token" | "bare"): Promise<void>;
}

/** The token's form in the Authorization header. INTERFACE 5.3 defines none: `auto` tries both. */
export type AuthForm = "auto" | "token" | "bare";

export interface ServiceOptions {
  /** An absolute http(s) URL without a login. Plain http is allowed only for loopback. */
  readonly baseUrl: string;
  /** The GraphQL address for tokens. Default: `{baseUrl}/v1/graphql/`. */
  readonly graphqlUrl?: string | undefined;
  /**
   * The GraphQL mutation for tokens. Default: a document that requests `obtainToken(input: {APIKey:
   * $apiKey})`.
   */
  readonly mutation?: string | undefined;
  /** The dotted path to the token in the response's `data`. Default: `obtainToken.token`. */
  readonly tokenPath?: string | undefined;
  readonly authForm?: AuthForm | undefined;
  /** The form that worked last time, which `auto` tries first. */
  readonly knownForm?: "token" | "bare" | undefined;
  /** The brand word in `<brand>_account_number`. Default: `service`. */
  readonly brand?: string | undefined;
  /** True if reads accept gzip. Default: true. Writes and the token call never accept it. */
  readonly acceptsGzip?: boolean | undefined;
  readonly proxy?: string | undefined;
  /** The user name and password for the proxy. Overrides those in the URL. */
  readonly proxyLogin?: ConnectionOptions["proxyLogin"] | undefined;
  /** Additional CA certificates, as PEM text. */
  readonly ca?: string | undefined;
  readonly credentials: CredentialSource;
  readonly credentialHelper?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Called when a rate limit pauses every call. Must not throw. */
  readonly onRateLimited?: ((wait: RateLimitPause) => void) | undefined;
  /** Time without a byte after which a call ends, in milliseconds. Default: 30 s. */
  readonly idleTimeoutMs?: number | undefined;
  /** The User-Agent header. Default: `supplyline`. */
  readonly userAgent?: string | undefined;
}
