export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(/<\/script/gi, '<\\/script')
