/** A name as SQL writes it, whatever is in it. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
