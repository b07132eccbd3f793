const HIDDEN = "[hidden]";

const SECRETS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // A JSON Web Token, wherever it stands.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, HIDDEN],
  [/\bsk_\w{8,}/g, HIDDEN],
  [/\b(Token|Bearer|Basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${HIDDEN}`],
  [
    /((?:api[_-]?key|access[_-]?token|refresh[_-]?token|token|password|secret|authorization)["']?\s*[:=]\s*["']?)(?!(?:Token|Bearer|Basic)\b)[^\s"',;}&]{12,}/gi,
    `$1${HIDDEN}`,
  ],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi, "$1"],
];

/**
 * Text with what looks like a token, a key or a password taken out: a second line of defence for
 * messages that others wrote (a service may echo a header, a library an address).
 */
export function redact(text: string): string {
  return SECRETS.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), text);
}
