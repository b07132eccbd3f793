/**
 * Writes dist/sbom.cdx.json: every package that the program is built from, with version, license and
 * hash, as CycloneDX. It is npm's list of the lock file, without what changes from run to run, so that
 * two builds of one commit are the same.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

interface Component {
  readonly "bom-ref": string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const asked = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const { stdout } = await promisify(execFile)("npm", asked, { maxBuffer: 2 ** 25 });
const { serialNumber: _drawn, metadata, components, dependencies, ...bill } = JSON.parse(stdout);
const { timestamp: _now, ...facts } = metadata;
facts.component.name = "supplyline";

// `npm sbom --omit dev` also leaves out a shipped package that a package for building uses as well.
const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  await readFile("package-lock.json", "utf8"),
);
const shipped = (components as readonly Component[]).filter(({ properties = [] }) => {
  const path = properties.find(({ name }) => name === "cdx:npm:package:path")?.value ?? "";
  const locked = lock.packages[path];
  return locked !== undefined && !locked.dev && !locked.devOptional;
});
const refs = new Set([facts.component["bom-ref"], ...shipped.map((one) => one["bom-ref"])]);
const links = (dependencies as readonly Dependency[])
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));

const written = { ...bill, metadata: facts, components: shipped, dependencies: links };
await writeFile("dist/sbom.cdx.json", `${JSON.stringify(written, null, 2)}\n`);
