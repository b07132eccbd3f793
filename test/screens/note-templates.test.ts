import { test } from "vitest";
import { sandboxDesk } from "../helpers/desk.ts";

async function atNote() {
  const desk = await sandboxDesk();
  const open = async (env: Record<string, string> = { USER: "ada" }) => {
    const terminal = await desk.terminal(["open", "ACME", "EXT-0000001"], { env });
    await terminal.waitFor("COMPLETED");
    terminal.press("n");
    await terminal.waitFor("Note 1");
    return terminal;
  };
  return { desk, open };
}

test("a template is chosen in the note form, asks for its case, and is reviewed as it is sent", async () => {
  const { desk, open } = await atNote();
  const text = "{me}: called {external_account_number}, case {case}";
  await desk.run(["templates", "add", "call", "--body", text]);
  await using terminal = await open();
  await terminal.waitFor("F6 template");
  terminal.press("f6");
  await terminal.waitFor("Note from a template");
  terminal.press("enter");
  await terminal.waitFor("Filled in for {case}.");
  terminal.send("4711");
  await terminal.waitFor("4711");
  terminal.press("enter");
  await terminal.waitFor("ada: called EXT-0000001, case 4711");
  terminal.press("ctrl-g");
  await terminal.waitFor("s send now");
  await terminal.waitFor('"ada: called EXT-0000001, case 4711"');
});

test("a template with a name that is not known says how to give it, before it asks for the case", async () => {
  const { desk, open } = await atNote();
  await desk.run(["templates", "add", "call", "--body", "case {case}, {me}"]);
  await using terminal = await open({ USER: "" });
  terminal.press("f6");
  await terminal.waitFor("Note from a template");
  terminal.press("enter");
  await terminal.waitFor("call: {me} has no value. Set USER in the environment.");
  await terminal.waitFor("Note 1");
});

test("without a template the form says how to add one", async () => {
  const { open } = await atNote();
  await using terminal = await open();
  terminal.press("f6");
  await terminal.waitFor("ad-hoc has no template; supplyline templates add");
});
