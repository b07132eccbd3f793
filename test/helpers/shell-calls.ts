/** Reads shell text as far as it takes to find the commands in it; it runs nothing. */

/** Words that can precede a command. */
const keywords = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"]);
const redirections = /^\d?(?:>>|>&|>|<<<|<&|<)/;

/**
 * The words after the program's name of each call of it, quotes taken off. A variable stands for 1,
 * which is a number and a name; what a command substitution calls is found as well.
 */
export function callsIn(text: string, program = "supplyline"): readonly (readonly string[])[] {
  const calls: string[][] = [];
  for (const words of simpleCommands(withoutHereDocuments(text.replaceAll("\\\n", " ")))) {
    const at = words.findIndex((word) => !keywords.has(word) && !/^[A-Za-z_]\w*=/.test(word));
    if (words[at] === program) calls.push(words.slice(at + 1));
  }
  return calls;
}

function withoutHereDocuments(text: string): string {
  return text.replace(/<<-?\s*(['"]?)(\w+)\1(.*)\n[\s\S]*?\n\2(?=\n|$)/g, "$3");
}

/** The words of every simple command, those within `$(…)` and `<(…)` first. */
function simpleCommands(text: string): string[][] {
  const found: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) found.push(words);
    words = [];
  };
  let quote: '"' | null = null;
  for (let at = 0; at < text.length; at++) {
    const rest = text.slice(at);
    const char = text.charAt(at);
    const inside = /^[$<]\(/.test(rest) ? closed(text, at + 1) : null;
    if (inside !== null && (quote === null || char === "$")) {
      found.push(...simpleCommands(text.slice(at + 2, inside)));
      word = `${word ?? ""}1`;
      at = inside;
    } else if (quote === null && char === "'") {
      const end = text.indexOf("'", at + 1);
      word = (word ?? "") + text.slice(at + 1, end);
      at = end;
    } else if (char === '"') {
      quote = quote === null ? '"' : null;
      word ??= "";
    } else if (char === "\\") {
      at += 1;
      word = (word ?? "") + text.charAt(at);
    } else if (/^\$(\w+|\?|\{[^}]*\})/.test(rest)) {
      word = `${word ?? ""}1`;
      at += (/^\$(?:\w+|\?|\{[^}]*\})/.exec(rest)?.[0].length ?? 1) - 1;
    } else if (quote !== null) word = (word ?? "") + char;
    else if (char === "#" && word === null) at += rest.search(/\n|$/) - 1;
    else if (word === null && redirections.test(rest)) {
      // The file, or the descriptor, that follows is no word of the command.
      const [whole = ""] = /^\d?[<>&]+\s*(?:'[^']*'|"[^"]*"|[^\s;|&()<>]*)/.exec(rest) ?? [];
      at += whole.length - 1;
    } else if (/[\n;|&()]/.test(char)) endCommand();
    else if (/\s/.test(char)) endWord();
    else word = (word ?? "") + char;
  }
  endCommand();
  return found;
}

/** Returns the index at which the bracket that opens at `at` is closed, or null if it is open. */
function closed(text: string, at: number): number | null {
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    if (text.charAt(end) === "(") depth += 1;
    if (text.charAt(end) === ")") depth -= 1;
    if (depth === 0) return end;
  }
  return null;
}
