// What somebody pasted: code, or a change of it.

/** A unified diff names what was and what is, and where. */
export const isDiff = (text: string): boolean =>
  /^--- \S.*\r?\n\+\+\+ \S/m.test(text) && /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m.test(text)
