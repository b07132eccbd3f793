/** Pieces of a page in the man macros. Text between backticks is bold, as everything that is typed. */

/** Returns the beginning of a page. Its text is neither adjusted nor hyphenated, so that it can be searched. */
export function title(name: string, section: 1 | 5 | 7, version: string): string {
  const manual = { 1: "User Commands", 5: "File Formats", 7: "Miscellaneous" }[section];
  const line = `.TH ${escaped(name.toUpperCase())} ${section} "" "supplyline ${version}" "${manual}"`;
  return `${line}\n.ad l\n.nh`;
}

/** Returns a section with its lines, or nothing if there are none. */
export function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`.SH ${quoted(heading)}`, ...lines];
}

/** Returns a part of a section with its lines. */
export function part(heading: string, lines: readonly string[]): readonly string[] {
  return [`.SS ${quoted(heading)}`, ...lines];
}

/** Returns paragraphs, each a line of the source. */
export function paragraphs(...texts: readonly string[]): readonly string[] {
  return texts.flatMap((words, at) => (at === 0 ? [text(words)] : [".PP", text(words)]));
}

/** Returns a term in bold and its meaning below it, indented. */
export function entry(term: string, meaning: string): readonly string[] {
  return [".TP", `.B ${escaped(term.replaceAll("`", ""))}`, text(meaning)];
}

/** Returns lines as they are typed, indented and never broken. */
export function typedLines(lines: readonly string[]): readonly string[] {
  return [".RS", ".nf", ...lines.map((line) => guarded(escaped(line))), ".fi", ".RE"];
}

/** Returns a line of text. */
function text(words: string): string {
  const pieces = words
    .split(/`([^`]*)`/)
    .map((piece, at) => (at % 2 === 0 ? escaped(piece) : `\\fB${escaped(piece)}\\fR`));
  return guarded(pieces.join(""));
}

/** A line that begins with a dot or an apostrophe would be taken for a request. */
function guarded(line: string): string {
  return line.replace(/^[.']/, "\\&$&");
}

function quoted(words: string): string {
  return `"${escaped(words).replaceAll('"', "\\(dq")}"`;
}

function escaped(words: string): string {
  return words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll("`", "\\(ga");
}
