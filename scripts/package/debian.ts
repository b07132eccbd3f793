import { createHash } from "node:crypto";
import { cp, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { changesOf } from "./release-notes.ts";
import { type Contents, copyExecutable, writeTree } from "./staging.ts";

/** What a Debian package says about itself. */
export interface DebianFacts {
  readonly version: string;
  /** As Debian names it: `amd64`. */
  readonly arch: string;
  /** `Name <address>`. */
  readonly maintainer: string;
  /** Seconds since 1970. */
  readonly date: number;
}

/** Lays out the folder of the Debian package, each file where Debian wants it. */
export async function stageDebian(
  folder: string,
  contents: Contents,
  facts: DebianFacts,
): Promise<void> {
  const documents = "usr/share/doc/supplyline";
  const changes = await readFile("CHANGELOG.md", "utf8");
  await writeTree(folder, {
    "usr/share/man/man1/supplyline.1.gz": smallest(await readFile("docs/supplyline.1")),
    "usr/share/bash-completion/completions/supplyline": contents.completions.bash,
    "usr/share/zsh/vendor-completions/_supplyline": contents.completions.zsh,
    "usr/share/fish/vendor_completions.d/supplyline.fish": contents.completions.fish,
    [`${documents}/copyright`]: `${await readFile("LICENSE", "utf8")}\n${contents.notices}`,
    [`${documents}/changelog.gz`]: smallest(debianChangelog(changes, facts)),
    [`${documents}/CHANGELOG.md.gz`]: smallest(changes),
    [`${documents}/sbom.cdx.json`]: contents.bill,
  });
  await cp("examples", join(folder, documents, "examples"), { recursive: true });
  await copyExecutable(contents.executable, join(folder, "usr/bin/supplyline"));
  const { sums, bytes } = await installedFiles(folder);
  await writeTree(folder, {
    "DEBIAN/control": debianControl(facts, bytes),
    "DEBIAN/md5sums": sums,
  });
}

/** The control file of a package; `bytes` is its size when it is installed. */
export function debianControl({ version, arch, maintainer }: DebianFacts, bytes: number): string {
  return `Package: supplyline
Version: ${version}
Architecture: ${arch}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(bytes / 1024)}
Section: utils
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1 | libgcc1
Description: terminal console for an energy platform's data-import service
 Moves accounts and supply points through an import, and sends notes,
 transactions, statements and payment instructions. Nothing is sent before
 it is recorded. Needs no Node.
`;
}

/** A version's section of CHANGELOG.md in the format of Debian's tools. */
export function debianChangelog(
  changelog: string,
  { version, maintainer, date }: Pick<DebianFacts, "version" | "maintainer" | "date">,
): string {
  const entries = changesOf(changelog, version)
    .trim()
    .replace(/^### (.+)$/gm, "[ $1 ]")
    .replace(/^- /gm, "* ")
    .replace(/^(?=.)/gm, "  ");
  const day = new Date(date * 1000).toUTCString().replace("GMT", "+0000");
  return `supplyline (${version}) unstable; urgency=medium\n\n${entries}\n\n -- ${maintainer}  ${day}\n`;
}

/** The checksums of the files below a folder, as `dpkg --verify` reads them, and their size together. */
async function installedFiles(
  folder: string,
): Promise<{ readonly sums: string; readonly bytes: number }> {
  const found = await readdir(folder, { recursive: true });
  let sums = "";
  let bytes = 0;
  for (const name of found.sort()) {
    const path = join(folder, name);
    const { size } = await stat(path).then((one) => (one.isFile() ? one : { size: null }));
    if (size === null) continue;
    bytes += size;
    sums += `${createHash("md5")
      .update(await readFile(path))
      .digest("hex")}  ${name}\n`;
  }
  return { sums, bytes };
}

function smallest(text: string | Uint8Array): Uint8Array {
  return gzipSync(text, { level: 9 });
}
