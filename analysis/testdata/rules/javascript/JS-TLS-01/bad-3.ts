const options = { host: 'x' }
options.rejectUnauthorized = false // ← here
