// Remembers the chosen language of samples from page to page. The style sheet shows the chosen one.

const KEY = 'cowrie.samples'

export function rememberSampleLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('input[name=samples]')]
  const stored = read()
  for (const choice of choices) {
    if (choice.value === stored) choice.checked = true
    choice.addEventListener('change', () => write(choice.value))
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // A browser that forbids storage shows the first language on each page.
    return null
  }
}

function write(language: string): void {
  try {
    localStorage.setItem(KEY, language)
  } catch {
    return
  }
}
