import type { CredentialSource, ServiceOptions } from "../api/service.ts";
import { extraCertificates, ownCertificates } from "./ca-file.ts";
import { helperProgram } from "./credential-helper.ts";
import type { Profile } from "./profile.ts";
import { proxyFor } from "./proxy.ts";
import { proxyLoginFor } from "./proxy-login.ts";
import { SettingsError } from "./settings-error.ts";

/**
 * What `api` needs to talk to a profile's service. `resolved.baseUrl` stands in for a profile that
 * has no address of its own (the embedded sandbox, once it runs).
 *
 * `ca` holds the profile's CA file and `NODE_EXTRA_CA_CERTS`. Node reads the latter itself when it
 * starts, into `tls.getCACertificates("default")`; it is repeated here because a connection given
 * any `ca` of its own does not look at those defaults. A file named there that cannot be read is
 * passed over, as Node does with a warning; the profile's own file must be right.
 * Throws `invalid` naming the field.
 */
export function serviceOptions(
  resolved: { readonly profile: Profile; readonly baseUrl?: string },
  env: Record<string, string | undefined>,
  credentials: CredentialSource,
  knownForm: "token" | "bare" | null,
): ServiceOptions {
  const { profile } = resolved;
  const baseUrl = resolved.baseUrl ?? profile.baseUrl;
  if (baseUrl === null)
    throw new SettingsError("invalid", `profile ${profile.name} has no base URL until it runs`);
  const proxy = proxyFor(baseUrl, profile.proxy, env);
  const proxyLogin = proxy === null ? undefined : proxyLoginFor(profile, env);
  const own = profile.caFile === undefined ? null : ownCertificates(profile.caFile);
  const ca = [own, extraCertificates(env.NODE_EXTRA_CA_CERTS)]
    .filter((pem) => pem !== null)
    .join("\n");
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

/** Between a sandbox and its own program nothing is saved by it. */
function acceptsGzip({ compression = "auto", baseUrl }: Profile): boolean {
  return compression === "auto" ? baseUrl !== null : compression === "on";
}
