/** What a manifest for npm may say about the people behind it. */
export interface People {
  readonly author?: unknown;
  readonly maintainers?: unknown;
}

/** For packages that someone builds without a name: they are not released. */
const localBuild = "Local build, not released <local@localhost>";

/**
 * Who maintains a Debian package, as `Name <address>`: DEBFULLNAME and DEBEMAIL, as for Debian's own
 * tools, or the manifest's author or first maintainer; null where no one is named.
 */
export function maintainerOf(
  manifest: People,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const { DEBFULLNAME: name, DEBEMAIL: email } = env;
  const [first] = Array.isArray(manifest.maintainers) ? manifest.maintainers : [];
  const asked = name && email ? { name, email } : email;
  return named(asked) ?? named(manifest.author) ?? named(first);
}

/** The same for a package of any build. */
export function shownMaintainer(...given: Parameters<typeof maintainerOf>): string {
  return maintainerOf(...given) ?? localBuild;
}

/** A person in either form of npm, without the address of a site. */
function named(person: unknown): string | null {
  const { name, email } = Object(person) as { readonly name?: unknown; readonly email?: unknown };
  const text = typeof person === "string" ? person : `${name} <${email}>`;
  return /^[^<>\n]*[^<>\s] <[^<>\s@]+@[^<>\s@]+>/.exec(text)?.[0] ?? null;
}
