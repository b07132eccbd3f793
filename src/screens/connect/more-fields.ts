/** The rarely needed fields of the Connect screen: proxy, CA file, token and brand. */
import type { AuthForm } from "../../api/service.ts";
import type { Field } from "../../components/field-list.tsx";
import type { Compression } from "../../settings/schemas.ts";
import type { ConnectionForm, ConnectionProblems } from "./connection-form.ts";

const textFields = [
  {
    id: "proxy",
    label: "Proxy",
    placeholder: "from HTTPS_PROXY",
    hint: "URL without a password, such as http://gate:3128. Not used for this machine itself.",
  },
  {
    id: "caFile",
    label: "CA file",
    placeholder: "from NODE_EXTRA_CA_CERTS",
    hint: "A PEM file with your own certificates, in addition to the system's.",
  },
  {
    id: "graphqlUrl",
    label: "GraphQL URL",
    placeholder: "{base URL}/v1/graphql/",
    hint: "Where tokens are obtained.",
  },
  {
    id: "mutation",
    label: "Mutation",
    placeholder: "obtainToken(input: {APIKey})",
    hint: "The GraphQL document that obtains a token; the key is its variable apiKey.",
  },
  {
    id: "tokenPath",
    label: "Token path",
    placeholder: "obtainToken.token",
    hint: "The path of the token in the response, names joined by dots.",
  },
  {
    id: "brand",
    label: "Brand",
    placeholder: "service",
    hint: "The word in field names such as service_account_number.",
  },
] as const;

const authForms: readonly AuthForm[] = ["auto", "token", "bare"];
const compressions: readonly Compression[] = ["auto", "on", "off"];

/**
 * Returns the rarely needed fields. `problems` is null until the first test, so that no problem is
 * shown while the user types.
 */
export function moreFields(
  form: ConnectionForm,
  problems: ConnectionProblems | null,
  change: (patch: Partial<ConnectionForm>) => void,
): readonly Field[] {
  const problemOf = (id: (typeof textFields)[number]["id"]) =>
    problems === null || id === "mutation" ? null : problems[id];
  return [
    ...textFields.map(
      ({ id, ...words }): Field => ({
        kind: "text",
        id,
        ...words,
        value: form[id],
        problem: problemOf(id),
        onChange: (value) => change({ [id]: value }),
      }),
    ),
    {
      kind: "choice",
      id: "authForm",
      label: "Authorization",
      value: form.authForm,
      choices: authForms,
      hint: "The format of the header: `Token X`, the bare token, or auto, which tries both.",
      onChange: (value) => change({ authForm: value as AuthForm }),
    },
    {
      kind: "choice",
      id: "compression",
      label: "Compression",
      value: form.compression,
      choices: compressions,
      hint: "Whether lists and statuses are asked for with gzip. Auto does, except from the sandbox.",
      onChange: (value) => change({ compression: value as Compression }),
    },
  ];
}

/** Returns true if a rarely needed field has a problem. */
export function hasMoreProblems(problems: ConnectionProblems): boolean {
  return textFields.some(({ id }) => id !== "mutation" && problems[id] !== null);
}
