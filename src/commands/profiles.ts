import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";

/** `profiles list|show|add|use|remove`: the places to work against. */
export const profiles: Noun = (program, frame) => {
  const noun = program.command("profiles").description("profiles: list, show, add, use, remove");
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

  noun
    .command("add")
    .description("set up a profile")
    .argument("<name>", "letters, digits, dots, dashes and underscores")
    .requiredOption("--base-url <url>", "address of the service; https, or http on loopback")
    .option("--environment <label>", "sandbox, test or production")
    .option("--brand <word>", "the word in field names such as service_account_number")
    .option("--auth-form <form>", "token, bare or auto: how the Authorization header is written")
    .option("--graphql-url <url>", "where tokens are obtained, if not {base-url}/v1/graphql/")
    .option("--credential-helper <command>", "a command that prints the key or token as JSON")
    .option("--proxy <url>", "the way there, such as http://host:3128; goes before HTTPS_PROXY")
    .option("--ca-file <path>", "certificates to trust besides the system's, as PEM")
    .option("--mutation <text>", "what obtains a token, if not obtainToken(input: {APIKey})")
    .option("--token-path <path>", "where the token stands in its answer")
    .addHelpText(
      "after",
      examples(
        "supplyline profiles add acme-test --environment test \\",
        "  --base-url https://api.example.com",
        "supplyline profiles add live --base-url https://api.example.com --read-only",
        "supplyline profiles add acme --base-url https://api.example.com \\",
        "  --credential-helper '/usr/local/bin/acme-key'",
      ),
    )
    .action((name: string, options: AddOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { addProfile } = await import("./profiles/add.ts");
        return addProfile(invocation, { name, ...options });
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

interface AddOptions {
  readonly baseUrl: string;
  readonly environment?: string;
  readonly brand?: string;
  readonly authForm?: string;
  readonly graphqlUrl?: string;
  readonly credentialHelper?: string;
  readonly proxy?: string;
  readonly caFile?: string;
  readonly mutation?: string;
  readonly tokenPath?: string;
}
