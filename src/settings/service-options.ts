/** Builds the options of the service client from a profile and the environment. */
import { BlockList, isIP } from "node:net";
import type { ProxyLogin } from "../api/connections.ts";
import type { CredentialSource, ServiceOptions } from "../api/service.ts";
import { bareHost, isLoopback } from "../api/url.ts";
import { log } from "../log/log.ts";
import { extraCertificates, profileCertificates } from "./ca-file.ts";
import { checkProxyLogin, helperProgram, runLoginHelper } from "./credential-helper.ts";
import { invalidSetting } from "./invalid-setting.ts";
import { checkProxy, refuseProxyPassword } from "./profile-checks.ts";
import { removeVariable } from "./removed-variables.ts";
import type { Profile } from "./schemas.ts";

type Env = Record<string, string | undefined>;

/**
 * Returns the options of the service client for a profile. `resolved.baseUrl` is the address of the
 * embedded sandbox, whose profile has none.
 *
 * `ca` has the certificates of the profile's CA file and of `NODE_EXTRA_CA_CERTS`. Node adds the
 * latter to its default certificates, but a connection with a `ca` option ignores the defaults.
 * Node skips an unreadable `NODE_EXTRA_CA_CERTS` with a warning, so it is skipped here. An
 * unreadable file of the profile is an error. Throws `invalid` with the name of the field.
 */
export function serviceOptions(
  resolved: { readonly profile: Profile; readonly baseUrl?: string },
  env: Env,
  credentials: CredentialSource,
  knownForm: "token" | "bare" | null,
): ServiceOptions {
  const { profile } = resolved;
  const baseUrl = resolved.baseUrl ?? profile.baseUrl;
  if (baseUrl === null)
    throw invalidSetting(`profile ${profile.name} has no base URL until it runs`);
  const proxy = proxyFor(baseUrl, profile.proxy, env);
  const proxyLogin = proxy === null ? undefined : proxyLoginFor(profile, env);
  const certificates = profile.caFile === undefined ? null : profileCertificates(profile.caFile);
  const { NODE_EXTRA_CA_CERTS: extra } = env;
  const ca = [certificates, extra ? extraCertificates(extra) : null]
    .filter((pem) => pem !== null)
    .join("\n");
  log({
    event: "profile",
    name: profile.name,
    environment: profile.environment,
    baseUrl,
    authForm: profile.authForm ?? "auto",
    isGzipAccepted: acceptsGzip(profile),
    proxy: proxy === null ? null : new URL(proxy).host,
    hasExtraCertificates: ca !== "",
    hasCredentialHelper: profile.credentialHelper !== undefined,
  });
  return {
    baseUrl,
    graphqlUrl: profile.graphqlUrl,
    mutation: profile.mutation,
    tokenPath: profile.tokenPath,
    authForm: profile.authForm,
    knownForm: knownForm ?? undefined,
    brand: profile.brand,
    acceptsGzip: acceptsGzip(profile),
    proxy: proxy ?? undefined,
    proxyLogin,
    ca: ca === "" ? undefined : ca,
    credentials,
    credentialHelper:
      profile.credentialHelper === undefined ? undefined : helperProgram(profile.credentialHelper),
  };
}

/**
 * Returns true if lists and statuses are requested with gzip. Compression saves nothing between a
 * program and its embedded sandbox.
 */
export function acceptsGzip({ compression = "auto", baseUrl }: Profile): boolean {
  return compression === "auto" ? baseUrl !== null : compression === "on";
}

/**
 * Returns the proxy for an address of the service, or null for a direct connection. A loopback
 * address is never reached through a proxy. The proxy of a profile overrides the environment,
 * `NO_PROXY` included. Otherwise the proxy is `HTTPS_PROXY` (`HTTP_PROXY` for http), unless
 * `NO_PROXY` names the host. The lower-case spelling has priority, as with curl. A proxy without a
 * scheme is an http one. Throws `invalid` with the name of the variable and not its value. The
 * proxy of a profile must not contain a password.
 */
export function proxyFor(
  baseUrl: string,
  profileProxy: string | undefined,
  env: Env,
): string | null {
  const url = new URL(baseUrl);
  if (isLoopback(url)) return null;
  if (profileProxy !== undefined) {
    refuseProxyPassword(profileProxy);
    return checkedProxy("the profile's proxy", profileProxy);
  }
  const variable = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = env[variable.toLowerCase()] || env[variable];
  if (!proxy || isBypassed(url, env.no_proxy || env.NO_PROXY || "")) return null;
  return checkedProxy(variable, proxy.includes("://") ? proxy : `http://${proxy}`);
}

/** Returns the proxy. Throws `invalid` if its address is not valid. */
function checkedProxy(name: string, proxy: string): string {
  const problem = checkProxy(proxy);
  if (problem) throw invalidSetting(`${name} ${problem}`);
  return proxy;
}

/**
 * Returns true if `NO_PROXY` names the host. Its entries are separated by commas or blanks: `*`
 * covers everything; a domain, with or without a leading dot or `*.`, covers itself and its
 * subdomains; an address or a CIDR range covers addresses; `:port` limits an entry to a port.
 */
function isBypassed(url: URL, list: string): boolean {
  const host = bareHost(url).toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => entry === "*" || covers(entry.toLowerCase(), host, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry.includes("/")) return isInRange(entry, host);
  const [, name = entry, entryPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const domain = name
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/^\*?\./, "")
    .replace(/\.$/, "");
  if (domain === "") return false;
  if (isIP(domain) !== 0 || isIP(host) !== 0) return isSameAddress(domain, host);
  return host === domain || host.endsWith(`.${domain}`);
}

function isSameAddress(address: string, host: string): boolean {
  const family = isIP(address);
  if (family === 0 || family !== isIP(host)) return false;
  return isInRange(`${address}/${family === 6 ? 128 : 32}`, host);
}

function isInRange(range: string, host: string): boolean {
  const [network = "", bits = ""] = range.split("/");
  const family = isIP(network);
  const prefixLength = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (family === 0 || family !== isIP(host) || !(prefixLength <= (family === 6 ? 128 : 32)))
    return false;
  const kind = family === 6 ? "ipv6" : "ipv4";
  const list = new BlockList();
  list.addSubnet(network, prefixLength, kind);
  return list.check(host, kind);
}

/**
 * Returns the source of the user name and password for the profile's proxy, or undefined if the
 * profile has no such setting. Removes a variable from `env`, so that no child process inherits it.
 * Throws `invalid`, which names the variable and never its value.
 */
function proxyLoginFor(profile: Profile, env: Env): ServiceOptions["proxyLogin"] {
  const { proxyCredentialHelper: helper, proxyCredentialEnv: variable } = profile;
  if (helper !== undefined)
    return {
      program: helperProgram(helper),
      run: (signal) => runLoginHelper(helper, "the proxy's credential helper", { signal, env }),
    };
  return variable === undefined ? undefined : parseLogin(variable, removeVariable(variable, env));
}

/** Parses the value `USER:PASSWORD` of a variable. Throws `invalid`. */
function parseLogin(variable: string, value: string | undefined): ProxyLogin {
  const invalid = (problem: string) =>
    invalidSetting(`${variable} ${problem}`, {
      fix: `set ${variable} to USER:PASSWORD`,
    });
  if (value === undefined)
    throw invalid("is not set, but the profile reads the proxy's password from it");
  const colon = value.indexOf(":");
  if (colon === -1) throw invalid("has no colon between user name and password");
  const login = { username: value.slice(0, colon), password: value.slice(colon + 1), variable };
  const problem = checkProxyLogin(login);
  if (problem !== null) throw invalid(`cannot be used: its ${problem}`);
  return login;
}
