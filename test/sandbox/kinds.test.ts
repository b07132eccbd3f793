import { formKinds } from "../../src/forms/forms.ts";
import { kindOf, operationOf } from "../../src/writes/kinds/kinds.ts";
import { samples } from "../helpers/kinds.ts";
import { json, opened } from "./client.ts";

describe.each(formKinds)("%s at the sandbox", (kind) => {
  const { path } = kindOf(operationOf(kind));
  const { writes, rejected } = samples[kind];

  test("a sound body takes effect once, and is in the ledger", async () => {
    const client = await opened();
    expect((await client.post(path, writes[0]?.body)).ok).toBe(true);
    expect(client.sandbox.ledger().filter(({ cause }) => cause === "request")).toHaveLength(1);
  });

  test.each(rejected)("a body is rejected at $attr: $code", async ({ body, attr, code }) => {
    const client = await opened();
    const response = await client.post(path, body);
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ errors: [{ attr, code }] });
    expect(client.sandbox.ledger()).toEqual([]);
  });
});
