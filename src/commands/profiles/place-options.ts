import type { Command } from "commander";
import { repeated } from "../option-values.ts";

/** Declares the settings of a profile as options of `profiles add` and `profiles edit`. */
export function addPlaceOptions(command: Command): Command {
  return command
    .option("--base-url <url>", "address of the service; https, or http on loopback")
    .option(
      "--environment <label>",
      "sandbox, test or production (default: test on loopback, else production)",
    )
    .option("--supplier <code>", "a supplier code to list; can be given several times", repeated)
    .option(
      "--brand <word>",
      "the word in field names such as service_account_number (default: service)",
    )
    .option(
      "--auth-form <form>",
      "how the Authorization header is written: token, bare or auto (default: auto, tries both)",
    )
    .option(
      "--compression <mode>",
      "whether reads ask for gzip: auto, on or off (default: auto, except from the embedded sandbox)",
    )
    .option("--graphql-url <url>", "where tokens are obtained (default: {base-url}/v1/graphql/)")
    .option("--credential-helper <command>", "a command that prints the key or token as JSON")
    .option(
      "--proxy <url>",
      "proxy URL without a password; overrides HTTPS_PROXY; not used on loopback",
    )
    .option(
      "--proxy-credential-helper <command>",
      "a command that prints Username and Password for the proxy as JSON",
    )
    .option(
      "--proxy-credential-env <name>",
      "the environment variable that contains USER:PASSWORD for the proxy",
    )
    .option("--ca-file <path>", "certificates to trust besides the system's, as PEM")
    .option("--mutation <text>", "what obtains a token (default: obtainToken(input: {APIKey}))")
    .option(
      "--token-path <path>",
      "path of the token in the response (default: obtainToken.token)",
    );
}

/** The settings as given on the command line. */
export interface ProfileOptions {
  readonly baseUrl?: string;
  readonly environment?: string;
  readonly supplier?: readonly string[];
  readonly brand?: string;
  readonly authForm?: string;
  readonly compression?: string;
  readonly graphqlUrl?: string;
  readonly credentialHelper?: string;
  readonly proxy?: string;
  readonly proxyCredentialHelper?: string;
  readonly proxyCredentialEnv?: string;
  readonly caFile?: string;
  readonly mutation?: string;
  readonly tokenPath?: string;
}
