import { AppError } from "../errors/app-error.ts";

/**
 * Secrets from the environment. The key and the token are in private fields behind getters, so that
 * printing, inspecting or serializing this object shows neither. Copying it with `...` loses them.
 */
export interface Secrets {
  readonly apiKey: string | null;
  readonly token: string | null;
  /**
   * Returns true if the secrets were set for the origins of this service, or for no specific
   * service.
   */
  areFor(service: Addresses): boolean;
  /** Limits secrets that were set for no specific service to this one. */
  bindTo(service: Addresses): void;
}

/** The addresses to which tokens (the base URL) and API keys (the GraphQL URL) are sent. */
interface Addresses {
  readonly baseUrl: string | null;
  /** The address for API keys. Default: below the base URL. */
  readonly graphqlUrl?: string | undefined;
}

class HeldSecrets implements Secrets {
  readonly #apiKey: string | null;
  readonly #token: string | null;
  /**
   * The origins that the secrets can be sent to, or null if they were set for no specific service.
   */
  #origins: string | null;

  constructor(apiKey: string | null, token: string | null, service: Addresses | null = null) {
    this.#apiKey = apiKey;
    this.#token = token;
    this.#origins = service === null ? null : originsOf(service);
  }

  areFor(service: Addresses): boolean {
    return this.#origins === null || this.#origins === originsOf(service);
  }

  bindTo(service: Addresses): void {
    this.#origins ??= originsOf(service);
  }

  get apiKey(): string | null {
    return this.#apiKey;
  }

  get token(): string | null {
    return this.#token;
  }
}

export const noSecrets: Secrets = new HeldSecrets(null, null);

/** Creates secrets from another source than the environment, such as stdin or a field. */
export function createSecrets(given: { apiKey?: string; token?: string }): Secrets {
  return new HeldSecrets(given.apiKey ?? null, given.token ?? null);
}

/**
 * Reads `SUPPLYLINE_API_KEY` and `SUPPLYLINE_TOKEN` and deletes both from `env`, even if one is
 * refused, so that no child process inherits them. If `SUPPLYLINE_BASE_URL` is set, they belong to
 * its service alone. An empty variable counts as not set. Throws `invalid` with the name of the
 * variable and never its value.
 */
export function readSecrets(env: Record<string, string | undefined>): Secrets {
  const { SUPPLYLINE_API_KEY: apiKey, SUPPLYLINE_TOKEN: token } = env;
  const { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_GRAPHQL_URL: graphqlUrl } = env;
  delete env.SUPPLYLINE_API_KEY;
  delete env.SUPPLYLINE_TOKEN;
  return new HeldSecrets(
    checked("SUPPLYLINE_API_KEY", apiKey),
    checked("SUPPLYLINE_TOKEN", token),
    baseUrl ? { baseUrl, graphqlUrl } : null,
  );
}

/** Returns true if there is a key or a token. */
export function hasSecret({ apiKey, token }: Secrets): boolean {
  return apiKey !== null || token !== null;
}

/** Returns both origins in a normalized form. An invalid address equals no other address. */
function originsOf({ baseUrl, graphqlUrl }: Addresses): string {
  const [base, graphql] = [baseUrl, graphqlUrl || baseUrl].map(
    (url) => URL.parse(url ?? "")?.origin ?? crypto.randomUUID(),
  );
  return `${base} ${graphql}`;
}

/**
 * Returns the reason why a text cannot be a key or token, without quoting it, or null if there is
 * none. Both are sent in or beside a header, where only printable ASCII without blanks is safe.
 */
export function checkSecret(text: string): string | null {
  if (text === "") return "is empty";
  if (/^(Token|Bearer)\s/i.test(text)) return "starts with a scheme word; give the value alone";
  if (/\s/.test(text)) return "contains a space or a line break";
  if (!/^[\x21-\x7e]+$/.test(text)) return "contains a character that no key or token may have";
  return null;
}

function checked(name: string, value: string | undefined): string | null {
  if (value === undefined || value === "") return null;
  const problem = checkSecret(value);
  if (problem)
    throw new AppError("settings", "invalid", `${name} ${problem}`, { fix: `set ${name} again` });
  return value;
}
