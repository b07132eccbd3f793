import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";
import { isProxyLoginRefused, proxyError, proxyRefusal } from "./connection-error.ts";
import { errorMessage, type ProxyLoginSource, ServiceError } from "./errors.ts";

/** The user name and password of this machine for its proxy. */
export interface ProxyLogin {
  readonly username: string;
  readonly password: string;
  /** The environment variable that has both, if they are from one. */
  readonly variable?: string;
}

/** A program that returns the user name and password for the proxy. */
export interface ProxyHelper {
  /** Its name, for errors. */
  readonly program: string;
  run(signal: AbortSignal): Promise<ProxyLogin>;
}

/** The options of the connections to a service. */
export interface ConnectionOptions {
  /** Its http(s) URL, which can contain a user name and password. */
  readonly proxy?: string | undefined;
  /** Overrides the user name and password in the URL. */
  readonly proxyLogin?: ProxyLogin | ProxyHelper | undefined;
  /** Certificate authorities in addition to Node's, PEM text. */
  readonly ca?: string | undefined;
  /** Milliseconds without a byte that end a call. */
  readonly idleTimeoutMs: number;
}

/**
 * Creates the connections to a service, direct or through its proxy. They are opened when they are
 * used. Throws undici's error for a malformed proxy address, and `credentials` if the proxy's
 * credential helper fails. `closed` ends that helper.
 */
export async function openConnections(
  options: ConnectionOptions,
  closed: AbortSignal,
): Promise<Dispatcher> {
  const tls = options.ca ? { ca: [...(await builtInAuthorities()), options.ca] } : {};
  const limits = {
    headersTimeout: options.idleTimeoutMs,
    bodyTimeout: options.idleTimeoutMs,
    // undici must not collect bodies that no one reads.
    maxResponseSize: -1,
    // Over HTTP/2 undici sends refused requests again by itself; only `retry.ts` may do that.
    allowH2: false,
  };
  const connectTimeout = Math.min(10_000, options.idleTimeoutMs);
  const connect = { ...tls, allowH2: false, timeout: connectTimeout };
  if (options.proxy) {
    const url = new URL(options.proxy);
    const login = await loginOf(options.proxyLogin, closed);
    return new ProxyAgent({
      ...limits,
      uri: url.href,
      ...(login === null ? {} : { token: basic(login) }),
      connectTimeout,
      requestTls: connect,
      proxyTls: { ...tls, allowH2: false },
      // undici does not apply the limits above to the CONNECT, so a silent proxy would block a
      // call.
      clientFactory: (origin, given) =>
        namingProxy(new Pool(origin, { ...given, headersTimeout: options.idleTimeoutMs }), {
          kind: "proxy",
          address: url.origin,
          login: loginSource(options.proxyLogin, url),
        }),
    });
  }
  return new Agent({ connect, ...limits });
}

/** Returns Node's certificate authorities. They are read only if others are added. */
async function builtInAuthorities(): Promise<readonly string[]> {
  const { rootCertificates } = await import("node:tls");
  return rootCertificates;
}

/**
 * Returns the connections to a proxy, whose failures are reported as the proxy's. A refused user
 * name and password is never tried again: a proxy that counts wrong passwords would lock the
 * account. The first connection is opened alone, and the others wait for its result.
 */
function namingProxy(pool: Pool, proxy: Parameters<typeof proxyRefusal>[1]): Pool {
  const connect = pool.connect.bind(pool) as (
    options: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  let refused: ServiceError | null = null;
  let first: Promise<unknown> | null = null;
  const ask = async (options: Dispatcher.ConnectOptions) => {
    if (refused !== null) throw refused;
    let answer: Dispatcher.ConnectData;
    try {
      answer = await connect(options);
    } catch (thrown) {
      throw proxyError(thrown, proxy);
    }
    if (answer.statusCode === 200) return answer;
    answer.socket.on("error", () => {}).destroy();
    const refusal = proxyRefusal(answer.statusCode, proxy);
    if (isProxyLoginRefused(refusal)) refused = refusal;
    throw refusal;
  };
  const askAfterFirst = async (options: Dispatcher.ConnectOptions) => {
    if (first !== null) {
      await first;
      return ask(options);
    }
    const mine = ask(options);
    first = mine.catch(() => {});
    return mine;
  };
  pool.connect = askAfterFirst as Pool["connect"];
  return pool;
}

/**
 * Returns the user name and password. Throws `credentials` if the helper fails: nothing was sent to
 * anyone.
 */
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
 * Returns the source of the user name and password. Only a proxy of the environment has a password
 * in its URL.
 */
function loginSource(source: ConnectionOptions["proxyLogin"], url: URL): ProxyLoginSource | null {
  if (source !== undefined && "run" in source) return { kind: "helper", program: source.program };
  if (source?.variable !== undefined) return { kind: "variable", name: source.variable };
  return url.username === "" ? null : { kind: "variable", name: "HTTPS_PROXY" };
}

/** Returns a Proxy-Authorization header. */
function basic({ username, password }: ProxyLogin): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
