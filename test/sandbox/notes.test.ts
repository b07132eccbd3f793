import type { Client } from "./client.ts";
import { imported, json, opened, paths } from "./client.ts";

const send = async (client: Client, notes: unknown, account: object = imported) => {
  const response = await client.post(paths.notes, { ...account, notes });
  return { status: response.status, body: await json(response) };
};

describe("creating notes", () => {
  test("each note is created and answered with its body and the instant of its creation", async () => {
    const client = await opened();
    const given = { body: "Called back", created_at: "2025-01-31T09:30:00Z", is_pinned: true };
    expect(await send(client, [{ body: "Meter read" }, given])).toEqual({
      status: 201,
      body: [
        { created_at: "2025-11-21T12:00:00Z", body: "Meter read", status: "NOTE_CREATION_SUCCESS" },
        { created_at: given.created_at, body: "Called back", status: "NOTE_CREATION_SUCCESS" },
      ],
    });
    expect(client.sandbox.ledger().map(({ endpoint, key }) => [endpoint, key])).toEqual([
      ["notes", "Meter read"],
      ["notes", "Called back"],
    ]);
  });

  test("the same body is not created again, in one request or in two", async () => {
    const client = await opened();
    const first = await send(client, [{ body: "Twice" }, { body: "Twice" }]);
    const second = await send(client, [{ body: "Twice" }]);
    const statuses = [...first.body, ...second.body].map((note) => note.status);
    expect(statuses).toEqual([
      "NOTE_CREATION_SUCCESS",
      "NOTE_ALREADY_EXISTS",
      "NOTE_ALREADY_EXISTS",
    ]);
    expect(client.sandbox.ledger()).toHaveLength(1);
  });

  test("a created_at makes the same body another note, unless the instant is the same too", async () => {
    const client = await opened();
    const at = (created_at: string) => send(client, [{ body: "Again", created_at }]);
    expect((await at("2025-01-31T09:30:00Z")).body[0].status).toBe("NOTE_CREATION_SUCCESS");
    expect((await at("2025-01-31T10:30:00Z")).body[0].status).toBe("NOTE_CREATION_SUCCESS");
    expect((await at("2025-01-31T11:30:00+02:00")).body[0].status).toBe("NOTE_ALREADY_EXISTS");
    expect((await at("2025-01-31T09:30:00")).body[0].status).toBe("NOTE_ALREADY_EXISTS");
    expect((await send(client, [{ body: "Again" }])).body[0].status).toBe("NOTE_ALREADY_EXISTS");
  });

  test("another account has notes of its own; documents alone are never the same note", async () => {
    const client = await opened();
    await send(client, [{ body: "Shared" }]);
    const other = { import_supplier: "DONE", external_account_number: "DONE-0000001" };
    expect((await send(client, [{ body: "Shared" }], other)).body[0].status).toBe(
      "NOTE_CREATION_SUCCESS",
    );
    const document = { document_paths: [{ document_path: "letters/1.pdf" }] };
    const { body } = await send(client, [document, document]);
    expect(body).toEqual([
      expect.objectContaining({ body: "", status: "NOTE_CREATION_SUCCESS" }),
      expect.objectContaining({ body: "", status: "NOTE_CREATION_SUCCESS" }),
    ]);
  });

  test.each([
    ["a staged account", "ACME", "EXT-0000004"],
    ["an account never staged", "ACME", "EXT-7777777"],
    ["an unknown supplier", "NOBODY", "EXT-0000001"],
  ])("%s is 404", async (_what, import_supplier, external_account_number) => {
    const client = await opened();
    const answer = await send(client, [{ body: "x" }], {
      import_supplier,
      external_account_number,
    });
    expect(answer).toEqual({
      status: 404,
      body: { detail: expect.any(String), code: "not_found" },
    });
    expect(client.sandbox.ledger()).toEqual([]);
  });

  test.each([
    ["neither body nor documents", [{ is_pinned: true }], "body_or_document_paths", "notes.0"],
    ["a blank body", [{ body: " " }], "blank", "notes.0.body"],
    ["a body that is no text", [{ body: 1 }], "not_a_string", "notes.0.body"],
    [
      "null for an optional field",
      [{ body: "x", unpin_at: null }],
      "invalid_datetime",
      "notes.0.unpin_at",
    ],
    [
      "an impossible date",
      [{ body: "x", created_at: "2025-02-30T00:00:00Z" }],
      "invalid_datetime",
      "notes.0.created_at",
    ],
    [
      "a flag in words",
      [{ body: "x" }, { body: "y", is_pinned: "yes" }],
      "not_a_boolean",
      "notes.1.is_pinned",
    ],
    ["an undocumented field", [{ body: "x", colour: "red" }], "unknown_field", "notes.0.colour"],
    [
      "a field named __proto__",
      '[{"body":"x","__proto__":{}}]',
      "unknown_field",
      "notes.0.__proto__",
    ],
    [
      "a path out of the document root",
      [{ document_paths: [{ document_path: "a/../b" }] }],
      "invalid_document_path",
      "notes.0.document_paths.0.document_path",
    ],
    [
      "an absolute path",
      [{ document_paths: [{ document_path: "/a" }] }],
      "invalid_document_path",
      "notes.0.document_paths.0.document_path",
    ],
    [
      "a document without its path",
      [{ document_paths: [{}] }],
      "required",
      "notes.0.document_paths.0.document_path",
    ],
    ["no notes", [], "empty", "notes"],
    ["notes that are no array", {}, "not_a_list", "notes"],
  ])("%s is a validation error that names its place", async (_what, notes, code, attr) => {
    const client = await opened();
    const account = '"import_supplier":"ACME","external_account_number":"EXT-0000001"';
    const text = typeof notes === "string" ? notes : JSON.stringify(notes);
    const response = await client.post(paths.notes, `{${account},"notes":${text}}`);
    expect(response.status).toBe(400);
    expect(await json(response)).toEqual({
      detail: expect.any(String),
      code: "account_failed_validation",
      errors: [{ detail: expect.any(String), code, attr }],
    });
    expect(client.sandbox.ledger()).toEqual([]);
  });

  test("every problem of a payload is named at once", async () => {
    const client = await opened();
    const response = await client.post(paths.notes, { notes: [{ body: "" }, {}] });
    const { errors } = await json(response);
    expect(errors.map((error: { attr: string }) => error.attr)).toEqual([
      "import_supplier",
      "external_account_number",
      "notes.0.body",
      "notes.1",
    ]);
  });
});
