import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license: { readonly id?: string } }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** The part of a bill of materials in CycloneDX that is read. The rest passes through. */
export interface Bill {
  readonly components: readonly Component[];
  readonly [rest: string]: unknown;
}

/** The Node in the executable, as a component of its bill of materials. */
export interface NodeBuild {
  readonly version: string;
  /** In hexadecimal, of the executable as Node's makers published it. */
  readonly sha256: string;
}

/** The bill of the archive: what the bundle is made from, and the Node that runs it. */
export function billWithNode(bill: Bill, { version, sha256 }: NodeBuild): Bill {
  const node = {
    type: "platform",
    "bom-ref": `node@${version}`,
    name: "node",
    version,
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: "MIT" } }],
    hashes: [{ alg: "SHA-256", content: sha256 }],
  };
  return { ...bill, components: [...bill.components, node] };
}

/** The licenses of everything inside the bundle, one after another, in the order of the bill. */
export async function licensesOf(bill: Bill, folder: string): Promise<string> {
  const texts = bill.components.map(async ({ group, name, version, licenses, properties }) => {
    const path = properties?.find((one) => one.name === "cdx:npm:package:path")?.value ?? "";
    const files = await readdir(join(folder, path));
    const file = files.sort().find((one) => /^licen[cs]e/i.test(one));
    const text =
      file === undefined
        ? `License: ${licenses?.map(({ license }) => license.id).join(", ")}`
        : await readFile(join(folder, path, file), "utf8");
    const whole = group === undefined ? name : `${group}/${name}`;
    return `${whole} ${version}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(72)}\n\n`);
}
