export const isSigned = (signature: string | undefined): boolean => signature !== undefined
