/** Removes secrets from the environment, so that no child process inherits them. */

/** The values of the variables that were removed from an environment, for the next connection. */
const removedValues = new WeakMap<Record<string, string | undefined>, Map<string, string>>();

/**
 * Removes a variable from the environment and returns its value, also if it was removed earlier.
 * An empty value counts as not set.
 */
export function removeVariable(
  variable: string,
  env: Record<string, string | undefined>,
): string | undefined {
  const values = removedValues.get(env) ?? new Map<string, string>();
  removedValues.set(env, values);
  const value = env[variable];
  delete env[variable];
  if (value) values.set(variable, value);
  return values.get(variable);
}
