import { isLoopback } from "../../api/url.ts";
import type { Profile } from "../../settings/profile.ts";
import type { Invocation } from "../invocation.ts";
import type { Entry, Field } from "../present.ts";

/** What is shown of a profile; none of it is a secret. */
export const profileFields = [
  { name: "name", title: "Profile" },
  { name: "in_use", title: "In use" },
  { name: "environment", title: "Environment" },
  { name: "base_url", title: "Base URL" },
  { name: "read_only", title: "Read-only" },
] as const satisfies readonly Field[];

/** The rest of it, for one profile alone. */
export const moreProfileFields = [
  { name: "graphql_url", title: "GraphQL URL" },
  { name: "mutation", title: "Mutation" },
  { name: "token_path", title: "Token path" },
  { name: "auth_form", title: "Authorization form" },
  { name: "brand", title: "Brand" },
  { name: "proxy", title: "Proxy" },
  { name: "proxy_credential_helper", title: "Proxy credential helper" },
  { name: "proxy_credential_env", title: "Proxy credential variable" },
  { name: "ca_file", title: "CA file" },
  { name: "credential_helper", title: "Credential helper" },
  { name: "suppliers", title: "Suppliers" },
] as const satisfies readonly Field[];

type Name = (typeof profileFields)[number]["name"];
type MoreName = (typeof moreProfileFields)[number]["name"];

export function profileEntry(profile: Profile, inUse: string | null): Entry<Name> {
  return {
    name: profile.name,
    in_use: profile.name === inUse,
    environment: profile.environment,
    base_url: profile.baseUrl,
    read_only: profile.readOnly,
  };
}

export function fullProfileEntry(profile: Profile, inUse: string | null): Entry<Name | MoreName> {
  return {
    ...profileEntry(profile, inUse),
    graphql_url: profile.graphqlUrl ?? null,
    mutation: profile.mutation ?? null,
    token_path: profile.tokenPath ?? null,
    auth_form: profile.authForm,
    brand: profile.brand,
    proxy: withoutUser(profile.proxy),
    proxy_credential_helper: profile.proxyCredentialHelper ?? null,
    proxy_credential_env: profile.proxyCredentialEnv ?? null,
    ca_file: profile.caFile ?? null,
    credential_helper: profile.credentialHelper ?? null,
    suppliers: profile.suppliers,
  };
}

/** The same with what the program does where a profile leaves it open. */
export function withDefaults(
  entry: Entry<Name | MoreName>,
  profile: Profile,
): Entry<Name | MoreName> {
  const { baseUrl } = profile;
  if (baseUrl === null) return entry;
  const proxy = entry.proxy ?? "as HTTPS_PROXY and NO_PROXY say";
  return {
    ...entry,
    graphql_url: entry.graphql_url ?? `${baseUrl.replace(/\/+$/, "")}/v1/graphql/ (the default)`,
    mutation: entry.mutation ?? "obtainToken(input: {APIKey}) (the default)",
    token_path: entry.token_path ?? "obtainToken.token (the default)",
    proxy: hasUnusedProxy(profile) ? `${String(proxy)} (not used on loopback)` : proxy,
    ca_file: entry.ca_file ?? "as NODE_EXTRA_CA_CERTS says",
  };
}

/** A proxy's address may carry a password. */
function withoutUser(proxy: string | undefined): string | null {
  if (proxy === undefined) return null;
  const url = URL.parse(proxy);
  if (url === null) return null;
  url.username = "";
  url.password = "";
  return url.href;
}

/** Whether a profile names a proxy that its base URL never uses. */
function hasUnusedProxy({ baseUrl, proxy }: Profile): boolean {
  return proxy !== undefined && baseUrl !== null && isLoopback(new URL(baseUrl));
}

/** Says so where it is: a proxy that was asked for and is not used would be looked for at night. */
export function noticeUnusedProxy(invocation: Invocation, profile: Profile): void {
  if (hasUnusedProxy(profile))
    invocation.notice(
      "The proxy is not used: the base URL is on this machine, which is always reached directly.",
    );
}
