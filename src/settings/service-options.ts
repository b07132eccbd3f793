import { createRequire } from "node:module";
import type { CredentialSource, ServiceOptions } from "../api/service.ts";
import { codeOf } from "../text/disk-words.ts";
import { type PlainFile, readPlainFile } from "./plain-file.ts";
import type { Profile } from "./profile.ts";
import { proxyFor } from "./proxy.ts";
import { SettingsError } from "./settings-error.ts";

/** Bytes; every certificate authority there is together is far smaller. */
const largest = 8 * 1024 * 1024;

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
  const ca = [ownCertificates(profile.caFile), extraCertificates(env.NODE_EXTRA_CA_CERTS)]
    .filter((pem) => pem !== null)
    .join("\n");
  return {
    baseUrl,
    ...(profile.graphqlUrl === undefined ? {} : { graphqlUrl: profile.graphqlUrl }),
    ...(profile.mutation === undefined ? {} : { mutation: profile.mutation }),
    ...(profile.tokenPath === undefined ? {} : { tokenPath: profile.tokenPath }),
    authForm: profile.authForm,
    ...(knownForm === null ? {} : { knownForm }),
    brand: profile.brand,
    ...(proxy === null ? {} : { proxy }),
    ...(ca === "" ? {} : { ca }),
    credentials,
  };
}

function ownCertificates(path: string | undefined): string | null {
  if (path === undefined) return null;
  const file = readPlainFile(path, largest);
  if (file.kind !== "read")
    throw new SettingsError("invalid", `CA file ${path} ${unreadWords(file)}`);
  const certificates = certificatesIn(file.text);
  if (certificates === null)
    throw new SettingsError("invalid", `CA file ${path} holds no readable PEM certificate`);
  return certificates;
}

function extraCertificates(path: string | undefined): string | null {
  if (!path) return null;
  const file = readPlainFile(path, largest);
  return file.kind === "read" ? certificatesIn(file.text) : null;
}

function unreadWords(file: Exclude<PlainFile, { readonly kind: "read" }>): string {
  switch (file.kind) {
    case "no-file":
      return "is not a file";
    case "too-large":
      return "is far too large";
    case "failed":
      return `cannot be read (${codeOf(file.error)})`;
  }
}

/** The certificates of a PEM file without anything around them; null when one cannot be read. */
function certificatesIn(pem: string): string | null {
  // Read only here: most places have no certificates of their own, and it takes long to load.
  const { X509Certificate }: typeof import("node:crypto") = createRequire(import.meta.url)(
    "node:crypto",
  );
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch {
    return null;
  }
  return blocks.length === 0 ? null : blocks.join("\n");
}
