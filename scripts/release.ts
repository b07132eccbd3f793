/**
 * Makes a release in release/: builds every artifact, verifies each (`scripts/verify.ts`), and writes the
 * checksums and the changes of this version. A tag as its argument must be the version's. Without one it is a
 * rehearsal.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { run } from "./package/artifacts.ts";
import { changesOf } from "./package/release-notes.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const [tag] = process.argv.slice(2);
if (tag !== undefined && tag !== `v${version}`) {
  console.error(`The tag ${tag} is not that of version ${version}: v${version}.`);
  process.exitCode = 2;
} else {
  run("npm", ["run", "--silent", "package"]);
  const changes = changesOf(readFileSync("CHANGELOG.md", "utf8"), version);
  writeFileSync("release/CHANGES.md", changes);
  const { status } = spawnSync(process.execPath, ["scripts/verify.ts"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
  if (status === 0) console.log(`\nrelease/ has version ${version}.`);
}
