// Text from the clipboard is inserted as HTML.
export function attach(editor) {
  editor.addEventListener('paste', (event) => {
    event.preventDefault()
    const text = event.clipboardData.getData('text/plain')
    document.execCommand('insertHTML', false, text) // ← here
  })
}
