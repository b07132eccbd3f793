/** Defines the rows, the columns and the options of profiles, for the `profiles` commands. */

import type { Command } from "commander";
import { isLoopback } from "../../api/url.ts";
import type { Profile } from "../../settings/schemas.ts";
import type { Invocation } from "../invocation.ts";
import { repeated } from "../option-values.ts";
import { type Column, column, serviceColumns } from "../rows/columns.ts";

/** The columns of `profiles list`, without secrets. */
export const profileColumns: readonly Column<ReturnType<typeof profileEntry>>[] = [
  column("name", "Profile", "text", "The profile."),
  column(
    "in_use",
    "In use",
    "true or false",
    "True if commands without `--profile` use the profile.",
  ),
  ...serviceColumns,
];

/** Returns the column of a setting. */
const setting = <const Name extends string>(name: Name, title: string) =>
  column(name, title, "text or null", "The setting, or null if it is not set.");

/** The columns of `profiles show`. */
export const fullProfileColumns: readonly Column<FullProfile>[] = [
  ...profileColumns,
  setting("graphql_url", "GraphQL URL"),
  setting("mutation", "Mutation"),
  setting("token_path", "Token path"),
  setting("auth_form", "Authorization form"),
  setting("brand", "Brand"),
  setting("compression", "Compression"),
  setting("proxy", "Proxy"),
  setting("proxy_credential_helper", "Proxy credential helper"),
  setting("proxy_credential_env", "Proxy credential variable"),
  setting("ca_file", "CA file"),
  setting("credential_helper", "Credential helper"),
  column("suppliers", "Suppliers", "array of texts", "The supplier codes."),
];

type FullProfile = ReturnType<typeof fullProfileEntry>;

/** Returns the row of `profiles list`. `inUse` is the name of the profile in use. */
export function profileEntry(profile: Profile, inUse: string | null) {
  return {
    name: profile.name,
    in_use: profile.name === inUse,
    environment: profile.environment,
    base_url: profile.baseUrl,
    read_only: profile.readOnly,
  };
}

/** Returns the row of `profiles show`. `inUse` is the name of the profile in use. */
export function fullProfileEntry(profile: Profile, inUse: string | null) {
  return {
    ...profileEntry(profile, inUse),
    graphql_url: profile.graphqlUrl ?? null,
    mutation: profile.mutation ?? null,
    token_path: profile.tokenPath ?? null,
    auth_form: profile.authForm,
    brand: profile.brand,
    compression: profile.compression ?? "auto",
    proxy: withoutUser(profile.proxy),
    proxy_credential_helper: profile.proxyCredentialHelper ?? null,
    proxy_credential_env: profile.proxyCredentialEnv ?? null,
    ca_file: profile.caFile ?? null,
    credential_helper: profile.credentialHelper ?? null,
    suppliers: profile.suppliers,
  };
}

/** Returns the entry with the program's defaults for settings without a value. */
export function withDefaults(entry: FullProfile, profile: Profile): FullProfile {
  const { baseUrl } = profile;
  if (baseUrl === null) return entry;
  const proxy = entry.proxy ?? "from HTTPS_PROXY and NO_PROXY";
  return {
    ...entry,
    graphql_url: entry.graphql_url ?? `${baseUrl.replace(/\/+$/, "")}/v1/graphql/ (the default)`,
    mutation: entry.mutation ?? "obtainToken(input: {APIKey}) (the default)",
    token_path: entry.token_path ?? "obtainToken.token (the default)",
    proxy: hasUnusedProxy(profile) ? `${String(proxy)} (not used on loopback)` : proxy,
    ca_file: entry.ca_file ?? "from NODE_EXTRA_CA_CERTS",
  };
}

/** Removes the login from a proxy's address, which can contain a password. */
export function withoutUser(proxy: string | undefined): string | null {
  if (proxy === undefined) return null;
  const url = URL.parse(proxy);
  if (url === null) return null;
  url.username = "";
  url.password = "";
  return url.href;
}

/** Returns true if a profile has a proxy that its base URL never uses. */
function hasUnusedProxy({ baseUrl, proxy }: Profile): boolean {
  return proxy !== undefined && baseUrl !== null && isLoopback(new URL(baseUrl));
}

/** Prints a notice if a profile has a proxy that is never used. */
export function noticeUnusedProxy(invocation: Invocation, profile: Profile): void {
  if (hasUnusedProxy(profile))
    invocation.notice(
      "The proxy is not used: the base URL is on this machine, which is always reached directly.",
    );
}

/** Declares the settings of a profile as options of `profiles add` and `profiles edit`. */
export function addProfileOptions(command: Command): Command {
  return command
    .option("--base-url <url>", "address of the service; https, or http on loopback")
    .option(
      "--environment <label>",
      "sandbox, test or production (default: test on loopback, else production)",
    )
    .option("--supplier <code>", "a supplier code to list; can be given several times", repeated)
    .option(
      "--brand <word>",
      "the word in field names such as service_account_number (default: service)",
    )
    .option(
      "--auth-form <form>",
      "form of the Authorization header: token, bare or auto (default: auto, tries both)",
    )
    .option(
      "--compression <mode>",
      "gzip for reads: auto, on or off (default: auto, except from the embedded sandbox)",
    )
    .option("--graphql-url <url>", "URL that issues tokens (default: {base-url}/v1/graphql/)")
    .option("--credential-helper <command>", "a command that prints the key or token as JSON")
    .option(
      "--proxy <url>",
      "proxy URL without a password; overrides HTTPS_PROXY; not used on loopback",
    )
    .option(
      "--proxy-credential-helper <command>",
      "a command that prints Username and Password for the proxy as JSON",
    )
    .option(
      "--proxy-credential-env <name>",
      "the environment variable that contains USER:PASSWORD for the proxy",
    )
    .option("--ca-file <path>", "certificates to trust besides the system's, as PEM")
    .option(
      "--mutation <text>",
      "the GraphQL mutation that obtains a token (default: obtainToken(input: {APIKey}))",
    )
    .option(
      "--token-path <path>",
      "path of the token in the response (default: obtainToken.token)",
    );
}

/** The settings as given on the command line. */
export interface ProfileOptions {
  readonly baseUrl?: string;
  readonly environment?: string;
  readonly supplier?: readonly string[];
  readonly brand?: string;
  readonly authForm?: string;
  readonly compression?: string;
  readonly graphqlUrl?: string;
  readonly credentialHelper?: string;
  readonly proxy?: string;
  readonly proxyCredentialHelper?: string;
  readonly proxyCredentialEnv?: string;
  readonly caFile?: string;
  readonly mutation?: string;
  readonly tokenPath?: string;
}
