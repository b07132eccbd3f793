/**
 * Invisible signs that mark the kind of a line of the linear console, and that are removed before
 * the line is printed. They are noncharacters, so sanitized text never contains them.
 */
export const linearSigns = {
  typed: "\ufdd0",
  current: "\ufdd1",
} as const;
