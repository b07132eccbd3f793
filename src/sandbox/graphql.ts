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

/** Answers a request to the GraphQL endpoint, as GraphQL over HTTP has it. */
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
  // GraphQL wants a query type; the service has nothing to ask for.
  const query = new GraphQLObjectType({
    name: "Query",
    fields: { service: { type: GraphQLString, resolve: () => "supplyline sandbox" } },
  });
  return createHandler({
    schema: new GraphQLSchema({ query, mutation }),
    // graphql-http brings in `graphql` by itself; where a loader gives it another build of it than
    // this module has, schemas of the one are strangers to the other. So ours does all the work.
    parse,
    validate: (schema, document) => validate(schema, document),
    execute: (given) => execute(given),
  });
}

function sameSecret(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
