/**
 * Reads the API key and the token from the environment, and stores them where no log shows them.
 */
import { invalidSetting } from "./invalid-setting.ts";

/**
 * A key and a token from the environment, stdin or a field. Both are in private fields, so that a
 * printed, inspected or serialized object shows neither. A copy with `...` contains neither.
 */
export interface Secrets {
  readonly apiKey: string | null;
  readonly token: string | null;
  /** Returns true if the secrets are for the origins of this service, or for any service. */
  areFor(service: Addresses): boolean;
  /** Limits the secrets to this service, unless they are limited to one. */
  bindTo(service: Addresses): void;
}

/** The addresses to which tokens (the base URL) and API keys (the GraphQL URL) are sent. */
interface Addresses {
  readonly baseUrl: string | null;
  /** The address to which API keys are sent. Default: a path below the base URL. */
  readonly graphqlUrl?: string | undefined;
}

class PrivateSecrets implements Secrets {
  readonly #apiKey: string | null;
  readonly #token: string | null;
  /** The origins to which the secrets can be sent, or null if they are not limited to a service. */
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

export const noSecrets: Secrets = new PrivateSecrets(null, null);

export function createSecrets(given: { apiKey?: string; token?: string }): Secrets {
  return new PrivateSecrets(given.apiKey ?? null, given.token ?? null);
}

/**
 * Reads `SUPPLYLINE_API_KEY` and `SUPPLYLINE_TOKEN` and deletes both from `env`, even if one is
 * invalid, so that no child process inherits them. If `SUPPLYLINE_BASE_URL` is set, they are
 * limited to its service. An empty variable counts as not set. Throws `invalid` with the name of
 * the variable and never its value.
 */
export function readSecrets(env: Record<string, string | undefined>): Secrets {
  const { SUPPLYLINE_API_KEY: apiKey, SUPPLYLINE_TOKEN: token } = env;
  const { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_GRAPHQL_URL: graphqlUrl } = env;
  delete env.SUPPLYLINE_API_KEY;
  delete env.SUPPLYLINE_TOKEN;
  return new PrivateSecrets(
    checkedVariable("SUPPLYLINE_API_KEY", apiKey),
    checkedVariable("SUPPLYLINE_TOKEN", token),
    baseUrl ? { baseUrl, graphqlUrl } : null,
  );
}

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
 * Returns the reason why a text cannot be a key or token, or null if there is none. The reason does
 * not quote the text. A token is sent in a header, where only printable ASCII without blanks is
 * safe. A key is sent in a JSON body, and has the same rule.
 */
export function checkSecret(text: string): string | null {
  if (text === "") return "is empty";
  if (/^(Token|Bearer)\s/i.test(text)) return "starts with a scheme word; give the value alone";
  if (/\s/.test(text)) return "contains a space or a line break";
  if (!/^[\x21-\x7e]+$/.test(text)) return "contains a character that no key or token may have";
  return null;
}

/** Returns the value of a variable, or null if it is not set. Throws `invalid`. */
function checkedVariable(name: string, value: string | undefined): string | null {
  if (value === undefined || value === "") return null;
  const problem = checkSecret(value);
  if (problem) throw invalidSetting(`${name} ${problem}`, { fix: `set ${name} again` });
  return value;
}
