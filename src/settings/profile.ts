import type { AuthForm } from "../api/service.ts";

/** The environment of a profile, shown on every screen, production in red. */
export type Environment = "sandbox" | "test" | "production";

/** The use of gzip for reads. `auto` requests it, except from the embedded sandbox. */
export type Compression = "auto" | "on" | "off";

/** One service to work with. Secrets are stored separately (see credentials). */
export interface Profile {
  readonly name: string;
  /** The address, or null for the embedded sandbox, whose address is known only while it runs. */
  readonly baseUrl: string | null;
  readonly environment: Environment;
  readonly readOnly: boolean;
  readonly graphqlUrl?: string;
  readonly mutation?: string;
  readonly tokenPath?: string;
  readonly authForm: AuthForm;
  readonly brand: string;
  /** Absent is `auto`. */
  readonly compression?: Compression;
  readonly proxy?: string;
  /** A command that prints JSON with the user name and password for the proxy. */
  readonly proxyCredentialHelper?: string;
  /** The environment variable that holds them as `user:password`. */
  readonly proxyCredentialEnv?: string;
  /** Path of a PEM file with extra CA certificates. */
  readonly caFile?: string;
  /** A command that prints JSON with the key or token and an optional expiry. */
  readonly credentialHelper?: string;
  /** Supplier codes known to this profile, in the order they were added. */
  readonly suppliers: readonly string[];
}
