import { account, type KindSample } from "../../helpers/kinds.ts";

const one = { body: "one" };

export const sample: KindSample = {
  documented: `{
  "import_supplier": "ACME",
  "external_account_number": "EXT-1",
  "notes": [
    {
      "body": "Moved in.\\nSaid hello.",
      "document_paths": [{ "document_path": "letters/2026/welcome.pdf" }, { "document_path": "b.pdf" }],
      "created_at": "2026-11-20T14:00:00+01:00",
      "is_pinned": true,
      "unpin_at": "2026-12-01T00:00:00Z"
    },
    { "body": "Called back.", "is_pinned": false }
  ]
}`,
  retries: "R RC X X RC RC",
  writes: [
    {
      name: "notes",
      body: { ...account, notes: [one] },
      deduplicated: true,
      success: { status: 201, body: [{ ...one, status: "NOTE_CREATION_SUCCESS" }] },
    },
    {
      name: "notes, one of documents alone",
      body: { ...account, notes: [{ document_paths: [{ document_path: "a.pdf" }] }] },
      deduplicated: false,
      success: { status: 201, body: [{ body: "", status: "NOTE_CREATION_SUCCESS" }] },
    },
  ],
  rejected: [
    { body: { ...account, notes: [{ body: " " }] }, attr: "notes.0.body", code: "blank" },
    { body: { ...account, notes: [{}] }, attr: "notes.0", code: "body_or_document_paths" },
  ],
  command: ["ACME", "EXT-0000001", "--body", "one"],
};
