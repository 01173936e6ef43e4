// Detects diffs in pasted text.

/** A unified diff has file headers and hunk headers. */
export const isDiff = (text: string): boolean =>
  /^--- \S.*\r?\n\+\+\+ \S/m.test(text) && /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m.test(text)
