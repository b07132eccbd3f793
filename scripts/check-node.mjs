/**
 * Says in one line what is missing where the scripts cannot run: they are TypeScript, and an older Node,
 * or a checkout without its packages, ends in a stack trace. Written for any Node; everything else is TypeScript.
 */
import { existsSync, readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const wanted = /\d+(\.\d+)*/.exec(manifest.engines.node)[0];

function parts(version) {
  return version.split(".").map(Number);
}

function isOlder(version, least) {
  const [has, needs] = [parts(version), parts(least)];
  const at = needs.findIndex((part, index) => part !== (has[index] || 0));
  return at !== -1 && (has[at] || 0) < needs[at];
}

const found = process.versions.node;
if (isOlder(found, wanted)) {
  console.error(
    `Building supplyline needs Node ${wanted} or later, and this is Node ${found}: run \`npm ci\` without --ignore-scripts, which brings its own Node, or install Node ${wanted} or later.`,
  );
  process.exitCode = 1;
} else if (!existsSync(new URL("../node_modules/esbuild/package.json", import.meta.url))) {
  console.error("Building supplyline needs its packages: run `npm ci` first.");
  process.exitCode = 1;
}
