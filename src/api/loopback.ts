import { BlockList, isIP } from "node:net";

/** Whether a URL's host is this machine: `localhost`, 127.0.0.0/8 or ::1. Names are not resolved. */
export function isLoopback(url: URL): boolean {
  const host = bareHost(url);
  if (host === "localhost") return true;
  const family = isIP(host);
  if (family === 0) return false;
  const own = new BlockList();
  own.addSubnet("127.0.0.0", 8, "ipv4");
  own.addAddress("::1", "ipv6");
  return own.check(host, family === 6 ? "ipv6" : "ipv4");
}

/** The host without the brackets of an IPv6 address and without the dot of a rooted name. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
