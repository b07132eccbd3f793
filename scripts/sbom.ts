/**
 * Writes dist/sbom.cdx.json: every package that the program is built from, with version, licence and
 * hash, as CycloneDX. It is npm's own list of the lock file, without what changes from run to run, so
 * that two builds of one commit are the same.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const asked = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
const { stdout } = await promisify(execFile)("npm", asked, { maxBuffer: 2 ** 25 });
const { serialNumber: _drawn, metadata, ...bill } = JSON.parse(stdout);
const { timestamp: _now, ...facts } = metadata;
facts.component.name = "supplyline";
await writeFile("dist/sbom.cdx.json", `${JSON.stringify({ ...bill, metadata: facts }, null, 2)}\n`);
