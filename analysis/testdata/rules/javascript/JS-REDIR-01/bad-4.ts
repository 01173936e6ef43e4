window.location.href = new URLSearchParams(window.location.search).get('next') // ← here
