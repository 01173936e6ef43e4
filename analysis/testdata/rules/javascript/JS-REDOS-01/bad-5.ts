export const parseData = (url: string) => /^data:(.*?),(.*?)(?:#(.*))?$/.exec(url) // ← here
