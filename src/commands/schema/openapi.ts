import { accountStatusPath, listPath } from "../../api/accounts.ts";
import { defaultMutation } from "../../api/obtain-token.ts";
import { supplyPointStatusPath } from "../../api/supply-points.ts";
import { type FormKind, formKinds, forms } from "../../forms/forms.ts";
import { jsonSchema } from "../../forms/json-schema.ts";
import { validateSupplyPointPath } from "../../writes/kinds/kind.ts";
import { kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import { answerSchemas } from "./answers.ts";

type Json = Readonly<Record<string, unknown>>;

/** What an endpoint answers with a status: the name of a schema, or null for no body. */
type Answers = Readonly<Record<number, string | readonly string[] | null>>;

/**
 * An OpenAPI 3.1 document of every endpoint that the program uses (INTERFACE 4 and 5). Bodies come from
 * the field tables of the forms: undocumented fields are not allowed in them, and allowed in answers.
 */
export function openApi(version: string): Json {
  return {
    openapi: "3.1.1",
    info: {
      title: "Account and supply point data import",
      version,
      description:
        "As supplyline uses it. Where field names carry a brand word, `service` stands in its place. Enumerations are open.",
    },
    servers: [
      {
        url: "{baseUrl}",
        variables: {
          baseUrl: {
            default: "https://api.example.com",
            description: "The base URL of the profile.",
          },
        },
      },
    ],
    security: [{ token: [] }],
    paths: paths(),
    components: {
      securitySchemes: {
        token: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description:
            "`Token T` with a token of obtainToken; some deployments take the bare token.",
        },
      },
      schemas: {
        ...Object.fromEntries(formKinds.map((kind) => [bodyName(kind), bodySchema(kind)])),
        ...answerSchemas,
      },
    },
  };
}

function paths(): Json {
  return {
    ...Object.fromEntries(formKinds.map((kind) => [kindOf(operationOf(kind)).path, created(kind)])),
    [validateSupplyPointPath]: {
      post: write("validateSupplyPoint", "supply-points", {
        200: "ValidatedData",
        400: "ValidationErrors",
      }),
    },
    ...read(
      "supplyPointStatus",
      supplyPointStatusPath,
      "external_identifier",
      "SupplyPointProcess",
    ),
    ...read("accountStatus", accountStatusPath, "external_account_number", "AccountStatus"),
    ...read("listAccounts", listPath("all"), null, "AccountList"),
    ...read("listPendingAccounts", listPath("pending"), null, "AccountList"),
    ...read("listImportedAccounts", listPath("imported"), null, "AccountList"),
    "/v1/graphql/": { post: obtainToken() },
  };
}

function obtainToken(): Json {
  return {
    operationId: "obtainToken",
    summary: "Obtain a token for an API key, by GraphQL. A profile may name another address.",
    security: [],
    requestBody: body({
      type: "object",
      properties: {
        query: { type: "string", default: defaultMutation },
        variables: {
          type: "object",
          properties: { apiKey: { type: "string", format: "password" } },
          required: ["apiKey"],
        },
      },
      required: ["query", "variables"],
    }),
    responses: responses({ 200: "Token" }),
  };
}

function created(kind: FormKind): { readonly post: Json } {
  const { id, answers, query } = kindOf(operationOf(kind)).openApi;
  const post = write(id, kind, answers);
  return { post: query === undefined ? post : { ...post, parameters: switches(query) } };
}

function write(operationId: string, kind: FormKind, answers: Answers): Json {
  return {
    operationId,
    summary: forms[kind].title,
    requestBody: body({ $ref: `#/components/schemas/${bodyName(kind)}` }),
    responses: responses(answers),
  };
}

function switches(query: Readonly<Record<string, string>>): readonly Json[] {
  return Object.entries(query).map(([name, description]) => ({
    name,
    in: "query",
    description,
    schema: { type: "boolean", default: true },
  }));
}

function read(operationId: string, path: string, id: string | null, answer: string): Json {
  const names = ["import_supplier", ...(id === null ? [] : [id])];
  return {
    [`/${[path, ...names.map((name) => `{${name}}`)].join("/")}/`]: {
      get: {
        operationId,
        parameters: names.map((name) => ({
          name,
          in: "path",
          required: true,
          schema: { type: "string", minLength: 1 },
        })),
        responses: responses({ 200: answer, 404: "NotFound" }),
      },
    },
  };
}

function body(schema: Json): Json {
  return { required: true, content: { "application/json": { schema } } };
}

const words: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Created.",
  400: "Rejected.",
  404: "Not found. The body may be anything.",
  500: "Failed; the vendor could not be reached, or something unexpected happened.",
};

function responses(answers: Answers): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const refs = [answer ?? []].flat().map((name) => ({ $ref: `#/components/schemas/${name}` }));
      const schema = refs.length > 1 ? { anyOf: refs } : refs[0];
      const content = schema === undefined ? {} : { content: { "application/json": { schema } } };
      return [status, { description: words[Number(status)], ...content }];
    }),
  );
}

function bodyName(kind: FormKind): string {
  const parts = kind.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${parts.join("")}Body`;
}

function bodySchema(kind: FormKind): Json {
  const { $schema: _, ...schema } = jsonSchema(forms[kind]);
  return schema;
}
