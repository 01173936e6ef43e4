/** The code of a system error; empty if it has none. */
export const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | null)?.code ?? '')
