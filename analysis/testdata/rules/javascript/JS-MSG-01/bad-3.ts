function go(event) { window.location.href = event.data.url }
window.addEventListener('message', go) // ← here
