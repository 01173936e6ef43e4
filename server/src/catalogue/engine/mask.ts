// What is shown of code must not spread the secrets in it.
const SECRETS =
  /\b(?:(?:sk|rk|pk)_(?:live|test)_|FLWSECK(?:_TEST)?-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|eyJ)[\w.-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[^"'`\n]*|(?<=:\/\/[^\s:/@]{1,80}:)[^\s@/"'`]{3,}(?=@)/g
const NAMED =
  /((?:secret|passw(?:or)?d|pwd|token|api_?key|private_?key|credential)\w*["'`]?\s*(?:[:=]|=>)\s*["'`])([^"'`\n]{6,})/gi
const RANDOM = /\b(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}/g

export const masked = (text: string): string =>
  text
    .replace(SECRETS, (secret) => `${secret.slice(0, 4)}…`)
    .replace(NAMED, (_, before: string, secret: string) => `${before}${secret.slice(0, 2)}…`)
    .replace(RANDOM, (secret) => `${secret.slice(0, 4)}…`)
