/**
 * The command `login`: checks an API key by obtaining a token with it, and saves the token
 * (INTERFACE 5.2).
 */

import { Option } from "commander";
import type { CredentialSource } from "../../api/service.ts";
import { isPrintable } from "../../keys/key-name.ts";
import { keysOf } from "../../keys/sequence-keys.ts";
import { SequenceReader } from "../../keys/sequence-reader.ts";
import { memoryCredentials } from "../../settings/credentials.ts";
import type { ResolvedProfile } from "../../settings/resolve.ts";
import type { Profile } from "../../settings/schemas.ts";
import { checkSecret, createSecrets } from "../../settings/secrets.ts";
import { formatInstant, zoneLabel } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { usageError, withErrorContext } from "../command-error.ts";
import { needTarget, unusedSecretWords } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { Ended, type Io } from "../io.ts";
import { serviceFor } from "../target.ts";
import type { Verb } from "../verb.ts";

interface LoginOptions {
  readonly apiKeyStdin?: boolean;
  readonly saveKey?: boolean;
}

export const verb: Verb = {
  declare: (command) =>
    command
      .option("--api-key-stdin", "read the key from standard input; on a terminal it is asked for")
      .addOption(
        // Users often try this option. It is declared so that no error message repeats the key.
        new Option("--api-key <key>").hideHelp().argParser(() => {
          throw usageError(
            "a key on the command line can be read by others, in the list of processes and the shell's history",
            "Pass it on standard input: supplyline login --api-key-stdin < FILE",
          );
        }),
      )
      .option("--save-key", "also save the key, in a file that only you can read"),
  /**
   * Checks a key by obtaining a token with it (INTERFACE 5.2). Then saves the token, and the key
   * with `--save-key`. Reports the file before writing to the file. A refused key changes nothing.
   */
  async run(invocation, { apiKeyStdin: fromStdin = false, saveKey = false }: LoginOptions) {
    const resolved = needTarget(invocation);
    const { profile, origin } = resolved;
    if (origin === "sandbox") throw usageError("the sandbox has a key; no login is needed");
    if (origin === "ad-hoc" && saveKey)
      throw usageError(
        "nothing is saved for a profile from the environment, so --save-key cannot be used",
        "Add the service with: supplyline profiles add NAME --base-url URL",
      );
    const apiKey = await keyFor(invocation, resolved, { fromStdin, saveKey });
    const credentials =
      apiKey === null ? resolved.credentials : memoryCredentials(createSecrets({ apiKey }));
    const expiresAt = await obtain(invocation, { ...resolved, credentials });
    invocation.notice(
      `${profile.baseUrl ?? ""} accepted the key and returned a token${validityWords(invocation, expiresAt)}.`,
    );
    if (origin === "ad-hoc") {
      invocation.notice("Nothing is saved: the profile comes from the environment.");
    } else if (apiKey !== null)
      await save(invocation, profile, { apiKey, credentials, expiresAt, saveKey });
  },
  exits: [0, 2, 3, 6, 130],
  examples: [
    "supplyline login   # asks for the key, unseen",
    "pass show acme | supplyline login --api-key-stdin",
    "pass show acme | supplyline login --profile acme --api-key-stdin --save-key",
  ],
};

/** Returns the key to check, or null if the profile's credential helper supplies it. */
async function keyFor(
  invocation: Invocation,
  { profile }: ResolvedProfile,
  options: { readonly fromStdin: boolean; readonly saveKey: boolean },
): Promise<string | null> {
  if (!options.fromStdin && profile.credentialHelper !== undefined && !options.saveKey) return null;
  if (!options.fromStdin && !invocation.io.stdin.isTTY)
    throw usageError(
      "login needs the API key",
      "Pipe it in from your secret store, such as: pass show acme | supplyline login --api-key-stdin. A key is never given as an argument.",
    );
  const key = await readKey(invocation.io);
  const problem = checkSecret(key);
  if (problem !== null) throw usageError(`the API key ${problem}`);
  return key;
}

/** Obtains a token. Returns its expiry time in epoch milliseconds, or null if it has none. */
async function obtain(invocation: Invocation, resolved: ResolvedProfile): Promise<number | null> {
  const service = serviceFor(invocation, resolved, null);
  const { profile, origin } = resolved;
  const flaggedProfile = origin === "flag" ? profile.name : undefined;
  try {
    const context = {
      doing: `obtaining a token for ${profile.name}`,
      profile: flaggedProfile,
      baseUrl: service.baseUrl,
    };
    const facts = await withErrorContext(context, () =>
      service.authenticate({ fresh: true, ...invocation.request }),
    );
    return facts.expiresAt;
  } finally {
    await service.close();
  }
}

interface AcceptedKey {
  readonly apiKey: string;
  readonly credentials: CredentialSource;
  /** Expiry time of the token in epoch milliseconds, or null if it has none. */
  readonly expiresAt: number | null;
  readonly saveKey: boolean;
}

/** Saves the token, and the key with `--save-key`. Reports the file and the end of the sign-in. */
async function save(
  invocation: Invocation,
  profile: Profile,
  { apiKey, credentials, expiresAt, saveKey }: AcceptedKey,
): Promise<void> {
  const settings = invocation.settings();
  const { storedIn } = settings.credentialFacts(profile, createSecrets({}));
  const token = (await credentials.token())?.token ?? null;
  invocation.notice(
    saveKey
      ? `Saving the key and the token in ${storedIn ?? "the settings"}, readable by you alone; \`supplyline logout\` wipes both.`
      : `Saving the token in ${storedIn ?? "the settings"}, readable by you alone. The key is not saved.`,
  );
  if (saveKey) settings.saveApiKey(profile.name, apiKey);
  if (token !== null) settings.saveToken(profile.name, token);
  invocation.notice(
    saveKey
      ? "The saved key obtains new tokens, so this sign-in does not expire."
      : `${signInEnd(invocation, expiresAt)} To make it last: login --save-key, or a credential helper (profiles edit ${shellQuote(profile.name)} --credential-helper CMD).`,
  );
  const saved = settings.credentialFacts(profile, invocation.secrets);
  const unused = unusedSecretWords(invocation, profile, saved);
  if (unused !== null) invocation.notice(unused);
}

function signInEnd(invocation: Invocation, expiresAt: number | null): string {
  if (expiresAt === null) return "Sign in again when the service refuses the token.";
  // The clocks of the service and of this machine differ, so the expiry time would mislead.
  if (expiresAt <= invocation.io.clock.now())
    return "Sign in again when the service refuses the token: by this machine's clock it has ended already, so check the clock.";
  return `Sign in again by ${formatInstant(expiresAt, { seconds: false })} (${zoneLabel(expiresAt)}): the token ends then.`;
}

function validityWords(invocation: Invocation, expiresAt: number | null): string {
  const left = expiresAt === null ? 0 : expiresAt - invocation.io.clock.now();
  return left > 0 ? `, good for ${formatDuration(left)}` : "";
}

/** Maximum length of a key in characters. Longer input is a file piped in by mistake. */
const maxKeyLength = 16_384;

/**
 * Reads the key from the first line of standard input. A terminal does not show the key. Rejects
 * with `usage` if the line is empty, or with the signal's reason if the program is ended.
 */
async function readKey(io: Io): Promise<string> {
  const { stdin, stderr } = io;
  const isTyped = stdin.isTTY;
  if (isTyped) {
    // Raw mode begins before the question, so that the terminal does not show a key that is pasted
    // at once.
    stdin.setRawMode(true);
    stderr.write("API key (not shown): ");
  }
  try {
    const line = await firstLine(io, isTyped);
    if (line.trim() === "")
      throw usageError("standard input has no API key", "Pipe it in, or type it on a terminal.");
    return line.trim();
  } finally {
    if (isTyped) {
      stdin.setRawMode(false);
      stderr.write("\n");
    }
    stdin.pause();
  }
}

/** Resolves with the first line of standard input. Handles the editing keys of a typed line. */
function firstLine(io: Io, isTyped: boolean): Promise<string> {
  const { stdin, signal } = io;
  return new Promise((resolve, reject) => {
    let line = "";
    const settle = (settlePromise: () => void) => {
      stdin.off("data", onChunk);
      stdin.off("end", onEnd);
      stdin.off("error", onError);
      signal.removeEventListener("abort", onAbort);
      reader.reset();
      settlePromise();
    };
    const onEnd = () => settle(() => resolve(line));
    const onError = (error: Error) => settle(() => reject(error));
    const onAbort = () => settle(() => reject(signal.reason));
    const onKey = (name: string) => {
      if (name === "enter" || name === "ctrl-j" || name === "ctrl-d") onEnd();
      else if (name === "ctrl-c") settle(() => reject(new Ended("interrupted")));
      else if (name === "backspace") line = line.slice(0, -1);
      else if (isPrintable(name)) line += name === "space" ? " " : name;
    };
    // An arrow key or an answer of the terminal is no part of the key.
    const reader = new SequenceReader((tokens) => {
      for (const token of tokens) {
        if (token.kind === "paste") line += token.text.replace(/[\r\n]+/g, "");
        else for (const name of keysOf(token)) onKey(name);
      }
    });
    const onChunk = (chunk: string) => {
      if (isTyped) reader.read(Buffer.from(chunk).toString("latin1"));
      else {
        const end = chunk.search(/[\r\n]/);
        line += end === -1 ? chunk : chunk.slice(0, end);
        if (end !== -1) return onEnd();
      }
      if (line.length > maxKeyLength)
        settle(() => reject(usageError("standard input is too long for an API key")));
    };
    if (signal.aborted) return reject(signal.reason);
    stdin.setEncoding("utf8");
    stdin.on("data", onChunk);
    stdin.once("end", onEnd);
    stdin.once("error", onError);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
