/** Opens the connections to the service, directly or through a proxy. */
import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";
import { hideFromLog } from "../log/log.ts";
import { connectionError, isProxyLoginRejected, proxyRefusal } from "./connection-error.ts";
import { errorMessage, type ProxyLoginSource, ServiceError } from "./errors.ts";

export interface ProxyLogin {
  readonly username: string;
  readonly password: string;
  /** The environment variable with the user name and password. Absent for another source. */
  readonly variable?: string;
}

export interface ProxyHelper {
  readonly program: string;
  run(signal: AbortSignal): Promise<ProxyLogin>;
}

export interface ConnectionOptions {
  /** The http(s) URL of the proxy. It can contain a user name and password. */
  readonly proxy?: string | undefined;
  /** The user name and password for the proxy, or their source. Overrides those in the URL. */
  readonly proxyLogin?: ProxyLogin | ProxyHelper | undefined;
  /** Additional certificate authorities, as PEM text. */
  readonly ca?: string | undefined;
  /** Time without a byte after which a call ends, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** True to close each connection as soon as no request uses it. Default: false. */
  readonly neverIdle?: boolean | undefined;
}

/**
 * Creates the connections to a service, directly or through its proxy. Each is opened when it is
 * used. `closed` stops the proxy's credential helper. Throws undici's error for a malformed
 * proxy address, and `credentials` if the helper fails.
 */
export async function openConnections(
  options: ConnectionOptions,
  closed: AbortSignal,
): Promise<Dispatcher> {
  const tls = options.ca ? { ca: [...(await builtInAuthorities()), options.ca] } : {};
  const limits = {
    headersTimeout: options.idleTimeoutMs,
    bodyTimeout: options.idleTimeoutMs,
    // A request can be refused when its connection is open, which then has no request.
    ...(options.neverIdle ? { keepAliveTimeout: 1 } : {}),
    // The readers of bodies limit their size.
    maxResponseSize: -1,
    // With HTTP/2, undici would resend requests, but only `retry.ts` decides that.
    allowH2: false,
  };
  const connectTimeout = Math.min(10_000, options.idleTimeoutMs);
  const connect = { ...tls, allowH2: false, timeout: connectTimeout };
  if (options.proxy) {
    const url = new URL(options.proxy);
    const login = await loginOf(options.proxyLogin, closed);
    hideFromLog(url.password, login?.password, login === null ? null : basic(login));
    return new ProxyAgent({
      ...limits,
      uri: url.href,
      ...(login === null ? {} : { token: basic(login) }),
      connectTimeout,
      requestTls: connect,
      proxyTls: { ...tls, allowH2: false },
      // undici does not apply the limits above to CONNECT, so a proxy could block a call.
      clientFactory: (origin, poolOptions) =>
        reportingProxy(
          new Pool(origin, { ...poolOptions, headersTimeout: options.idleTimeoutMs }),
          {
            kind: "proxy",
            address: url.origin,
            login: loginSource(options.proxyLogin, url),
          },
        ),
    });
  }
  return new Agent({ connect, ...limits });
}

/** Loads Node's certificate authorities, which are needed only if others are added. */
async function builtInAuthorities(): Promise<readonly string[]> {
  const { rootCertificates } = await import("node:tls");
  return rootCertificates;
}

/**
 * Returns the connections to a proxy, whose failures are reported as failures of the proxy. A
 * rejected user name and password is never tried again, because a proxy might lock the account, so
 * the other connections wait for the result of the first.
 */
function reportingProxy(pool: Pool, proxy: Parameters<typeof proxyRefusal>[1]): Pool {
  const connect = pool.connect.bind(pool) as (
    options: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  let loginError: ServiceError | null = null;
  let first: Promise<unknown> | null = null;
  const open = async (options: Dispatcher.ConnectOptions) => {
    if (loginError !== null) throw loginError;
    let response: Dispatcher.ConnectData;
    try {
      response = await connect(options);
    } catch (thrown) {
      throw connectionError(thrown, { culprit: proxy });
    }
    if (response.statusCode === 200) return response;
    response.socket.on("error", () => {}).destroy();
    const error = proxyRefusal(response.statusCode, proxy);
    if (isProxyLoginRejected(error)) loginError = error;
    throw error;
  };
  const openAfterFirst = async (options: Dispatcher.ConnectOptions) => {
    if (first !== null) {
      await first;
      return open(options);
    }
    const connection = open(options);
    first = connection.catch(() => {});
    return connection;
  };
  pool.connect = openAfterFirst as Pool["connect"];
  return pool;
}

/** Returns the proxy's login, or null if it has none. Throws `credentials` if the helper fails. */
async function loginOf(
  source: ProxyLogin | ProxyHelper | undefined,
  closed: AbortSignal,
): Promise<ProxyLogin | null> {
  if (source === undefined) return null;
  if (!("run" in source)) return source;
  try {
    return await source.run(closed);
  } catch (error) {
    const message = errorMessage(error);
    throw new ServiceError("credentials", message, {
      culprit: { kind: "helper", program: source.program },
    });
  }
}

/**
 * Returns the source of the user name and password, or null if there are none. Only a proxy URL
 * from the environment can contain a password.
 */
function loginSource(source: ConnectionOptions["proxyLogin"], url: URL): ProxyLoginSource | null {
  if (source !== undefined && "run" in source) return { kind: "helper", program: source.program };
  if (source?.variable !== undefined) return { kind: "variable", name: source.variable };
  return url.username === "" ? null : { kind: "variable", name: "HTTPS_PROXY" };
}

function basic({ username, password }: ProxyLogin): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
