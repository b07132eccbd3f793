import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";
import { type EditOptions, type ProfileOptions, settable } from "./profiles/place-options.ts";

/** `profiles list|show|add|edit|use|remove`: the places to work against. */
export const profiles: Noun = (program, frame) => {
  const noun = program
    .command("profiles")
    .description("profiles: list, show, add, edit, use, remove");
  noun.addHelpText("after", examples("supplyline profiles list"));

  noun
    .command("list")
    .description("the profiles that are set up")
    .addHelpText("after", examples("supplyline profiles list", "supplyline profiles list --json"))
    .action((_options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { listProfiles } = await import("./profiles/list.ts");
        return listProfiles(invocation);
      }),
    );

  noun
    .command("show")
    .description("one profile; without a name the one in use")
    .argument("[name]")
    .addHelpText(
      "after",
      examples("supplyline profiles show", "supplyline profiles show acme-test"),
    )
    .action((name: string | undefined, _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { showProfile } = await import("./profiles/show.ts");
        return showProfile(invocation, name);
      }),
    );

  settable(noun.command("add"))
    .description("set up a profile")
    .argument("<name>", "letters, digits, dots, dashes and underscores")
    .addHelpText(
      "after",
      examples(
        "supplyline profiles add acme-test --environment test \\",
        "  --base-url https://api.example.com --supplier ACME",
        "supplyline profiles add live --base-url https://api.example.com --read-only",
        "supplyline profiles add acme --base-url https://api.example.com \\",
        "  --credential-helper '/usr/local/bin/acme-key'",
      ),
    )
    .action((name: string, options: ProfileOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { addProfile } = await import("./profiles/add.ts");
        return addProfile(invocation, name, options);
      }),
    );

  settable(noun.command("edit"))
    .description("change settings of a profile; an empty value goes back to the default")
    .argument("<name>")
    .option("--writable", "let a read-only profile write again")
    .addHelpText(
      "after",
      examples(
        "supplyline profiles edit acme-test --proxy http://gate:3128",
        "supplyline profiles edit acme-test --proxy ''   # HTTPS_PROXY again",
        "supplyline profiles edit live --read-only",
      ),
    )
    .action((name: string, options: EditOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { editProfile } = await import("./profiles/edit.ts");
        return editProfile(invocation, name, options);
      }),
    );

  noun
    .command("use")
    .description("choose the profile to work with from now on")
    .argument("<name>")
    .addHelpText("after", examples("supplyline profiles use acme-test"))
    .action((name: string, _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        (await invocation.settings()).use(name);
        invocation.notice(`${name} is the profile in use from now on.`);
        return 0;
      }),
    );

  noun
    .command("remove")
    .description("remove a profile with its key and token, its drafts and its watch list")
    .argument("<name>")
    .addHelpText("after", examples("supplyline profiles remove acme-test"))
    .action((name: string, _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { removeProfile } = await import("./profiles/remove.ts");
        return removeProfile(invocation, name);
      }),
    );
};
