// Where letters are text, not shortcuts.

export const isTyping = (element) =>
  element.matches("input:not([type=range], [type=checkbox]), textarea, select") || element.isContentEditable;
