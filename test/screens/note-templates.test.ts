import { world } from "../helpers/world.ts";

async function atNote() {
  const desk = await world();
  const open = async (env: Record<string, string> = { USER: "ada" }) => {
    const terminal = await desk.terminal(["open", "ACME", "EXT-0000001"], { env });
    await terminal.waitFor("COMPLETED");
    await terminal.press("n").until("Note 1");
    return terminal;
  };
  return { desk, open };
}

test("a template is chosen in the note form, asks for its case, and is reviewed as it is sent", async () => {
  const { desk, open } = await atNote();
  const text = "{me}: called {external_account_number}, case {case}";
  await desk.run(["templates", "add", "call", "--body", text]);
  const terminal = await open();
  await terminal.waitFor("F6 template");
  await terminal.press("f6").until("Note from a template");
  await terminal.press("enter").until("Filled in for {case}.");
  await terminal.send("4711").until("4711");
  await terminal.press("enter").until("ada: called EXT-0000001, case 4711");
  await terminal.act("review").until("s send now");
  await terminal.waitFor('"ada: called EXT-0000001, case 4711"');
});

test("a template with a name that is not known says how to give it, before it asks for the case", async () => {
  const { desk, open } = await atNote();
  await desk.run(["templates", "add", "call", "--body", "case {case}, {me}"]);
  const terminal = await open({ USER: "" });
  await terminal.press("f6").until("Note from a template");
  await terminal.press("enter").until("call: {me} has no value. Set USER in the environment.");
  await terminal.waitFor("Note 1");
});

test("without a template the form says how to add one", async () => {
  const { open } = await atNote();
  const terminal = await open();
  await terminal.press("f6").until("ad-hoc has no template; supplyline templates add");
});
