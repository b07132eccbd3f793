type Env = Readonly<Record<string, string | undefined>>;

/** Whether the terminal may be sent more than ASCII: a locale that says otherwise is believed. */
export function speaksUnicode(env: Env): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return env.TERM !== "dumb" && (!locale || /utf-?8/i.test(locale));
}

/** Whether the terminal can be sent colors. */
export function showsColour(env: Env): boolean {
  return !env.NO_COLOR && env.TERM !== "dumb";
}

/** Whether the terminal can move its cursor, as far as its name shows. */
export function movesCursor(env: Env): boolean {
  return Boolean(env.TERM) && env.TERM !== "dumb" && env.TERM !== "unknown";
}

/** Whether lines may only ever be added: asked for, or the terminal can do nothing else. */
export function wantsLinear(env: Env, asked: boolean): boolean {
  return asked || env.INK_SCREEN_READER === "true" || !movesCursor(env);
}
