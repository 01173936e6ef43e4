// What a provider said, for the log of those who run the service: its codes and words, and nothing that names a payer.

const CHARACTERS_MAX = 200

/** Cut short, and without addresses and long numbers, which may be somebody's. */
export const redactedDetail = (...said: (string | number | null | undefined)[]): string =>
  said
    .filter((each) => each !== null && each !== undefined && each !== '')
    .join(', ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[^\s@]+@[^\s@]+/g, '…')
    .replace(/\+?\d[\d ()-]{6,}\d/g, '…')
    .slice(0, CHARACTERS_MAX)
