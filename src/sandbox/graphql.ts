/** The GraphQL endpoint with its one mutation, ObtainToken (INTERFACE 5.2). */
import { timingSafeEqual } from "node:crypto";
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
import type { IssuedToken } from "./token.ts";

/**
 * Returns the handler of the GraphQL endpoint, which follows the GraphQL over HTTP specification.
 */
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
        description: "Seconds for which the refresh token, not the token, is good.",
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
    // graphql-http imports `graphql` itself. If a loader gives it another build, it rejects schemas
    // of this module. So this module's functions do all the work.
    parse,
    validate: (schema, document) => validate(schema, document),
    execute: (given) => execute(given),
  });
}

function sameSecret(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
