/** A name as SQL writes it, whatever is in it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
