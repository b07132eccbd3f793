import type { Clock } from "./clock.ts";
import type { ConnectionOptions } from "./connections.ts";
import type { ServiceErrorFacts } from "./errors.ts";
import type { RateLimit, RateLimitPause } from "./rate-limit.ts";

/** Options every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Total deadline of the call in milliseconds (default 30 s; lists 10 min, bounded by idle time). */
  readonly timeoutMs?: number | undefined;
  /**
   * How far waits that the service asks for (429) may put that deadline off, in milliseconds: ten
   * minutes by default.
   */
  readonly rateLimitWaitMs?: number | undefined;
  /** Called when the call waits for the rate limit, with the expected end in epoch milliseconds. */
  readonly onRateLimitWait?: ((until: number) => void) | undefined;
  /** Resends of a call that got no answer or a 5xx (default 3); polling asks for none. */
  readonly retries?: number | undefined;
}

/** A read's result and the answer it came from. */
export interface Answer<T> {
  readonly value: T;
  /** The raw body; untrusted. */
  readonly raw: string;
  readonly httpStatus: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** INTERFACE 2, "Account import status". `status` is an open enumeration, never normalized. */
export interface AccountStatus {
  readonly status: string;
  /** Empty while no account has been created. */
  readonly service_account_number: string;
}

/** INTERFACE 2, "Supply point import process": why an import ended in error. */
export interface SupplyPointError {
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

/** Which list: 4.9 all, 4.10 pending, 4.11 imported. */
export type ListState = "all" | "pending" | "imported";

/** An account list whose body is still arriving; `accounts/ingest` makes rows of it. */
export interface ListBody {
  /** Ends early, or throws a ServiceError, when the body was cut short. */
  readonly chunks: AsyncGenerator<Uint8Array, void, void>;
  /** See `HttpAnswer.header`. */
  header(name: string): string | null;
  /** Bytes that have arrived, compressed where the service compresses. */
  wireBytes(): number;
  /** The word in `<brand>_account_number`. */
  readonly brand: string;
  readonly clock: Clock;
  /** Facts about the request, for errors made from the body. */
  readonly facts: ServiceErrorFacts;
}

/** What is known of the token in use; never the token itself. */
export interface TokenFacts {
  /** Where it came from. */
  readonly source: "obtained" | "cached" | "given";
  /** Epoch milliseconds from the token's `exp`; null when the token does not say. */
  readonly expiresAt: number | null;
  /** Epoch milliseconds from the token's `iat`, by the service's clock; null when it does not say. */
  readonly issuedAt: number | null;
  /** The Authorization form that works, once known (INTERFACE 5.3). */
  readonly form: "token" | "bare" | null;
}

/** A write as it leaves. */
export interface PostRequest {
  /** Below the base URL, from INTERFACE 4. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The bytes of the JSON body, sent as they are. */
  readonly body: Uint8Array;
  /** Sends it on a connection of its own: one that was idle may be closed by the other side meanwhile. */
  readonly freshConnection?: boolean;
}

export interface PostOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called when the headers of this request (not of the token call) are put on the wire. */
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
    /** INTERFACE 4.8. */
    status(
      supplier: string,
      account: string,
      options?: CallOptions,
    ): Promise<Answer<AccountStatus>>;
    /**
     * INTERFACE 4.9–4.11: resolves when the body begins. Only a list that has not begun is requested
     * again, because rows cannot be taken back.
     */
    list(supplier: string, state: ListState, options?: CallOptions): Promise<ListBody>;
  };
  readonly supplyPoints: {
    /** INTERFACE 4.7. */
    status(
      supplier: string,
      identifier: string,
      options?: CallOptions,
    ): Promise<Answer<SupplyPointProcess>>;
  };
  /**
   * The whole answer to a GET of any path below the base URL, such as `/v1/data-import/…/?limit=5`;
   * at most 64 MiB. Throws `invalid-request` for a path that leads anywhere else.
   */
  read(path: string, options?: CallOptions): Promise<PostAnswer>;
  /**
   * Sends one write (INTERFACE 4.1–4.6) once: the token is renewed and the bytes are sent again only
   * after a 401. Resolves on 2xx with the whole body; rejects otherwise. `facts.sent` of the error is
   * about this request: false means that the service cannot have seen it, also when it was the token
   * that could not be had.
   */
  post(request: PostRequest, options: PostOptions): Promise<PostAnswer>;
  /** Makes sure a token is at hand (INTERFACE 5.2); `fresh` asks for a new one. */
  authenticate(options?: CallOptions & { readonly fresh?: boolean }): Promise<TokenFacts>;
  /** Shared by every call; writes take their turn themselves, before they are on record as being sent. */
  readonly rateLimit: RateLimit;
  /** Sends what follows on new connections; what is under way ends on those it has. */
  renewConnections(): void;
  /** Asks for the base URL without a token: whatever is answered, the service was reached. */
  reach(options?: Pick<CallOptions, "signal" | "timeoutMs">): Promise<void>;
  /**
   * Milliseconds by which this machine's clock is ahead of the service's, by the Date header of its
   * last answer, to the second; null before there was one.
   */
  clockAheadMs(): number | null;
  /**
   * The time of this machine's clock, in epoch milliseconds, if it is within an hour of the Date header
   * of the last answer that has one; null if not, and before there was one.
   */
  trustedNow(): number | null;
  /**
   * Milliseconds by which this machine's clock is ahead of the service's if they differ by more than an
   * hour; 0 if they do not, and if no answer had a Date header.
   */
  wrongByMs(): number;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Where secrets come from; implemented by `settings`, so that `api` knows no disk. */
export interface CredentialSource {
  /** The API key to obtain tokens with, or null when there is none. */
  apiKey(signal?: AbortSignal): Promise<string | null>;
  /** A token kept from before or given by the user, or null. */
  token(signal?: AbortSignal): Promise<{ token: string; given: boolean } | null>;
  /** Keeps a token just obtained; null forgets it (after a 401). Never throws. */
  keepToken(token: string | null): Promise<void>;
  /**
   * The keys and tokens that are at hand, which answers must not repeat. Asks no one for any, and never
   * throws.
   */
  secrets(): readonly string[];
  /** Remembers which Authorization form worked. Never throws. */
  keepForm(form: "token" | "bare"): Promise<void>;
}

/** How the token is written into the Authorization header (INTERFACE 5.3, not reconciled there). */
export type AuthForm = "auto" | "token" | "bare";

/** Everything a service needs to be talked to; what INTERFACE.md leaves open has a default. */
export interface ServiceOptions {
  /** Absolute http(s) URL; https only, except on loopback; no userinfo. */
  readonly baseUrl: string;
  /** Default `{baseUrl}/v1/graphql/`. */
  readonly graphqlUrl?: string | undefined;
  /** The whole mutation document; default asks for `obtainToken(input: {APIKey: $apiKey})`. */
  readonly mutation?: string | undefined;
  /** Dotted path to the token in the answer's `data`; default `obtainToken.token`. */
  readonly tokenPath?: string | undefined;
  readonly authForm?: AuthForm | undefined;
  /** The form that worked last time, tried first under `auto`. */
  readonly knownForm?: "token" | "bare" | undefined;
  /** The word in `<brand>_account_number`; default `service`. */
  readonly brand?: string | undefined;
  /** Whether reads ask for gzip; default true. Writes and the token call never do. */
  readonly acceptsGzip?: boolean | undefined;
  /** http(s) proxy URL, already decided for this base URL. */
  readonly proxy?: string | undefined;
  /** The user name and password for it; stands above those in its URL. */
  readonly proxyLogin?: ConnectionOptions["proxyLogin"] | undefined;
  /** Extra CA certificates, PEM text. */
  readonly ca?: string | undefined;
  readonly credentials: CredentialSource;
  /** The credential helper's program, to be named when it is what a call waits for. */
  readonly credentialHelper?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Called when a rate limit pauses every call. Must not throw. */
  readonly onRateLimited?: ((wait: RateLimitPause) => void) | undefined;
  /** Default 30 s without a byte ends a call. */
  readonly idleTimeoutMs?: number | undefined;
  /** Sent as User-Agent. */
  readonly userAgent?: string | undefined;
}
