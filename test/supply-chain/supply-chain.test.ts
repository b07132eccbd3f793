import { readFile } from "node:fs/promises";

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const manifest = JSON.parse(await readFile("package.json", "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const lock = JSON.parse(await readFile("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const locked = Object.entries(lock.packages).filter(([path]) => path !== "");

test("every dependency is pinned to one version", () => {
  const all = { ...manifest.dependencies, ...manifest.devDependencies };
  expect(
    Object.entries(all).filter(([, wanted]) => !/^\d+\.\d+\.\d+(-alpha\.\d+)?$/.test(wanted)),
  ).toEqual([]);
});

test("every package of the lock file is tied to its bytes by a hash, and to no registry's address", () => {
  const loose = locked.filter(([, one]) => !/^sha512-/.test(one.integrity ?? ""));
  expect(loose.map(([path]) => path)).toEqual([]);
  const addressed = locked.filter(([, { resolved }]) => resolved !== undefined);
  expect(addressed.map(([path]) => path)).toEqual([]);
});

test("nothing that is shipped runs a script when it is installed", () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const shipped = scripted.filter(([, { dev, devOptional }]) => !dev && !devOptional);
  expect(shipped.map(([path]) => path)).toEqual([]);
  // While the project itself is built and tested, these two may; npm lets no other.
  const names = scripted.map(([path]) => path.slice("node_modules/".length));
  expect(names.sort()).toEqual(Object.keys(manifest.allowScripts).sort());
});

test("the page about the architecture gives the reason for each dependency, and for no other", async () => {
  const page = await readFile("docs/development/architecture.md", "utf8");
  const packages = page.slice(page.indexOf("\n## Packages\n"));
  const named = [...packages.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const wanted = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
  expect(named.sort()).toEqual(wanted.sort());
});

test("the bill of materials of the build names every shipped package with its version and hash", async () => {
  const bill = JSON.parse(await readFile("dist/sbom.cdx.json", "utf8")) as {
    readonly components: readonly {
      readonly group?: string;
      readonly name: string;
      readonly version: string;
      readonly hashes?: readonly unknown[];
    }[];
  };
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`);
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    expect(listed).toContain(`${name}@${version}`);
  }
  const bare = bill.components.filter(({ hashes }) => (hashes?.length ?? 0) === 0);
  expect(bare.map(({ name }) => name)).toEqual([]);
});
