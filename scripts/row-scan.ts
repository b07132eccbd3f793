/** `npm run row-scan`: compiles src/accounts/ingest/row-scan.wat to WebAssembly in row-scan-code.ts. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import wabt from "wabt";

const source = new URL("../src/accounts/ingest/row-scan.wat", import.meta.url);
const code = new URL("../src/accounts/ingest/row-scan-code.ts", import.meta.url);

/** Compiles row-scan.wat. Returns the new text of row-scan-code.ts. */
export async function rowScanCode(): Promise<string> {
  const module = (await wabt()).parseWat("row-scan.wat", await readFile(source, "utf8"), {
    simd: true,
  });
  const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
  const lines = base64.match(/.{1,90}/g) ?? [];
  return [
    "/** The compiled WebAssembly of row-scan.wat, in base64. `npm run row-scan` writes this file. */",
    "export const rowScanCode = [",
    ...lines.map((line) => `  "${line}",`),
    '].join("");',
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(code, await rowScanCode());
