/**
 * The section of a version in a changelog in the format of Keep a Changelog, without its heading; the
 * unreleased changes where the version has none. Throws where there is neither.
 */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = (name: string) => sections.find((one) => one.startsWith(`[${name}]`));
  const found = section(version) ?? section("Unreleased");
  if (found === undefined) throw new Error(`CHANGELOG.md has no section [${version}].`);
  return `${found.slice(found.indexOf("\n")).trim()}\n`;
}
