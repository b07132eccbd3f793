/**
 * Issues and checks access tokens (INTERFACE part 5), and handles the only mutation of the GraphQL
 * endpoint, ObtainToken (5.2).
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
  execute,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
  validate,
} from "graphql";
import { createHandler } from "graphql-http/lib/use/fetch";

export type TokenForm = "jwt" | "opaque";
/** The accepted forms of the Authorization header: `Token TOKEN`, `TOKEN`, or both. */
export type AuthForm = "token" | "bare" | "both";

export interface IssuedToken {
  readonly token: string;
  readonly refreshToken: string;
  /** Seconds for which the refresh token is valid. */
  readonly refreshExpiresIn: number;
}

type TokenState = "valid" | "missing" | "wrong" | "expired";

export interface Tokens {
  issue(form: TokenForm, lifeMs: number): IssuedToken;
  check(header: string | undefined, accepted: AuthForm): TokenState;
}

const refreshSeconds = 7 * 24 * 3600;

export function tokens(now: () => number): Tokens {
  const secret = randomBytes(32);
  const expiries = new Map<string, number>();

  const jwt = (issuedAt: number, expiresAt: number): string => {
    const claims = {
      iss: "supplyline-sandbox",
      iat: Math.floor(issuedAt / 1000),
      exp: Math.floor(expiresAt / 1000),
      jti: randomBytes(9).toString("base64url"),
    };
    const signed = [{ alg: "HS256", typ: "JWT" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
  };

  return {
    issue: (form, lifeMs) => {
      const issuedAt = now();
      const expiresAt = issuedAt + lifeMs;
      // Expired tokens are stored for a day, so that they are reported as expired and not as wrong.
      for (const [token, expiry] of expiries) {
        if (expiry < issuedAt - 24 * 3_600_000) expiries.delete(token);
      }
      const token =
        form === "jwt" ? jwt(issuedAt, expiresAt) : randomBytes(30).toString("base64url");
      expiries.set(token, expiresAt);
      const refreshToken = randomBytes(30).toString("base64url");
      return { token, refreshToken, refreshExpiresIn: refreshSeconds };
    },
    check: (header, accepted) => {
      if (header === undefined || header === "") return "missing";
      const prefixed = /^Token (.+)$/.exec(header)?.[1];
      const form: AuthForm = prefixed === undefined ? "bare" : "token";
      if (accepted !== "both" && form !== accepted) return "wrong";
      const expiry = expiries.get(prefixed ?? header);
      if (expiry === undefined) return "wrong";
      return now() < expiry ? "valid" : "expired";
    },
  };
}

/** Returns the handler of the GraphQL endpoint, which follows GraphQL over HTTP. */
export function graphqlHandler(
  apiKey: string,
  issue: () => IssuedToken,
): (request: Request) => Promise<Response> {
  const result = new GraphQLObjectType({
    name: "ObtainTokenPayload",
    fields: {
      token: { type: new GraphQLNonNull(GraphQLString) },
      refreshToken: { type: new GraphQLNonNull(GraphQLString) },
      refreshExpiresIn: {
        type: new GraphQLNonNull(GraphQLInt),
        description: "Seconds for which the refresh token, not the token, is valid.",
      },
    },
  });
  const input = new GraphQLInputObjectType({
    name: "ObtainTokenInput",
    fields: { APIKey: { type: new GraphQLNonNull(GraphQLString) } },
  });
  const mutation = new GraphQLObjectType({
    name: "Mutation",
    fields: {
      obtainToken: {
        type: result,
        args: { input: { type: new GraphQLNonNull(input) } },
        resolve: (_source, args: { input: { APIKey: string } }) => {
          if (sameSecret(args.input.APIKey, apiKey)) return issue();
          throw new GraphQLError("The API key is not valid.", {
            extensions: { code: "INVALID_API_KEY" },
          });
        },
      },
    },
  });
  // GraphQL requires a query type, but the service has no queries.
  const query = new GraphQLObjectType({
    name: "Query",
    fields: { service: { type: GraphQLString, resolve: () => "supplyline sandbox" } },
  });
  return createHandler({
    schema: new GraphQLSchema({ query, mutation }),
    // graphql-http would otherwise use its import of `graphql`. If a loader resolves that import to
    // another build, the build rejects the schema of this module.
    parse,
    validate: (schema, document) => validate(schema, document),
    execute: (request) => execute(request),
  });
}

/** Compares in constant time, so that the time of a response does not reveal the key. */
function sameSecret(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
