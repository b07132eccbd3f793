import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";

/** What decides how a service is connected to. */
export interface ConnectionOptions {
  /** Its http(s) URL. */
  readonly proxy?: string | undefined;
  /** Certificate authorities beside Node's own, PEM text. */
  readonly ca?: string | undefined;
  /** Milliseconds without a byte that end a call. */
  readonly idleTimeoutMs: number;
}

/**
 * The connections to a service, straight or through its proxy; they are opened when they are used.
 * Throws what undici says of a proxy address that is none.
 */
export async function openConnections(options: ConnectionOptions): Promise<Dispatcher> {
  const tls = options.ca ? { ca: [...(await builtInAuthorities()), options.ca] } : {};
  const limits = {
    headersTimeout: options.idleTimeoutMs,
    bodyTimeout: options.idleTimeoutMs,
    // undici must not gather what nobody reads.
    maxResponseSize: -1,
    // Over HTTP/2 undici sends refused requests again by itself; only `retry.ts` may do that.
    allowH2: false,
  };
  const connectTimeout = Math.min(10_000, options.idleTimeoutMs);
  const connect = { ...tls, allowH2: false, timeout: connectTimeout };
  if (options.proxy) {
    return new ProxyAgent({
      ...limits,
      uri: options.proxy,
      connectTimeout,
      requestTls: connect,
      proxyTls: { ...tls, allowH2: false },
      // The limits above are not undici's for the CONNECT itself: a silent proxy would hold us up.
      clientFactory: (origin, given) =>
        new Pool(origin, { ...given, headersTimeout: options.idleTimeoutMs }),
    });
  }
  return new Agent({ connect, ...limits });
}

/** Node's own; they are read only where another authority is to stand beside them. */
async function builtInAuthorities(): Promise<readonly string[]> {
  const { rootCertificates } = await import("node:tls");
  return rootCertificates;
}
