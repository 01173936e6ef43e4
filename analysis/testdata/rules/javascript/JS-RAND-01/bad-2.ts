const token = Math.random().toString(36).slice(2) // ← here
