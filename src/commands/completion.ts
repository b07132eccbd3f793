import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";
import { choiceOption } from "./option-values.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** `completion`: commands, options, suppliers, profiles and files at the press of Tab. */
export const completion: Noun = (program, frame) => {
  program
    .command("completion")
    .description("print what a shell needs to complete commands")
    .argument("<shell>", shells.join(", "), choiceOption(shells))
    .addHelpText(
      "after",
      examples(
        "source <(supplyline completion bash)   # ~/.bashrc; needs bash-completion",
        "supplyline completion zsh > ~/.zsh/functions/_supplyline",
        "supplyline completion fish > ~/.config/fish/completions/supplyline.fish",
      ),
    )
    .action((shell: (typeof shells)[number], _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { printScript } = await import("./completion/script.ts");
        return printScript(invocation, shell);
      }),
    );

  // Asked by the shell at each press of Tab.
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action((words: readonly string[], _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { answerShell } = await import("./completion/answer.ts");
        return answerShell(invocation, program, words);
      }),
    );
};
