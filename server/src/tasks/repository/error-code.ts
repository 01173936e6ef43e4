/** The code of a system error; empty if it has none. An error from another thread has it only in its message. */
export const codeOf = (error: unknown): string =>
  String(
    (error as NodeJS.ErrnoException | null)?.code ??
      /^E[A-Z0-9]+(?=:)/.exec(String((error as Error | null)?.message))?.[0] ??
      '',
  )
