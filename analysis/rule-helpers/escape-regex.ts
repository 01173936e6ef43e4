// Text of scanned code inside a regular expression. `RegExp.escape` needs a newer Node.js than the command line.
export const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
