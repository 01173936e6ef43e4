export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/description=/, '')
