export const withoutHandlers = (html: string): string => html.replace(/\son\w+="[^"]*"/gi, '') // ← here
