import { isAbsolute } from "node:path";
import type { AuthForm } from "../api/service.ts";
import { isLoopback } from "../api/url.ts";
import { AppError } from "../errors/app-error.ts";
import type { Compression, Environment, Profile } from "./profile.ts";

const environments: readonly string[] = ["sandbox", "test", "production"];
const authForms: readonly string[] = ["auto", "token", "bare"];
const compressions: readonly string[] = ["auto", "on", "off"];

/** The values of a new profile. An absent value has a default or stays absent. */
export interface ProfileInput {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly environment?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly graphqlUrl?: string | undefined;
  readonly mutation?: string | undefined;
  readonly tokenPath?: string | undefined;
  readonly authForm?: string | undefined;
  readonly brand?: string | undefined;
  readonly compression?: string | undefined;
  readonly proxy?: string | undefined;
  readonly proxyCredentialHelper?: string | undefined;
  readonly proxyCredentialEnv?: string | undefined;
  readonly caFile?: string | undefined;
  readonly credentialHelper?: string | undefined;
  readonly suppliers?: readonly string[] | undefined;
}

/**
 * Returns the problem of a profile's name, or null if it has none. Names are used in prompts, file
 * keys and commands.
 */
export function checkProfileName(name: string): string | null {
  if (name === "") return "must not be empty";
  if (name.length > 64) return "must have at most 64 characters";
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
    return "may have letters, digits, dots, dashes and underscores, and starts with a letter or digit";
  return null;
}

/**
 * Returns the problem of an address of the service, or null if it has none. It must be https, or
 * http on loopback only, without a user name, query or fragment. The result does not quote the
 * address, because that might contain a password.
 */
export function checkBaseUrl(url: string): string | null {
  if (url === "") return "must not be empty";
  // The URL parser drops tabs and line breaks without a word; a pasted address must be what it seems.
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

/**
 * Returns the problem of a supplier code, or null if it has none. A code is one segment of every
 * path.
 */
export function checkSupplierCode(code: string): string | null {
  if (code === "") return "must not be empty";
  if (code.length > 200) return "must have at most 200 characters";
  if (code !== code.trim()) return "must not start or end with a space";
  if (/\p{C}/u.test(code)) return "must not contain control characters";
  if (code === "." || code === "..") return "must not be . or ..";
  return null;
}

/** Returns the typed supplier codes, each once. */
export function typedSupplierCodes(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((code) => code !== ""))];
}

/** Returns the problem of the first typed code that cannot be one, with the code, or null. */
export function checkTypedSuppliers(codes: readonly string[]): string | null {
  // A code that really has a slash is rare, and a path that was pasted here is not.
  const path = codes.find((code) => code.includes("/"));
  if (path !== undefined)
    return `${path} looks like a path, so nothing was added. If it is a code, supplyline suppliers add takes it.`;
  for (const code of codes) {
    const problem = checkSupplierCode(code);
    if (problem !== null) return `${code} ${problem}.`;
  }
  return null;
}

/**
 * A profile with its defaults: environment `test` on loopback and `production` anywhere else,
 * brand `service`, Authorization form `auto`, writable, no suppliers yet.
 * Throws `invalid` naming the field.
 */
export function profileFrom(input: ProfileInput): Profile {
  refuse("name", checkProfileName(input.name));
  if (input.baseUrl === null) {
    if (input.environment !== "sandbox") refuse("base URL", "is needed outside the sandbox");
  } else refuse("base URL", checkBaseUrl(input.baseUrl));
  if (input.graphqlUrl !== undefined) refuse("GraphQL URL", checkBaseUrl(input.graphqlUrl));
  if (input.proxy !== undefined) refuse("proxy", checkProxy(input.proxy));
  if (input.caFile !== undefined && !isAbsolute(input.caFile))
    refuse("CA file", "must be an absolute path");
  const optional = {
    ...text("graphqlUrl", input.graphqlUrl),
    ...text("mutation", input.mutation, checkNotEmpty),
    ...text("tokenPath", input.tokenPath, checkTokenPath),
    ...text("proxy", input.proxy),
    ...text("proxyCredentialHelper", input.proxyCredentialHelper, checkNotEmpty),
    ...text("proxyCredentialEnv", input.proxyCredentialEnv, checkVariable),
    ...text("caFile", input.caFile),
    ...text("credentialHelper", input.credentialHelper, checkNotEmpty),
  };
  if (input.proxyCredentialHelper !== undefined && input.proxyCredentialEnv !== undefined)
    refuse("proxy", "credentials come from a helper or from a variable, not from both");
  const suppliers = [...new Set(input.suppliers ?? [])];
  for (const code of suppliers) refuse("supplier code", checkSupplierCode(code));
  return {
    name: input.name,
    baseUrl: input.baseUrl,
    environment: environmentOf(input.environment, input.baseUrl),
    readOnly: input.readOnly ?? false,
    ...optional,
    authForm: authFormOf(input.authForm),
    brand: brandOf(input.brand),
    ...(input.compression === undefined ? {} : { compression: compressionOf(input.compression) }),
    suppliers,
  };
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

function environmentOf(label: string | undefined, baseUrl: string | null): Environment {
  if (label === undefined)
    return baseUrl !== null && isLoopback(new URL(baseUrl)) ? "test" : "production";
  if (!isEnvironment(label)) return refuse("environment", "must be sandbox, test or production");
  return label;
}

function authFormOf(form: string | undefined): AuthForm {
  if (form === undefined) return "auto";
  if (!isAuthForm(form)) return refuse("Authorization form", "must be auto, token or bare");
  return form;
}

function compressionOf(compression: string): Compression {
  if (!isCompression(compression)) return refuse("compression", "must be auto, on or off");
  return compression;
}

function brandOf(brand: string | undefined): string {
  if (brand === undefined) return "service";
  refuse("brand", checkBrand(brand));
  return brand;
}

/** Returns the problem of a brand word, or null if it has none. */
export function checkBrand(brand: string): string | null {
  return /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(brand)
    ? null
    : "must be a word of letters, digits and underscores, as in field names";
}

function isEnvironment(label: string): label is Environment {
  return environments.includes(label);
}

function isCompression(value: string): value is Compression {
  return compressions.includes(value);
}

function isAuthForm(form: string): form is AuthForm {
  return authForms.includes(form);
}

function checkNotEmpty(value: string): string | null {
  return value.trim() === "" ? "must not be empty" : null;
}

function checkVariable(name: string): string | null {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? null : "must be the name of a variable";
}

/** Returns the problem of the path of a token in an answer, or null if it has none. */
export function checkTokenPath(path: string): string | null {
  return /^[^.\s]+(\.[^.\s]+)*$/.test(path) ? null : "must be names joined by dots";
}

function text<K extends string>(
  field: K,
  value: string | undefined,
  check?: (value: string) => string | null,
): { readonly [P in K]?: string } {
  if (value === undefined) return {};
  refuse(field, check?.(value) ?? null);
  const part: { [P in K]?: string } = {};
  part[field] = value;
  return part;
}

function refuse(field: string, problem: string): never;
function refuse(field: string, problem: string | null): void;
function refuse(field: string, problem: string | null): void {
  if (problem !== null) throw new AppError("settings", "invalid", `${field} ${problem}`);
}
