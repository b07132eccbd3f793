/**
 * Parses the address of a team's database. The driver never sees the address: it would accept
 * parameters that switch off the check of the certificate.
 */
import { bareHost, isLoopback } from "../api/url.ts";
import { invalidSetting } from "./invalid-setting.ts";

export interface TeamAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | null;
  readonly schema: string;
  /** True for a checked TLS connection. False only on loopback. */
  readonly isEncrypted: boolean;
}

const defaultSchema = "supplyline";

/** Maximum characters of a schema's name, so that `SCHEMA_team` is a name of a role. */
const maxSchemaLength = 58;

/**
 * Returns the problem of the address of a team's database, or null if it has none. The result does
 * not quote the address, because that might contain a password.
 */
export function checkTeam(value: string): string | null {
  const parsed = parse(value);
  return typeof parsed === "string" ? parsed : null;
}

/** Returns the parts of an address. Throws `invalid`. */
export function teamAddress(value: string): TeamAddress {
  const parsed = parse(value);
  if (typeof parsed !== "string") return parsed;
  throw invalidSetting(`team ${parsed}`);
}

function parse(value: string): TeamAddress | string {
  if (/[\s\p{C}]/u.test(value)) return "must not contain spaces or control characters";
  const url = URL.parse(value);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hostname === "")
    return "must be an address like postgresql://USER@HOST/DATABASE?sslmode=verify-full";
  // The parser drops an empty password, whose colon is still a mistake.
  if (url.password !== "" || /^[a-z]+:\/*[^/?#@]*:[^/?#]*@/i.test(value))
    return "must not contain a password: others can read it in the settings and in the list of processes";
  if (url.hash !== "") return "must not have a fragment (#)";
  const host = bareHost(url);
  if (!/^[A-Za-z0-9._-]+$|^[0-9a-f:.]+$/i.test(host)) return "must name one host";
  const [user, database] = [decoded(url.username), decoded(url.pathname.slice(1))];
  if (user === null || database === null || database === "" || database.includes("/"))
    return "must name one database";
  const options = optionsOf(url);
  if (typeof options === "string") return options;
  const { sslmode, schema = defaultSchema } = options;
  if (sslmode === undefined && !isLoopback(url))
    return "must have sslmode=verify-full: a connection without TLS is accepted on loopback only";
  if (sslmode !== undefined && sslmode !== "verify-full")
    return "must have sslmode=verify-full: no other mode checks the certificate and the host";
  if (!/^[a-z_][a-z0-9_]*$/.test(schema) || schema.startsWith("pg_"))
    return "must have a schema of lower-case letters, digits and underscores";
  if (schema.length > maxSchemaLength)
    return `must have a schema of at most ${maxSchemaLength} characters`;
  const port = url.port === "" ? 5432 : Number(url.port);
  const isEncrypted = sslmode !== undefined;
  return { host, port, database, user: user === "" ? null : user, schema, isEncrypted };
}

function optionsOf(url: URL): { sslmode?: string; schema?: string } | string {
  const options: { sslmode?: string; schema?: string } = {};
  for (const [name, value] of url.searchParams) {
    if (name !== "sslmode" && name !== "schema")
      return "must have no other parameters than sslmode and schema";
    if (options[name] !== undefined) return `must have ${name} only once`;
    options[name] = value;
  }
  return options;
}

function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return /\p{C}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}
