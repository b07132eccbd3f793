/**
 * Makes a release in release/: builds every artifact, verifies each (`scripts/verify.ts`), and writes the
 * checksums and the changes of this version. With a tag as its argument, the tag must be the version's, and
 * the Debian package needs a maintainer. Without one it is a rehearsal.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { run } from "./package/artifacts.ts";
import { maintainerOf } from "./package/maintainer.ts";
import { changesOf } from "./package/release-notes.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const [tag] = process.argv.slice(2);
const refusal = tag === undefined ? null : refusalOf(tag);
if (refusal !== null) {
  console.error(refusal);
  process.exitCode = 2;
} else {
  run("npm", ["run", "--silent", "package"]);
  const changes = changesOf(readFileSync("CHANGELOG.md", "utf8"), manifest.version);
  writeFileSync("release/CHANGES.md", changes);
  const { status } = spawnSync(process.execPath, ["scripts/verify.ts"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
  if (status === 0) console.log(`\nrelease/ has version ${manifest.version}.`);
}

/** Why there can be no release under a tag; null when there can be one. */
function refusalOf(tag: string): string | null {
  const { version } = manifest;
  if (tag !== `v${version}`)
    return `The tag ${tag} is not that of version ${version}: v${version}.`;
  if (maintainerOf(manifest, process.env) === null)
    return "The Debian package has no maintainer: set DEBFULLNAME and DEBEMAIL, or `author` in package.json to `Name <address>`.";
  return null;
}
