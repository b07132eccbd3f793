/** Checks the values of a profile, for forms and schemas. */
import { isLoopback } from "../api/url.ts";
import { invalidSetting } from "./invalid-setting.ts";

/** Returns the problem of a profile's name, or null. It is in prompts, file keys and commands. */
export function checkProfileName(name: string): string | null {
  if (name === "") return "must not be empty";
  if (name.length > 64) return "must have at most 64 characters";
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
    return "may have letters, digits, dots, dashes and underscores, and starts with a letter or digit";
  return null;
}

/**
 * Returns the problem of an address of the service, or null if it has none. The address must be
 * https, or http on loopback, without a user name, query or fragment. The result does not quote the
 * address, because that might contain a password.
 */
export function checkBaseUrl(url: string): string | null {
  if (url === "") return "must not be empty";
  // The URL parser removes tabs and line breaks, so the address might differ from the visible text.
  if (/[\s\p{C}]/u.test(url)) return "must not contain spaces or control characters";
  const parsed = URL.parse(url);
  if (!parsed) return "is not a URL; write it like https://host.example";
  if (parsed.username || parsed.password || /^[a-z]+:\/*[^/?#]*@/i.test(url))
    return "must not contain a user name or password";
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
    return "must start with https://";
  if (parsed.protocol === "http:" && !isLoopback(parsed))
    return "must start with https://; http is accepted on loopback only";
  if (url.includes("?")) return "must not have a query (?)";
  if (url.includes("#")) return "must not have a fragment (#)";
  return null;
}

/** Returns the problem of a supplier code, or null. A code is one segment of a request's path. */
export function checkSupplierCode(code: string): string | null {
  if (code === "") return "must not be empty";
  if (code.length > 200) return "must have at most 200 characters";
  if (code !== code.trim()) return "must not start or end with a space";
  if (/\p{C}/u.test(code)) return "must not contain control characters";
  if (code === "." || code === "..") return "must not be . or ..";
  return null;
}

export function typedSupplierCodes(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((code) => code !== ""))];
}

export function checkTypedSuppliers(codes: readonly string[]): string | null {
  // A text with a slash is more probably a pasted path than a code.
  const path = codes.find((code) => code.includes("/"));
  if (path !== undefined)
    return `${path} looks like a path, so nothing was added. If it is a code, add it with: supplyline suppliers add.`;
  for (const code of codes) {
    const problem = checkSupplierCode(code);
    if (problem !== null) return `${code} ${problem}.`;
  }
  return null;
}

/**
 * Returns the problem of a proxy's address, or null if it has none. The result does not quote the
 * address, because that might contain a user name.
 */
export function checkProxy(url: string): string | null {
  const parsed = URL.parse(url);
  if (!parsed || /[\s\p{C}]/u.test(url)) return "is not a URL; write it like http://host:3128";
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:")
    return "must be an http or https proxy";
  return null;
}

/** Throws `invalid` if a proxy's URL contains a password, without quoting the URL. */
export function refuseProxyPassword(url: string): void {
  if (!URL.parse(url)?.password) return;
  throw invalidSetting(
    "proxy must not contain a password: others can read it in the list of processes and in the shell's history",
    {
      fix: "give the URL without it, and name a credential helper with --proxy-credential-helper CMD, or a variable that contains USER:PASSWORD with --proxy-credential-env NAME",
    },
  );
}

export function checkBrand(brand: string): string | null {
  return /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(brand)
    ? null
    : "must be a word of letters, digits and underscores, as in field names";
}

export function checkTokenPath(path: string): string | null {
  return /^[^.\s]+(\.[^.\s]+)*$/.test(path) ? null : "must be names joined by dots";
}
