import { journalCommand } from "../../src/session/overlays.ts";

const shown = { command: "supplyline activity show 1", curl: "curl …", note: "A note." };

test("a command reads the journal of a service, and none that of an embedded sandbox", () => {
  expect(journalCommand({ baseUrl: "https://api.example.com" }, shown)).toEqual(shown);
  const embedded = journalCommand({ baseUrl: null }, shown);
  expect(embedded).toMatchObject({ command: null, curl: "curl …" });
  expect(embedded.note).toMatch(/in the memory of this console: no command reads it\. A note\.$/);
  expect(journalCommand({ baseUrl: null }, { ...shown, curl: null }).note).not.toContain("A note.");
});
