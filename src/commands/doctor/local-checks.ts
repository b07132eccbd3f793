/**
 * The checks of `doctor` on this machine: the program, the terminal, the folders and their files.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkPrivateFolder, replaceableIn } from "../../files/private.ts";
import { accountFilters, openNamedFilters } from "../../settings/named-filters.ts";
import { openNoteTemplates } from "../../settings/note-templates.ts";
import { adHocName } from "../../settings/sandbox-profile.ts";
import { openDrafts } from "../../state/drafts.ts";
import { withState } from "../../state/open-state.ts";
import { stateKind } from "../../state/state.ts";
import { diskWords, isFull, otherFolderRemedy, probeWriting } from "../../text/disk-words.ts";
import { plural } from "../../text/numbers.ts";
import { openObservations } from "../../triage/observations/open-observations.ts";
import { observationsKind } from "../../triage/observations/schema.ts";
import { journalFile } from "../../writes/journal/journal-file.ts";
import { type Journal, openJournal } from "../../writes/journal/open-journal.ts";
import { olderJournalError } from "../../writes/older-journal.ts";
import { exitCode } from "../exit-codes.ts";
import { failureOf, withoutRemedy } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { recordingFor } from "../observing.ts";
import { readUserCommands, readUserKeys } from "../open/user-keys.ts";
import { journalOptions } from "../with-journal.ts";
import { type Check, failed, ok, warn } from "./check.ts";

export function programCheck({ io }: Invocation): Check {
  return ok("program", `supplyline ${io.version} on Node ${io.nodeVersion}`);
}

export function terminalCheck({ io }: Invocation): Check {
  const { stdin, stdout, env } = io;
  if (!stdin.isTTY || !stdout.isTTY)
    return ok("terminal", "input or output is no terminal: commands work, the console needs one");
  const { columns = 80, rows = 24 } = stdout;
  const term = env.TERM ?? "";
  const size = `${columns}×${rows}, TERM=${term === "" ? "(not set)" : term}`;
  if (columns < 60 || rows < 15)
    return warn("terminal", `${size}: the console needs at least 60×15. Make the window larger.`);
  if (term === "" || term === "dumb")
    return warn("terminal", `${size}: the console draws without colors and cursor movement.`);
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  if (!/utf-?8/i.test(locale))
    return warn(
      "terminal",
      `${size}, locale ${locale || "(not set)"}: if boxes look wrong, use a UTF-8 locale or --ascii.`,
    );
  return ok("terminal", `${size}, ${env.NO_COLOR ? "no colors (NO_COLOR)" : "colors"}, UTF-8`);
}

export async function folderChecks(invocation: Invocation): Promise<Check[]> {
  const { configDir, stateDir, cacheDir } = invocation.folders;
  return [
    await configCheck(invocation, configDir),
    ...keymapCheck(configDir),
    ...commandsCheck(configDir),
    stateCheck(stateDir),
    await journalCheck(invocation, stateDir),
    await stateFileCheck(stateDir),
    await observationsCheck(invocation, stateDir),
    cacheCheck(cacheDir),
  ];
}

function keymapCheck(folder: string): Check[] {
  const { path, issues } = readUserKeys(folder);
  if (issues.length > 0) return [warn("keymap", issues.join(". "))];
  return existsSync(path) ? [ok("keymap", `${path}, no problems`)] : [];
}

function commandsCheck(folder: string): Check[] {
  const custom = readUserCommands(folder, readUserKeys(folder).keymap);
  if (custom.issues.length > 0) return [warn("commands", custom.issues.join(". "))];
  if (!existsSync(custom.path)) return [];
  return [ok("commands", `${custom.path}: ${plural(custom.commands.length, "command")}`)];
}

async function configCheck(invocation: Invocation, folder: string): Promise<Check> {
  try {
    const count = invocation.settings().profiles().length;
    openNoteTemplates(folder).of("");
    openNamedFilters(folder).of(accountFilters);
    const failure = unwritable("config folder", folder, "SUPPLYLINE_CONFIG_DIR");
    if (failure !== null) return failure;
    if (!existsSync(folder))
      return ok("config folder", `${folder} does not exist yet; it is created at the first change`);
    return usable("config folder", folder, `, ${plural(count, "profile")}`);
  } catch (error) {
    return failed("config folder", error);
  }
}

function stateCheck(folder: string): Check {
  try {
    checkPrivateFolder(folder);
    const failure = unwritable("state folder", folder, "SUPPLYLINE_STATE_DIR");
    if (failure !== null) return failure;
    if (!existsSync(folder))
      return ok("state folder", `${folder} does not exist yet; it is created at the first write`);
    return usable("state folder", folder, "");
  } catch (error) {
    return failed("state folder", error);
  }
}

function usable(check: string, folder: string, facts: string): Check {
  const detail = `${folder}, private and writable${facts}`;
  const openParent = replaceableIn(folder);
  return openParent === null
    ? ok(check, detail)
    : warn(
        check,
        `${detail}. Other users can remove or replace it, because they can change ${openParent}.`,
      );
}

function unwritable(check: string, folder: string, variable: string): Check | null {
  const code = probeWriting(folder);
  if (code === null) return null;
  const remedy = isFull(code) ? null : otherFolderRemedy(variable, folder);
  const fix = remedy === null ? "" : ` To fix it: ${remedy}.`;
  const detail = `${folder} cannot be written: ${diskWords(code)}.${fix}`;
  return { check, result: "fail", detail, exitCode: exitCode.fault };
}

/** Checks that the journal can be written: opens the journal as for sending, and commits nothing. */
async function journalCheck(invocation: Invocation, folder: string): Promise<Check> {
  const path = join(folder, journalFile);
  try {
    if (!existsSync(path))
      return (
        unwritable("journal", folder, "SUPPLYLINE_STATE_DIR") ??
        ok("journal", "does not exist yet; it is created at the first write")
      );
    const journal = await openJournal(journalOptions(invocation, folder));
    try {
      await journal.commit(() => {});
      return standingCheck(journal, invocation.folders.configDir);
    } finally {
      await journal.close();
    }
  } catch (error) {
    return failed("journal", withoutRemedy(error));
  }
}

function standingCheck(journal: Journal, configDir: string): Check {
  const { path } = journal;
  const older = olderJournalError(journal);
  if (older !== null) return failed("journal", older);
  const problem = journal.memoryProblem();
  if (problem === null) return ok("journal", `${path} can be written`);
  const why = failureOf(problem, { doing: "remembering its position" }).message;
  return warn(
    "journal",
    `${path} can be written. A restored or copied journal would not be recognized, because nothing can be stored in ${configDir}: ${why}`,
  );
}

async function stateFileCheck(folder: string): Promise<Check> {
  const check = "state file";
  const path = join(folder, stateKind.file);
  const result = await withState(
    folder,
    (state) => {
      const { problem, unread } = state;
      if (problem !== null) return failed(check, unread ?? problem);
      const left = openDrafts(state, Date.now)
        .ofProfile(adHocName)
        .filter(({ service }) => service === null).length;
      if (left > 0)
        return warn(
          check,
          `${path} can be written. ${plural(left, "draft")} of version 0.3.0 without a service ${left === 1 ? "is" : "are"} stored there and not offered, because it might be for another service.`,
        );
      return ok(check, `${path} can be written`);
    },
    { isQuick: false },
  );
  return result ?? ok(check, "does not exist yet; it is created with the first console");
}

/**
 * Checks that lists are recorded as observations. Opens the file like a command that loads a list.
 */
async function observationsCheck(invocation: Invocation, folder: string): Promise<Check> {
  const path = join(folder, observationsKind.file);
  const { isRecording, problem } = recordingFor(invocation);
  const exists = existsSync(path);
  if (problem !== null) return warn("observations", `not recorded: ${problem}`);
  if (!isRecording) {
    const switchedBy = invocation.io.env.SUPPLYLINE_OBSERVE
      ? "SUPPLYLINE_OBSERVE=0"
      : "the preference recordObservations";
    const stored = exists ? `${path} can be read` : "nothing is stored";
    return ok("observations", `not recorded: switched off by ${switchedBy}; ${stored}`);
  }
  const failure = unwritable("observations", folder, "SUPPLYLINE_STATE_DIR");
  // A problem with observations is only a warning, because lists are shown without them.
  if (failure !== null) return warn("observations", `not recorded: ${failure.detail}`);
  if (!exists) {
    return ok(
      "observations",
      `${path} does not exist yet; it is created with the first complete list`,
    );
  }
  const observations = await openObservations({
    folder,
    origin: "",
    clock: invocation.io.clock,
    recording: true,
  });
  try {
    const recordingProblem = observations.problem();
    return recordingProblem === null
      ? ok("observations", `complete lists are recorded in ${path}`)
      : warn("observations", `not recorded: ${recordingProblem}`);
  } finally {
    await observations.close();
  }
}

/**
 * Checks the cache folder, which only makes commands start faster. A missing folder is no failure.
 */
function cacheCheck(folder: string): Check {
  const code = probeWriting(folder);
  if (code === null) return ok("cache folder", `${folder}, writable`);
  const detail = `${folder} cannot be written: ${diskWords(code)}. Commands start slower without it.`;
  return warn("cache folder", detail);
}
