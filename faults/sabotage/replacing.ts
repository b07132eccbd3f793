/** Writes the module that takes the place of one whose exports a sabotage replaces. */
import type { Replacement } from "./sabotage.ts";

const replaced: ((original: unknown) => unknown)[] = [];
Object.assign(globalThis, { campaignReplacements: replaced });

/** Returns the source of the module. Importing it fails if the original lacks a replaced export. */
export function replacing(url: string, replacements: readonly Replacement[]): string {
  const original = JSON.stringify(`${url}?original`);
  const lines = replacements.map(({ name, by }) => {
    const at = replaced.push(by) - 1;
    return [
      `import { ${name} as original${at} } from ${original};`,
      `export const ${name} = globalThis.campaignReplacements[${at}](original${at});`,
    ].join("\n");
  });
  return [`export * from ${original};`, ...lines, ""].join("\n");
}
