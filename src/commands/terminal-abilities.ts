/** Determines the abilities of the terminal from environment variables. */

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns true if the terminal accepts more than ASCII. Returns false for TERM=dumb and for a
 * locale without UTF-8.
 */
export function supportsUnicode(env: Env): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return env.TERM !== "dumb" && (!locale || /utf-?8/i.test(locale));
}

export function supportsColor(env: Env): boolean {
  return !env.NO_COLOR && env.TERM !== "dumb";
}

export function movesCursor(env: Env): boolean {
  return Boolean(env.TERM) && env.TERM !== "dumb" && env.TERM !== "unknown";
}

/**
 * Returns true if output must be linear: on request, for a screen reader, or because the terminal
 * cannot move its cursor.
 */
export function wantsLinear(env: Env, isRequested: boolean): boolean {
  return isRequested || env.INK_SCREEN_READER === "true" || !movesCursor(env);
}
