/** Reads and checks the PEM files of certificate authorities (CA files). */
import { createRequire } from "node:module";
import { isAbsolute } from "node:path";
import { readRegularFile } from "../files/regular-file.ts";
import { codeOf } from "../text/disk-words.ts";
import { invalidSetting } from "./invalid-setting.ts";

/** Maximum bytes of a CA file. A file of all public authorities is far smaller. */
const maxFileBytes = 8 * 1024 * 1024;

/** Returns the certificates of a profile's CA file. Throws `invalid` if it has none. */
export function profileCertificates(path: string): string {
  const read = readCaFile(path);
  if ("problem" in read) throw invalidSetting(`CA file ${path} ${read.problem}`);
  return read.pem;
}

export function checkCaFile(path: string): string | null {
  if (!isAbsolute(path)) return "must be an absolute path";
  const read = readCaFile(path);
  return "problem" in read ? read.problem : null;
}

export function extraCertificates(path: string): string | null {
  const read = readCaFile(path);
  return "problem" in read ? null : read.pem;
}

function readCaFile(path: string): { readonly pem: string } | { readonly problem: string } {
  const file = readRegularFile(path, maxFileBytes, { isLinkFollowed: true });
  switch (file.kind) {
    case "no-file":
      return { problem: "is not a file" };
    case "too-large":
      return { problem: "is far too large" };
    case "failed":
      return { problem: `cannot be read (${codeOf(file.error)})` };
    case "read": {
      const pem = certificatesIn(file.bytes.toString("utf8"));
      return pem === null ? { problem: "contains no readable PEM certificate" } : { pem };
    }
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
