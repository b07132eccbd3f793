import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";
import { isProxyLoginRefused, proxyError, proxyRefusal } from "./connection-error.ts";
import { errorMessage, type ProxyLoginSource, ServiceError } from "./errors.ts";

/** Who this machine is for its proxy. */
export interface ProxyLogin {
  readonly username: string;
  readonly password: string;
  /** The environment variable that holds both, if one does. */
  readonly variable?: string;
}

/** A program that says who this machine is for its proxy. */
export interface ProxyHelper {
  /** Its name, for errors. */
  readonly program: string;
  run(signal: AbortSignal): Promise<ProxyLogin>;
}

/** What decides how a service is connected to. */
export interface ConnectionOptions {
  /** Its http(s) URL; it may hold a user name and password. */
  readonly proxy?: string | undefined;
  /** Stands above those in the URL. */
  readonly proxyLogin?: ProxyLogin | ProxyHelper | undefined;
  /** Certificate authorities beside Node's own, PEM text. */
  readonly ca?: string | undefined;
  /** Milliseconds without a byte that end a call. */
  readonly idleTimeoutMs: number;
}

/**
 * The connections to a service, straight or through its proxy; they are opened when they are used.
 * Throws undici's error for a malformed proxy address, and `credentials` when the proxy's
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
      // The limits above are not undici's for the CONNECT itself: a silent proxy would hold us up.
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

/** Node's own; they are read only where another authority is to stand beside them. */
async function builtInAuthorities(): Promise<readonly string[]> {
  const { rootCertificates } = await import("node:tls");
  return rootCertificates;
}

/**
 * The connections to a proxy, whose failures are the proxy's and not the service's. A user name and
 * password that it refused are never tried again: a proxy that counts wrong passwords would lock
 * the account. The first connection is asked for alone, and the others wait for its answer.
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

/** Throws `credentials` when the helper fails: nothing was sent to anyone. */
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

/** Only a proxy of the environment has a password in its URL. */
function loginSource(source: ConnectionOptions["proxyLogin"], url: URL): ProxyLoginSource | null {
  if (source !== undefined && "run" in source) return { kind: "helper", program: source.program };
  if (source?.variable !== undefined) return { kind: "variable", name: source.variable };
  return url.username === "" ? null : { kind: "variable", name: "HTTPS_PROXY" };
}

/** A Proxy-Authorization header. */
function basic({ username, password }: ProxyLogin): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
