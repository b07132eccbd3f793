import { spawnSync } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeCleanRoot, refusalOf } from "./clean-root.ts";

/** The artifacts of a release, by the names that the scripts take. */
export const artifactNames = ["dist", "npm", "single-file", "deb"] as const;

export type ArtifactName = (typeof artifactNames)[number];

/** An artifact as the tests see it. */
export interface Artifact {
  /** What is started in the place of the build; null for the build. */
  readonly program: string | null;
  /** Words before the command that runs the tests. */
  readonly within: readonly string[];
  /** Whether the program finds no other program: not by a name, and in the root not by a path either. */
  readonly company: "any" | "no names" | "none";
}

/**
 * Lays out an artifact of release/ in an empty folder, as a user has it. Text instead says why this machine
 * cannot run it.
 */
export function layOut(name: ArtifactName, version: string, folder: string): Artifact | string {
  switch (name) {
    case "dist":
      return { program: null, within: [], company: "any" };
    case "npm": {
      const quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
      const tarball = resolve(`release/supplyline-${version}.tgz`);
      run("npm", ["install", "--global", "--prefix", folder, ...quiet, tarball]);
      return { program: join(folder, "bin/supplyline"), within: [], company: "any" };
    }
    case "single-file": {
      const archive = packed(`supplyline-${version}-linux-*.tar.xz`);
      const only = ["--strip-components=1", "--wildcards", "*/supplyline"];
      run("tar", ["xJf", archive, "-C", folder, ...only]);
      return { program: join(folder, "supplyline"), within: [], company: "no names" };
    }
    case "deb": {
      const root = join(folder, "root");
      mkdirSync(root);
      run("dpkg-deb", ["-x", packed(`supplyline_${version}_*.deb`), root]);
      const clean = makeCleanRoot(root);
      const { program, mounted: within } = clean;
      return refusalOf(clean) ?? { program, within, company: "none" };
    }
  }
}

/** What was packed under such a name. Throws where there is nothing. */
function packed(pattern: string): string {
  const [found] = globSync(`release/${pattern}`);
  if (found === undefined) throw new Error(`release/ has no ${pattern}: run npm run package.`);
  return found;
}

/** Runs a program that prints its own faults. Throws when it fails. */
export function run(program: string, words: readonly string[]): void {
  const { status, error } = spawnSync(program, words, { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}`);
}
