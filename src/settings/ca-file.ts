/** Reads and checks the PEM files of certificate authorities (CA files). */
import { createRequire } from "node:module";
import { isAbsolute } from "node:path";
import { type RegularFile, readRegularFile } from "../files/regular-file.ts";
import { codeOf } from "../text/disk-words.ts";
import { invalidSetting } from "./invalid-setting.ts";

/** Maximum bytes of a CA file. A file of all public authorities is far smaller. */
const maxFileBytes = 8 * 1024 * 1024;

/** Returns the certificates of a profile's CA file. Throws `invalid` if it has none. */
export function profileCertificates(path: string): string {
  const file = readRegularFile(path, maxFileBytes, { isLinkFollowed: true });
  if (file.kind !== "read") throw invalidSetting(`CA file ${path} ${readProblem(file)}`);
  const certificates = certificatesIn(file.bytes.toString("utf8"));
  if (certificates === null)
    throw invalidSetting(`CA file ${path} contains no readable PEM certificate`);
  return certificates;
}

export function checkCaFile(path: string): string | null {
  if (!isAbsolute(path)) return "must be an absolute path";
  const file = readRegularFile(path, maxFileBytes, { isLinkFollowed: true });
  if (file.kind !== "read") return readProblem(file);
  return certificatesIn(file.bytes.toString("utf8")) === null
    ? "contains no readable PEM certificate"
    : null;
}

export function extraCertificates(path: string): string | null {
  const file = readRegularFile(path, maxFileBytes, { isLinkFollowed: true });
  return file.kind === "read" ? certificatesIn(file.bytes.toString("utf8")) : null;
}

function readProblem(file: Exclude<RegularFile, { readonly kind: "read" }>): string {
  switch (file.kind) {
    case "no-file":
      return "is not a file";
    case "too-large":
      return "is far too large";
    case "failed":
      return `cannot be read (${codeOf(file.error)})`;
  }
}

/** Returns the certificates of a PEM file without the text around them, or null if unreadable. */
function certificatesIn(pem: string): string | null {
  // Loaded only here, because most profiles have no CA file.
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
