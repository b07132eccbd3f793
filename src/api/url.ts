/** Checks and builds the URLs of the service. */

import { BlockList, isIP } from "node:net";
import { ServiceError } from "./errors.ts";
import type { ListState } from "./service.ts";

/**
 * Returns a base URL without a trailing slash. Throws `invalid-request` for a URL to which no token
 * may be sent: it must be https, or http on loopback, without user name, password, query and
 * fragment.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  if (last?.baseUrl !== baseUrl) last = { baseUrl, normalized: normalize(baseUrl) };
  return last.normalized;
}

/** The last base URL, which is cached because parsing it for each call would be slow. */
let last: { readonly baseUrl: string; readonly normalized: string } | null = null;

function normalize(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  const refuse = (problem: string): never => {
    throw new ServiceError("invalid-request", `The base URL ${problem}.`);
  };
  if (!url) return refuse("is not a URL");
  if (url.username || url.password) refuse("must not contain a user name or password");
  if (url.search || url.hash) refuse("must have no query and no fragment");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) {
    refuse("must be https, except on this machine");
  }
  return url.href.replace(/\/+$/, "");
}

/** Percent-encodes a path's segment. Throws `invalid-request` for text that must not be in one. */
function pathSegment(identifier: string): string {
  const refuse = (problem: string): never => {
    throw new ServiceError("invalid-request", `${JSON.stringify(identifier)} ${problem}.`);
  };
  if (identifier === "") refuse("is empty");
  if (identifier === "." || identifier === "..") refuse("cannot be part of an address");
  if (/\p{Cc}|\p{Cs}/u.test(identifier)) refuse("contains a control character");
  return encodeURIComponent(identifier);
}

/** The path of a read below the base URL, and the identifiers that follow it, not encoded. */
export type ReadPath = readonly [path: string, ...identifiers: string[]];

/** The paths of the reads (INTERFACE 4.7–4.11). */
export const readPaths = {
  supplyPointStatus: (supplier: string, identifier: string): ReadPath => [
    "v2/data-import/supply-points",
    supplier,
    identifier,
  ],
  accountStatus: (supplier: string, account: string): ReadPath => [
    "v1/data-import/account-transfer-status",
    supplier,
    account,
  ],
  list: (state: ListState, supplier: string): ReadPath => [
    `v1/data-import/${state}-account-import-processes`,
    supplier,
  ],
} as const;

/**
 * Returns the URL of an endpoint: the base URL, the path, one segment for each identifier, and the
 * trailing slash of all paths of the interface (INTERFACE 4).
 */
export function apiUrl(baseUrl: string, [path, ...identifiers]: ReadPath): string {
  return `${[normalizeBaseUrl(baseUrl), path, ...identifiers.map(pathSegment)].join("/")}/`;
}

/**
 * Returns the URL of any path below a base URL, exactly as typed. Throws `invalid-request` for text
 * that is not a path, and for a path that is not below the base URL.
 */
export function pathUrl(baseUrl: string, path: string): string {
  const refuse = (problem: string): never => {
    throw new ServiceError("invalid-request", `The path ${JSON.stringify(path)} ${problem}.`);
  };
  if (!path.startsWith("/")) refuse("does not begin with /; the base URL comes from the profile");
  if (path.startsWith("//")) refuse("begins with //, which names another host");
  if (/[\\\s\p{Cc}\p{Cs}]/u.test(path))
    refuse("contains a space, a backslash or a control character");
  if (path.includes("#")) refuse("has a fragment (#)");
  const [pathWithoutQuery = ""] = path.split("?", 1);
  if (pathWithoutQuery.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
    refuse("contains . or .. as a path segment");
  const url = URL.parse(normalizeBaseUrl(baseUrl) + path);
  if (url === null || url.origin !== new URL(baseUrl).origin)
    return refuse("leads to another host");
  return url.href;
}

/** Returns true if a URL's host is local: `localhost`, 127.0.0.0/8 or ::1. Resolves no names. */
export function isLoopback(url: URL): boolean {
  return isLoopbackHost(bareHost(url));
}

function isLoopbackHost(host: string): boolean {
  if (host === "localhost") return true;
  const family = isIP(host);
  if (family === 0) return false;
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  return loopback.check(host, family === 6 ? "ipv6" : "ipv4");
}

/**
 * Returns the key of a service in the journal: one text for every address that might lead to it. It
 * is wide, because the duplicate guard compares with it: every loopback address is `localhost`, and
 * repeated slashes count once. A key is its own key. An invalid URL is returned unchanged.
 */
export function serviceKey(baseUrl: string): string {
  // The key is cached, because it is used several times for each write.
  const key = serviceKeys.get(baseUrl) ?? addressOf(baseUrl, wideAddress);
  serviceKeys.set(baseUrl, key);
  return key;
}

const serviceKeys = new Map<string, string>();

/**
 * Returns true if two base URLs certainly lead to the same service, so that an entry of one may be
 * sent to the other. They differ only in spelling (RFC 3986, 6.2), or in the name of this machine's
 * own address.
 */
export function isSameService(baseUrl: string, other: string): boolean {
  return addressOf(baseUrl, exactAddress) === addressOf(other, exactAddress);
}

/** The parts in which the addresses of one service can differ. */
interface AddressForm {
  readonly host: (host: string) => string;
  readonly path: (path: string) => string;
}

const wideAddress: AddressForm = {
  host: (host) => (isWideLoopback(host) ? "localhost" : host),
  path: (path) => path.replace(/\/{2,}/g, "/"),
};

const exactAddress: AddressForm = {
  host: (host) => (ownNames.has(host) ? "localhost" : host),
  path: (path) => path,
};

/** The names of the address that `localhost` stands for. 127.0.0.2 is another address. */
const ownNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

/** The names and addresses that systems give to this machine, beside those of `isLoopback`. */
const localNames: ReadonlySet<string> = new Set([
  ...["localhost.localdomain", "ip6-localhost", "ip6-loopback", "0.0.0.0", "::"],
]);

function isWideLoopback(host: string): boolean {
  return isLoopbackHost(host) || localNames.has(host) || host.endsWith(".localhost");
}

function addressOf(baseUrl: string, form: AddressForm): string {
  const url = URL.parse(baseUrl);
  if (url === null) return baseUrl;
  const host = form.host(ipv4Of(bareHost(url)));
  const path = form.path(normalizedPath(url.pathname)).replace(/\/+$/, "");
  const address = isIP(host) === 6 ? `[${host}]` : host;
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${address}${port}${path}${url.search}${url.hash}`;
}

/** Returns the IPv4 address in an IPv4-mapped IPv6 address, or any other host unchanged. */
function ipv4Of(host: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join(".");
}

/** Returns a path with one percent-encoding: upper-case digits, and only where it is needed. */
function normalizedPath(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : code.toUpperCase();
  });
}

/** Returns the host without the brackets of an IPv6 address and without a trailing dot. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
